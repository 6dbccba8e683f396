"""Many runs of one system with other numbers, on all cores or by an executor: the rows of `tippe sweep` as arrays."""

from __future__ import annotations

import concurrent.futures
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Set, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _tippe
from .arguments import Number, finite, several, word
from .errors import InputError, lines_of, told_at_the_call, warn_and_raise
from .names import unknown_name
from .overrides import Overrides
from .progress import SweepProgress, SweepProgressFunction
from .values import Array, read_only

if TYPE_CHECKING:
    from .system import System

_CHUNKS = 128  # that an executor gets, of at least one point each
_LOOK = 0.1  # s: how often what an executor does is looked after
_INTERNAL = ("end", "reason", "points", "down", "forcing_period")  # columns that are told otherwise
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
    follow: str
    basin: bool
    samples: Optional[int]
    sobol: bool
    seed: int
    table: str

    def plan(self) -> _tippe.SweepPlan:
        with lines_of(self.text):
            return _tippe.SweepPlan(self.text, self.file, self.overrides.texts(), *self[3:])


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


class Attractor(NamedTuple):
    """What runs of a basin settle on."""

    kind: str
    """orbit, rest (an equilibrium), escape (the scene's own stop_when), or irregular: points that do not repeat."""
    period: int
    """Of an orbit, in points of the section; else 0."""
    points: Dict[str, Array]
    """One period of an orbit, or the equilibrium: "t" (s), coordinates and velocities."""
    runs: int
    """How many reached it."""


class Sweep:
    """Many runs: arrays with one dimension for each name that varies. From tippe.sweep(); in memory, immutable.

    sweep["height:max"] is the array of a quantity, of a number of the run ("time", "steps", "impacts", "period", "worst_residual", "energy_final", ...,
    "wall_time" s) or of the final state ("final x"); not a number where a run did not come to it. SI units, as far as the scene is.
    dims: names of the dimensions; coords: their values. With follow="both" "direction" is one, before the last; of samples and tables "point" is the only one.
    points: for each name that varies its value in each run. status: why each run ended; reason: of those that failed, in words, else "".
    section: of the points of the section, arrays by name ("t", coordinates, velocities) with the points as another, last
    dimension; not a number behind the last point of a run. Empty without a section.
    attractors: of a basin, in the order in which they were found; attractor: the number of the one that each run reached, or -1.
    """

    def __init__(self, plan: _tippe.SweepPlan, follow: str = "", basin: bool = False) -> None:
        size = plan.size
        points = np.asarray(plan.points())
        grid = tuple(plan.shape)
        self.dims: Tuple[str, ...] = tuple(plan.names) if grid else ("point",)
        # Points are numbered in the order in which they are computed; arrays are in the order of their coordinates.
        self._order: npt.NDArray[np.intp] = np.arange(size)
        if follow == "both":
            self.dims = (*self.dims[:-1], "direction", self.dims[-1])
            self._order = self._order.reshape((*grid[:-1], 2, grid[-1]))
            self._order[..., 1, :] = self._order[..., 1, ::-1].copy()
        elif grid:
            self._order = self._order.reshape(grid)[..., :: -1 if follow == "down" else 1]
        self.shape: Tuple[int, ...] = self._order.shape
        self.points: Dict[str, Array] = {name: read_only(points[self._order, column]) for column, name in enumerate(plan.names)}
        self.coords: Dict[str, Any] = {}
        for axis, name in enumerate(self.dims):
            along = tuple(slice(None) if other == axis else 0 for other in range(len(self.shape)))
            self.coords[name] = (
                read_only(self.points[name][along])
                if grid and name in self.points
                else np.array(["up", "down"])
                if grid
                else np.arange(size)
            )
        self._ends = tuple(plan.ends)
        self._columns = tuple(plan.columns)
        self._cells = np.full((size, len(self._columns)), np.nan)
        self._cells[:, 0] = self._ends.index("interrupted")
        self._section_columns = tuple(plan.section_columns)
        self._transient = plan.transient
        self._points = np.full((size, plan.keep if plan.has_section else 0, len(self._section_columns)), np.nan)
        self._reason: npt.NDArray[Any] = np.full(size, "", dtype=object)
        self._basin = basin
        self._orbits: List[Any] = []  # points that attractors are told by, of each chunk
        self._attractor = np.full(size, -1)
        self.attractors: Tuple[Attractor, ...] = ()

    def _enter(self, first: int, chunk: _Chunk) -> None:
        """The rows of a chunk whose first point is this."""
        end = first + len(chunk.cells)
        self._cells[first:end] = chunk.cells
        for point, number in zip(range(first, end), chunk.cells[:, 1]):
            if number >= 0:
                self._reason[point] = chunk.reasons[int(number)]
        if self._basin:
            self._orbits.append(chunk.section)
            return
        run, number = chunk.section[:, 0].astype(int), chunk.section[:, 1].astype(int)
        self._points[run, number - self._transient] = chunk.section

    def _find_attractors(self, plan: _tippe.SweepPlan) -> None:
        """When all rows are there: attractors are numbered in the order of the points."""
        orbits = np.concatenate([*self._orbits, np.empty((0, len(self._section_columns)))])
        self._orbits = []
        numbers, found = plan.attractors(self._cells, np.ascontiguousarray(orbits[np.argsort(orbits[:, 0], kind="stable")]))
        self._attractor = np.asarray(numbers)[:, 0].astype(int)
        self.attractors = tuple(
            Attractor(
                kind,
                len(points) if kind == "orbit" else 0,
                {name: read_only(np.asarray(points)[:, column]) for column, name in enumerate(self._section_columns[2:])},
                runs,
            )
            for kind, points, runs in found
        )

    @property
    def names(self) -> Tuple[str, ...]:
        """What sweep[...] knows."""
        return tuple(dict.fromkeys(name for name in self._columns if name not in _INTERNAL))

    def __getitem__(self, name: str) -> Array:
        if name not in self.names:
            raise unknown_name(name, self.names, "an array of this sweep")
        return read_only(self._cells[self._order, self._columns.index(name)])

    def _ipython_key_completions_(self) -> List[str]:
        return list(self.names)

    @property
    def status(self) -> npt.NDArray[np.str_]:
        """Why each run ended: until, stop_when, section, rest, accumulation, failed, refused (it could not start); interrupted: it was not computed."""
        words: npt.NDArray[np.str_] = np.array(self._ends)[self._cells[self._order, 0].astype(int)]
        return words

    @property
    def reason(self) -> npt.NDArray[Any]:
        return self._reason[self._order]

    @property
    def attractor(self) -> npt.NDArray[np.int_]:
        return self._attractor[self._order]

    @property
    def section(self) -> Dict[str, Array]:
        if self._points.shape[1] == 0:
            return {}
        return {
            name: read_only(self._points[:, :, column][self._order])
            for column, name in enumerate(self._section_columns)
            if name not in ("run", "number")
        }

    @property
    def failed(self) -> int:
        """How many runs failed or could not start."""
        return int(np.isin(self.status, _FAILED).sum())

    def _first_failure(self) -> str:
        return str(next(reason for reason in self._reason if reason))

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with one row for each run, indexed by what varies (and the direction). Points of a section are not in it."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_pandas() needs pandas, which is not installed: pip install pandas") from None
        levels: Dict[str, Any] = {name: values.ravel() for name, values in self.points.items()}
        if "direction" in self.dims and "direction" not in levels:
            levels["direction"] = np.broadcast_to(self.coords["direction"][:, None], self.shape).ravel()
        if len(levels) == 1:
            index = pandas.Index(*levels.values(), name=next(iter(levels)))
        else:
            index = pandas.MultiIndex.from_arrays(list(levels.values()), names=list(levels))
        columns = {"status": self.status.ravel(), "reason": self.reason.ravel()}
        if self._basin:
            columns["attractor"] = self.attractor.ravel()
        return pandas.DataFrame({**columns, **{name: self[name].ravel() for name in self.names}}, index=index)

    def to_xarray(self) -> Any:
        """A xarray.Dataset with the arrays under their names; those of a section as "section x", with the dimension "section point", which counts the points
        of a run from 0, those of the transient included. A name that varies too stands as "run NAME"."""
        try:
            import xarray
        except ImportError:
            raise ImportError("to_xarray() needs xarray, which is not installed: pip install xarray") from None
        coords: Dict[str, Any] = dict(self.coords)
        if self.dims == ("point",):
            coords.update({name: ("point", values) for name, values in self.points.items() if name != "point"})
        arrays: Dict[str, Any] = {"status": (self.dims, self.status), "reason": (self.dims, self.reason)}
        if self._basin:
            arrays["attractor"] = (self.dims, self.attractor)
        arrays.update({name: (self.dims, self[name]) for name in self.names})
        for name, values in self.section.items():
            arrays[f"section {name}"] = ((*self.dims, "section point"), values)
            coords["section point"] = self._transient + np.arange(values.shape[-1])
        return xarray.Dataset({f"run {name}" if name in coords else name: array for name, array in arrays.items()}, coords)

    def __repr__(self) -> str:
        sizes = ", ".join(f"{name}: {len(values)}" for name, values in self.coords.items())
        failed = f", {self.failed} failed" if self.failed else ""
        return f"<tippe.Sweep ({sizes}){failed}: {', '.join(self.names)}>"


def _axes(vary: Mapping[str, Any], samples: bool) -> List[str]:
    """Each as the program has it; of samples two numbers in a tuple are a range."""
    if not isinstance(vary, Mapping) or not vary:
        raise InputError('vary must be a dictionary with at least one name and its values: {"mu": [0.1, 0.2]}')
    texts: List[str] = []
    for name, given in vary.items():
        if isinstance(given, str):
            texts.append(f"{word('a name in vary', name)}={given}")
            continue
        values = several(given)
        if not values:
            raise InputError(f"vary[{name!r}] has no values")
        numbers = [repr(finite(f"vary[{name!r}][{k}]", value)) for k, value in enumerate(values)]
        is_range = samples and isinstance(given, tuple) and len(given) == 2
        texts.append(f"{word('a name in vary', name)}={(':' if is_range else ',').join(numbers)}")
    return texts


def _table_text(table: Any) -> str:
    """Columns by name, of a dictionary or a pandas.DataFrame, as the program reads them."""
    if not hasattr(table, "items") or not len(table):
        raise InputError('table must have at least one column: {"mu": [0.1, 0.2], "x": [1.0, 2.0]}')
    columns = {word("a name in table", name): several(values) for name, values in table.items()}
    for name, values in columns.items():
        if len(values) != len(next(iter(columns.values()))):
            raise InputError(f"table[{name!r}] has {len(values)} numbers, and the column before {len(next(iter(columns.values())))}")
        for k, value in enumerate(values):
            finite(f"table[{name!r}][{k}]", value)
    rows = zip(*(map(repr, map(float, values)) for values in columns.values()))
    return "\n".join([",".join(columns), *map(",".join, rows)])


def _count(name: str, value: Optional[int], least: int) -> Optional[int]:
    if value is not None and (not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < least):
        raise InputError(f"{name} is {value!r} and must be a whole number, at least {least}")
    return None if value is None else int(value)


def _compute_here(
    plan: _tippe.SweepPlan, result: Sweep, jobs: int, progress: Optional[SweepProgressFunction]
) -> Optional[BaseException]:
    *chunk, error = plan.compute(0, plan.size, jobs, progress)
    result._enter(0, _Chunk(*chunk))
    return error


def _compute_by(
    executor: concurrent.futures.Executor,
    request: SweepRequest,
    plan: _tippe.SweepPlan,
    result: Sweep,
    jobs: int,
    progress: Optional[SweepProgressFunction],
) -> Optional[BaseException]:
    size = plan.size
    length = -(-size // _CHUNKS)
    length = -(-length // plan.line) * plan.line  # points that follow each other stay together
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


@told_at_the_call
def sweep(
    system: System,
    vary: Optional[Mapping[str, Union[float, str, Iterable[float]]]] = None,
    quantities: Union[str, Sequence[str]] = (),
    section: Optional[str] = None,
    transient: Optional[int] = None,
    keep: Optional[int] = None,
    until: Optional[Number] = None,
    dt: Optional[Number] = None,
    integrator: Optional[str] = None,
    follow: Optional[str] = None,
    basin: bool = False,
    samples: Optional[int] = None,
    sobol: bool = False,
    seed: int = 0,
    table: Any = None,
    jobs: Optional[int] = None,
    executor: Optional[concurrent.futures.Executor] = None,
    progress: Union[None, bool, SweepProgressFunction] = None,
) -> Sweep:
    """Runs a system at every point of a grid, as `tippe sweep`, on all cores or by an executor.

    vary: parameters and initial values by name, with their values: {"mu": np.linspace(0.1, 0.5, 20), "e": [0.2, 0.5]}, or as in the program: "0.1:0.5:20".
    quantities: what is kept of each run: "height:max", a quantity of the scene, a coordinate or a velocity, reduced by last, max, min, mean or rms.
    section: whose points are kept too: "impact:CONTACT", "stroboscopic", or a velocity, coordinate or quantity that rises through zero; transient (200) of them
        are passed over, then keep (100) kept, and the run ends.
    until, dt, integrator: as for System.run().
    follow: "up", "down" or "both": each point starts where its neighbour along the last name ended. basin: which attractor each point reaches, instead of the
        points of its section; without a section that is "stroboscopic" where the scene has a forcing_period.
    samples: so many points in ranges instead of a grid, vary={"mu": (0.1, 0.5)}, at random, or Sobol's points; seed names them.
    table: the points themselves, instead of vary: columns by name, a dictionary or a pandas.DataFrame.
    executor: a concurrent.futures.Executor, of threads, processes or a cluster, that gets the points in chunks. jobs: threads; default: one for each core, with
        an executor one for each chunk. Results depend on neither.
    progress: as for System.run(); a function gets (done, total, failed), numbers of points.

    A run that fails does not end the sweep: it has that status and a reason, and there is a TippeWarning. Raises InputError before anything is
    computed. Ctrl-C ends the sweep; the KeyboardInterrupt has an attribute .sweep with what is done. Chunks that an executor has begun it computes to their end.
    """
    if table is not None and vary is not None:
        raise InputError("give vary or table, not both")
    if (seed or sobol) and samples is None:
        raise InputError("seed and sobol are of samples: give their number, samples=1000")
    request = SweepRequest(
        text=system.text,
        file=system.file,
        overrides=system._overrides.replaced(until=until, dt=dt, integrator=integrator),
        vary=[] if table is not None else _axes({} if vary is None else vary, samples is not None),
        quantities=[word("quantities", name) for name in several(quantities)],
        section="" if section is None else word("section", section),
        transient=_count("transient", transient, 0),
        keep=_count("keep", keep, 1),
        follow="" if follow is None else word("follow", follow),
        basin=bool(basin),
        samples=_count("samples", samples, 1),
        sobol=bool(sobol),
        seed=_count("seed", seed, 0) or 0,
        table="" if table is None else _table_text(table),
    )
    threads = _count("jobs", jobs, 1)
    plan = request.plan()
    result = Sweep(plan, request.follow, request.basin)
    with SweepProgress(progress) as function:
        if executor is None:
            error = _compute_here(plan, result, threads or _tippe.default_jobs(), function)
        else:
            error = _compute_by(executor, request, plan, result, threads or 1, function)
    if request.basin:
        result._find_attractors(plan)
    sentences = []
    if result.failed:
        sentences = [f"{system.file}: {result.failed} of {plan.size} runs failed; the first: {result._first_failure()}"]
    warn_and_raise(sentences, error, 3, sweep=result)
    return result
