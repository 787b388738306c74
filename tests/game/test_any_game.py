"""A thousand games that nobody planned, each step of each held to what must be true of every game of fiim."""

from collections import Counter
from dataclasses import fields
from functools import cache
from itertools import pairwise
from random import Random

import pytest

from controller.game import RULESETS, History, Legal, Refusal, State, begin, decide, fold, legal, new_game
from controller.game import commands as cmd
from controller.game.ballot import BallotKind
from controller.game.commands import Command
from controller.game.outcome import Reason, Winner
from controller.game.phases import Dealing, Over, SpeechKind, Voting
from controller.game.seat import How
from controller.game.state import BallotRow
from tests.game.any_game import BLACK, Judge, anything, offered

HUNDREDS = 10
STEPS = 1500
GROWS = ("departures", "ballots", "speeches", "wills", "awards", "penalties", "protests")


def starts_with(longer: tuple[object, ...], shorter: tuple[object, ...]) -> bool:
    return longer[: len(shorter)] == shorter


# --- what must be true after every step


def check_what_only_grows(before: State, after: State) -> None:
    for name in GROWS:
        assert starts_with(getattr(after, name), getattr(before, name)), name
    for old, new in zip(before.seats, after.seats, strict=True):
        assert starts_with(new.fouls, old.fouls)
        assert starts_with(new.warnings, old.warnings)
        assert old.left in (None, new.left)
        assert old.disqualified in (None, new.disqualified)
    assert before.at <= after.at
    assert len(after.nights) >= len(before.nights)


def check_departures(after: State) -> None:
    out = [row.seat for row in after.departures]
    assert len(set(out)) == len(out)
    assert set(out) == set(range(1, 11)) - set(after.living)
    for seat in after.seats:
        assert (seat.disqualified is How.FOULED) is (len(seat.fouls) >= 4), seat
        if seat.left is not None and seat.left.how in (How.FOULED, How.REMOVED):
            assert seat.left.how is seat.disqualified


def check_the_win(before: State, after: State) -> None:
    if isinstance(after.phase, Dealing):
        return
    black = sum(1 for seat in after.seats if seat.in_play and seat.role in BLACK)
    red = len(after.living) - black
    if after.outcome is None:
        assert 0 < black < red
        assert not isinstance(after.phase, Over)
        return
    if before.outcome is not None:
        assert before.living == after.living
        assert before.outcome == after.outcome or after.outcome.reason is Reason.ANNULLED
        assert isinstance(after.phase, Over) or not isinstance(before.phase, Over)
        return
    match after.outcome.reason:
        case Reason.NO_BLACK_LEFT:
            assert (black, after.outcome.winner) == (0, Winner.RED)
        case Reason.PARITY:
            assert black >= red
            assert after.outcome.winner is Winner.BLACK
        case Reason.THREE_MISSES:
            assert len(after.living) == 4
            assert [row.killed for row in after.nights[-3:]] == [()] * 3
            assert after.outcome.winner is Winner.RED
        case Reason.THREE_QUIET_CIRCLES:
            assert after.outcome.winner is Winner.DRAW
            assert all(row.at.number < after.at.number - 3 or row.at.day for row in after.departures)
        case Reason.TEAM_DEFEAT:
            assert after.outcome.winner in (Winner.RED, Winner.BLACK)
        case reason:
            assert reason is Reason.ANNULLED
            assert after.outcome.winner is None


def check_ballot(before: State, after: State, row: BallotRow) -> None:
    hands = [seat for votes in row.votes for seat in (*votes.hands, *votes.assigned)]
    assert len(set(hands)) == len(hands), "a seat is counted twice"
    assert set(row.voters) == set(before.living)
    assert set(row.candidates) <= set(before.living)
    assert set(hands) <= set(before.living), "the dead voted"
    if row.kind is BallotKind.RAISE:
        assert row.leaves == (row.candidates if len(hands) * 2 > len(before.living) else ())
        return
    assert sorted(hands) == list(before.living), "a hand is lost"
    assert [votes.candidate for votes in row.votes] == list(row.candidates)
    assert all(not votes.assigned for votes in row.votes[:-1])
    most = max(votes.total for votes in row.votes)
    tied = tuple(votes.candidate for votes in row.votes if votes.total == most)
    assert row.leaves == (tied if len(tied) == 1 else ())
    nominated = [n.seat for n in after.nominations]
    assert [seat for seat in nominated if seat in row.candidates] == list(row.candidates)
    if row.kind is BallotKind.BALLOT:
        assert nominated == list(row.candidates)
        assert len(nominated) > 1 or after.at.number > 1
    else:
        earlier = before.ballots[-1].votes
        most = max(votes.total for votes in earlier)
        assert [votes.candidate for votes in earlier if votes.total == most] == list(row.candidates)
    same_again = row.kind is BallotKind.REVOTE and tied == row.candidates
    if isinstance(after.phase, Voting):
        assert same_again
        assert len(before.living) > 4
        assert len(tied) < len(before.living)
    elif same_again:
        assert len(before.living) <= 4 or len(tied) == len(before.living) or after.ballot is None


def check_speeches(before: State, after: State) -> None:
    for row in after.speeches[len(before.speeches) :]:
        if row.kind is SpeechKind.LAST_WORD:
            assert after.seat(row.seat).left is not None
            assert row.seconds == 60
            assert before.seat(row.seat).disqualified is None, "one who was sent off has the word"
        else:
            assert row.seat in after.living, "the dead speak"
            assert after.seat(row.seat).acts
            assert before.outcome is None, "a discussion after the result"
    today = [row.seat for row in after.speeches if row.at == after.at and row.kind is SpeechKind.MINUTE]
    assert len(set(today)) == len(today), "two minutes on one day"
    turns = [(second - first) % 10 for first, second in pairwise(today)]
    assert sum(turns) < 10, "not round the table"


def check_nominations(after: State) -> None:
    nominees = [nomination.seat for nomination in after.nominations]
    nominators = [nomination.by for nomination in after.nominations]
    assert len(set(nominees)) == len(nominees)
    assert len(set(nominators)) == len(nominators)


def check_night(before: State, after: State) -> None:
    if after.nights[: len(before.nights)] == before.nights:
        return
    row, was = after.nights[-1], before.nights[-1]
    if row.shots is None or was.shots is not None:
        return
    black = {seat.number for seat in before.seats if seat.acts and seat.role in BLACK}
    shots = dict(row.shots)
    assert set(shots) <= black, "the dead or red shot"
    unanimous = set(shots) == black and len(set(shots.values())) == 1
    aimed = next(iter(shots.values()), ())
    if unanimous and len(aimed) == 1 and aimed[0] in before.living:
        assert row.kill == aimed[0]
    else:
        assert row.kill is None


def check_removal(before: State, after: State) -> None:
    """fiim 7.1: no ballot goes on after somebody has been sent off."""
    sent_off = [s for s in after.seats if s.disqualified is not None and before.seat(s.number).disqualified is None]
    if sent_off and after.outcome is None and any(s.left and s.left.how in (How.FOULED, How.REMOVED) for s in sent_off):
        assert after.ballot is None
        assert after.cancelled_day >= after.at.number


def watch(before: State, after: State) -> None:
    """One step, looked at from all sides."""
    check_what_only_grows(before, after)
    check_departures(after)
    check_the_win(before, after)
    for row in after.ballots[len(before.ballots) :]:
        check_ballot(before, after, row)
    check_speeches(before, after)
    check_nominations(after)
    check_night(before, after)
    check_removal(before, after)
    if isinstance(after.phase, Over):
        assert after.ballot is None
        assert after.outcome is not None


# --- a game


def try_anything(chance: Random, game: History, now: Legal, times: int) -> None:
    """What `now` offers is taken, what it does not is refused; either way the game stands where it stood."""
    state, length = game.state, game.length
    for _ in range(times):
        command = anything(chance, state)
        played = game.play(command)
        # A result that only the roles tell is not given away by what is offered: it is refused under the cover.
        hidden = isinstance(played, Refusal) and played.code == "game_decided" and played.secret
        assert isinstance(played, History) is (offered(now, state, command) and not hidden), f"{command}: {played}"
        assert game.state is state
        assert game.length == length


def undo_and_redo(game: History, start: History) -> None:
    """Every step back is the state that was there, told anew from its events; every step forward too."""
    states = [game.start, *(decision.after for decision in game)]
    state = game.start
    for decision, known in zip(game, states[1:], strict=True):
        state = fold(state, decision.events)
        assert state == known
    back = game
    for known in reversed(states[:-1]):
        undone = back.undo()
        assert isinstance(undone, History)
        back = undone
        assert back.state == known
    assert back.state == start.state
    for known in states[1:]:
        redone = back.redo()
        assert isinstance(redone, History)
        back = redone
        assert back.state == known
    assert isinstance(back.redo(), Refusal)


def replace_somewhere(chance: Random, game: History) -> bool:
    """All or nothing: the same commands with one exchanged, or a refusal and the game as it was."""
    number = chance.randint(1, game.length)
    commands = [decision.command for decision in game]
    before = [*game][number - 1].before
    command = anything(chance, before)
    for _ in range(20):
        if not isinstance(decide(before, command), Refusal):
            break
        command = anything(chance, before)
    commands[number - 1] = command
    state, possible = game.start, True
    for one in commands:
        decided = decide(state, one)
        if isinstance(decided, Refusal):
            possible = False
            break
        state = fold(state, decided)
    was = game.state
    replaced = game.replace(number, command)
    assert isinstance(replaced, History) is possible
    assert game.state is was
    if isinstance(replaced, History):
        assert replaced.state == state
        assert [decision.command for decision in replaced] == commands
    return possible


def play(seed: int, seen: Counter[str]) -> History:
    """One game from the deal to the end, looked at step by step."""
    judge, chance = Judge(seed), Random(f"anything {seed}")
    start = game = begin(new_game(RULESETS["fiim"]))
    for _ in range(STEPS):
        before = game.state
        now = legal(before)
        if chance.random() < 0.15:
            try_anything(chance, game, now, 8)
        command = judge.decides(before, now)
        if command is None:
            break
        played = game.play(command)
        assert isinstance(played, History), f"{command} was offered and refused: {played}"
        watch(before, played.state)
        note(seen, before, command, played.state)
        game = played
    assert isinstance(game.state.phase, Over), f"not over after {STEPS} decisions"
    undo_and_redo(game, start)
    if chance.random() < 0.3:
        seen["replaced" if replace_somewhere(chance, game) else "replace refused"] += 1
    return game


def note(seen: Counter[str], before: State, command: Command, after: State) -> None:
    """Which rare paths were walked."""
    seen[type(command).__name__] += 1
    for row in after.ballots[len(before.ballots) :]:
        seen[f"{row.kind} {'leaves' if row.leaves else 'nobody leaves'}"] += 1
        if row.kind is BallotKind.REVOTE and before.ballots[-1].kind is BallotKind.REVOTE:
            seen["a revote after a revote"] += 1
        if row.kind is BallotKind.REVOTE and isinstance(after.phase, Voting):
            seen["raise question"] += 1
    if len(after.departures) > len(before.departures):
        for departure in after.departures[len(before.departures) :]:
            seen[f"{departure.how} in {type(before.phase).__name__}"] += 1
            if departure.how in (How.FOULED, How.REMOVED) and before.ballot is not None and before.ballot.is_open:
                seen["removed while a window is open"] += 1
    for old, new in zip(before.seats, after.seats, strict=True):
        if new.disqualified and not old.disqualified and (new.left is None or new.left.how is not new.disqualified):
            seen["sent off otherwise leaving" if new.left else "sent off after the result"] += 1
    if len(after.ballots) > len(before.ballots) and isinstance(command, cmd.Foul | cmd.Remove | cmd.Give):
        seen["removed when all was counted"] += 1
    if after.outcome is not None and before.outcome is None:
        seen[after.outcome.reason] += 1
        if not isinstance(after.phase, Over):
            seen["decided with words owed"] += 1
    for row in after.speeches[len(before.speeches) :]:
        if row.kind is SpeechKind.MINUTE and row.seconds < 60:
            seen[f"minute of {row.seconds}"] += 1
    for proposal in after.proposals:
        if proposal not in before.proposals:
            seen[f"{proposal.what} {proposal.given}"] += 1


RARE = (
    *(
        kind.__name__
        for kind in (cmd.Withdraw, cmd.Warn, cmd.Defeat, cmd.VoidWindow, cmd.RuleHand, cmd.Give, cmd.Annul)
    ),
    *(reason for reason in Reason if reason not in (Reason.NO_KILLER_LEFT, Reason.ONE_ON_ONE, Reason.NOBODY_LEFT)),
    *(f"removed in {phase}" for phase in ("Acquaintance", "Night", "Morning", "Speech", "LastWord", "Voting", "Dusk")),
    *(f"fouled in {phase}" for phase in ("Night", "Speech", "LastWord", "Voting")),
    *(f"{what} {given}" for what in ("early_hand", "hand_pulled", "not_raised") for given in (None, True, False)),
    "several_candidates None",
    "revote leaves",
    "revote nobody leaves",
    "a revote after a revote",
    "raise question",
    "raise leaves",
    "raise nobody leaves",
    "removed while a window is open",
    "removed when all was counted",
    "sent off otherwise leaving",
    "sent off after the result",
    "decided with words owed",
    "minute of 0",
    "minute of 30",
    "replaced",
    "replace refused",
)


@cache
def hundred(number: int) -> Counter[str]:
    """A hundred games, played once however often they are asked about."""
    seen: Counter[str] = Counter()
    for seed in range(number * 100, number * 100 + 100):
        try:
            play(seed, seen)
        except BaseException as fault:
            fault.add_note(f"in the game of seed {seed}")
            raise
    return seen


@pytest.mark.parametrize("number", range(HUNDREDS))
def test_games_that_nobody_planned(number: int):
    assert hundred(number)["Deal"] >= 1000


@pytest.mark.timeout(600)
def test_they_have_walked_the_rare_paths():
    seen: Counter[str] = sum((hundred(number) for number in range(HUNDREDS)), Counter())
    assert {path: seen[path] for path in RARE if seen[path] < 3} == {}


def test_a_table_where_nobody_does_anything_comes_to_a_draw():
    game = begin(new_game(RULESETS["fiim"]))
    judge = Judge(0)
    steps = 0
    while not isinstance(game.state.phase, Over):
        now = legal(game.state)
        command: Command = cmd.Shoot(missed=True) if now.shoot else cmd.Next()
        if isinstance(game.state.phase, Dealing) and not now.next:
            deal = judge.decides(game.state, now)
            assert isinstance(deal, cmd.Deal)
            command = deal
        played = game.play(command)
        assert isinstance(played, History)
        game, steps = played, steps + 1
        assert steps < 200
    assert game.state.outcome is not None
    assert game.state.outcome.winner is Winner.DRAW


def test_states_of_a_game_are_values():
    """Nothing in a state can be changed in place: tuples, frozen sets and frozen values all the way down."""
    seen: Counter[str] = Counter()
    state = play(1, seen).state
    for field in fields(State):
        value = getattr(state, field.name)
        if field.name != "rules":
            hash(value)
