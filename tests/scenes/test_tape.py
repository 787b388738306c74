"""The recording's chapters: where each stands, what an undo does to them, and the list that a video page takes."""

from scenes.happenings import in_the_open
from scenes.tape import Head, Shelf, Tape, chapter_of, clock, lines, marked
from tests.scenes.views import whole_game

Mark = tuple[float, str, dict[str, str | int]]


def recorded(*chapters: Mark) -> Tape:
    """A tape whose recording began at 1000 s."""
    tape, heads = Tape(), (Head(), Head())
    heads[0].heard(0.0, 1000.0, active=True, paused=False)
    for at, code, params in chapters:
        tape = marked(tape, code, params, heads, 1000.0 + at, "boot")
    return tape


def test_the_list_begins_at_nought_and_leaves_out_what_is_too_near():
    tape = recorded(
        (3.0, "acquaintance", {"game": 1}),
        (250.5, "day", {"game": 1, "round": 1}),
        (255.0, "last_word", {"game": 1, "seat": 3, "name": "Ёж"}),
        (3700.0, "night", {"game": 1, "round": 1}),
    )
    assert lines(tape, "ru") == [
        ("0:00:00", "Ночь знакомства"),
        ("0:04:10", "День 1"),
        ("1:01:40", "Ночь 1"),
    ]
    assert [title for _, title in lines(tape, "uk")] == ["Ніч знайомства", "День 1", "Ніч 1"]
    assert [title for _, title in lines(tape, "en")] == ["The night of acquaintance", "Day 1", "Night 1"]


def test_a_recording_that_began_long_before_the_game_has_a_chapter_for_that():
    assert lines(recorded((95.0, "acquaintance", {"game": 1})), "ru") == [
        ("00:00", "Перед игрой"),
        ("01:35", "Ночь знакомства"),
    ]


def test_a_recording_of_several_games_says_of_each_chapter_which_game_it_is_in():
    one: Mark = (0.0, "day", {"game": 3, "round": 1})
    assert lines(recorded(one, (60.0, "replay", {})), "uk") == [("00:00", "День 1"), ("01:00", "Повтор")]
    tape = recorded(one, (600.0, "night", {"game": 4, "round": 1}), (900.0, "replay", {}))
    assert [title for _, title in lines(tape, "uk")] == ["Гра 3 · День 1", "Гра 4 · Ніч 1", "Повтор"]
    assert [title for _, title in lines(tape, "en")] == ["Game 3 · Day 1", "Game 4 · Night 1", "Replay"]


def test_without_a_recording_the_list_counts_from_the_first_chapter():
    tape, heads = Tape(), (Head(), Head())
    for at, code in ((50.0, "acquaintance"), (110.0, "night")):
        tape = marked(tape, code, {"round": 1}, heads, at, "boot")
    assert lines(tape, "ru") == [("00:00", "Ночь знакомства"), ("01:00", "Ночь 1")]


def test_a_chapter_that_is_entered_again_after_an_undo_stands_where_it_was_entered_last():
    tape = recorded(
        (0.0, "acquaintance", {}),
        (60.0, "voting", {"round": 1}),
        (90.0, "day", {"round": 1}),
        (120.0, "voting", {"round": 1}),
    )
    assert [at for at, _ in lines(tape, "en")] == ["00:00", "01:30", "02:00"]


def test_a_head_stands_still_while_the_recording_is_paused():
    head = Head()
    assert head.position(5.0) is None
    head.heard(10.0, 100.0, active=True, paused=False)
    assert head.position(104.0) == 14.0
    head.heard(14.0, 104.0, active=True, paused=True)
    assert head.position(200.0) == 14.0


def test_a_recording_begins_a_fresh_tape_and_few_are_kept():
    shelf = Shelf()
    assert shelf.another() is shelf
    for number in range(40):
        shelf = shelf.with_present(recorded((0.0, "night", {"round": number}))).another()
    assert len(shelf.tapes) == 20


def test_a_whole_game_has_its_chapters_in_order():
    found: list[str] = []
    for _, view in whole_game():
        chapter = chapter_of(in_the_open(view))
        if chapter is not None and (not found or found[-1] != chapter[0]):
            found.append(chapter[0])
    assert found[:3] == ["acquaintance", "day", "voting"]
    assert found[-1] == "over"


def test_clock():
    assert (clock(0), clock(61), clock(3661), clock(61, hours=True)) == ("00:00", "01:01", "1:01:01", "0:01:01")
