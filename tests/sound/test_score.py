"""What should sound, by what the hall sees: cues at their moments, each once, none for what comes back."""

from dataclasses import replace

from controller.sound.score import CueName, Heard, Prompter
from tests.sound.evening import DAY, MORNING, MS, NIGHT, paused, speech, vote

S = 1_000 * MS


def names(cues) -> list[CueName]:
    return [cue.name for cue in cues]


def begun(heard: Heard = DAY) -> Prompter:
    prompter = Prompter()
    assert prompter.see(heard, 0, taken_back=True) == ()
    return prompter


def test_music_plays_in_nights_and_acquaintances_alone():
    kinds = ("dealing", "acquaintance", "night", "morning", "speech", "last_word", "voting", "dusk", "over")
    assert [kind for kind in kinds if replace(DAY, kind=kind).night is not None] == ["acquaintance", "night"]


def test_nothing_of_the_first_view_is_news():
    for heard in (NIGHT, MORNING, vote(opened=0, closes=2 * S)):
        assert Prompter().see(heard, 0) == ()


def test_night_falls_once_however_often_it_is_shown():
    prompter = begun()
    assert names(prompter.see(NIGHT, 1)) == [CueName.NIGHT]
    assert prompter.see(NIGHT, 2) == ()
    assert names(prompter.see(MORNING, 3)) == [CueName.MORNING]
    assert names(prompter.see(replace(NIGHT, round=2), 4)) == [CueName.NIGHT]


def test_an_undo_over_the_nights_edge_gives_no_signal_and_the_next_step_does():
    prompter = begun(NIGHT)
    assert names(prompter.see(MORNING, 1)) == [CueName.MORNING]
    assert prompter.see(NIGHT, 2, taken_back=True) == ()
    assert names(prompter.see(MORNING, 3)) == [CueName.MORNING]


def test_ten_seconds_and_time_are_called_at_their_moments():
    prompter = begun()
    prompter.see(speech(ends=60 * S), 0)
    assert prompter.next_due == 50 * S
    assert prompter.due(50 * S - 1) == ()
    assert names(prompter.due(50 * S)) == [CueName.TEN_SECONDS]
    assert prompter.due(51 * S) == ()
    assert names(prompter.due(60 * S + 3)) == [CueName.TIME]
    assert prompter.next_due is None


def test_a_clock_that_is_stopped_calls_nothing_and_goes_on_where_it_was():
    prompter = begun()
    heard = speech(ends=60 * S)
    prompter.see(heard, 0)
    prompter.see(paused(heard, 20_000), 40 * S)
    assert prompter.next_due is None
    prompter.see(speech(ends=90 * S), 70 * S)
    assert names(prompter.due(80 * S)) == [CueName.TEN_SECONDS]


def test_a_clock_started_again_with_five_seconds_left_does_not_call_ten():
    prompter = begun()
    heard = speech(ends=60 * S)
    prompter.see(heard, 0)
    prompter.see(paused(heard, 5_000), 55 * S)
    prompter.due(55 * S)
    prompter.see(speech(ends=75 * S), 70 * S)
    assert names(prompter.due(75 * S)) == [CueName.TIME]


def test_an_undo_during_a_speech_does_not_call_again_what_was_called():
    prompter = begun()
    prompter.see(speech(ends=60 * S), 0)
    prompter.due(50 * S)
    prompter.see(speech(ends=60 * S), 52 * S, taken_back=True)
    assert prompter.due(59 * S) == ()
    assert names(prompter.due(60 * S)) == [CueName.TIME]


def test_a_speech_that_ends_early_calls_no_time():
    prompter = begun()
    prompter.see(speech(ends=60 * S), 0)
    prompter.see(speech(4, ends=90 * S, name="timer 2"), 30 * S)
    assert names(prompter.due(61 * S)) == []
    assert names(prompter.due(90 * S)) == [CueName.TEN_SECONDS, CueName.TIME]


def test_the_calls_of_a_night_have_no_signals_of_their_clocks():
    prompter = begun(NIGHT)
    timed = speech(ends=10 * S).timer
    assert timed is not None
    call = type(timed)(id="call", kind="call", total=60_000, running=True, deadline=60_000.0, left=60_000)
    prompter.see(replace(NIGHT, timer=call), 0)
    assert prompter.next_due is None


def test_a_vote_is_opened_and_closed_at_its_time():
    prompter = begun()
    assert names(prompter.see(vote(opened=0, closes=2 * S), 0)) == [CueName.VOTE_OPEN]
    assert prompter.due(2 * S - 1) == ()
    assert names(prompter.due(2 * S)) == [CueName.VOTE_CLOSED]
    assert prompter.see(DAY, 2 * S + 5) == ()


def test_a_vote_that_the_judge_closes_early_is_closed_then_and_not_again():
    prompter = begun()
    prompter.see(vote(opened=0, closes=2 * S), 0)
    assert names(prompter.see(DAY, S)) == [CueName.VOTE_CLOSED]
    assert prompter.due(3 * S) == ()


def test_the_close_is_not_lost_when_the_table_sees_it_first():
    prompter = begun()
    prompter.see(vote(opened=0, closes=2 * S), 0)
    now = prompter.see(DAY, 2 * S + 1)
    assert names((*now, *prompter.due(2 * S + 2))) == [CueName.VOTE_CLOSED]


def test_an_undone_opening_is_not_closed():
    prompter = begun()
    prompter.see(vote(opened=0, closes=2 * S), 0)
    assert prompter.see(DAY, S, taken_back=True) == ()
    assert prompter.due(3 * S) == ()


def test_the_speaker_is_named_once():
    prompter = begun()
    cues = prompter.see(speech(7, ends=60 * S), 0)
    assert [(cue.name, cue.seat) for cue in cues] == [(CueName.SPEAKER, 7)]
    assert prompter.see(speech(7, ends=61 * S), 1) == ()
