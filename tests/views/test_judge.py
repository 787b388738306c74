"""The judge's view: what it keeps between two hands is what it would make anew; its open sentences tell no secret."""

import re

import msgspec
import pytest

from controller.catalogue import LANGUAGES
from controller.game import commands as cmd
from controller.game.ballot import Touch
from controller.game.phases import Dealing, Night, Voting
from controller.game.roles import Role
from controller.views.facts import Surroundings
from controller.views.judge import JudgeViews
from tests.views.course import Course, sample_game, touches

AROUND = Surroundings(simulated=True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_kept_is_what_would_be_made_anew(language: str) -> None:
    kept = JudgeViews()
    for snapshot in sample_game():
        assert kept.view(snapshot, AROUND, language) == JudgeViews().view(snapshot, AROUND, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sentences_that_lie_open_tell_no_card_no_shot_and_no_check(language: str) -> None:
    """Two games that differ in their secrets alone have the same open sentences."""
    courses = [Course(), Course()]
    cards = [Role.DON, Role.MAFIA, Role.MAFIA, Role.SHERIFF, *[Role.CIVILIAN] * 6]
    for course, own in zip(courses, (cards, cards[::-1]), strict=True):
        list(course.deal(own))
        while not isinstance(course.state.phase, Night):
            course.must(cmd.Next())
    shown: list[list[object]] = [[], []]
    for number, course in enumerate(courses):
        black = course.state.living_with(Role.MAFIA, Role.DON)
        course.must(cmd.Shoot(everybody_at=5) if number else cmd.Shoot(tuple((seat, (5,)) for seat in black)))
        for check in (cmd.Check(Role.DON, 4 + number), cmd.Check(Role.SHERIFF, 2 - number)):
            course.must(cmd.Next())
            course.must(check)
            view = JudgeViews().view(course.snapshot(), AROUND, language)
            shown[number].append(
                (view.phrase, view.hints, view.recorded, view.calls, view.step, view.legal, view.history)
            )
    assert shown[0] == shown[1]


def test_a_proposal_says_what_giving_it_would_bring() -> None:
    course = Course()
    list(course.deal())
    while not isinstance(course.state.phase, Voting):
        if course.state.minute_of == 1:
            course.play(cmd.Nominate(1, 2))
        if course.state.minute_of == 3:
            course.play(cmd.Nominate(3, 4))
        course.must(cmd.Next())
    for _ in range(3):
        course.must(cmd.Foul(5))
    list(course.vote({2: touches((5, 6), early=5), 4: touches((1, 2, 3, 4, 7, 8, 9, 10))}))
    view = JudgeViews().view(course.snapshot(), AROUND, "ru")
    assert [(row.seat, row.what, row.consequence) for row in view.proposals] == [(5, "early_hand", "fourth_foul")]
    assert view.evidence[0].touches[0].down == -700.0
    assert view.evidence[0].hands == (5, 6)
    course.must(cmd.Waive(view.proposals[0].id))
    view = JudgeViews().view(course.snapshot(), AROUND, "ru")
    assert [(row.answer, row.consequence) for row in view.proposals] == [("waived", None)]


def test_an_open_window_shows_the_hands_as_they_come() -> None:
    course = Course()
    list(course.deal())
    while not isinstance(course.state.phase, Voting):
        if course.state.minute_of in (1, 3):
            course.play(cmd.Nominate(course.state.minute_of, course.state.minute_of + 1))
        course.must(cmd.Next())
    course.must(cmd.OpenWindow(course.now))
    for count in range(4):
        course.touches = tuple(Touch(seat, 1000 * seat) for seat in range(5, 5 + count))
        view = JudgeViews().view(course.snapshot(), AROUND, "ru")
        assert view.vote is not None
        assert view.vote.candidates[0].hands == tuple(range(5, 5 + count))
        assert view.step.do == "close_window"
        assert view.legal.close_window
        assert [seat.seat for seat in view.seats if seat.hand == 2] == list(range(5, 5 + count))


def test_undo_and_redo_say_beforehand_what_they_take() -> None:
    course = Course()
    view = JudgeViews().view(course.snapshot(), AROUND, "en")
    assert view.legal.undo is None
    list(course.deal())
    course.must(cmd.Next())
    view = JudgeViews().view(course.snapshot(), AROUND, "en")
    assert view.legal.undo is not None
    course.undo()
    assert isinstance(course.state.phase, Dealing)
    view = JudgeViews().view(course.snapshot(), AROUND, "en")
    assert view.legal.redo is not None
    assert view.history[-1].undone
    assert len(view.history) == 11


def test_no_sentence_is_a_bare_code() -> None:
    """A sentence that is missing shows as its code; in the tests it is a failure on top."""
    for language in LANGUAGES:
        for snapshot in sample_game():
            text = msgspec.json.encode(JudgeViews().view(snapshot, AROUND, language)).decode()
            assert not re.search(r'"(refusal|step|phrase|call|hint|history|undo|redo|link|readiness)\.[a-z_]+', text)
