"""Tippe simulates and explains mechanical systems with hard contact, impact and dry friction.

    import tippe
    toy = tippe.load("woodpecker")
    run = toy.run(until=0.5)
    run.t, run["phi"], run.energy.lost_in_contacts, run.impacts

All quantities are in SI units: m, kg, s, rad, N, J.
"""

from .errors import FileError, InputError, TippeWarning
from .system import State, System, load

__all__ = ["FileError", "InputError", "State", "System", "TippeWarning", "load"]
