"""Debounce: nothing is swallowed, nothing is invented, and an edge is dated by its first raw transition."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.debounce import CHATTERING, CLOSED_AT_START, CLOSED_TOO_LONG, HEALTHY, Contact, since

QUIET, CHATTER, LONGEST = 10_000, 50_000, 60_000_000  # microseconds
MODULUS = 1 << 30


def settle(raw: list[tuple[bool, int]], *, closed: bool = False, modulus: int = 0) -> list[tuple[bool, int]]:
    """Feed raw edges, let a second pass, and return what settled."""
    contact = Contact(closed, QUIET, CHATTER, LONGEST, modulus)
    told = [contact.edge(level, at % modulus if modulus else at) for level, at in raw]
    end = (raw[-1][1] if raw else 0) + 1_000_000
    told.append(contact.advance(end % modulus if modulus else end))
    return [change for change in told if change]


def test_a_clean_press_is_dated_by_its_edge():
    assert settle([(True, 100), (False, 80_100)]) == [(True, 100), (False, 80_100)]


def test_a_bouncing_press_is_dated_by_its_first_raw_edge():
    raw = [(True, 0), (False, 900), (True, 2_000), (False, 7_000), (True, 7_500)]
    assert settle(raw) == [(True, 0)]


def test_a_bouncing_release_is_dated_by_its_first_raw_edge():
    raw = [(True, 0), (False, 90_000), (True, 91_000), (False, 97_000)]
    assert settle(raw) == [(True, 0), (False, 90_000)]


@given(st.integers(1, QUIET - 1), st.booleans())
def test_a_glitch_shorter_than_the_threshold_is_no_press_and_no_release(length: int, closed: bool):
    contact = Contact(False, QUIET, CHATTER, LONGEST)
    if closed:
        contact.edge(True, -1_000_000)
        assert contact.advance(-900_000) == (True, -1_000_000)
    assert [contact.edge(not closed, 0), contact.edge(closed, length)] == [None, None]
    assert contact.advance(1_000_000) is None
    assert contact.closed is closed


@given(st.integers(1, QUIET - 1), st.integers(1, 200_000))
def test_a_press_at_any_time_after_a_glitch_is_not_swallowed(glitch: int, pause: int):
    press = glitch + pause
    told = settle([(True, 0), (False, glitch), (True, press), (False, press + 40_000)])
    assert [down for down, _ in told] == [True, False]
    # Closer than the quiet time a glitch cannot be told from the bounce of the press itself.
    assert told[0][1] == (press if pause >= QUIET else 0)


def test_a_pulse_too_short_to_read_is_unrest_and_no_press():
    assert settle([(False, 0), (False, 500)]) == []


@pytest.mark.parametrize("modulus", [0, MODULUS])
@pytest.mark.parametrize("seed", range(5))
def test_a_thousand_presses_with_bounce_after_glitches_are_a_thousand_presses_and_releases(seed: int, modulus: int):
    chance = random.Random(seed)
    raw: list[tuple[bool, int]] = []
    truth: list[tuple[bool, int]] = []
    at = MODULUS - 30_000_000

    def bounce(level: bool) -> None:
        truth.append((level, at % modulus if modulus else at))
        times = sorted(chance.randrange(at + 1, at + 8_000) for _ in range(2 * chance.randrange(6)))
        raw.append((level, at))
        for flip, when in enumerate(times):
            raw.append((level if flip % 2 else not level, when))

    for _ in range(1000):
        for _ in range(chance.randrange(4)):
            length = chance.randrange(1, QUIET)
            raw += [(True, at), (False, at + length)]
            at += length + QUIET + chance.randrange(30_000)
        bounce(True)
        at += chance.randrange(40_000, 400_000)
        bounce(False)
        at += chance.randrange(40_000, 400_000)
    assert settle(raw, modulus=modulus) == truth


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 60_000)), max_size=60))
def test_whatever_the_contact_does_changes_alternate_and_nothing_comes_before_what_was_promised(
    steps: list[tuple[bool, int]],
):
    contact = Contact(False, QUIET, CHATTER, LONGEST)
    at, promised, level = 0, -1, False
    for raw, pause in [*steps, (False, 1_000_000)]:
        at += pause
        for change in (contact.advance(at), contact.edge(raw, at)):
            if change:
                assert change[0] is not level
                assert promised < change[1] <= at
                level = change[0]
        promised = (contact.settled_before() if contact.unsettled() else at) - 1


def test_a_contact_closed_at_start_is_stuck_and_counts_once_it_has_opened():
    contact = Contact(True, QUIET, CHATTER, LONGEST)
    assert contact.fault() == CLOSED_AT_START
    assert contact.edge(False, 5_000_000) is None
    assert contact.advance(6_000_000) is None
    assert contact.fault() == HEALTHY
    assert contact.edge(True, 7_000_000) is None
    assert contact.advance(7_010_000) == (True, 7_000_000)


def test_a_glitch_does_not_free_a_contact_closed_at_start():
    contact = Contact(True, QUIET, CHATTER, LONGEST)
    assert [contact.edge(False, 10), contact.edge(True, 5_000), contact.advance(1_000_000)] == [None] * 3
    assert contact.fault() == CLOSED_AT_START


def test_a_contact_closed_for_longer_than_it_can_be_is_stuck_until_it_opens():
    contact = Contact(False, QUIET, CHATTER, LONGEST)
    contact.edge(True, 0)
    contact.advance(LONGEST - 1)
    assert contact.fault() == HEALTHY
    contact.advance(LONGEST)
    assert contact.fault() == CLOSED_TOO_LONG
    contact.edge(False, LONGEST + 1)
    assert contact.advance(LONGEST + 1 + QUIET) == (False, LONGEST + 1)
    assert contact.fault() == HEALTHY


def test_a_chattering_contact_is_reported_and_its_change_is_dated_by_its_last_edge():
    contact = Contact(False, QUIET, CHATTER, LONGEST)
    at = 0
    for turn in range(21):
        at = turn * 5_000
        assert contact.edge(turn % 2 == 0, at) is None
    assert contact.fault() == CHATTERING
    assert contact.settled_before() == at
    assert contact.advance(at + QUIET) == (True, at)
    assert contact.fault() == HEALTHY


@given(st.integers(0, MODULUS - 1), st.integers(-(MODULUS >> 1), (MODULUS >> 1) - 1))
def test_ticks_are_told_apart_across_the_wrap(then: int, ahead: int):
    assert since((then + ahead) % MODULUS, then, MODULUS) == ahead
