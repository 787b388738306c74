"""The game of a record: every statement, where the engine moves by itself, when a result is final, what is refused."""

import pytest

from controller.game.ballot import BallotKind, Touch
from controller.game.moment import Moment
from controller.game.outcome import Reason, Winner
from controller.game.phases import (
    Acquaintance,
    Choosing,
    Dusk,
    LastWord,
    Morning,
    Night,
    Over,
    Speech,
    SpeechKind,
    Voting,
)
from controller.game.roles import Role
from controller.game.seat import How
from tests.record.games import CITY, refused, state

DAY_ONE = ("night 0", "day 1", "1 nominates 2", "3 nominates 5")
TWO_OUT = (*DAY_ONE, "vote 2: 1 3 4 5 6 8 10", "vote 5:")
SHOT = (*TWO_OUT, "night 1", "shot: 1")
RED_WINS = (
    *(*TWO_OUT, "night 1", "shot: miss", "day 2", "3 nominates 7", "vote 7:", "night 2", "shot: miss"),
    *("day 3", "4 nominates 9", "vote 9:"),
)

# --- where the game moves by itself


def test_a_record_begins_in_the_acquaintance_night() -> None:
    assert isinstance(state().phase, Acquaintance)
    assert isinstance(state("night 0").phase, Acquaintance)


def test_a_night_or_day_that_is_reached_already_may_be_written() -> None:
    assert state("night 0", "night 0", "day 1", "day 1").at == Moment.day_of(1)


def test_minutes_with_nothing_to_record_are_passed_over() -> None:
    now = state("day 1", "4 nominates 7")
    assert now.phase == Speech(4, SpeechKind.MINUTE, 60)
    assert [row.seat for row in now.speeches] == [1, 2, 3, 4]


def test_a_minute_that_is_over_does_not_come_back() -> None:
    assert refused("day 1", "4 nominates 7", "3 nominates 2") == "not_own_minute"


def test_a_night_or_day_is_reached_over_all_that_needs_no_record() -> None:
    assert state("night 1").at == Moment.night_of(1)
    assert refused("night 1", "day 2") == "shots_not_recorded"
    assert refused("day 2") == "shots_not_recorded"
    assert refused(*DAY_ONE, "night 1") == "not_counted"
    assert refused(*SHOT, "day 1") == "moment_passed"


def test_a_statement_stays_in_its_night_or_day() -> None:
    assert refused(*TWO_OUT, "shot: 1") == "not_called_now"
    assert refused(*SHOT, "3 nominates 4") == "not_own_minute"


def test_a_refusal_that_says_more_than_not_now_ends_the_search() -> None:
    assert refused("day 1", "1 nominates 2", "2 nominates 2") == "is_nominated"
    assert refused(*DAY_ONE, "vote 8:") == "not_a_candidate"
    assert refused(*DAY_ONE, "vote 5:") == "out_of_order"


def test_at_night_the_call_with_nothing_recorded_is_named() -> None:
    assert refused(*TWO_OUT, "night 1", "don: 4") == "shots_not_recorded"
    assert refused("night 1", "sheriff: -") == "shots_not_recorded"


def test_words_may_be_written_as_one_likes() -> None:
    loud = state(*(line.upper() for line in SHOT), "DON: 4", "Best 1: -")
    assert loud == state(*SHOT, "don: 4", "best 1: -")


# --- the day


def test_a_nomination_is_withdrawn_and_made_anew() -> None:
    now = state("day 1", "1 nominates 2", "1 withdraws", "1 nominates 3")
    assert [row.seat for row in now.nominations] == [3]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("vote 2: 1 1", "hand_twice"),
        ("vote 2: 11", "no_such_seat"),
        ("vote 0: 1", "no_such_seat"),
        ("vote raise: 1", "seat_expected"),
        ("vote 2: 1,3", "seat_expected"),
        ("vote 2 1 3", "statement_form"),
        ("vote 2: -1", "seat_expected"),
        ("vote: 1", "statement_form"),
        ("raise: 1", "other_question"),
    ],
)
def test_hands_that_cannot_be(line: str, code: str) -> None:
    assert refused(*DAY_ONE, line) == code


def test_hands_fall_to_the_last_and_the_vote_is_said_at_the_end_of_the_record() -> None:
    now = state(*DAY_ONE, "vote 2: 1 3 4 5 6 8", "vote 5:")
    assert now.ballots[0].votes[1].assigned == (2, 7, 9, 10)
    assert isinstance(now.phase, LastWord)


def test_an_unfinished_vote_stays_unfinished() -> None:
    now = state(*DAY_ONE, "vote 2: 1 3")
    assert isinstance(now.phase, Voting)
    assert now.ballots == ()


def test_a_tie_is_spoken_of_voted_again_and_put_to_the_question() -> None:
    tie = ("vote 2: 1 3 4 6 8", "vote 5: 2 5 7 9 10")
    now = state(*DAY_ONE, *tie, *tie, "raise: 1 2 3 4 5 6")
    assert [row.kind for row in now.ballots] == [BallotKind.BALLOT, BallotKind.REVOTE, BallotKind.RAISE]
    assert [row.how for row in now.departures] == [How.RAISED, How.RAISED]


# --- a result is final


def test_a_ruling_is_taken_until_the_next_statement() -> None:
    now = state(*DAY_ONE, "vote 2: 1 3 4 6 8", "vote 5: 2 5 7 9 10", "rule 2: 10 yes")
    assert [row.seat for row in now.departures] == [2]
    now = state(*DAY_ONE, "vote 2: 1 3 4 6 8", "vote 5: 2 5 7 9 10", "warn 3", "rule 2: 10 yes")
    assert [row.seat for row in now.departures] == [2]


@pytest.mark.parametrize("line", ["foul 3", "1 nominates 4", "end", "day 1"])
def test_any_other_statement_makes_the_result_final(line: str) -> None:
    lines = (*TWO_OUT, line)
    if line != "1 nominates 4":
        assert refused(*lines, "rule 5: 10 yes") == "no_ballot"
    else:
        assert refused(*lines) == "not_own_minute"


def test_an_answer_to_a_proposal_leaves_the_result_open() -> None:
    hands = (*DAY_ONE, "hands 2: 1@0.1 3@-0.8 4@0.5", "hands 5: 6@1 8@1 9@1 10@1 2@1 5@1 7@1")
    now = state(*hands, "give 3 early_hand", "rule 2: 6 yes", "rule 2: 8 yes", "rule 2: 9 yes")
    assert [row.seat for row in now.departures] == [2]
    assert len(now.seat(3).fouls) == 1
    now = state(*hands, "waive 3 early_hand", "night 1")
    assert not now.seat(3).fouls
    assert now.proposals[0].given is False


def test_a_proposal_may_be_answered_long_after() -> None:
    hands = (*DAY_ONE, "hands 2: 1@0.1 3@-0.8 4@0.5", "hands 5: 6@1 8@1 9@1 10@1 2@1 5@1 7@1")
    now = state(*hands, "night 1", "shot: miss", "day 2", "give 3 early_hand")
    assert now.seat(3).fouls[0].at == Moment.day_of(2)
    assert refused(*hands, "give 3 early_hand", "give 3 early_hand") == "no_such_proposal"
    assert refused(*hands, "give 4 early_hand") == "no_such_proposal"
    assert refused(*hands, "give 3 early") == "offence_unknown"


def test_of_two_like_proposals_the_first_is_meant_unless_the_other_is_named() -> None:
    hands = (*DAY_ONE, "hands 2: 3@-0.8..-0.5 1@1", "hands 5: 3@-0.8..-0.5 4@1")
    first = state(*hands, "waive 3 early_hand")
    assert [row.given for row in first.proposals if row.what == "early_hand"] == [False, None]
    second = state(*hands, "waive 3 early_hand 1.5")
    assert [row.given for row in second.proposals if row.what == "early_hand"] == [None, False]


def test_a_removal_after_the_last_hand_comes_after_the_result() -> None:
    now = state(*TWO_OUT, "remove 7 6.7.1")
    assert [(row.seat, row.how) for row in now.departures] == [(2, How.VOTED), (7, How.REMOVED)]
    assert now.cancelled_day == 2


def test_a_removal_after_a_tie_leaves_nobody_to_speak() -> None:
    now = state(*DAY_ONE, "vote 2: 1 3 4 6 8", "vote 5: 2 5 7 9 10", "remove 9")
    assert [row.kind.value for row in now.speeches if row.kind != "minute"] == []
    assert isinstance(now.phase, Dusk)


@pytest.mark.parametrize("line", ["defeat 7 6.8.1", "annul"])
def test_a_defeat_or_an_annulment_comes_after_the_result_too(line: str) -> None:
    now = state(*TWO_OUT, line)
    assert [row.seat for row in now.departures] == [2]
    assert isinstance(now.phase, Over)


def test_a_vote_that_has_decided_the_game_leaves_no_team_to_be_defeated() -> None:
    assert refused(*RED_WINS, "defeat 1 6.8.1") == "game_decided"


# --- sensors


def test_hands_are_seconds_from_the_opening() -> None:
    now = state(*DAY_ONE, "hands 2 +1.62 counted 3.5: 1@0.35..2.9 3@-0.000001 1@3", "hands 5 flagged:", "end")
    first, second = now.ballots[0].counts
    assert first.touches == (Touch(1, 350_000, 2_900_000), Touch(3, -1), Touch(1, 3_000_000))
    assert (first.closed, first.announced, first.flagged) == (1_620_000, 3_500_000, False)
    assert (second.closed, second.announced, second.flagged) == (2_000_000, None, True)


def test_a_window_closes_when_the_rules_say() -> None:
    now = state(*DAY_ONE, "hands 2: 1@1.5 3@1.6", "hands 5:", more=("option: window=1.5",))
    assert now.ballots[0].votes[0].hands == (1,)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("hands 2: 1", "hand_expected"),
        ("hands 2: 1@", "time_expected"),
        ("hands 2: 1@0.5..", "time_expected"),
        ("hands 2: 1@0,5", "time_expected"),
        ("hands 2: 1@1e3", "time_expected"),
        ("hands 2: 1@0.0000001", "time_too_fine"),
        ("hands 2: 1@1..0.5", "hand_up_before_down"),
        ("hands 2: 11@1", "no_such_seat"),
        ("hands 2 counted 1: 1@0.5", "counted_before_close"),
        ("hands 2 +-1: 1@0.5", "time_expected"),
        ("hands 2 slowly: 1@0.5", "word_unknown"),
        ("hands 8: 1@0.5", "not_a_candidate"),
        ("hands 5: 1@0.5", "out_of_order"),
        ("hands raise: 1@0.5", "other_question"),
    ],
)
def test_hands_of_sensors_that_cannot_be(line: str, code: str) -> None:
    assert refused(*DAY_ONE, line) == code


def test_a_negative_down_at_a_later_candidate_is_the_same_hand() -> None:
    now = state(*DAY_ONE, "hands 2: 1@0.5 3@0.5..2.5", "hands 5: 1@-1.5..0.5 3@-1.5..0.5")
    said = [(row.seat, row.what.value) for row in now.proposals if row.what != "not_raised"]
    assert said == [(3, "several_candidates")]


def test_the_question_is_answered_by_sensors_too() -> None:
    tie = ("vote 2: 1 3 4 6 8", "vote 5: 2 5 7 9 10")
    raised = " ".join(f"{seat}@0.{seat:02}" for seat in range(1, 7))
    now = state(*DAY_ONE, *tie, *tie, f"hands raise: {raised}", "rule raise: 6 no")
    assert now.ballots[-1].votes[0].hands == (1, 2, 3, 4, 5)
    assert now.departures == ()


def test_a_hand_is_ruled_before_its_window_is_counted() -> None:
    now = state(*DAY_ONE, "rule 2: 7 yes", "hands 2: 1@0.5", "hands 5:")
    assert now.ballots[0].votes[0].hands == (1, 7)
    assert refused(*DAY_ONE, "rule 5: 7 yes") == "not_called_yet"
    assert refused(*DAY_ONE, "rule 2: 7 yes", "3 nominates 4") == "window_open"
    assert refused(*DAY_ONE, "rule 2: 7 perhaps") == "yes_or_no"


def test_a_void_window_is_repeated() -> None:
    now = state(*DAY_ONE, "vote 2: 1 3", "void 2", "vote 2: 4", "vote 5: 1", "void 5", "vote 5: 3")
    assert [row.hands for row in now.ballots[0].votes] == [(4,), (3,)]
    assert refused(*DAY_ONE, "vote 2: 1 3", "void 5") == "no_window"
    assert refused(*DAY_ONE, "vote 2: 1 3", "void 2", "void 2") == "no_window"
    assert refused(*DAY_ONE, "void 2") == "no_ballot"


# --- fouls


def test_fouls_are_taken_where_the_game_is() -> None:
    now = state("day 1", "foul 3 6.6.1", "warn 4", "technical 5 light", more=("option: technical_fouls_out=2",))
    assert isinstance(now.phase, Morning)
    assert now.seat(3).fouls[0].clause == "6.6.1"
    assert len(now.seat(4).warnings) == 1
    assert [foul.heavy for foul in now.seat(5).technical] == [False]
    assert refused("day 1", "technical 5 light") == "no_technical_fouls"
    assert refused("day 1", "technical 5 medium") == "word_unknown"
    assert refused("day 1", "foul 3 6.9.9") == "no_such_clause"


def test_a_third_foul_in_the_own_minute_is_placed_by_next() -> None:
    fouls = ("foul 3", "foul 3", "foul 3")
    today = state("day 1", *fouls, "4 nominates 5")
    assert [row.seconds for row in today.speeches if row.seat == 3] == [0]
    tomorrow = state("day 1", "next 3", *fouls, "4 nominates 5")
    assert [row.seconds for row in tomorrow.speeches if row.seat == 3] == [60]


@pytest.mark.parametrize("line", ["next 0", "next -1", "next many"])
def test_next_wants_a_number(line: str) -> None:
    assert refused("day 1", line) == "number_expected"


# --- the night


def test_shots_in_all_their_forms() -> None:
    night = (*TWO_OUT, "night 1")
    assert state(*night, "shot: 4").nights[0].shots == ((7, (4,)), (9, (4,)))
    assert state(*night, "shot: 7>4 9>4").nights[0].killed == (4,)
    assert state(*night, "shot: 7>4+5 9>4").nights[0].shots == ((7, (4, 5)), (9, (4,)))
    assert state(*night, "shot: 7>4").nights[0].shots == ((7, (4,)), (9, ()))
    assert state(*night, "shot: 7>4 9>-").nights[0].killed == ()
    assert state(*night, "shot: miss").nights[0].shots == ()
    assert state(*night, "shot: 2").nights[0].killed == ()  # a dead seat may be shot at


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("shot: 7>4 3>4", "cannot_shoot"),
        ("shot: 7>4 7>5", "shooter_twice"),
        ("shot: 7 9", "shot_expected"),
        ("shot: 11", "no_such_seat"),
        ("shot: 7>", "seat_expected"),
        ("shot:", "statement_form"),
        ("shot: never", "seat_expected"),
    ],
)
def test_shots_that_cannot_be(line: str, code: str) -> None:
    assert refused(*TWO_OUT, "night 1", line) == code


def test_the_dead_make_no_check() -> None:
    dead_sheriff = (*TWO_OUT, "night 1", "shot: 4", "day 2", "night 2", "shot: miss")
    assert refused(*dead_sheriff, "sheriff: 3") == "role_is_dead"
    assert state(*dead_sheriff, "sheriff: -").nights[1].checks == ()


def test_a_night_with_its_shooting_recorded_is_played_out_at_the_end() -> None:
    now = state(*SHOT)
    assert isinstance(now.phase, Morning)
    assert [row.how for row in now.departures] == [How.VOTED, How.SHOT]


def test_a_night_without_it_is_not() -> None:
    assert isinstance(state(*TWO_OUT, "night 1").phase, Night)


def test_a_decided_game_is_brought_to_its_end() -> None:
    now = state(*RED_WINS)
    assert isinstance(now.phase, Over)
    assert now.outcome is not None
    assert now.outcome.winner is Winner.RED


def test_the_last_words_of_a_night_stand_under_it_or_under_the_day() -> None:
    named = state(*SHOT, "best 1: 2 7 9", "day 2")
    assert named.best_move is not None
    assert named.best_move.numbers == (2, 7, 9)
    assert state(*SHOT, "day 2", "best 1: 2 7 9").best_move == named.best_move
    assert refused(*SHOT, "best 3: 2 7 9") == "no_best_move"
    assert refused(*SHOT, "best 1: 2 2") == "number_twice"
    assert refused(*SHOT, "best 1: 2 3 4 5") == "too_many_numbers"
    assert refused(*SHOT, "best 1:") == "statement_form"
    assert refused(*SHOT, "day 2", "3 nominates 4", "best 1: 2") == "not_last_word"


def test_wills_are_the_clubs() -> None:
    nights = (*TWO_OUT, "night 1", "shot: miss", "day 2", "night 2", "shot: 5")
    club = ("scoring: club",)
    assert state(*nights, "will 5: 9", more=club).wills[0].named == 9
    assert state(*nights, "will 5: -", more=club).wills[0].named is None
    assert state(*nights, "will 5: forgotten", more=club).wills[0].forgotten
    assert refused(*nights, "will 6: 9", more=club) == "no_will"
    assert refused(*nights, "will 5: 9") == "no_wills"


# --- the city


def test_a_city_night() -> None:
    night = ("night 1", "kill: 2>1 7>1 9>4", "maniac: -", "beauty: 6", "doctor: 1", "check: 8", "don: 4")
    now = state(*night, ruleset="city", cards=CITY)
    row = now.nights[0]
    assert (row.kill, row.act(Role.BEAUTY), row.act(Role.DOCTOR)) == (4, (6,), (1,))
    assert [(check.by, check.seat, check.hit) for check in row.checks] == [
        (Role.SHERIFF, 8, False),
        (Role.DON, 4, True),
    ]
    assert refused("night 1", "day 2", ruleset="city", cards=CITY) == "night_not_recorded"
    assert refused("night 1", "kill: 2>1+3", ruleset="city", cards=CITY) == "shot_expected"
    assert refused("night 1", "beauty: 6 7", ruleset="city", cards=CITY) == "statement_form"


BIG = "civilian mafia avenger sheriff bomber civilian mafia maniac don civilian civilian civilian"


def test_the_avenger_chooses_at_night_and_in_the_evening() -> None:
    night = state("night 1", "kill: 3", "avenger: 9", ruleset="city", cards=BIG)
    assert [(row.seat, row.how) for row in night.departures] == [(3, How.SHOT), (9, How.AVENGED)]
    silent = state("night 1", "kill: 3", ruleset="city", cards=BIG)
    assert [row.seat for row in silent.departures] == [3]
    day = ("day 1", "1 nominates 3", "vote 3: 1 2 4")
    assert isinstance(state(*day, ruleset="city", cards=BIG).phase, Choosing)
    evening = state(*day, "avenger: 9", ruleset="city", cards=BIG)
    assert [(row.seat, row.how) for row in evening.departures] == [(3, How.VOTED), (9, How.AVENGED)]


def test_mines() -> None:
    lines = ("night 1", "kill: 5", "bomber: 4 9")
    now = state(*lines, ruleset="city", cards=BIG)
    assert [(row.seat, row.how) for row in now.departures] == [(5, How.SHOT), (4, How.BLAST), (9, How.BLAST)]
    assert refused("night 1", "kill: -", "bomber: 4", ruleset="city", cards=BIG) == "so_many_seats"
    assert refused("night 1", "kill: -", "bomber: 9 10", ruleset="city", cards=BIG) == "no_neighbour_mined"


# --- the end


def test_end_plays_out_a_day_up_to_its_dusk_and_a_night_up_to_the_morning() -> None:
    assert isinstance(state("day 1", "end").phase, Dusk)
    assert isinstance(state("night 0", "end").phase, Morning)
    assert isinstance(state(*SHOT, "end").phase, Morning)
    assert refused("night 1", "end") == "shots_not_recorded"
    assert refused(*DAY_ONE, "end") == "not_counted"
    assert refused("day 1", "end 1") == "statement_form"


def test_a_day_whose_end_is_the_end_of_the_game_is_over() -> None:
    quiet = [line for n in (1, 2, 3) for line in (f"night {n}", "shot: miss", f"day {n + 1}")]
    assert not isinstance(state(*quiet).phase, Over)
    now = state(*quiet, "end")
    assert now.outcome is not None
    assert now.outcome.reason is Reason.THREE_QUIET_CIRCLES


def test_what_belongs_after_the_game_waits_for_its_end() -> None:
    decided = (*TWO_OUT, "night 1", "shot: miss", "day 2", "3 nominates 7", "vote 7:", "night 2", "shot: miss", "day 3")
    now = state(
        *decided, "4 nominates 9", "vote 9:", "award 1 0.5", "penalty 9 -0.4 8.5.4", "protest 9: the vote: why?"
    )
    assert [row.seat for row in now.awards] == [1]
    assert [row.clause for row in now.penalties] == ["8.5.4"]
    assert now.protests[0].text == "the vote: why?"
    assert refused("day 1", "award 1 0.5") == "not_over"
    assert refused("day 1", "protest 1: why") == "not_over"
    assert refused("day 1", "defeat 7 6.8.1", "award 1 half") == "points_expected"
    assert refused("day 1", "defeat 7 6.8.1", "award 1 0.5 maybe") == "word_unknown"
    assert refused("day 1", "defeat 7 6.8.1", "penalty 1 0.4") == "penalty_not_negative"
    assert refused("day 1", "defeat 7 6.8.1", "award 1 -0.4") == "award_not_positive"


def test_nothing_is_played_after_the_end() -> None:
    over = (*RED_WINS, "end")
    assert refused(*over, "day 3") == "game_over"
    assert refused(*over, "night 3") == "game_over"
    assert refused(*over, "4 nominates 5") == "game_over"
    assert state(*over, "end", "foul 4").seat(4).fouls


def test_ukraine_takes_no_protest_and_no_defeat() -> None:
    assert refused("day 1", "defeat 7 5.1.1", ruleset="ukraine") == "no_team_defeat"
    assert refused("day 1", "protest 7: why", ruleset="ukraine") == "no_protests"


def test_a_game_is_annulled_where_it_is() -> None:
    now = state(*SHOT, "annul")
    assert now.outcome is not None
    assert (now.outcome.reason, now.outcome.at) == (Reason.ANNULLED, Moment.night_of(1))
    assert [row.seat for row in now.departures] == [2]


# --- undo


def test_undo_takes_back_a_statement_with_all_that_came_of_it() -> None:
    assert state(*TWO_OUT, "night 1", "undo") == state(*TWO_OUT)
    assert state(*TWO_OUT, "foul 3", "undo", "rule 5: 10 yes").ballots[0].votes[1].hands == (10,)
    assert state(*SHOT, "undo", "shot: miss").nights[0].killed == ()


def test_undo_after_undo_takes_back_the_one_before() -> None:
    assert state(*DAY_ONE, "4 nominates 6", "undo", "undo") == state(*DAY_ONE[:-1])
    assert refused("night 0", "undo", "undo") == "nothing_to_undo"
    assert refused("undo") == "nothing_to_undo"


def test_an_undone_statement_is_not_there_for_the_next_undo() -> None:
    assert state("day 1", "1 nominates 2", "undo", "1 nominates 3", "undo") == state("day 1")


# --- the table set by hand


def test_a_position_is_set_by_hand() -> None:
    now = state("position: day=3 alive=1,3,4,6,7,9,10 fouls=3:2,4:1 nominated=6>7,9 speaker=6 silent=10")
    assert now.at == Moment.day_of(3)
    assert now.living == (1, 3, 4, 6, 7, 9, 10)
    assert (len(now.seat(3).fouls), len(now.seat(4).fouls)) == (2, 1)
    assert [row.by for row in now.nominations] == [6, 0]
    assert [row.seat for row in now.nominations] == [7, 9]
    assert isinstance(now.phase, Speech)
    assert now.phase.seat == 6
    assert {row.at for row in now.departures} == {Moment.day_of(2)}


def test_the_game_goes_on_from_it() -> None:
    now = state("position: night=2 left=2:voted:day1,1:shot:night1", "shot: 3")
    assert [(row.seat, str(row.at)) for row in now.departures] == [(2, "day 1"), (1, "night 1"), (3, "night 2")]


def test_it_stands_in_place_of_a_result_that_was_not_said() -> None:
    now = state(*TWO_OUT, "position: day=1 speaker=4")
    assert (now.ballots, now.departures) == ((), ())


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("position:", "statement_form"),
        ("position: alive=1", "position_without_moment"),
        ("position: day=2 night=2", "position_without_moment"),
        ("position: day=x", "number_expected"),
        ("position: day=2 dead=3", "word_unknown"),
        ("position: day=2 day=3", "statement_form"),
        ("position: day=2 fouls=3", "position_item"),
        ("position: day=2 left=3", "position_item"),
        ("position: day=2 left=3:eaten:day1", "position_item"),
        ("position: day=2 left=3:voted:day1 alive=3,4", "position_alive_and_out"),
        ("position: day=2 speaker=11", "no_such_seat"),
        ("position: day=2 alive=1,2", "position_is_won"),
    ],
)
def test_a_position_that_cannot_be(line: str, code: str) -> None:
    assert refused("day 1", line) == code


# --- words


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("1 accuses 2", "word_unknown"),
        ("1", "word_unknown"),
        ("1 nominates", "statement_form"),
        ("1 nominates 2 3", "statement_form"),
        ("1 withdraws 2", "statement_form"),
        ("shoot: 4", "word_unknown"),
        (": 4", "word_unknown"),
        ("night one", "number_expected"),
        ("night: 1", "statement_form"),
        ("day 1:", "number_expected"),
        ("foul", "statement_form"),
        ("foul x", "seat_expected"),
        ("foul 0", "no_such_seat"),
    ],
)
def test_a_line_that_is_not_understood(line: str, code: str) -> None:
    assert refused("day 1", line) == code
