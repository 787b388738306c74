"""How a sentence is found and filled."""

import pytest

from controller.catalogue import UnknownSentence, codes, group, has, listed, sentence


@pytest.mark.parametrize(
    ("number", "russian"),
    [
        (0, "0 игроков"),
        (1, "1 игрок"),
        (2, "2 игрока"),
        (4, "4 игрока"),
        (5, "5 игроков"),
        (11, "11 игроков"),
        (12, "12 игроков"),
        (14, "14 игроков"),
        (21, "21 игрок"),
        (22, "22 игрока"),
        (111, "111 игроков"),
    ],
)
def test_a_number_takes_the_form_of_its_word(number: int, russian: str):
    assert sentence("refusal.cards_left", "ru", cards=number) == f"Без карты ещё {russian}."


def test_ukrainian_has_the_same_three_forms():
    said = [sentence("refusal.cards_left", "uk", cards=number) for number in (1, 3, 12)]
    assert said == ["Без карти ще 1 гравець.", "Без карти ще 3 гравці.", "Без карти ще 12 гравців."]


def test_a_fraction_takes_the_form_of_a_few():
    assert sentence("call.count", "ru", seat=5, votes="0.5").endswith("0.5 голоса")


def test_english_has_one_and_more():
    said = [sentence("call.count", "en", seat=5, votes=votes) for votes in (1, 0, 4)]
    assert [words.partition(": ")[2] for words in said] == ["1 vote", "0 votes", "4 votes"]


def test_a_rulesets_own_words_stand_before_the_general_ones():
    assert sentence("phrase.ukraine.shooting_sleeps", "uk") == "Мафія ховає зброю"
    assert sentence("phrase.wma.shooting_sleeps", "ru") == sentence("phrase.shooting_sleeps", "ru") == "Мафия удаляется"


def test_the_ruleset_may_be_told_beside_the_code():
    assert sentence("phrase.shooting_sleeps", "uk", ruleset="ukraine") == "Мафія ховає зброю"
    assert sentence("refusal.check_recorded", "ru", role="sheriff", ruleset="city").startswith(
        "Проверка этой ночи уже записана: Комиссар."
    )
    assert sentence("refusal.check_recorded", "ru", role="sheriff", ruleset="fiim").startswith(
        "Проверка этой ночи уже записана: Шериф."
    )


def test_a_parameter_that_may_be_missing_leaves_no_trace():
    assert sentence("history.foul", "ru", seat=4, clause="6.6.1") == "Фол 4 (6.6.1)"
    assert sentence("history.foul", "ru", seat=4, clause="") == sentence("history.foul", "ru", seat=4) == "Фол 4"


def test_a_parameter_that_is_missing_may_have_other_words():
    assert sentence("step.open_window.detail", "ru", candidate=7) == "Против игрока 7"
    assert sentence("step.open_window.detail", "ru", candidate=0) == "За уход всех"


def test_more_may_be_told_than_is_said():
    assert sentence("refusal.game_over", "ru", seat=4, ruleset="fiim") == "Игра окончена."


def test_numbers_stand_in_a_row():
    assert sentence("history.count", "ru", candidate=7, seats=listed((1, 3, 5))) == "Против 7 подняли: 1, 3, 5"


def test_an_unknown_code_fails_a_test_and_is_shown_at_the_table():
    with pytest.warns(UnknownSentence, match="no sentence refusal.never_heard"):
        assert sentence("refusal.never_heard", "ru") == "refusal.never_heard"
    with pytest.raises(UnknownSentence):
        sentence("refusal.never_heard", "ru")


def test_an_unknown_language_reads_russian():
    with pytest.warns(UnknownSentence, match="in fr"):
        assert sentence("refusal.game_over", "fr") == "Игра окончена."


def test_a_parameter_that_was_not_told_is_a_gap_and_not_a_failure():
    with pytest.warns(UnknownSentence, match="is not told seat"):
        assert sentence("refusal.has_left", "ru") == "Игрок … уже покинул стол."


def test_a_code_can_be_asked_for():
    assert has("refusal.game_over")
    assert has("phrase.fiim.thanks", "uk")
    assert has("violation.6.6.1", ruleset="fiim")
    assert not has("violation.6.6.1")
    assert not has("refusal")
    assert not has("../game.x")
    assert "refusal.game_over" in codes()


def test_a_group_reads_in_its_own_order():
    assert list(group("team", "en").items()) == [("black", "black"), ("maniac", "the maniac"), ("red", "red")]
