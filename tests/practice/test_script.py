"""The players of a practice game: the same seed is the same table, and a table has its mistakes."""

from collections import Counter
from collections.abc import Iterator

import pytest

from controller.game import commands as cmd
from controller.game.commands import Command
from controller.game.history import History, begin
from controller.game.phases import Dealing, Night, Over, Speech, SpeechKind, Voting
from controller.game.refusal import Refusal
from controller.game.rulesets import RULESETS
from controller.game.state import new_game
from controller.practice import script
from controller.practice.script import Act, Hand


def played(seed: int, ruleset: str = "fiim") -> Iterator[tuple[History, tuple[Act, ...], tuple[Hand, ...]]]:
    """A whole game as the script has it, with a judge who writes down what is said and punishes nobody."""
    history = begin(new_game(RULESETS[ruleset]))

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
                for seat, role in enumerate(script.cards(seed), 1):
                    must(cmd.Deal(seat, role))
            case Speech(seat, SpeechKind.MINUTE, seconds) if seconds:
                acts = script.minute(seed, state, seat)
                for act in acts:
                    if act.what == "nominates":
                        must(cmd.Nominate(seat, act.targets[0]))
            case Voting():
                assert state.ballot is not None
                if state.ballot.due is not None:
                    raised = script.hands(seed, state, state.ballot, state.ballot.due)
                    given = {seat for votes in state.ballot.votes for seat in votes.hands}
                    seats = tuple(hand.seat for hand in raised if hand.seat not in given)
                    must(cmd.CountVote(state.ballot.due, seats))
                    yield history, acts, raised
                    continue
            case Night(step) if step == 0:
                acts = script.shooting(seed, state)
                must(cmd.Shoot(tuple((one, (at,)) for one, at in script.shots(seed, state).items())))
            case _:
                pass
        yield history, acts, raised
        must(cmd.Next())
    yield history, (), ()


@pytest.mark.parametrize("ruleset", list(script.MEASURES))
def test_every_game_of_the_script_can_be_played_to_its_end(ruleset: str) -> None:
    for seed in range(6):
        *_, (history, _, _) = played(seed, ruleset)
        assert isinstance(history.state.phase, Over)


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
                for hand in script.hands(seed, history.state, ballot, candidate)
            )
            assert all(count <= 2 for count in hands.values())
