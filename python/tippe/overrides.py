"""What replaces settings of a scene."""

from __future__ import annotations

from typing import Any, List, Mapping, NamedTuple, Optional

from . import _tippe
from .arguments import Number, number_text, word


class Overrides(NamedTuple):
    """What replaces settings of a scene; None: as the scene says."""

    settings: Mapping[str, Number] = {}
    integrator: Optional[str] = None
    dt: Optional[Number] = None
    until: Optional[Number] = None
    every: Optional[Number] = None

    def with_settings(self, settings: Mapping[str, Number]) -> Overrides:
        """With these too."""
        return self._replace(settings={**self.settings, **settings})

    def replaced(self, **given: Optional[Number]) -> Overrides:
        """With those that are not None."""
        changed: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
        return self._replace(**changed)

    def setting_texts(self) -> List[str]:
        """As the program takes them: "mu=0.3"."""
        return [f"{name}={number_text(f'settings[{name!r}]', value)}" for name, value in self.settings.items()]

    def texts(self) -> _tippe.Overrides:
        """For the library. Raises InputError for what is neither number nor text, and for numbers that are not finite."""
        return _tippe.Overrides(
            self.setting_texts(),
            None if self.integrator is None else word("integrator", self.integrator),
            number_text("dt", self.dt),
            number_text("until", self.until),
            number_text("every", self.every),
        )
