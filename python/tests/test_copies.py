"""Copies, pickles, and simulations that are saved and restored: to the bit."""

from __future__ import annotations

import copy
import pathlib
import pickle
from typing import Any, Callable

import numpy as np
import pytest

import tippe
from systems import falling_ball
from tippe.overrides import Overrides
from tippe.system import read_system

COPIES: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))]


@pytest.mark.parametrize("integrator", ["moreau", "consistent-2", "event-driven"])
def test_simulations_go_on_to_the_bit(scenes: pathlib.Path, integrator: str) -> None:
    toy = tippe.load(scenes / "woodpecker.toml", dt=1e-4, integrator=integrator)
    sim = toy.simulation()
    steps, more = (12, 15) if integrator == "event-driven" else (900, 400)
    for _ in range(steps):
        sim.step()
    saved = sim.save()
    others = [sim.copy(), *(make(sim) for make in COPIES)]
    assert all(np.array_equal(other.impulses, sim.impulses) for other in others)
    ends = []
    for one in (sim, *others):
        reports = [one.step() for _ in range(more)]
        ends.append((one.t, one.q.tobytes(), one.u.tobytes(), one.impulses.tobytes(), reports[-1].residual))
    assert len(set(ends)) == 1
    sim.restore(saved)
    for _ in range(more):
        sim.step()
    assert (sim.t, sim.q.tobytes(), sim.u.tobytes()) == ends[0][:3]
    runs = [one.run() for one in (sim, *others)]
    for run in runs[1:]:
        assert np.array_equal(run.t, runs[0].t) and np.array_equal(run.u, runs[0].u)
        assert len(run.impacts) == len(runs[0].impacts) and run.energy.total[-1] == runs[0].energy.total[-1]


def test_copies_are_of_their_own() -> None:
    sim = falling_ball().simulation(dt=1e-2)
    other = sim.copy()
    other.step()
    assert sim.t == 0.0 and other.t == 0.01 and len(sim.run().t) == 1
    with pytest.raises(tippe.InputError, match="another system"):
        falling_ball(height=2.0).simulation(dt=1e-2).restore(sim.save())


def test_a_simulation_ends_as_a_run(tmp_path: pathlib.Path) -> None:
    ball = falling_ball(dt=1e-3)
    run = ball.run()
    sim = ball.simulation()
    for _ in range(2000):
        sim.step()
    mine = sim.run()
    assert mine.status == "ok" and np.array_equal(mine["y"], run["y"]) and np.array_equal(mine.impulse, run.impulse)
    assert mine.summary.impacts == run.summary.impacts and mine.energy.lost_in_contacts[-1] == run.energy.lost_in_contacts[-1]
    assert mine.verify() and np.array_equal(mine["height_in_cm"], run["height_in_cm"])
    mine.report(tmp_path / "mine.html")
    assert (tmp_path / "mine.html").stat().st_size > 100_000
    sim.step()
    assert len(sim.run().t) == len(mine.t) + 1


@pytest.mark.parametrize("make", COPIES)
def test_answers_can_be_copied(make: Callable[[Any], Any]) -> None:
    system = tippe.load("ladder")
    run = falling_ball(dt=1e-2).run()
    again = make(run)
    assert np.array_equal(again.u, run.u) and again.summary.wall_time == run.summary.wall_time and repr(again) == repr(run)
    assert make(system).parameters == system.parameters
    instant = system.at()
    assert make(instant).gaps == instant.gaps and str(make(instant).analyze()) == str(instant.analyze())
    analysis = instant.analyze()
    assert str(make(analysis)) == str(analysis) and make(analysis).to_dict() == analysis.to_dict()
    modes = instant.modes()
    assert str(make(modes)) == str(modes)
    lcp = tippe.ContactProblem.from_lcp(M=[[2.0, 1.0], [1.0, 2.0]], q=[-5.0, -6.0])
    sets = tippe.ContactProblem.from_inclusion(np.eye(2), [-1.0, 1.0], [tippe.Coulomb(0.3, tangents=1)])
    landing = tippe.ContactProblem.from_global(M=np.eye(2), f=[8.0, -6.0], H=[[0.0, 1.0], [1.0, 0.0]], w=[0.0, 0.0], mu=[0.3])
    for problem in (lcp, sets, landing):
        solution = tippe.solve(problem)
        assert np.array_equal(tippe.solve(make(problem)).impulses, solution.impulses)
        assert np.array_equal(make(solution).impulses, solution.impulses) and str(make(solution)) == str(solution)
    assert make(sets).sets == sets.sets


def test_other_starts_and_numbers_without_reading_again() -> None:
    ball = falling_ball(dt=1e-3)
    assert ball.run(q=[0.5], u=[1.0], until=0.1).u[0] == 1.0
    assert ball.run(q=[0.5], until=0.1)["y"][0] == 0.5
    with pytest.raises(tippe.InputError, match="deep inside 'floor'"):
        ball.run(q=[-0.5])
    with pytest.raises(tippe.InputError, match="q has 2 entries and must have 1"):
        ball.run(q=[0.5, 1.0])
    bouncier = ball.with_(y=0.25)
    assert bouncier.start.q == [0.25] and np.array_equal(bouncier.run()["y"], ball.run(q=[0.25])["y"])
    text = ball.text.replace("restitution = 0.5", 'restitution = "e"').replace("[parameters]", "[parameters]\ne = 0.5")
    given = read_system(text, "<python>", Overrides())
    for e in (0.2, 0.7):
        varied, read = given.with_(e=e), read_system(text, "<python>", Overrides({"e": e}))
        assert varied.parameters["e"] == e and np.array_equal(varied.run().u, read.run().u) and varied.run().verify()
        assert np.array_equal(varied.simulation().step().residual, read.simulation().step().residual)
    assert given.with_(m=4.0).run().energy.total[0] == pytest.approx(4 * 9.81)  # read again
    assert given.with_(e=0.3).with_(h=2.0).start.q == [2.0]
    assert given.with_(h="2*g/9.81", e=np.float64(0.3)).with_(e=0.4).run().verify()
    assert [len(given.with_(e=e).run(samples=False).t) for e in np.linspace(0.1, 0.5, 3)] == [0] * 3
    with pytest.raises(tippe.InputError, match="no parameter 'f'"):
        given.with_(f=1.0)
    with pytest.raises(tippe.InputError, match="restitution"):
        given.with_(e=-1.0)
