"""Contacts that were found by shapes, as arrays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tippe

SCENE = """
tippe = 1
[world]
gravity = [0, 0, -9.81]
[[body]]
for = { i = "1..2" }
name = "box{i}"
mass = 2.0
inertia = [0.02, 0.02, 0.02]
position = [0, 0, "0.2*({i} - 0.5)"]
[[body.box]]
size = [0.2, 0.2, 0.2]
[[plane]]
name = "floor"
normal = [0, 0, 1]
[[contact_law]]
between = ["*", "*"]
friction = 0.5
[run]
integrator = "moreau"
dt = 0.01
until = 0.2
[output]
every = 0.05
"""


def run_of(text: str, folder: Path) -> tippe.Run:
    file = folder / "stack.toml"
    file.write_text(text, encoding="utf-8")
    return tippe.load(file).run()


def test_a_stack_carries_its_weights(tmp_path: Path) -> None:
    run = run_of(SCENE, tmp_path)
    found = run.found_contacts
    assert found is not None
    assert found.shapes == ("box1", "box2", "floor")
    assert len(found.start) == len(run.t) + 1
    last = found.at_sample(-1)
    for pair, weight in ((("box1", "box2"), 2.0), (("box1", "floor"), 4.0)):
        rows = last.between(*pair)
        assert len(rows) == 4
        force = last.impulse[rows].sum(axis=0) / 0.05
        sign = -1 if pair[1] == "box2" else 1  # on the first shape
        np.testing.assert_allclose(force, [0, 0, sign * weight * 9.81], atol=1e-6)
    with pytest.raises(KeyError, match="box1"):
        last.between("box", "floor")
    with pytest.raises(IndexError, match="samples"):
        found.at_sample(len(run.t))


def test_without_found_contacts_there_is_none(tmp_path: Path) -> None:
    text = SCENE.replace('for = { i = "1..2" }', 'for = { i = "1..1" }')
    assert run_of(text, tmp_path).found_contacts is None


def test_analysis_around_a_body(tmp_path: Path) -> None:
    file = tmp_path / "boxes.toml"
    file.write_text(SCENE.replace('[0, 0, "0.2*({i} - 0.5)"]', '["{i}", 0, 0.1]'), encoding="utf-8")
    instant = tippe.load(file).at(0.05)

    def rows(analysis: tippe.Analysis) -> list[str]:
        assert analysis.forces is not None and analysis.forces.bounds is not None
        return list(analysis.forces.bounds)

    everything, one = rows(instant.analyze()), rows(instant.analyze(around="box1"))
    assert len(everything) == 2 * len(one) > 0
    assert all("box1" in name for name in one)
    with pytest.raises(tippe.InputError, match="there is no body, plane or shape 'box3'; did you mean"):
        instant.analyze(around="box3")
    with pytest.raises(tippe.InputError, match="found while bodies move"):
        tippe.load("woodpecker").at(0.1).analyze(around="beak")


# A ball rolls on with 5/7 of g arm/r less a second; the moment on it is arm times the normal force, about y, against the rolling.
def test_rolling_resistance_is_there_contact_by_contact(tmp_path: Path) -> None:
    text = SCENE.replace("box{i}", "ball{i}").replace("[[body.box]]\nsize = [0.2, 0.2, 0.2]", "[[body.sphere]]\nradius = 0.1")
    text = text.replace('position = [0, 0, "0.2*({i} - 0.5)"]', 'position = [0, "{i}", 0.1]\nvelocity = [1, 0, 0]\nangular_velocity = [0, 10, 0]')
    text = text.replace("[0.02, 0.02, 0.02]", "[0.008, 0.008, 0.008]").replace("gravity", 'contacts = "found"\ngravity')
    run = run_of(text.replace("friction = 0.5", "friction = 0.5\nrolling = 0.004"), tmp_path)
    np.testing.assert_allclose(run["ball1.vx"], 1 - 5 / 7 * 9.81 * 0.04 * run.t, atol=1e-9)
    found = run.found_contacts
    assert found is not None and found.rolling_moment is not None
    last = found.at_sample(-1)
    assert last.rolling_moment is not None
    moment = 0.004 * 2 * 9.81 * 0.05
    np.testing.assert_allclose(last.rolling_moment, [[0, -moment, 0]] * 2, atol=1e-9)
    without = run_of(text, tmp_path).found_contacts
    assert without is not None and without.rolling_moment is None
