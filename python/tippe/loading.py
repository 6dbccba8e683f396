"""Where systems come from: scenes, or tables of Python."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Mapping, Optional

from . import _tippe
from .arguments import Number
from .errors import told_at_the_call
from .overrides import Overrides
from .system import PathName, System, read_system
from .toml_text import scene_text

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .table_names import SceneTables

_PACKAGED = Path(__file__).parent / "scenes"
_IN_PYTHON = "<python>"  # file name of a scene that was written here


def _scene_folders() -> list[Path]:
    """Where scenes are looked up by name: `scenes` below the current folder, then those that come with this package."""
    return [Path("scenes"), _PACKAGED]


def scenes() -> dict[str, Path]:
    """The scenes that load() knows by name: those in a folder `scenes` below the current one, and those of this package."""
    return dict(_tippe.named_scenes(_scene_folders()))


@told_at_the_call
def load(
    scene: PathName,
    settings: Optional[Mapping[str, Number]] = None,
    integrator: Optional[str] = None,
    dt: Optional[Number] = None,
    until: Optional[Number] = None,
) -> System:
    """Reads a scene: a file (TOML, docs/scene.md), or a name that scenes() knows.

    settings: values that replace parameters or initial values of the scene, numbers or expressions of parameters.
    integrator, dt (s), until (s): instead of the scene's.

    Raises InputError with file, line and column for anything that cannot run.
    """
    overrides = Overrides(dict(settings or {}), integrator, dt, until)
    file = os.fspath(scene)
    if isinstance(scene, str):
        file = _tippe.find_scene(file, _scene_folders())
    if Path(file).parent == _PACKAGED:
        return read_system(Path(file).read_text(encoding="utf-8"), Path(file).name, overrides)
    return System(_tippe.load_scene(file, overrides.texts()), overrides)


@told_at_the_call
def system(settings: Optional[Mapping[str, Number]] = None, **tables: Unpack[SceneTables]) -> System:
    """Builds a system in Python: the keys and tables of a scene (docs/scene.md) as arguments.

        pendulum = tippe.system(
            parameters={"m": 1.0, "l": 0.5, "g": 9.81},
            lagrangian={"coordinates": ["phi"], "kinetic": "m*l^2*phi'^2/2", "potential": "-m*g*l*cos(phi)"},
            initial={"phi": 0.3},
            run={"dt": 1e-3, "until": 2.0},
        )

    Tables are dictionaries; tables that a scene may have several of (body, contact, joint, ...) are lists of dictionaries. Numbers may be
    numpy's, lists may be tuples and numpy arrays; entries that are None are left out. `tippe = 1` need not be given.
    It is written as the text of a scene (System.text) and read as a file would be, with the same errors, which show the line.
    settings: as for load().
    """
    return read_system(scene_text(tables), _IN_PYTHON, Overrides(dict(settings or {})))
