"""The official words against the quotations of the texts, and that whatever is said in a game can be said."""

from collections.abc import Callable, Iterator

import pytest

from controller.catalogue import LANGUAGES, has, sentence
from controller.game import RULESETS, History, State, begin, legal, new_game
from controller.game import commands as cmd
from controller.game.commands import Command
from controller.game.night import waking
from controller.game.phases import (
    Acquaintance,
    Choosing,
    Dealing,
    LastWord,
    Morning,
    Night,
    Over,
    Speech,
    SpeechKind,
    Voting,
)
from controller.game.phrases import Hint, Phrase, consequence_of_foul, hints, phrase, phrases
from controller.game.roles import Role
from controller.game.rules import Waking
from controller.game.words import _BY_RULESET, _FIIM
from tests.game.bench import Table

# The words in quotation marks in the texts, with the clause they stand in.
FIIM = [
    ("4.1.2", "наступает ночь", "night_falls"),
    ("4.2.1", "Просыпается Дон", "first_don_wakes"),
    ("4.2.2", "Просыпается мафия", "first_mafia_wakes"),
    ("4.2.3", "Мафия засыпает", "first_mafia_sleeps"),
    ("4.2.4", "Шериф может проснуться и осмотреть город", "first_sheriff_wakes"),
    ("4.2.5", "День. Все просыпаются", "day_breaks"),
    ("4.4.2", "Принято", "accepted"),
    ("4.4.3", "Отозвано", "withdrawn"),
    ("4.4.6", "Стоп", "stop"),
    ("4.4.6", "Спасибо", "thanks"),
    ("4.4.13", "Кто за то, чтоб все голосуемые игроки покинули игровой стол?", "raise"),
    ("4.5.1", "Наступает ночь", "night_falls"),
    ("4.5.3", "Мафия выходит на охоту", "shooting_wakes"),
    ("4.5.5", "Мафия удаляется", "shooting_sleeps"),
    ("4.5.6", "Просыпается Дон и ищет Шерифа", "don_wakes"),
    ("4.5.6", "Дон засыпает", "don_sleeps"),
    ("4.5.7", "Просыпается Шериф", "sheriff_wakes"),
    ("4.5.7", "Шериф засыпает", "sheriff_sleeps"),
    ("7.6", "Наступает ночь", "night_falls"),
    ("8.3.1", "Принято", "accepted"),
]
UKRAINE = [
    ("4.1.2", "настає ніч", "night_falls"),
    ("4.2.1", "Прокидається мафія", "first_mafia_wakes"),
    ("4.2.2", "Мафія засинає", "first_mafia_sleeps"),
    ("4.2.3", "Дон знає про свою роль", "first_don_wakes"),
    ("4.2.4", "Шериф знає про свою роль", "first_sheriff_wakes"),  # printed without the first space
    ("4.2.5", "Настає день. Всі прокидаються", "day_breaks"),
    ("4.4.2", "Прийнято", "accepted"),
    ("4.4.7", "Спасибі", "thanks"),
    ("4.5.1", "Настає ніч", "night_falls"),
    ("4.5.3", "Мафія дістає свою зброю і проходить мимо будинків під номером ...", "shooting_wakes"),
    ("4.5.5", "Мафія ховає зброю", "shooting_sleeps"),
    ("4.5.6", "Прокидається Дон і шукає Шерифа", "don_wakes"),
    ("4.5.6", "Дон засинає", "don_sleeps"),
    ("4.5.7", "Прокидається Шериф", "sheriff_wakes"),
    ("4.5.7", "Шериф засинає", "sheriff_sleeps"),
]
CITY = [
    ("После того, как все активные роли просыпались", "день", "day_breaks"),
    ("Во время дневной стадии", "минута игрока номер 1", "minute"),
    ("Во время дневной стадии", "время", "time"),
    ("Если и во втором туре", "Кто за то, чтобы оба игрока покинули игру?", "raise"),
    ("После того, как состоялось голосование", "ночь", "night_falls"),
    ("Мафия вместе с Доном просыпается", "Мафия засыпает", "kill_sleeps"),
    ("Мафия вместе с Доном просыпается", "просыпается Маньяк", "maniac_wakes"),
    ("Маньяк просыпается", "просыпается Красотка", "beauty_wakes"),
    ("Красотка просыпается", "просыпается Доктор", "doctor_wakes"),
    ("Доктор просыпается", "Доктор засыпает", "doctor_sleeps"),
    ("Доктор просыпается", "просыпается Комиссар", "sheriff_wakes"),
    ("Комиссар просыпается", "Комиссар засыпает", "sheriff_sleeps"),
    ("Комиссар просыпается", "просыпается Дон", "don_wakes"),
    ("Дон просыпается второй раз за ночь", "Дон засыпает", "don_sleeps"),
    ("Дон просыпается второй раз за ночь", "В городе утро", "morning"),
    ("Чтобы победила команда мирных", "Стоп игра. Победа Мирных!", "red_wins"),
]
QUOTED = [
    *(("fiim", "ru", *row) for row in FIIM),
    *(("wma", "ru", *row) for row in FIIM),
    *(("ukraine", "uk", *row) for row in UKRAINE),
    *(("city", "ru", *row) for row in CITY),
]


@pytest.mark.parametrize(("ruleset", "language", "clause", "quoted", "moment"), QUOTED)
def test_official_words_are_the_texts_own(ruleset: str, language: str, clause: str, quoted: str, moment: str):
    said = sentence(f"phrase.{ruleset}.{moment}", language, seat=1)
    assert said.casefold() == quoted.casefold(), clause


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_word_called_official_is_quoted_and_every_other_is_customary(ruleset: str):
    for moment, word in _BY_RULESET.get(ruleset, _FIIM).items():
        if moment in ("begin", "best_move", "hands_off"):
            continue  # a clause for words that stand under another name
        found = any((row[0], row[4]) == (ruleset, moment) for row in QUOTED)
        assert found is word.official, moment
        group = "phrase" if word.official else "call"
        key = "last_minute" if moment == "last_word" else moment
        for language in LANGUAGES:
            assert has(f"{group}.{key}", language, ruleset=ruleset), moment


# --- everything that is ever said


def city_table() -> History:
    roles = [Role.DON, Role.MAFIA, Role.MAFIA, Role.MANIAC, Role.BEAUTY, Role.DOCTOR, Role.SHERIFF, Role.BOMBER]
    roles += [Role.AVENGER]
    game = begin(new_game(RULESETS["city"], 16))
    for seat in range(1, 17):
        game = taken(game, cmd.Deal(seat, roles[seat - 1] if seat <= len(roles) else Role.CIVILIAN))
    return game


def taken(game: History, command: Command) -> History:
    played = game.play(command)
    assert isinstance(played, History), f"{command}: {played}"
    return played


def wander(game: History, decide: Callable[[State], Command]) -> Iterator[State]:
    for _ in range(400):
        yield game.state
        if isinstance(game.state.phase, Over):
            return
        game = taken(game, decide(game.state))


def by_the_book(state: State) -> Command:
    """Every living player nominates the next one, votes are level the first time, the mafia shoot the lowest."""
    match state.phase:
        case Speech(seat, SpeechKind.MINUTE) if len(state.nominations) < 2 and seat not in {
            row.by for row in state.nominations
        }:
            named = {row.seat for row in state.nominations}
            return cmd.Nominate(seat, next(s for s in reversed(state.living) if s not in named))
        case Voting() if state.ballot is not None and state.ballot.due is not None:
            ballot = state.ballot
            half = len(ballot.voters) // 2
            hands = ballot.voters[:half] if not ballot.counts else ballot.voters[half : 2 * half]
            return cmd.CountVote(ballot.due or 0, hands if ballot.due else ballot.voters)
        case Night():
            return at_night(state)
        case LastWord(seat) if state.best_move is None and any(one.code == "hint.best_move" for one in hints(state)):
            return cmd.BestMove(seat, (1, 2))
        case Choosing() if legal(state).act is Role.AVENGER:
            return cmd.Act(Role.AVENGER, (state.living[-1],))
        case _:
            return cmd.Next()


def at_night(state: State) -> Command:
    call, night = waking(state), state.tonight
    assert call is not None
    assert night is not None
    if call.step is Waking.SHOOTING and night.shots is None:
        return cmd.Shoot(everybody_at=state.living[0])
    if call.step is Waking.KILL and night.shots is None:
        avenger = state.holder(Role.AVENGER)
        target = avenger.number if avenger is not None and avenger.acts else state.living[0]
        return cmd.Kill(together=target)
    return cmd.Next()


def start(ruleset: str) -> History:
    return city_table() if ruleset == "city" else Table(ruleset).dealt().history


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_whatever_is_said_in_a_game_has_its_sentence_and_nothing_is_left_out(ruleset: str, language: str):
    moments = set[type]()
    for state in wander(start(ruleset), by_the_book):
        moments.add(type(state.phase))
        for one in (*phrases(state), *hints(state)):
            assert isinstance(one, Phrase | Hint)
            assert sentence(one.code, language, ruleset=ruleset, **one.params)  # a warning would be an error here
        for seat in state.living:
            brings = consequence_of_foul(state, seat)
            assert brings is None or sentence(f"consequence.{brings}", language, seat=seat)
        assert phrase(state) == phrases(state)[-1]
    assert {Dealing, Acquaintance, Night, Speech, LastWord, Voting, Over} <= moments
    assert ruleset != "city" or Choosing in moments


def test_city_the_last_call_is_closed_before_the_avenger_chooses_and_not_again():
    told: list[tuple[type, list[str]]] = [
        (type(state.phase), [one.code.removeprefix("call.city.") for one in phrases(state)])
        for state in wander(city_table(), by_the_book)
        if state.at.number == 1 or (state.at.day and state.at.number == 2)
    ]
    choosing = [codes for phase, codes in told if phase is Choosing]
    morning = [codes for phase, codes in told if phase is Morning][-1]
    assert choosing[0] == ["bomber_sleeps", "killed", "avenger_chooses"]
    assert morning == ["phrase.city.morning", "killed_many"]


def test_two_games_that_differ_in_their_roles_alone_say_the_same():
    told: list[list[object]] = []
    for mafia, don, sheriff in (((2, 7), 9, 4), ((3, 6), 8, 10)):
        game = Table().dealt(mafia=mafia, don=don, sheriff=sheriff)
        seen = list[object]()

        def look(game: Table = game, seen: list[object] = seen) -> None:
            brings = [consequence_of_foul(game.state, seat) for seat in range(1, 11)]
            seen.append((phrases(game.state), hints(game.state), brings))

        look()
        for _ in range(4):
            look(game.next())
        for step in (
            lambda game=game: game.nominates(1, 5),
            lambda game=game: game.nominates(2, 1).foul(3, times=3),
            lambda game=game: game.vote({5: [1, 2, 3, 4, 6, 7]}),
            lambda game=game: game.night(1).shoots(1),
            lambda game=game: game.next(),
            lambda game=game: game.plays(cmd.Check(Role.DON, 4)),
            lambda game=game: game.next(),
            lambda game=game: game.plays(cmd.Check(Role.SHERIFF, 9)),
            lambda game=game: game.next(),
            lambda game=game: game.next(),
            lambda game=game: game.best(1, 2, 7, 9),
        ):
            look(step())
        told.append(seen)
    assert told[0] == told[1]
