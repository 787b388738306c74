"""The order of the music: shuffled without repeats, over restarts too."""

from itertools import pairwise
from pathlib import Path
from random import Random

from controller.sound.library import Track
from controller.sound.order import FILE, Order, Played, keep, played_in

TRACKS = tuple(Track(Path(f"{number}.ogg")) for number in range(7))


def drawn(order: Order, count: int) -> list[Track]:
    """What comes next."""
    found = [order.next() for _ in range(count)]
    return [track for track in found if track is not None]


def test_everything_is_played_before_anything_is_played_again():
    order = drawn(Order(TRACKS, 5), 70)
    for first in range(0, 70, 7):
        assert set(order[first : first + 7]) == set(TRACKS)
    assert all(one != next_ for one, next_ in pairwise(order))
    assert order[:7] != order[7:14]


def test_the_same_seed_is_the_same_order_and_another_is_another():
    assert drawn(Order(TRACKS, 5), 30) == drawn(Order(TRACKS, 5), 30)
    assert drawn(Order(TRACKS, 5), 30) != drawn(Order(TRACKS, 6), 30)
    assert Order(TRACKS).played.seed != 0


def test_one_piece_alone_is_repeated_and_none_is_nothing():
    assert drawn(Order(TRACKS[:1], 1), 3) == [TRACKS[0]] * 3
    assert Order((), 1).next() is None


def test_a_restart_at_any_moment_repeats_nothing_before_all_was_heard():
    """Evenings of pieces, each life of the service ending after any number of them; two are drawn ahead of what is
    heard, as mpv is given the next one early."""
    for seed in range(40):
        chance, kept, heard = Random(seed), None, list[Track]()
        while len(heard) < 60:
            order = Order(TRACKS, 0, kept)
            coming = drawn(order, chance.randrange(3, 12))
            for track in coming[: chance.randrange(0, len(coming) - 1)]:
                assert order.begun(track)
                assert not order.begun(track)  # it goes on after the judge has spoken
                heard.append(track)
            kept = order.played
        for first in range(0, 56, 7):
            assert set(heard[first : first + 7]) == set(TRACKS), seed
        assert all(one != next_ for one, next_ in pairwise(heard)), seed


def test_one_that_cannot_be_played_ends_no_turn_for_ever():
    order = Order(TRACKS[:3], 1)
    for track in (TRACKS[0], TRACKS[1], TRACKS[0], TRACKS[1]):
        assert order.begun(track)
    assert order.played.turn == 1


def test_what_is_new_is_played_in_the_turn_that_runs_and_what_is_gone_is_not_missed():
    order = Order(TRACKS[:4], 3)
    for track in drawn(order, 2):
        order.begun(track)
    left = Order((*TRACKS[1:4], TRACKS[6]), 0, order.played)
    coming = drawn(left, 10)
    heard = {Path(name) for name in order.played.files}
    fresh = [track for track in (*TRACKS[1:4], TRACKS[6]) if track.path not in heard]
    assert set(coming[: len(fresh)]) == set(fresh)


def test_another_seed_in_the_settings_begins_anew_but_not_with_the_last_piece():
    for seed in range(1, 30):
        before = Played(77, 3, ("0.ogg",), "1.ogg")
        order = Order(TRACKS, seed, before)
        coming = drawn(order, 7)
        assert set(coming) == set(TRACKS)
        assert coming[0].path.name != "1.ogg"


def test_it_is_kept_whole_and_what_cannot_be_read_is_no_fault(tmp_path: Path):
    assert played_in(tmp_path) is None
    played = Played(4, 2, ("a.ogg",), "a.ogg")
    keep(played, tmp_path / "sound")
    assert played_in(tmp_path / "sound") == played
    (tmp_path / "sound" / FILE).write_text("{")
    assert played_in(tmp_path / "sound") is None
