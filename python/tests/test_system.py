"""Reading scenes, and building systems in Python."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest

import tippe
from systems import falling_ball


def test_a_scene_is_read_with_its_names_and_start(scenes: pathlib.Path) -> None:
    toy = tippe.load(scenes / "woodpecker.toml")
    assert toy.coordinates == ("y", "alpha", "phi")
    assert toy.velocities == ("y'", "alpha'", "phi'")
    assert "beak" in toy.contacts and "beak.n" in toy.rows
    assert toy.start.t == 0.0 and toy.start.q.dtype == np.float64 and toy.start.q.shape == (3,)
    assert "moreau" in toy.integrators
    assert "Woodpecker" in repr(toy)


def test_settings_replace_parameters_and_may_be_expressions(scenes: pathlib.Path) -> None:
    ball = tippe.load(scenes / "bouncing_ball.toml", settings={"h": 2.5, "m": "2*h"}, until="4*h", dt=0.1)
    assert ball.parameters["h"] == 2.5 and ball.parameters["m"] == 5.0
    assert (ball.until, ball.dt, ball.start.q[0]) == (10.0, 0.1, 2.5)


def test_numbers_reach_the_library_to_the_bit() -> None:
    third = 1.0 / 3.0
    ball = tippe.system(
        parameters={"h": third},
        lagrangian={"coordinates": ["y"], "kinetic": "0.5*y'^2"},
        initial={"y": np.float64(0.1) + np.float64(0.2)},
        run={"dt": third, "until": 1.0},
    )
    assert ball.parameters["h"] == third and ball.dt == third and ball.start.q[0] == 0.1 + 0.2


def test_scenes_have_names_as_in_the_program(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert tippe.load("woodpecker").title == "Woodpecker toy"
    assert "woodpecker" in tippe.scenes()
    assert tippe.load("woodpecker").file == tippe.load("woodpecker").run(until=0.01).file == "woodpecker.toml"
    with pytest.raises(tippe.InputError, match="^woodpecker.toml: |^settings "):
        tippe.load("woodpecker", settings={"no_such": 1.0})
    (tmp_path / "scenes").mkdir()
    (tmp_path / "scenes" / "mine.toml").write_text(falling_ball().text)
    assert tippe.load("mine").file == "scenes/mine.toml"
    with pytest.raises(tippe.InputError, match="no scene of this name; did you mean 'woodpecker'\\? \\(tippe.scenes\\(\\) shows all\\)$"):
        tippe.load("wodpecker")


def test_a_missing_file_is_a_file_error_as_in_the_program() -> None:
    with pytest.raises(tippe.FileError, match="^nowhere/at_all.toml: no such file$") as caught:
        tippe.load("nowhere/at_all.toml")
    assert isinstance(caught.value, OSError)


def test_an_error_in_a_file_has_its_place_and_shows_the_line(tmp_path: pathlib.Path) -> None:
    scene = tmp_path / "bad.toml"
    scene.write_text('tippe = 1\n[lagrangian]\ncoordinates = ["x"]\nkinetic = "0.5*x\'^2 + y"\n[run]\ndt = 1\nuntil = 2\n')
    with pytest.raises(tippe.InputError) as caught:
        tippe.load(scene)
    error = caught.value
    assert (error.file, error.line, error.column) == (str(scene), 4, 23)  # the y
    assert str(error).endswith("\n  kinetic = \"0.5*x'^2 + y\"\n  " + " " * 22 + "^")


def test_an_error_in_python_points_into_the_text_of_the_scene() -> None:
    with pytest.raises(tippe.InputError, match="did you mean 'potential'") as caught:
        tippe.system(lagrangian={"coordinates": ["x"], "kinetic": "0.5*x'^2", "potental": "x"}, run={"dt": 1, "until": 2})
    assert 'potental = "x"' in str(caught.value)
    with pytest.raises(tippe.InputError, match="contact\\[0\\].gap cannot be written in a scene: object"):
        tippe.system(contact=[{"gap": object()}])


def test_numpy_values_tuples_and_none_are_accepted() -> None:
    ball = tippe.system(
        world={"gravity": np.array([0.0, 0.0, -9.81])},
        body=[{"name": "ball", "mass": np.float32(0.5), "inertia": (0.1, 0.1, 0.1), "position": [0, np.int64(0), 1], "angle": None}],
        run={"dt": 1e-3, "until": 0.1},
    )
    assert ball.coordinates[:3] == ("ball.x", "ball.y", "ball.z")
    run = ball.run()
    assert run["ball.z"][-1] == pytest.approx(1 - 9.81 * 0.1**2 / 2, rel=1e-12)


def test_bodies_joints_and_contact_laws_are_built_in_python() -> None:
    # A rod (mass m, length l) turns about one end and falls from the horizontal until the disc at its tip hits the floor, at the angle a. Moment
    # of momentum about the pivot, J = m l^2/3: energy J w^2/2 = m g l/2 sin(a); the impulse has the lever l cos(a) and turns w into -e w.
    m, l, g, e, r, h = 2.0, 1.5, 9.81, 0.4, 0.05, 0.7
    rod = tippe.system(
        parameters={"m": m, "l": l, "r": r},
        world={"gravity": [0, -g]},
        body=[
            {
                "name": "rod",
                "kind": "planar",
                "mass": "m",
                "inertia": "m*l^2/12",
                "position": ["l/2", 0],
                "point": [{"name": "end", "at": ["-l/2", 0]}],
                "sphere": [{"name": "tip", "radius": "r", "center": ["l/2", 0]}],
            }
        ],
        plane=[{"name": "floor", "normal": [0, 1], "point": [0, -h]}],
        joint=[{"name": "pivot", "type": "ball", "between": ["rod.end", "world"]}],
        contact_law=[{"between": ["rod", "floor"], "restitution": e}],
        run={"dt": 1e-5, "until": 0.5, "integrator": "moreau"},
    )
    run = rod.run()
    J, sine = m * l**2 / 3, (h - r) / l
    w = np.sqrt(m * g * l * sine / J)
    lever = l * np.sqrt(1 - sine**2)
    impact = run.impacts[0]
    assert impact.closing_speed == pytest.approx(lever * w, rel=1e-3)
    assert impact.normal == pytest.approx(J * (1 + e) * w / lever, rel=1e-3)
    assert impact.energy_lost == pytest.approx((1 - e**2) * J * w**2 / 2, rel=1e-3)
    after = run.t > impact.time
    assert run["rod.phi"][after][0] == pytest.approx(-np.arcsin(sine), rel=1e-3)
    assert run["rod.w"][after][0] == pytest.approx(e * w, rel=2e-2)  # at the first sample after it
    assert len(rod.constraints) == 2 and np.hypot(run["rod.x"], run["rod.y"]) == pytest.approx(l / 2, abs=1e-4)


def test_what_was_built_in_python_is_a_scene(tmp_path: pathlib.Path) -> None:
    ball = falling_ball()
    file = tmp_path / "ball.toml"
    file.write_text(ball.text)
    again = tippe.load(file)
    assert np.array_equal(again.run(until=0.6).q, ball.run(until=0.6).q)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"dt": np.nan}, "dt is nan and must be finite"),
        ({"dt": [1e-3]}, r"dt is \[0.001\] and must be a number"),
        ({"until": -np.inf}, "until is -inf and must be finite"),
        ({"every": np.nan}, "every is nan and must be finite"),
        ({"integrator": 3}, "integrator is 3 and must be a name"),
    ],
)
def test_an_argument_that_is_no_number_or_name_is_named(arguments: Any, message: str) -> None:
    with pytest.raises(tippe.InputError, match=f"^{message}$"):
        falling_ball().run(**arguments)


def test_arguments_of_other_calls_are_named_too() -> None:
    ball = falling_ball()
    with pytest.raises(tippe.InputError, match="^integrators is 3 and must be a name$"):
        ball.compare(3)  # type: ignore[arg-type]
    with pytest.raises(tippe.InputError, match="^dt is nan and must be finite$"):
        ball.compare("moreau", dt=[1e-3, np.nan])
    with pytest.raises(tippe.InputError, match="^section is 3 and must be a name$"):
        ball.orbit(section=3)  # type: ignore[arg-type]
    with pytest.raises(tippe.InputError, match=r"^settings\['h'\] is inf and must be finite$"):
        tippe.load("bouncing_ball", settings={"h": np.inf})


def test_an_integrator_that_does_not_fit_says_why() -> None:
    with pytest.raises(tippe.InputError, match="'rk4' does not fit this scene"):
        falling_ball().run(integrator="rk4")
    with pytest.raises(tippe.InputError, match="did you mean 'moreau'"):
        falling_ball().run(integrator="moreua")
