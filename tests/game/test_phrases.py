"""What the judge says at each moment, and hints beside it; the official words themselves are held in test_words.py."""

from controller.catalogue import sentence
from controller.game import commands as cmd
from controller.game.phases import Acquaintance, Speech, SpeechKind
from controller.game.phrases import Hint, consequence_of_foul, consequence_of_proposal, hints, phrase, phrases
from controller.game.roles import Role
from controller.game.rules import Penalty
from tests.game.bench import Table, five_left, four_left

# --- fiim, phase by phase


def said(game: Table) -> list[tuple[str, str | None]]:
    return [(one.code.replace(".fiim.", "."), one.clause) for one in phrases(game.state)]


def hinted(game: Table) -> list[tuple[str, str | None]]:
    return [(one.code, one.clause) for one in hints(game.state)]


def test_words_of_fiim_4_1_night_is_announced_before_the_cards_are_drawn():
    game = Table()
    assert said(game) == [("phrase.night_falls", "4.1.2")]
    game.plays(cmd.Deal(1, Role.CIVILIAN))
    assert said(game) == [("call.card", "4.1.3")]
    assert phrase(game.state).params["seat"] == 2
    assert said(Table().dealt()) == [("call.cards_dealt", "4.1.3")]


def test_words_of_fiim_4_2_the_first_night_is_called_in_the_texts_order():
    game = Table().dealt().next()
    assert said(game) == [("phrase.first_don_wakes", "4.2.1")]
    assert said(game.next()) == [("phrase.first_mafia_wakes", "4.2.2")]
    assert said(game.next()) == [("phrase.first_mafia_sleeps", "4.2.3"), ("phrase.first_sheriff_wakes", "4.2.4")]
    assert said(game.next()) == [("phrase.day_breaks", "4.2.5")]


def test_words_of_fiim_4_2_a_call_says_its_seconds():
    game = Table().dealt().next()
    assert hinted(game) == [("hint.night_seconds", "4.2.1")]
    assert hints(game.next().state)[0].params == {"seconds": 60}


def test_words_of_fiim_4_3_1_and_4_4_2_a_minute_is_announced_and_a_nomination_is_accepted():
    game = Table().dealt().minute(2)
    assert said(game) == [("call.minute", "4.3.1")]
    assert said(game.nominates(2, 5)) == [("phrase.accepted", "4.4.2")]
    assert said(game.withdraws(2)) == [("phrase.withdrawn", "4.4.3")]
    assert said(game.nominates(2, 6)) == [("phrase.accepted", "4.4.2")]
    assert said(game.next()) == [("call.minute", "4.3.1")]


def test_words_of_fiim_4_4_the_vote_is_called_candidate_by_candidate():
    game = Table().dealt().nominates(1, 5).nominates(2, 7).ballot()
    assert said(game) == [("call.candidates", "4.4.5"), ("call.vote", "4.4.6")]
    assert phrase(game.state).params == {"seat": 5}
    game.plays(cmd.OpenWindow())
    assert said(game) == [("phrase.thanks", "4.4.6")]
    game.plays(cmd.CountHands(5))
    assert said(game) == [("call.count", "4.4.7")]
    game.plays(cmd.Announce(5, (), 3_000_000))
    assert said(game) == [("call.count", "4.4.7"), ("call.vote", "4.4.6")]
    assert hinted(game) == [("hint.rest_to_last", "4.4.9")]
    assert hints(game.state)[0].params["seats"] == "1, 2, 3, 4, 5, 6, 7, 8, 9, 10"
    game.plays(cmd.CountVote(7, (1, 2)))
    assert said(game) == [("call.count", "4.4.7"), ("call.leaves", "4.4.12")]
    assert [one.params for one in phrases(game.state)] == [{"seat": 7, "votes": 10}, {"seats": "7"}]
    assert said(game.next()) == [("call.last_minute", "4.4.14")]
    assert said(game.next()) == [("phrase.night_falls", "4.5.1")]


def test_words_of_fiim_4_4_11_one_candidate_on_the_first_day_is_not_voted_and_it_is_said_why():
    game = Table().dealt().nominates(1, 5).minute(10)
    assert hinted(game) == [("hint.sole_no_vote", "4.4.11")]
    assert said(game.dusk()) == [("call.no_vote", "4.4.11"), ("phrase.night_falls", "4.5.1")]


def test_words_of_fiim_4_4_1_nobody_nominated_is_no_vote():
    game = Table().dealt().minute(10)
    assert hinted(game) == [("hint.nobody_nominated", None)]
    assert said(game.dusk()) == [("call.no_vote", "4.4.1"), ("phrase.night_falls", "4.5.1")]


def tied(game: Table) -> Table:
    return game.count({5: [1, 2, 3, 4, 5], 7: [6, 7, 8, 9, 10]})


def test_words_of_fiim_4_4_13_a_tie_is_said_and_the_question_is_put_in_the_texts_words():
    game = tied(Table().dealt().nominates(1, 5).nominates(2, 7))
    assert said(game)[-1] == ("call.tie", "4.4.13")
    assert said(game.next()) == [("call.revote_speech", "4.4.13")]
    assert phrase(game.state).params == {"seat": 5, "seconds": 30}
    game.next().ballot()
    assert said(game) == [("call.vote", "4.4.6")]
    tied(game).next()
    assert said(game) == [("phrase.raise", "4.4.13")]
    assert hints(game.state) == (Hint("hint.raise_needs", {"hands": 6}, "4.4.13"),)
    game.plays(cmd.CountVote(0, (1, 2, 3, 4, 5)))
    assert said(game) == [("call.count_raise", "4.4.7"), ("call.stay", "4.4.13")]
    assert said(game.next()) == [("phrase.night_falls", "4.5.1")]


def test_words_of_fiim_4_4_13_those_raised_leave_together():
    game = tied(Table().dealt().nominates(1, 5).nominates(2, 7)).next()
    tied(game).next().plays(cmd.CountVote(0, (1, 2, 3, 4, 5, 6)))
    assert said(game)[-1] == ("call.leave", "4.4.12")
    assert phrase(game.state).params == {"seats": "5, 7"}


def test_words_of_fiim_4_5_a_night_is_called_and_its_closing_words_come_once_it_is_recorded():
    game = Table().dealt().night(1)
    assert said(game) == [("phrase.shooting_wakes", "4.5.3")]
    assert said(game.shoots(1)) == [("phrase.shooting_sleeps", "4.5.5")]
    assert said(game.next()) == [("phrase.don_wakes", "4.5.6")]
    game.don_checks(4)
    assert said(game) == [("phrase.don_sleeps", "4.5.6")]
    assert said(game.next()) == [("phrase.sheriff_wakes", "4.5.7")]
    game.sheriff_checks(9)
    assert said(game) == [("phrase.sheriff_sleeps", "4.5.7")]
    assert said(game.next()) == [("phrase.day_breaks", "4.2.5"), ("call.killed", "4.5.4")]


def test_words_of_fiim_4_5_a_call_without_a_check_is_closed_together_with_the_next():
    game = Table().dealt().night(1).misses().next(2)
    assert said(game) == [("phrase.don_sleeps", "4.5.6"), ("phrase.sheriff_wakes", "4.5.7")]
    assert said(game.next()) == [
        ("phrase.sheriff_sleeps", "4.5.7"),
        ("phrase.day_breaks", "4.2.5"),
        ("call.nobody_killed", "4.5.5"),
    ]


def test_words_of_fiim_8_3_the_judge_is_reminded_of_the_best_move_and_accepts_it():
    game = Table().dealt().night(1).shoots(1).last_word(1)
    assert said(game) == [("call.last_minute", "4.5.4")]
    assert hinted(game) == [("hint.best_move", "8.3.1")]
    game.best(1, 2, 7, 9)
    assert said(game) == [("phrase.accepted", "8.3.1")]
    assert hinted(game) == []


def test_words_of_fiim_6_4_a_silent_minute_asks_for_the_nomination_alone():
    game = Table().dealt().minute(2).foul(3, times=3)
    assert hinted(game) == [("hint.next_silent", "6.4")]
    game.next()
    assert said(game) == [("call.silent_minute", "6.4")]
    assert hinted(game) == [("hint.silent_may_nominate", "6.4")]
    game.nominates(3, 5)
    assert said(game) == [("phrase.accepted", "4.4.2")]
    assert hinted(game) == []


def test_words_of_fiim_7_1_a_removal_takes_the_vote_and_it_is_said():
    game = Table().dealt().nominates(1, 5).nominates(2, 7).remove(9)
    assert ("hint.vote_off", "7.1, 7.2") in hinted(game)
    assert said(game.dusk())[0] == ("call.no_vote", "7.1, 7.2")


def test_words_of_fiim_7_2_a_removal_after_the_result_takes_the_next_vote():
    game = Table().dealt().nominates(1, 5).nominates(2, 7).vote({5: [1, 2, 3, 4, 6, 8]})
    game.remove(9)
    assert ("hint.next_vote_off", "7.1, 7.2") in hinted(game)
    assert ("hint.vote_off", "7.1, 7.2") in hinted(game.day(2))


def test_words_of_fiim_7_5_three_fouls_do_not_silence_in_a_revote():
    game = Table().dealt().minute(1).foul(5, times=3).nominates(1, 5).nominates(2, 7)
    tied(game).next()
    assert hinted(game) == [("hint.speaks_all_the_same", "7.5")]


def test_words_of_fiim_7_6_four_at_the_table_are_not_asked_to_raise():
    game = four_left().nominates(6, 4).nominates(9, 10)
    level = {4: [4, 6], 10: [9, 10]}
    game.vote(level).ballot()
    assert hinted(game) == [("hint.no_raise_at_four", "7.6")]
    game.count(level)
    assert said(game)[-1] == ("call.stay", "4.4.13")
    assert said(game.next()) == [("phrase.night_falls", "7.6")]


def test_words_of_fiim_7_7_a_silent_minute_is_thirty_seconds_with_four():
    game = four_left().foul(6, times=3)
    assert consequence_of_foul(four_left().foul(6, times=2).state, 6) == "third_foul_short"
    game.minute(6)
    assert said(game) == [("call.short_minute", "7.7")]
    assert ("hint.short_minute", "7.7") in hinted(game)
    assert phrase(game.state).params == {"seat": 6, "seconds": 30}


def test_words_of_fiim_7_8_before_the_third_miss_it_is_said_what_it_brings():
    game = four_left().night(4).misses().night(5).misses()
    assert "hint.third_miss" not in [code for code, _ in hinted(game)]
    assert ("hint.third_miss", "7.8") in hinted(game.dusk())
    assert ("hint.third_miss", "7.8") in hinted(game.night(6))
    game.misses().over()
    assert said(game) == [("call.red_wins", "7.8")]


def test_words_of_fiim_7_9_before_a_draw_it_is_said_what_the_day_decides():
    game = Table().dealt().night(1).misses().night(2).misses().night(3).misses().morning(4)
    assert ("hint.quiet_draw", "7.9") in hinted(game)
    assert said(game.dusk())[-1] == ("call.draw", "7.9")
    assert said(game.next()) == [("call.draw", "4.6.1")]


def test_words_of_fiim_the_result_is_said_at_the_end_and_not_before():
    game = five_left().last_word(8)
    assert said(game) == [("call.last_minute", "4.4.14")]
    game.plays(cmd.Annul())
    assert said(game) == [("call.annulled", None)]


# --- what a foul brings


def test_the_next_foul_is_said_before_it_is_given():
    game = Table().dealt().minute(1)
    told = [consequence_of_foul(game.foul(4, times=1 if n else 0).state, 4) for n in range(4)]
    assert told == [None, None, "third_foul", "fourth_foul"]
    assert consequence_of_foul(game.foul(4).state, 4) is None  # out already: nothing more can be given


def test_ukraine_6_4_the_third_foul_takes_the_word_for_the_game():
    game = Table("ukraine").dealt().minute(1).foul(4, times=2)
    assert consequence_of_foul(game.state, 4) == "third_foul_all"


def test_wma_5_6_6_a_warning_stands_in_for_the_fourth_foul_once():
    game = Table("wma").dealt().minute(1).foul(4, times=3)
    assert consequence_of_foul(game.state, 4, "5.6.6") == "warning_instead"
    assert consequence_of_foul(game.state, 4, "5.6.1") == "fourth_foul"
    game.foul(4, "5.6.6")
    assert consequence_of_foul(game.state, 4, "5.6.6") == "fourth_foul"


def test_wma_5_6_5_says_the_same_whether_the_vote_decides_the_game_or_not():
    game = Table("wma").dealt().minute(1).foul(4, times=3)
    assert consequence_of_foul(game.state, 4, "5.6.5") == "fourth_foul_unless_decided"


def test_a_foul_in_the_queue_that_removes_is_said_first():
    game = Table().dealt().minute(1).foul(4, times=3).nominates(1, 5).nominates(2, 7)
    game.hands(5, "4@-0.9 2@0.2")
    (proposal,) = game.state.proposals
    assert consequence_of_proposal(game.state, proposal) == "fourth_foul"
    assert hints(game.state)[0] == Hint("hint.queue_fourth_foul", {"seat": 4}, "6.6.4")
    game.plays(cmd.Waive(proposal.id))
    assert consequence_of_proposal(game.state, game.state.proposals[0]) is None


def test_ukraine_5_2_1_a_pulled_hand_is_a_warning():
    game = Table("ukraine").dealt().nominates(1, 5).nominates(2, 7)
    game.hands(5, "4@0.3..0.9")
    (proposal,) = game.state.proposals
    assert game.state.rules.proposals[proposal.what].penalty is Penalty.WARNING
    assert consequence_of_proposal(game.state, proposal) == "warning"


# --- the other texts


def test_ukraine_the_first_night_and_the_defence_in_its_own_words():
    game = Table("ukraine").dealt().next()
    words = [sentence(one.code, "uk", **one.params) for one in phrases(game.state)]
    while isinstance(game.phase, Acquaintance):
        game.next()
        words += [sentence(one.code, "uk", **one.params) for one in phrases(game.state)]
    assert words == [
        "Прокидається мафія",
        "Мафія засинає",
        "Дон знає про свою роль",
        "Шериф знає про свою роль",
        "Настає день. Всі прокидаються",
    ]
    game.nominates(1, 5).nominates(2, 7)
    game.until(lambda state: isinstance(state.phase, Speech) and state.phase.kind is SpeechKind.DEFENCE)
    assert [one.clause for one in phrases(game.state)] == ["4.4.6", "4.4.5"]
    game.ballot()
    assert hinted(game) == [("hint.hands_off", "4.4.6")]


def test_ukraine_4_4_12_one_candidate_leaves_and_it_is_said_with_the_last_word():
    game = Table("ukraine").dealt().day(2).nominates(2, 5).last_word(5)
    assert [one.code for one in phrases(game.state)] == ["call.ukraine.leaves", "call.ukraine.last_minute"]
    assert [one.code for one in phrases(game.dusk().state)] == ["phrase.ukraine.night_falls"]
