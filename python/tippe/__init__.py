"""Tippe simulates and explains mechanical systems with hard contact, impact and dry friction.

    import tippe
    toy = tippe.load("woodpecker")
    run = toy.run(until=0.5)
    run.t, run["phi"], run.energy.lost_in_contacts, run.impacts
    toy.at(0.05).analyze().forces.bounds

All quantities are in SI units: m, kg, s, rad, N, J.
"""

from ._tippe import StepReport, program as _program
from .analysis import Analysis, analyze_file
from .comparison import ComparedRun, Comparison, compare_runs
from .errors import FileError, InputError, NumericalError, TippeWarning
from .instant import Instant
from .loading import load, scenes, system
from .modes import Mode, Modes, modes_of_file
from .gradient import EventTime, Gradient
from .orbit import Orbit
from .problem import ContactProblem, Coulomb, Drilling, GivenFriction, HalfLine, Interval, Solution, read_problem, solve
from .run import Run, open
from .run_parts import Energy, Event, FoundContacts, Judgement, Steps, Summary
from .simulation import Energies, Simulation
from .sweeps import Sweep, sweep
from .system import State, System
from .values import Bounds, Named, Verdict

__version__ = _program.split()[-1]

__all__ = [
    "Analysis",
    "Bounds",
    "ComparedRun",
    "Comparison",
    "ContactProblem",
    "Coulomb",
    "Drilling",
    "Energies",
    "Energy",
    "Event",
    "EventTime",
    "FileError",
    "GivenFriction",
    "Gradient",
    "HalfLine",
    "InputError",
    "Instant",
    "Interval",
    "FoundContacts",
    "Judgement",
    "Mode",
    "Modes",
    "Named",
    "NumericalError",
    "Orbit",
    "Run",
    "Simulation",
    "Solution",
    "State",
    "StepReport",
    "Steps",
    "Summary",
    "Sweep",
    "System",
    "TippeWarning",
    "Verdict",
    "analyze_file",
    "compare_runs",
    "load",
    "modes_of_file",
    "open",
    "read_problem",
    "scenes",
    "solve",
    "sweep",
    "system",
]
