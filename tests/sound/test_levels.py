"""Fades and ducking, in time."""

from itertools import pairwise

import pytest

from controller.sound.levels import Fader, gain_of, volume_of


def course(fader: Fader, seconds: float, step: float = 0.02) -> list[float]:
    return [fader.step(step) for _ in range(round(seconds / step))]


def test_a_fade_in_is_heard_at_once_and_rises_to_the_full():
    fader = Fader(18.0, 0.8, 2.0)
    fader.play(True)
    gains = course(fader, 1.0)
    assert gains[0] > gain_of(-33.0)
    assert all(before <= after for before, after in pairwise(gains))
    assert gains[-1] == 1.0
    assert fader.arrived


def test_a_fade_out_ends_in_silence_after_its_time():
    fader = Fader(18.0, 0.0, 2.0)
    fader.play(True)
    course(fader, 0.1)
    fader.play(False)
    gains = course(fader, 2.0)
    assert all(before >= after for before, after in pairwise(gains))
    assert gains[-2] > 0
    assert fader.step(0.02) == 0.0
    assert fader.is_silent


def test_ducking_steps_back_by_its_decibels_and_comes_back():
    fader = Fader(20.0, 0.0, 2.0)
    fader.play(True)
    course(fader, 0.1)
    fader.hold(True)
    assert course(fader, 0.2)[-1] == pytest.approx(0.1)
    fader.hold(False)
    assert course(fader, 0.8)[-1] == 1.0


def test_mpvs_volume_is_the_cube_root():
    assert volume_of(1.0) == 100.0
    assert volume_of(gain_of(-18.0)) == pytest.approx(50.1, abs=0.1)
    assert volume_of(0.0) == 0.0
