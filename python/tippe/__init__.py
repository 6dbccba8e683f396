"""Tippe simulates and explains mechanical systems with hard contact, impact and dry friction.

    import tippe
    toy = tippe.load("woodpecker")
    run = toy.run(until=0.5)
    run.t, run["phi"], run.energy.lost_in_contacts, run.impacts

All quantities are in SI units: m, kg, s, rad, N, J.
"""

from ._tippe import StepReport
from .errors import FileError, InputError, NumericalError, TippeWarning
from .run import Energy, Event, Run, Steps, Summary, open
from .simulation import Energies, Simulation
from .system import State, System, load, scenes, system

__all__ = [
    "Energies",
    "Energy",
    "Event",
    "FileError",
    "InputError",
    "NumericalError",
    "Run",
    "Simulation",
    "State",
    "StepReport",
    "Steps",
    "Summary",
    "System",
    "TippeWarning",
    "load",
    "open",
    "scenes",
    "system",
]
