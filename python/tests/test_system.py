"""Reading scenes."""

import pathlib

import numpy as np
import pytest

import tippe

SCENES = pathlib.Path(__file__).resolve().parents[2] / "scenes"


def test_a_scene_is_read_with_its_names_and_start() -> None:
    toy = tippe.load(SCENES / "woodpecker.toml")
    assert toy.coordinates == ("y", "alpha", "phi")
    assert toy.velocities == ("y'", "alpha'", "phi'")
    assert toy.start.q.dtype == np.float64


def test_a_missing_file_is_an_input_error_in_the_words_of_the_program() -> None:
    with pytest.raises(tippe.InputError, match="no such file") as caught:
        tippe.load("nowhere/at_all.toml")
    assert caught.value.file == "nowhere/at_all.toml"
    assert isinstance(caught.value, ValueError)
