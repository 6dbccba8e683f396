"""Samples of runs for other packages: pandas, xarray, matplotlib."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Dict, Tuple

from .errors import InputError
from .values import Array

if TYPE_CHECKING:
    from .run import Run

_MOST_CURVES = 8


def needed(package: str, method: str) -> Any:
    """A package that need not be installed."""
    try:
        return importlib.import_module(package)
    except ImportError:
        name = package.split(".")[0]
        raise ImportError(f"{method}() needs {name}, which is not installed: pip install {name}") from None


def columns_of(run: Run) -> Dict[str, Tuple[Array, str]]:
    """All columns of the samples by name, each with its unit; "": SI, as the scene has it."""
    columns: Dict[str, Tuple[Array, str]] = {}

    record = run._record
    for table, prefix in (("q", ""), ("u", ""), ("quantity", ""), ("gap", ""), ("impulse", ""), ("energy", "energy.")):
        names, units = record.names(table), record.units(table)
        values = record.table(table)
        for k, name in enumerate(names):
            unit = units[k] if units and units[k] != "SI" else ""
            columns.setdefault(prefix + name, (values[:, k], unit))
    return columns


def to_pandas(run: Run) -> Any:
    pandas = needed("pandas", "to_pandas")
    columns = columns_of(run)
    frame = pandas.DataFrame({name: values for name, (values, _) in columns.items()}, index=pandas.Index(run.t, name="t"))
    frame.attrs["units"] = {"t": "s", **{name: unit for name, (_, unit) in columns.items() if unit}}
    frame.attrs["title"] = run.title
    return frame


def to_xarray(run: Run) -> Any:
    xarray = needed("xarray", "to_xarray")
    arrays = {
        name: xarray.Variable("t", values, {"units": unit} if unit else {}) for name, (values, unit) in columns_of(run).items()
    }
    time = xarray.Variable("t", run.t, {"units": "s", "long_name": "time"})
    return xarray.Dataset(arrays, {"t": time}, {"title": run.title, "integrator": run.integrator, "program": run.program})


def _default_names(run: Run) -> Tuple[str, ...]:
    """Quantities of the scene, or the coordinates that move most, in parts of their own largest value."""
    if run.quantities:
        return run.quantities[:_MOST_CURVES]
    moves = {name: float(run[name].max() - run[name].min()) for name in run.coordinates if len(run.t) > 0}
    most = sorted(moves, key=lambda name: -moves[name])[:_MOST_CURVES]
    return tuple(name for name in run.coordinates if name in most and moves[name] > 0.0) or run.coordinates[:1]


def plot(run: Run, names: Tuple[str, ...], ax: Any) -> Any:
    if len(run.t) == 0:
        raise InputError("the run has no samples to plot (samples=False)")
    columns = columns_of(run)
    chosen = names or _default_names(run)
    for name in chosen:
        if name not in columns:
            run[name]  # raises the KeyError that tells what there is
    if ax is None:
        _, ax = needed("matplotlib.pyplot", "plot").subplots()
    for name in chosen:
        ax.plot(run.t, columns[name][0], label=name)
    units = {columns[name][1] for name in chosen}
    ax.set_xlabel("t [s]")
    label = chosen[0] if len(chosen) == 1 else ""
    unit = f"[{units.pop()}]" if len(units) == 1 and units != {""} else ""
    ax.set_ylabel(" ".join(part for part in (label, unit) if part))
    if len(chosen) > 1:
        ax.legend()
    ax.grid(alpha=0.3)
    return ax
