"""Instants and what is judged there."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import threading
import time
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

import tippe
from conftest import ROOT
from program import answer, text_of
from systems import breaking, falling_ball
from tippe.values import Array

INSTANTS = sorted(path.name for path in (ROOT / "instants").glob("*.json"))
SCENES = [
    ("woodpecker", 0.05),
    ("woodpecker", 0.4),
    ("ladder", None),
    ("four_legged_table", None),
    ("two_fingers", 0.1),
    ("rocking_block", 0.4),
    ("wheel_hill", None),
    ("double_four_bar", 0.01),
    ("belt", 1.0),
]


@pytest.fixture
def in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def as_plain(value: Any) -> Any:
    """An answer as the JSON has it: attributes become keys."""
    if isinstance(value, (tippe.Named, tippe.Bounds)):
        return {name: as_plain(entry) for name, entry in value.items()}
    if dataclasses.is_dataclass(value):
        return {field.name: as_plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, np.ndarray):
        return [as_plain(entry) for entry in value]
    if isinstance(value, (list, tuple)):
        return [as_plain(entry) for entry in value]
    if isinstance(value, dict):
        return {key: as_plain(entry) for key, entry in value.items()}
    if isinstance(value, float):
        if np.isinf(value):
            return "inf" if value > 0 else "-inf"
        return None if np.isnan(value) else float(value)
    return value


def check(analysis: tippe.Analysis, expected: dict[str, Any]) -> None:
    assert analysis.to_dict() == expected
    attributes = as_plain(analysis)
    assert {key: value for key, value in expected.items() if key not in ("status", "error")} == attributes


@pytest.mark.parametrize("file", INSTANTS)
def test_files_are_judged_as_by_the_program(file: str, program: str, in_root: None) -> None:
    path = f"instants/{file}"
    analysis = tippe.analyze_file(path)
    check(analysis, answer(program, "analyze", path))
    assert str(analysis) == text_of(program, "analyze", path)
    assert tippe.modes_of_file(path).to_dict() == answer(program, "modes", path)


@pytest.mark.parametrize("name, time", SCENES)
def test_scenes_are_judged_as_by_the_program(name: str, time: float | None, program: str, in_root: None) -> None:
    path = f"scenes/{name}.toml"
    instant = tippe.load(path).at(time)
    options = [] if time is None else ["--time", repr(time)]
    check(instant.analyze(), answer(program, "analyze", path, *options))
    assert str(instant.analyze()) == text_of(program, "analyze", path, *options)
    modes = instant.modes()
    assert modes.to_dict() == answer(program, "modes", path, *options)
    assert str(modes) == text_of(program, "modes", path, *options)


def test_settings_of_the_system_hold_at_its_instants(program: str, in_root: None) -> None:
    expected = answer(program, "analyze", "scenes/ladder.toml", "--set", "mu=0.2", "--dt", "1e-3", "--time", "0.1")
    ladder = tippe.load("scenes/ladder.toml", settings={"mu": 0.2}, dt=1e-3)
    check(ladder.at(0.1).analyze(), expected)
    check(tippe.load("scenes/ladder.toml", settings={"mu": 0.2}).at(0.1, dt=1e-3).analyze(), expected)


def at_rest(data: dict[str, Any]) -> bool:
    """Loads, no slip, no impact: the linear program below."""
    contacts = data.get("unilateral", [])
    return "F" in data and not any(np.any(contact.get("slip", 0)) for contact in contacts)


def force_bounds(data: dict[str, Any], acceleration: Array) -> Array:
    """Which forces D f = M a + F carry a motion: normal forces >= 0, and 0 where the gap opens; all others are free."""
    directions, limits = [], []
    for kind in ("unilateral", "bilateral"):
        for contact in data.get(kind, []):
            normal = np.array(contact["normal"], dtype=float)
            opening = normal @ acceleration + (contact.get("drift") or 0.0)
            directions.append(normal)
            limits.append((None, None) if kind == "bilateral" else (0.0, 0.0) if opening > 1e-9 else (0.0, None))
            tangents = np.atleast_2d(np.array(contact.get("tangents") or np.empty((0, len(normal))), dtype=float))
            directions.extend(tangents)
            limits.extend([(None, None)] * len(tangents))
    D = np.array(directions).T
    load = np.array(data["M"]) @ acceleration + np.array(data["F"])
    found = np.empty((D.shape[1], 2))
    for k in range(D.shape[1]):
        for side, sign in enumerate((1.0, -1.0)):
            cost = np.zeros(D.shape[1])
            cost[k] = sign
            program = linprog(cost, A_eq=D, b_eq=load, bounds=limits, method="highs")
            assert program.status in (0, 3), program.message
            found[k, side] = sign * (-np.inf if program.status == 3 else program.fun)
    return found


# They slide or collide, or their motion is not unique or none: their forces are not those of these linear programs.
OTHERS = {
    "massless_loaded.json",
    "painleve_rod_critical.json",
    "painleve_rod_inconsistent.json",
    "painleve_rod_indeterminate.json",
    "painleve_rod_lifting.json",
    "painleve_rod_unique.json",
    "particle_between_closing_walls.json",
    "particle_in_corner_contradiction.json",
    "redundant_tangents_contradiction.json",
}


# The bounds of the forces are two linear programs for each component, here by another solver from the matrices of the file.
@pytest.mark.parametrize("file", [file for file in INSTANTS if file not in OTHERS])
def test_bounds_of_forces_are_those_of_linear_programs(file: str) -> None:
    text = (ROOT / "instants" / file).read_text()
    data = json.loads(text)
    analysis = tippe.analyze_file(ROOT / "instants" / file)
    forces, motion = analysis.forces, analysis.acceleration
    assert at_rest(data) and forces is not None and forces.bounds is not None and motion is not None and motion.unique
    expected = force_bounds(data, motion.value)
    scale = max(1.0, float(np.abs(data["F"]).max()))
    np.testing.assert_allclose(forces.bounds.array, expected, rtol=1e-8, atol=1e-7 * scale)


def test_a_verdict_is_a_condition(scenes: pathlib.Path) -> None:
    def holds(mu: float) -> bool:
        sticking = tippe.load(scenes / "ladder.toml", settings={"mu": mu}).at().analyze().sticking
        assert sticking is not None
        return bool(sticking.feasible)

    assert holds(0.5) and not holds(0.1)  # 1/3 is needed
    with pytest.raises(ValueError, match="undecided"):
        bool(tippe.Verdict("undecided", None))


def test_bounds_are_a_mapping_and_an_array(scenes: pathlib.Path) -> None:
    forces = tippe.load(scenes / "ladder.toml").at().analyze().forces
    assert forces is not None and forces.bounds is not None
    bounds = forces.bounds
    # A ladder of 12 kg, foot 3 m from the wall, top at 4 m. Moments about the foot: 4 N_wall + 3 T_wall = 1.5 m g, so the wall's friction
    # is at most m g/2, with N_wall = 0; then the floor carries the other half. The more the wall pushes, the more friction pulls down.
    weight = 12 * 9.81
    assert list(bounds) == ["floor.n", "floor.t", "wall.n", "wall.t"]
    assert bounds["floor.n"] == pytest.approx((weight / 2, np.inf))
    assert bounds["wall.n"] == pytest.approx((0, np.inf), abs=1e-9)
    assert bounds["wall.t"] == pytest.approx((-np.inf, weight / 2))
    assert bounds.array.shape == (4, 2) and bounds.array.dtype == np.float64
    np.testing.assert_array_equal(bounds.lower, bounds.array[:, 0])
    assert np.isinf(bounds.width).all()
    with pytest.raises(ValueError):
        bounds.array[0, 0] = 0.0
    with pytest.raises(KeyError, match="did you mean 'wall.n'"):
        bounds["wall.m"]


def test_the_table_shares_its_weight() -> None:
    forces = tippe.analyze_file(ROOT / "instants" / "table_four_legs.json").forces
    assert forces is not None and forces.representative is not None
    assert forces.unique.no and forces.groups == (("A.n", "B.n", "C.n", "D.n"),)
    assert forces.representative.array.sum() == pytest.approx(138.1)  # all that presses on it
    assert len(forces.free_directions) == 1
    np.testing.assert_allclose(np.abs(forces.free_directions[0].array), 1.0)  # two legs across take what the others give


# mu_critical = (1 + 3 cos^2)/(3 sin cos) at tan(theta) = 2: 4/3.
@pytest.mark.parametrize(
    "case, classification, consistent",
    [("unique", "unique", {"slide-"}), ("indeterminate", "indeterminate", {"open", "slide-"}), ("inconsistent", "inconsistent", set())],
)
def test_painleves_rod(case: str, classification: str, consistent: set[str]) -> None:
    path = ROOT / "instants" / f"painleve_rod_{case}.json"
    painleve = tippe.analyze_file(path).painleve
    assert painleve is not None and painleve.mu_critical is not None
    assert painleve.classification == classification
    assert painleve.mu_critical["tip"] == pytest.approx(4 / 3, rel=1e-12)
    modes = tippe.modes_of_file(path)
    assert modes.motion is not None and {mode.contacts["tip"] for mode in modes.motion.consistent} == consistent
    for mode in modes.motion.rejected:
        assert mode.reasons and not mode.consistent and mode.motion is None


# Sliding to the left without turning: N = m g / (1 + 3 cos (cos - mu sin)) for the homogeneous rod.
def test_the_normal_force_of_the_sliding_rod(scenes: pathlib.Path) -> None:
    modes = tippe.load(scenes / "painleve_rod.toml").at().modes()
    (mode,) = modes.motion.consistent if modes.motion is not None else ()
    assert mode.forces is not None and mode.motion is not None and mode.consistent
    sine, cosine, mu = 2 / np.sqrt(5), 1 / np.sqrt(5), 1.0
    normal = 3.0 * 9.81 / (1 + 3 * cosine * (cosine - mu * sine))
    assert mode.forces["tip.n"] == pytest.approx(normal, rel=1e-12)
    assert mode.forces["tip.t"] == pytest.approx(mu * normal, rel=1e-12)
    assert mode.motion["x"] == pytest.approx(mu * normal / 3.0, rel=1e-12)
    assert mode.name.startswith("tip slide-")
    assert list(modes) == list(modes.motion or ())


def test_a_ball_falls_to_its_instant() -> None:
    ball = falling_ball()
    instant = ball.at(0.25)
    assert instant.t == 0.25 and instant.system is ball
    assert instant.u[0] == pytest.approx(-9.81 * 0.25, rel=1e-12)
    assert instant.q[0] == pytest.approx(1 - 9.81 * 0.25**2 / 2, rel=1e-9)  # the midpoint rule is exact here
    assert instant.gaps["floor"] == instant.q[0]
    assert instant.notes == ()
    with pytest.raises(ValueError):
        instant.q[0] = 1.0


def test_an_impact_at_a_state_of_ones_own() -> None:
    instant = falling_ball(epsilon=0.5).at(q=[0.0], u=[-3.0], t=7.0)
    assert (instant.t, instant.q[0], instant.u[0]) == (7.0, 0.0, -3.0)
    impact = instant.analyze().impact
    assert impact is not None and impact.law == "newton"
    assert impact.kinematic.velocity_after is not None and impact.kinematic.velocity_after[0] == pytest.approx(1.5)
    for outcome in (impact.newton, impact.poisson, impact.moreau):
        assert outcome is not None and outcome.velocity_after[0] == pytest.approx(1.5)
        assert outcome.impulses[0] == pytest.approx(2.0 * 4.5)
        assert outcome.energy_change == pytest.approx(2.0 / 2 * (1.5**2 - 3.0**2))
        assert outcome.alternatives == 0
    modes = instant.modes()
    assert modes.impact is not None and modes[0].motion is not None and modes[0].motion["y"] == pytest.approx(1.5)
    assert modes[0].energy_change == pytest.approx(-6.75)


def test_only_one_of_q_and_u_may_be_given() -> None:
    instant = falling_ball().at(u=[2.0])
    assert instant.q[0] == 1.0 and instant.u[0] == 2.0


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"t": -1.0}, "^t: -1 must be finite and not before the scene starts, at t = 0$"),
        ({"q": [1.0, 2.0]}, "q has 2 entries and must have 1"),
        ({"u": [[1.0]]}, "u has 2 dimensions and must be a vector"),
        ({"q": [np.nan]}, r"q\[0\] is nan and must be finite"),
        ({"t": np.inf}, "t is inf and must be finite"),
        ({"t": 0.1, "integrator": "moro"}, "integrator: unknown integrator 'moro'"),
        ({"t": 0.1, "dt": -1}, "dt"),
    ],
)
def test_wrong_instants_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(tippe.InputError, match=message):
        falling_ball().at(**arguments)


def test_an_error_of_a_system_built_here_shows_its_line() -> None:
    with pytest.raises(tippe.InputError, match="at most 1e\\+12 are possible\n  dt = 0.0001\n       \\^"):
        falling_ball().at(1e30)


def test_a_simulation_that_fails_on_its_way_says_so() -> None:
    with pytest.raises(tippe.NumericalError):
        breaking().at(5.0)


def test_a_progress_function_can_end_the_way() -> None:
    def enough(t: float, fraction: float, steps: int) -> None:
        raise StopAsyncIteration("enough")

    with pytest.raises(StopAsyncIteration, match="enough"):
        falling_ball(dt=1e-7, until=100.0).at(90.0, progress=enough)


def test_a_wrong_file_has_its_place(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "bad.json"
    file.write_text('{ "M": [[1, 0], [0, 1]],\n  "F": [1] }\n')
    with pytest.raises(tippe.InputError) as caught:
        tippe.analyze_file(file)
    assert caught.value.line == 2 and "F" in caught.value.message


def test_the_page_is_whole(tmp_path: pathlib.Path, scenes: pathlib.Path) -> None:
    analysis = tippe.load(scenes / "ladder.toml").at().analyze()
    analysis.report(tmp_path / "ladder.html")
    page = (tmp_path / "ladder.html").read_text()
    assert page.startswith("<!doctype html>") and "floor" in page
    shown = analysis._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "Ladder" in shown
    assert "Forces: not unique" in repr(analysis)


def test_texts_that_are_cut_name_the_way_to_all(scenes: pathlib.Path) -> None:
    assert "and 39 more; the JSON has all" in str(tippe.load(scenes / "three_fingers.toml").at().modes())
    assert "more; the JSON has all" in str(tippe.load(scenes / "body_chain.toml").at().analyze())


def test_threads_may_ask_at_once(scenes: pathlib.Path) -> None:
    instant = tippe.load(scenes / "woodpecker.toml").at(0.05)

    def ask() -> tuple[Any, ...]:
        return instant.analyze().to_dict(), instant.modes().to_dict(), dict(instant.gaps)

    expected = ask()
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(ask())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_python_goes_on_while_a_question_waits_for_another(scenes: pathlib.Path) -> None:
    instant = tippe.load(scenes / "body_chain.toml", settings={"n": 25}).at()  # its analysis takes a while
    stop, waiting = threading.Event(), threading.Event()
    turns = [0]  # of Python, while the question waits; one number for each time that it is asked

    def analyze() -> None:
        while not stop.is_set():
            instant.analyze()

    def ask() -> None:
        while not stop.is_set():
            turns.append(0)
            waiting.set()
            instant.gaps
            waiting.clear()
            time.sleep(0.02)

    threads = [threading.Thread(target=analyze), threading.Thread(target=ask)]
    for thread in threads:
        thread.start()
    end = time.monotonic() + 60
    while max(turns) < 10 and time.monotonic() < end:
        time.sleep(0.001)
        turns[-1] += waiting.is_set()
    stop.set()
    for thread in threads:
        thread.join(timeout=60)
    assert max(turns) == 10  # with the lock held in the wait there would be none, or one before it
