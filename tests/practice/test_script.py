"""The players of a practice game: the same seed is the same table, and a table has its mistakes."""

from collections import Counter
from collections.abc import Iterator

import pytest

from controller.game import commands as cmd
from controller.game.commands import Command
from controller.game.history import History, begin
from controller.game.night import waking
from controller.game.phases import Choosing, Dealing, Night, Over, Speech, SpeechKind, Voting
from controller.game.refusal import Refusal
from controller.game.roles import Role
from controller.game.rules import Waking
from controller.game.rulesets import RULESETS
from controller.game.state import NightRow, new_game
from controller.practice import script
from controller.practice.script import Act, Hand

EVERYBODY = range(1, 21)


def played(
    seed: int, ruleset: str = "fiim", seats: int = 10
) -> Iterator[tuple[History, tuple[Act, ...], tuple[Hand, ...]]]:
    """A whole game as the script has it, with a judge who writes down what is said and punishes nobody."""
    history = begin(new_game(RULESETS[ruleset], seats))

    def must(command: Command) -> None:
        nonlocal history
        after = history.play(command)
        assert not isinstance(after, Refusal), (command, after, history.state.phase)
        history = after

    while not isinstance(history.state.phase, Over):
        state = history.state
        acts: tuple[Act, ...] = ()
        raised: tuple[Hand, ...] = ()
        match state.phase:
            case Dealing():
                for seat, role in enumerate(script.cards(seed, state), 1):
                    must(cmd.Deal(seat, role))
            case Speech(seat, SpeechKind.MINUTE, seconds) if seconds:
                acts = script.minute(seed, state, seat)
                for act in acts:
                    if act.what == "nominates":
                        must(cmd.Nominate(seat, act.targets[0]))
            case Voting():
                assert state.ballot is not None
                if state.ballot.due is not None:
                    raised = script.hands(seed, state, state.ballot, state.ballot.due, EVERYBODY)
                    given = {seat for votes in state.ballot.votes for seat in votes.hands}
                    counted = tuple(hand.seat for hand in raised if hand.seat not in given)
                    must(cmd.CountVote(state.ballot.due, counted))
                    yield history, acts, raised
                    continue
            case Night():
                call = waking(state)
                assert call is not None
                fired = script.shots(seed, state)
                match call.step:
                    case Waking.SHOOTING:
                        acts = script.shooting(seed, state)
                        must(cmd.Shoot(tuple((one, (at,)) for one, at in fired.items())))
                        assert tonight(history).kill == script.target(state, fired)
                    case Waking.KILL:
                        acts = script.shooting(seed, state)
                        must(cmd.Kill(choices=tuple(fired.items())))
                        assert tonight(history).kill == script.target(state, fired)
                    case Waking.DON | Waking.SHERIFF as step:
                        acts = script.check(seed, state, by := Role(step.value))
                        for act in acts:
                            must(cmd.Check(by, act.targets[0]))
                    case step:
                        acts = script.act(seed, state, by := Role(step.value))
                        for act in acts:
                            must(cmd.Act(by, act.targets))
            case Choosing():
                acts = script.act(seed, state, Role.AVENGER)
                for act in acts:
                    must(cmd.Act(Role.AVENGER, act.targets))
            case _:
                pass
        yield history, acts, raised
        must(cmd.Next())
    yield history, (), ()


def tonight(history: History) -> NightRow:
    night = history.state.tonight
    assert night is not None
    return night


@pytest.mark.parametrize("ruleset", list(script.MEASURES))
def test_every_game_of_the_script_can_be_played_to_its_end(ruleset: str) -> None:
    for seed in range(6):
        *_, (history, _, _) = played(seed, ruleset)
        assert isinstance(history.state.phase, Over)


@pytest.mark.parametrize("seats", [8, 10, 16, 20])
def test_in_city_every_role_of_the_table_acts_by_the_rules(seats: int) -> None:
    acted: Counter[Role] = Counter()
    refused = 0
    for seed in range(12):
        for history, acts, _ in played(seed, "city", seats):
            for act in acts:
                role = history.state.seat(act.seat).role
                if act.what == "acts" and role is not None:
                    acted[role] += bool(act.targets)
                    refused += not act.targets
    called = {Role.MANIAC, Role.BEAUTY, Role.DOCTOR}
    called |= {Role.AVENGER} if seats >= 15 else set()
    called |= {Role.BOMBER} if seats >= 16 else set()
    assert {role for role, times in acted.items() if times} == called
    assert refused


def test_in_city_the_dons_word_stands_where_the_mafia_shoot_apart() -> None:
    history = begin(new_game(RULESETS["city"], 10))
    for seat, role in enumerate(script.deck(RULESETS["city"], 10), 1):
        after = history.play(cmd.Deal(seat, role))
        assert isinstance(after, History)
        history = after
    don = history.state.holder(Role.DON)
    assert don is not None
    assert script.target(history.state, {don.number: 3, 6: 4}) == 3
    assert script.target(history.state, {6: 4, 7: 3}) is None
    assert script.target(history.state, {6: 4, 7: 4}) == 4


def test_a_hand_that_no_sensor_sees_makes_no_slip() -> None:
    slips = 0
    for seed in range(12):
        for history, _, raised in played(seed):
            ballot = history.state.ballot
            if not raised or ballot is None:
                continue
            candidate = ballot.counts[-1].candidate
            unseen = script.hands(seed, history.state, ballot, candidate, ())
            assert not [hand for hand in unseen if hand.early or hand.up is not None]
            slips += len(raised) != len(unseen) or any(hand.early or hand.up for hand in raised)
    assert slips


def test_the_same_seed_is_the_same_game_and_another_one_is_another() -> None:
    first, again, other = ([acts for _, acts, _ in played(seed)] for seed in (3, 3, 4))
    assert first == again
    assert first != other


def test_the_table_makes_every_kind_of_mistake() -> None:
    seen: Counter[str] = Counter()
    for seed in range(12):
        for history, acts, raised in played(seed):
            seen.update(act.what for act in acts)
            seen["early"] += sum(hand.early for hand in raised)
            seen["pulled"] += sum(hand.up is not None for hand in raised)
            ballot = history.state.ballot
            if ballot is not None and len(ballot.votes) > 1:
                before = {seat for votes in ballot.votes[:-1] for seat in votes.hands}
                seen["again"] += sum(hand.seat in before for hand in raised)
    for mistake in ("out_of_turn", "night_talk", "early", "pulled", "again"):
        assert seen[mistake] >= 3, (mistake, seen)


def test_a_hand_gives_one_vote_and_slips_at_most_once() -> None:
    for seed in range(8):
        for history, _, _ in played(seed):
            ballot = history.state.ballot
            if ballot is None or ballot.counts:
                continue
            hands = Counter(
                hand.seat
                for candidate in ballot.questions
                for hand in script.hands(seed, history.state, ballot, candidate, EVERYBODY)
            )
            assert all(count <= 2 for count in hands.values())
