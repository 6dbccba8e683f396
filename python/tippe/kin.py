"""Scenes that are read once for many runs."""

from __future__ import annotations

from typing import Any, Mapping, NamedTuple, Optional

from . import _tippe
from .arguments import Number
from .errors import lines_of
from .overrides import Overrides

_MOST = 16  # scenes that are kept for other integrators, steps and ends


def read_text(text: str, file: str, overrides: Overrides) -> _tippe.Scene:
    with lines_of(text):
        return _tippe.read_scene(text, file, overrides.texts())


class Varied(NamedTuple):
    """Values of names, in their order, that a scene takes without being read again."""

    values: list[float]
    settings: list[str]


class Kin:
    """A scene, and those that were read from it: what runs of systems with the same text share."""

    def __init__(self, scene: _tippe.Scene, overrides: Overrides) -> None:
        self.scene = scene
        self.varied: Optional[Varied] = None
        self._overrides = overrides
        self._pool = _tippe.ScenePool(scene.text, scene.file, overrides.texts(), [], scene)
        self._root = self
        self._relatives: dict[Any, Any] = {}

    def run(self, asked: _tippe.Asked, written: _tippe.Written, progress: Any) -> Any:
        """What ScenePool.run() returns."""
        if self.varied is None:
            return self._pool.run([], [], self.scene, asked, written, progress)
        return self._pool.run(self.varied.values, self.varied.settings, self.scene, asked, written, progress)

    def read_with(self, overrides: Overrides, given: Mapping[str, Number]) -> Kin:
        """The scene with another integrator, dt, until or every; the last ones are kept."""
        replaced = overrides.replaced(**given)
        key = (tuple(replaced.settings.items()), *replaced[1:])
        kin: Optional[Kin] = self._root._relatives.get(key)
        if kin is None:
            kin = Kin(read_text(self.scene.text, self.scene.file, replaced), replaced)
            self._root._keep(key, kin)
        return kin

    def varied_by(self, overrides: Overrides, given: Mapping[str, Number]) -> Optional[Kin]:
        """The scene with other numbers, or None if it must be read again for them."""
        root = self._root
        changed = {**({} if self.varied is None else dict(zip(self._names, self.varied.values))), **given}
        if any(isinstance(value, str) for value in changed.values()):
            return None
        overrides.setting_texts()  # what is no number is told
        names = tuple(sorted(changed))
        pool = root._relatives.get(names)
        if pool is None:
            try:
                texts = root._overrides.with_settings(changed).texts()
                pool = _tippe.ScenePool(root.scene.text, root.scene.file, texts, list(names), None)
                usable = pool.accepts([float(changed[name]) for name in names])
            except ValueError:  # whoever reads the scene says what is wrong
                return None
            root._keep(names, pool if usable else False)
        pool = root._relatives[names]
        values = [float(changed[name]) for name in names]
        if pool is False or not pool.accepts(values):
            return None
        kin = Kin.__new__(Kin)
        kin.scene, kin._overrides, kin._pool, kin._root, kin._names = root.scene, overrides, pool, root, names
        kin.varied = Varied(values, overrides.setting_texts())
        return kin

    def _keep(self, key: Any, value: Any) -> None:
        while len(self._relatives) >= _MOST:
            del self._relatives[next(iter(self._relatives))]
        self._relatives[key] = value

    _names: tuple[str, ...] = ()
