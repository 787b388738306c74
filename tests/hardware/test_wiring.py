"""The keys: every hand, every key of the board, and the default wiring."""

import pytest

from hardware.board import BOARD_KEYS, board_seat_of
from hardware.signal import HAND_KEYS, Signal, seat_of
from hardware.wiring import TEN_SEATS_AND_BOARD


def test_every_hand_has_a_key_and_every_key_its_seat():
    assert [seat_of(key) for key in HAND_KEYS] == list(range(1, 21))
    assert seat_of("board 3") is None
    assert seat_of("seat 21") is None


def test_the_board_names_seats_of_its_own():
    assert [board_seat_of(f"board {seat}") for seat in range(1, 11)] == list(range(1, 11))
    assert board_seat_of("seat 3") is None


def test_the_default_wiring_has_ten_hands_and_then_the_whole_board_each_once():
    assert TEN_SEATS_AND_BOARD[:10] == HAND_KEYS[:10]
    assert TEN_SEATS_AND_BOARD[10:] == tuple(BOARD_KEYS)
    assert len(set(TEN_SEATS_AND_BOARD)) == len(TEN_SEATS_AND_BOARD) == 29


def test_no_key_is_both_a_hand_and_a_board_key():
    assert not set(HAND_KEYS) & set(BOARD_KEYS)


def test_a_signal_cannot_be_changed_after_the_fact():
    with pytest.raises(AttributeError):
        Signal("table-1", "seat 1", True, 5).at = 6  # pyright: ignore[reportAttributeAccessIssue]
