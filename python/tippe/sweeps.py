"""Many runs of one system with other numbers, on all cores or by an executor: the rows of `tippe sweep` as arrays."""

from __future__ import annotations

import concurrent.futures
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Set, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _tippe
from .arguments import Number, finite, several, word
from .errors import InputError, lines_of, warn_and_raise
from .names import unknown_name
from .overrides import Overrides
from .progress import SweepProgress, SweepProgressFunction
from .values import Array, read_only

if TYPE_CHECKING:
    from .system import System

_CHUNKS = 128  # that an executor gets, of at least one point each
_LOOK = 0.1  # s: how often what an executor does is looked after
_INTERNAL = ("end", "reason", "points", "down")  # columns that are told otherwise
_FAILED = ("failed", "refused")


class SweepRequest(NamedTuple):
    """What is to be computed: all that another process needs."""

    text: str
    file: str
    overrides: Overrides
    vary: List[str]
    quantities: List[str]
    section: str
    transient: Optional[int]
    keep: Optional[int]

    def plan(self) -> _tippe.SweepPlan:
        with lines_of(self.text):
            return _tippe.SweepPlan(
                self.text, self.file, self.overrides.texts(), self.vary, self.quantities, self.section, self.transient, self.keep
            )


class _Chunk(NamedTuple):
    """Rows of points one after another, those that were computed."""

    cells: Any
    section: Any
    reasons: List[str]


def compute_chunk(request: SweepRequest, first: int, end: int, jobs: int) -> _Chunk:
    """The points from first to before end, wherever an executor has brought this."""
    *chunk, error = request.plan().compute(first, end, jobs, None)
    if error is not None:
        raise error
    return _Chunk(*chunk)


class Sweep:
    """Runs over a grid: arrays with one dimension for each name that varies. From tippe.sweep(); in memory, immutable.

    sweep["height:max"] is the array of a quantity, of a number of the run ("time", "steps", "impacts", "period", "worst_residual", "energy_final", ...,
    "wall_time" s) or of the final state ("final x"); not a number where a run did not come to it. SI units, as far as the scene is.
    dims: names of the dimensions; coords: their values. status: why each run ended; reason: of those that failed, in words, else "".
    section: of the points of the section, arrays by name ("t", coordinates, velocities) with the points as another, last
    dimension; not a number behind the last point of a run. Empty without a section.
    """

    def __init__(self, coords: Mapping[str, Array], plan: _tippe.SweepPlan) -> None:
        self.dims: Tuple[str, ...] = tuple(coords)
        self.coords: Dict[str, Array] = dict(coords)
        shape = tuple(len(values) for values in coords.values())
        size = int(np.prod(shape))
        self._ends = tuple(plan.ends)
        self._columns = tuple(plan.columns)
        self._cells = np.full((size, len(self._columns)), np.nan)
        self._cells[:, 0] = self._ends.index("interrupted")
        self._section_columns = tuple(plan.section_columns)
        self._transient = plan.transient
        self._points = np.full((size, plan.keep if plan.has_section else 0, len(self._section_columns)), np.nan)
        self.shape: Tuple[int, ...] = shape
        self.reason: npt.NDArray[Any] = np.full(size, "", dtype=object).reshape(shape)

    def _enter(self, first: int, chunk: _Chunk) -> None:
        """The rows of a chunk whose first point is this."""
        end = first + len(chunk.cells)
        self._cells[first:end] = chunk.cells
        for point, number in zip(range(first, end), chunk.cells[:, 1]):
            if number >= 0:
                self.reason.flat[point] = chunk.reasons[int(number)]
        run, number = chunk.section[:, 0].astype(int), chunk.section[:, 1].astype(int)
        self._points[run, number - self._transient] = chunk.section

    @property
    def names(self) -> Tuple[str, ...]:
        """What sweep[...] knows."""
        return tuple(dict.fromkeys(name for name in self._columns if name not in _INTERNAL))

    def __getitem__(self, name: str) -> Array:
        if name not in self.names:
            raise unknown_name(name, self.names, "an array of this sweep")
        return read_only(self._cells[:, self._columns.index(name)].reshape(self.shape))

    @property
    def status(self) -> npt.NDArray[np.str_]:
        """Why each run ended: until, stop_when, section, rest, accumulation, failed, refused (it could not start); interrupted: it was not computed."""
        words: npt.NDArray[np.str_] = np.array(self._ends)[self._cells[:, 0].astype(int)].reshape(self.shape)
        return words

    @property
    def section(self) -> Dict[str, Array]:
        if self._points.shape[1] == 0:
            return {}
        shape = (*self.shape, self._points.shape[1])
        return {
            name: read_only(self._points[:, :, column].reshape(shape))
            for column, name in enumerate(self._section_columns)
            if name not in ("run", "number")
        }

    @property
    def failed(self) -> int:
        """How many runs failed or could not start."""
        return int(np.isin(self.status, _FAILED).sum())

    def _first_failure(self) -> str:
        return str(self.reason[np.isin(self.status, _FAILED)][0])

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with one row for each run, indexed by what varies. Points of a section are not in it."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_pandas() needs pandas, which is not installed: pip install pandas") from None
        if len(self.dims) == 1:
            index = pandas.Index(self.coords[self.dims[0]], name=self.dims[0])
        else:
            index = pandas.MultiIndex.from_product(list(self.coords.values()), names=list(self.dims))
        columns = {"status": self.status.ravel(), "reason": self.reason.ravel()}
        return pandas.DataFrame({**columns, **{name: self[name].ravel() for name in self.names}}, index=index)

    def to_xarray(self) -> Any:
        """A xarray.Dataset with the arrays under their names; those of a section as "section x", with the dimension "section point", which counts the points
        of a run from 0, those of the transient included. A name that varies too stands as "run NAME"."""
        try:
            import xarray
        except ImportError:
            raise ImportError("to_xarray() needs xarray, which is not installed: pip install xarray") from None
        coords: Dict[str, Any] = dict(self.coords)
        arrays: Dict[str, Any] = {"status": (self.dims, self.status), "reason": (self.dims, self.reason)}
        arrays.update({name: (self.dims, self[name]) for name in self.names})
        for name, values in self.section.items():
            arrays[f"section {name}"] = ((*self.dims, "section point"), values)
            coords["section point"] = self._transient + np.arange(values.shape[-1])
        return xarray.Dataset({f"run {name}" if name in coords else name: array for name, array in arrays.items()}, coords)

    def __repr__(self) -> str:
        sizes = ", ".join(f"{name}: {len(values)}" for name, values in self.coords.items())
        failed = f", {self.failed} failed" if self.failed else ""
        return f"<tippe.Sweep ({sizes}){failed}: {', '.join(self.names)}>"


def _axes(vary: Mapping[str, Any]) -> Dict[str, Array]:
    if not isinstance(vary, Mapping) or not vary:
        raise InputError('vary must be a dictionary with at least one name and its values: {"mu": [0.1, 0.2]}')
    axes: Dict[str, Array] = {}
    for name, given in vary.items():
        values = several(given)
        if not values:
            raise InputError(f"vary[{name!r}] has no values")
        axes[word("a name in vary", name)] = read_only([finite(f"vary[{name!r}][{k}]", value) for k, value in enumerate(values)])
    return axes


def _count(name: str, value: Optional[int], least: int) -> Optional[int]:
    if value is not None and (not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < least):
        raise InputError(f"{name} is {value!r} and must be a whole number, at least {least}")
    return None if value is None else int(value)


def _compute_here(
    plan: _tippe.SweepPlan, result: Sweep, jobs: int, progress: Optional[SweepProgressFunction]
) -> Optional[BaseException]:
    *chunk, error = plan.compute(0, result.status.size, jobs, progress)
    result._enter(0, _Chunk(*chunk))
    return error


def _compute_by(
    executor: concurrent.futures.Executor, request: SweepRequest, result: Sweep, jobs: int, progress: Optional[SweepProgressFunction]
) -> Optional[BaseException]:
    size = result.status.size
    length = -(-size // _CHUNKS)
    first_of: Dict[concurrent.futures.Future[_Chunk], int] = {}
    pending: Set[concurrent.futures.Future[_Chunk]] = set()
    done = 0
    try:
        for first in range(0, size, length):
            first_of[executor.submit(compute_chunk, request, first, min(first + length, size), jobs)] = first
        pending = set(first_of)
        while pending:
            finished, pending = concurrent.futures.wait(pending, _LOOK, concurrent.futures.FIRST_COMPLETED)
            for future in finished:
                chunk = future.result()
                result._enter(first_of[future], chunk)
                done += len(chunk.cells)
            if progress is not None:
                progress(done, size, result.failed)
    except BaseException as error:
        for future in first_of:
            if not future.cancel() and future.done() and future.exception() is None:
                result._enter(first_of[future], future.result())
        return error
    return None


def sweep(
    system: System,
    vary: Mapping[str, Union[float, Iterable[float]]],
    quantities: Union[str, Sequence[str]] = (),
    section: Optional[str] = None,
    transient: Optional[int] = None,
    keep: Optional[int] = None,
    until: Optional[Number] = None,
    dt: Optional[Number] = None,
    integrator: Optional[str] = None,
    jobs: Optional[int] = None,
    executor: Optional[concurrent.futures.Executor] = None,
    progress: Union[None, bool, SweepProgressFunction] = None,
) -> Sweep:
    """Runs a system at every point of a grid, as `tippe sweep`, on all cores or by an executor.

    vary: parameters and initial values by name, with their values: {"mu": np.linspace(0.1, 0.5, 20), "e": [0.2, 0.5]}.
    quantities: what is kept of each run: "height:max", a quantity of the scene, a coordinate or a velocity, reduced by last, max, min, mean or rms.
    section: whose points are kept too: "impact:CONTACT", "stroboscopic", or a velocity, coordinate or quantity that rises through zero; transient (200) of them
        are passed over, then keep (100) kept, and the run ends.
    until, dt, integrator: as for System.run().
    executor: a concurrent.futures.Executor, of threads, processes or a cluster, that gets the points in chunks. jobs: threads; default: one for each core, with
        an executor one for each chunk. Results depend on neither.
    progress: as for System.run(); a function gets (done, total, failed), numbers of points.

    A run that fails does not end the sweep: it has that status and a reason, and there is a TippeWarning. Raises InputError before anything is
    computed. Ctrl-C ends the sweep; the KeyboardInterrupt has an attribute .sweep with what is done. Chunks that an executor has begun it computes to their end.
    """
    axes = _axes(vary)
    request = SweepRequest(
        text=system.text,
        file=system.file,
        overrides=system._overrides.replaced(until=until, dt=dt, integrator=integrator),
        vary=[f"{name}={','.join(map(repr, values.tolist()))}" for name, values in axes.items()],
        quantities=[word("quantities", name) for name in several(quantities)],
        section="" if section is None else word("section", section),
        transient=_count("transient", transient, 0),
        keep=_count("keep", keep, 1),
    )
    threads = _count("jobs", jobs, 1)
    plan = request.plan()
    result = Sweep(axes, plan)
    with SweepProgress(progress) as function:
        if executor is None:
            error = _compute_here(plan, result, threads or _tippe.default_jobs(), function)
        else:
            error = _compute_by(executor, request, result, threads or 1, function)
    sentences = []
    if result.failed:
        sentences = [f"{system.file}: {result.failed} of {result.status.size} runs failed; the first: {result._first_failure()}"]
    warn_and_raise(sentences, error, 2, sweep=result)
    return result
