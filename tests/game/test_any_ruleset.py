"""Games of all four rule sets with any options, each step held to what must be true of every game by these rules.

A few hundred in every run; `pytest -m soak` plays twenty thousand.
"""

from collections import Counter
from functools import cache
from random import Random

import pytest

from controller.game import RULESETS, History, Refusal, State, begin, decide, fold, legal, new_game
from controller.game import commands as cmd
from controller.game.ballot import BallotKind
from controller.game.commands import Command
from controller.game.events import BallotDecided
from controller.game.outcome import Reason, Winner
from controller.game.phases import Choosing, Dealing, LastWord, Over, Speech, SpeechKind, Voting
from controller.game.roles import Role, Team
from controller.game.rules import Rules, SecondTie, SoleCandidate, ThirdFoul
from controller.game.seat import How
from controller.game.state import BallotRow
from controller.scoring import points_of_game, referee, scoring_table
from tests.game.any_game import BLACK
from tests.game.any_ruleset import AnyJudge, anything_at_all
from tests.game.test_any_game import check_nominations, check_what_only_grows, undo_and_redo
from tests.record.there_and_back import comes_back

NAMES = tuple(RULESETS)
GAMES = {"fiim": 40, "wma": 50, "ukraine": 60, "city": 120}
"""Of each rule set in every run; fiim has a thousand of its own beside these."""
SOAK = 5000
"""Of each rule set in a soak."""
STEPS = 3000
SENT_OFF = (How.FOULED, How.REMOVED)


# --- who has won, told anew


def won(state: State) -> tuple[Winner, Reason] | None:
    teams = Counter(seat.role.team for seat in state.seats if seat.left is None and seat.role is not None)
    living, black, maniac = teams.total(), teams[Team.BLACK], teams[Team.MANIAC]
    if state.rules.name != "city":
        if black == 0:
            return Winner.RED, Reason.NO_BLACK_LEFT
        return (Winner.BLACK, Reason.PARITY) if black >= living - black else None
    if living == 0:
        return Winner.DRAW, Reason.NOBODY_LEFT
    if black + maniac == 0:
        return Winner.RED, Reason.NO_KILLER_LEFT
    if maniac:
        return (Winner.MANIAC, Reason.ONE_ON_ONE) if living <= 2 else None
    return (Winner.BLACK, Reason.PARITY) if black >= living - black else None


def check_the_win(before: State, after: State) -> None:
    if isinstance(after.phase, Dealing):
        return
    if after.outcome is None:
        assert not isinstance(after.phase, Over)
        waits = isinstance(after.phase, Choosing) or (after.rules.name == "city" and after.ballot is not None)
        assert waits or won(after) is None
        return
    if before.outcome is not None:
        assert before.living == after.living
        assert before.departures == after.departures
        assert before.outcome == after.outcome or after.outcome.reason is Reason.ANNULLED
        return
    winner, reason = after.outcome.winner, after.outcome.reason
    match reason:
        case Reason.THREE_MISSES:
            assert after.rules.three_misses
            assert len(after.living) == 4
            assert winner is Winner.RED
        case Reason.THREE_QUIET_CIRCLES:
            assert after.rules.quiet_circles
            circles, at = after.rules.quiet_circles, after.outcome.at
            first = at.number - circles + (0 if at.day else 1)
            assert first >= 1
            assert all((row.at.number, not row.at.day) < (first, True) for row in after.departures)
            assert winner is Winner.DRAW
        case Reason.TEAM_DEFEAT:
            assert after.rules.team_defeat
            assert winner in (Winner.RED, Winner.BLACK)
        case Reason.ANNULLED:
            assert winner is None
        case _:
            assert won(after) == (winner, reason)


# --- who leaves


def check_departures(after: State) -> None:
    out = [row.seat for row in after.departures]
    assert len(set(out)) == len(out)
    assert set(out) == {seat.number for seat in after.seats} - set(after.living)
    most = after.rules.technical_fouls_out
    for seat in after.seats:
        assert (seat.disqualified is How.FOULED) is (len(seat.fouls) >= 4), seat
        assert len(seat.fouls) <= 4
        assert not most or seat.heavy < most or seat.disqualified is not None
        assert most or not seat.technical
        if seat.left is not None and seat.left.how in SENT_OFF:
            assert seat.left.how is seat.disqualified


def check_citys_victims(before: State, after: State) -> None:
    """Who dies by a night of city, told anew from what was done in it."""
    row = after.nights[-1] if after.nights else None
    if row is None or row.killed is None or after.rules.name != "city":
        return
    if before.nights and before.nights[-1].killed is not None:
        return
    beauty, bomber, avenger = (after.holder(role) for role in (Role.BEAUTY, Role.BOMBER, Role.AVENGER))
    guests, healed = row.act(Role.BEAUTY), row.act(Role.DOCTOR)
    dead: set[int] = set()
    for target in (row.kill, *row.act(Role.MANIAC)):
        if target is None or target in guests or target in healed:
            continue
        dead.add(target)
        if beauty is not None and target == beauty.number:
            dead |= set(guests) - set(healed)
    at = next((left.at for left in after.departures if left.seat in row.killed), None)
    earlier = {left.seat for left in after.departures if left.how in SENT_OFF or at is None or left.at < at}
    dead -= earlier
    blown: set[int] = set()
    if bomber is not None and bomber.number in dead:
        blown = set(row.act(Role.BOMBER)) - dead - earlier
    if avenger is not None and avenger.number in dead and avenger.number not in blown:
        taken = set(after.avenger_choice or ()) - dead - blown - earlier
        dead |= taken
        if bomber is not None and bomber.number in taken:
            blown |= set(row.act(Role.BOMBER)) - dead - earlier
    assert set(row.killed) == dead | blown, row


def check_kill(before: State, after: State) -> None:
    """The don's word in city; elsewhere all living black at one and once."""
    if not after.nights or not before.nights or after.nights[-1].night != before.nights[-1].night:
        return
    row, was = after.nights[-1], before.nights[-1]
    if row.shots is None or was.shots is not None:
        return
    black = {seat.number for seat in before.seats if seat.acts and seat.role in BLACK}
    shots = dict(row.shots)
    assert set(shots) <= black
    don = before.holder(Role.DON)
    aims = set(shots.values())
    together = set(shots) == black and len(aims) == 1
    aimed = next(iter(aims), ())
    if after.rules.name == "city" and don is not None and don.acts:
        assert row.kill == next(iter(shots.get(don.number, ())), None)
    elif together and len(aimed) == 1 and aimed[0] in before.living:
        assert row.kill == aimed[0]
    else:
        assert row.kill is None


# --- the vote


def expected(rules: Rules, before: State, row: BallotRow) -> tuple[int, ...]:
    totals = {votes.candidate: votes.total for votes in row.votes}
    if row.kind is BallotKind.RAISE:
        return row.candidates if totals[0] * 2 > len(before.living) else ()
    most = max(totals.values())
    tied = [seat for seat, total in totals.items() if total == most]
    if most == 0 or len(tied) > 1:
        return ()
    if len(row.candidates) == 1 and row.kind is BallotKind.BALLOT:
        rule = rules.sole_candidate_day_one if row.at.number == 1 else rules.sole_candidate
        if rule is SoleCandidate.WORD_ONLY or (rule is SoleCandidate.OWN_HAND and tied[0] not in row.votes[0].hands):
            return ()
    return tuple(tied)


def check_ballot(before: State, after: State, row: BallotRow) -> None:
    rules = after.rules
    hands = [seat for votes in row.votes for seat in (*votes.hands, *votes.assigned)]
    assert len(set(hands)) == len(hands), "a seat is counted twice"
    assert set(before.living) <= set(row.voters)
    assert set(hands) <= set(row.voters)
    assert row.leaves == expected(rules, before, row)
    for votes in row.votes[:-1]:
        assert not votes.assigned
    if not rules.unvoted_to_last:
        assert not row.votes[-1].assigned
    if row.kind is BallotKind.RAISE:
        return
    if rules.unvoted_to_last:
        assert set(before.living) <= set(hands), "a hand is lost"
    assert [votes.candidate for votes in row.votes] == list(row.candidates)
    nominated = [nomination.seat for nomination in before.nominations]
    order = [seat for seat in nominated if seat in row.candidates]
    backwards = row.kind is BallotKind.REVOTE and rules.revote_reversed
    assert list(row.candidates) == (order[::-1] if backwards else order)
    if row.kind is BallotKind.BALLOT and len(row.candidates) == 1:
        rule = rules.sole_candidate_day_one if row.at.number == 1 else rules.sole_candidate
        assert rule in (SoleCandidate.VOTE, SoleCandidate.OWN_HAND, SoleCandidate.WORD_ONLY)


def check_what_follows(after: State, row: BallotRow) -> None:
    """What may follow a tie, if the vote went on."""
    if after.ballot is None or row.leaves or after.ballot.number == row.number:
        return
    rules = after.rules
    most = max(votes.total for votes in row.votes)
    tied = {votes.candidate for votes in row.votes if votes.total == most}
    assert set(after.ballot.candidates) == tied
    again = row.kind is BallotKind.REVOTE and tied == set(row.candidates)
    assert (after.ballot.kind is BallotKind.RAISE) is again
    if again:
        assert rules.second_tie is SecondTie.RAISE
        assert not (rules.no_raise_at_four and len(after.living) in (3, 4))
        assert not (rules.no_raise_of_all and len(tied) == len(after.living))
    assert not (rules.no_elimination_over_half_tied and len(tied) * 2 > len(row.voters))


def check_removals(before: State, after: State) -> None:
    """What the texts say of a removal and the vote, while there is one to speak of."""
    sent_off = [row for row in after.departures[len(before.departures) :] if row.how in SENT_OFF]
    rules = after.rules
    if rules.name in ("fiim", "wma") and sent_off and after.outcome is None:
        assert after.ballot is None
        assert after.cancelled_day >= after.at.number
    if rules.name == "ukraine" and after.at.day and not before.vote_settled:
        nominees = {nomination.seat for nomination in before.nominations}
        for row in sent_off:
            if row.seat in nominees:
                assert after.vote_settled
                assert after.ballot is None
    if after.ballot is not None and before.ballot is None and after.ballot.kind is BallotKind.BALLOT:
        sent_off = [row for row in after.departures if row.how in SENT_OFF]
        today = [row for row in sent_off if after.at in (row.at, row.at.following)]
        if rules.name == "city":
            enough = rules.vote_held_after_removals
            assert not today or 0 < enough <= len(today), "too few were removed: this day's vote is not held"
        elif rules.name in ("fiim", "wma"):
            assert not [row for row in today if row.at.day and row.at.number == after.at.number]


# --- speeches


def check_speeches(before: State, after: State) -> None:
    rules = after.rules
    for row in after.speeches[len(before.speeches) :]:
        left = after.seat(row.seat).left
        fouls = len(before.seat(row.seat).fouls)
        silent = rules.third_foul is ThirdFoul.ALL_MINUTES and fouls >= 3
        match row.kind:
            case SpeechKind.LAST_WORD:
                assert left is not None
                shot = left.how in (How.SHOT, How.MANIAC, How.GUEST, How.AVENGED)
                assert left.how not in (*SENT_OFF, How.BLAST)
                assert row.seconds == (rules.last_word_shot if shot else rules.last_word_voted)
                assert before.seat(row.seat).disqualified is None
            case SpeechKind.REVOTE:
                assert row.seconds == (0 if silent else rules.revote_speech)
            case SpeechKind.DEFENCE:
                # The word that a club's vote of day 1 gives is a last word, which no foul takes.
                assert row.seconds in (0 if silent else rules.defence, rules.last_word_voted)
            case SpeechKind.MINUTE:
                assert row.seconds in (0, rules.short_minute, rules.minute)
                assert row.seconds == rules.minute or fouls >= 3
                assert not silent or row.seconds == 0
        if row.kind is not SpeechKind.LAST_WORD:
            assert left is None, "the dead speak"
            assert before.outcome is None
    today = [row.seat for row in after.speeches if row.at == after.at and row.kind is SpeechKind.MINUTE]
    assert len(set(today)) == len(today), "two minutes on one day"


def watch(before: State, after: State) -> None:
    """One step, looked at from all sides."""
    check_what_only_grows(before, after)
    check_departures(after)
    check_the_win(before, after)
    for row in after.ballots[len(before.ballots) :]:
        check_ballot(before, after, row)
        check_what_follows(after, row)
    check_speeches(before, after)
    check_nominations(after)
    check_kill(before, after)
    check_citys_victims(before, after)
    check_removals(before, after)
    if isinstance(after.phase, Over):
        assert after.ballot is None
        assert after.outcome is not None
    if isinstance(after.phase, Voting):
        assert after.ballot is not None
    if isinstance(after.phase, LastWord):
        assert after.seat(after.phase.seat).left is not None
    if not after.rules.withdrawal and after.minute_of is not None:
        assert not after.withdrew


# --- a game


def try_anything(chance: Random, game: History, times: int) -> None:
    """Whatever is asked for is taken or refused; one step of it is looked at as well, and nothing has happened."""
    state = game.state
    for _ in range(times):
        command = anything_at_all(chance, state)
        decided = decide(state, command)
        if not isinstance(decided, Refusal):
            watch(state, fold(state, decided))
        assert game.state is state


def check_points(state: State, scoring: str) -> None:
    """Every number has a clause, and the sums are theirs; nothing but a tournament's own technical fouls has none."""
    for points in points_of_game(state, scoring_table(scoring)).values():
        assert sum(part.value for part in points.parts) == points.total
        assert all(part.clause for part in points.parts)


def play(seed: int, name: str, seen: Counter[str]) -> History:
    """One game from the deal to the end, looked at step by step, and taken back."""
    judge, chance = AnyJudge(seed, name), Random(f"{name} {seed}")
    start = game = begin(new_game(judge.rules, judge.seats), referee(scoring_table(judge.scoring)))
    for _ in range(STEPS):
        before = game.state
        now = legal(before)
        if chance.random() < 0.1:
            try_anything(chance, game, 4)
        command = judge.decides(before, now)
        if command is None:
            break
        played = game.play(command)
        if isinstance(played, Refusal) and isinstance(command, cmd.Award | cmd.Penalise):
            seen[f"{judge.scoring} {played.code}"] += 1
            continue
        assert isinstance(played, History), f"{command} was offered and refused: {played}"
        watch(before, played.state)
        back = played.undo()
        assert isinstance(back, History)
        assert back.state is before
        note(seen, before, command, played)
        game = played
        if isinstance(before.phase, Dealing) and not isinstance(game.state.phase, Dealing):
            assert game.state.outcome is None
    assert isinstance(game.state.phase, Over), f"not over after {STEPS} decisions"
    undo_and_redo(game, start)
    comes_back(game, judge.scoring)
    check_points(game.state, judge.scoring)
    seen[f"{name} games"] += 1
    seen[f"{name} decisions taken back"] += game.length
    return game


def note(seen: Counter[str], before: State, command: Command, game: History) -> None:
    """Which rare paths were walked."""
    after, name = game.state, game.state.rules.name
    seen[f"{name} {type(command).__name__}"] += 1
    for departure in after.departures[len(before.departures) :]:
        seen[f"{name} {departure.how}"] += 1
        if departure.how in SENT_OFF:
            seen[f"{name} sent off in {type(before.phase).__name__}"] += 1
            if before.ballot is not None and after.ballot is not None:
                seen[f"{name} sent off, and the vote goes on"] += 1
    if after.outcome is not None and before.outcome is None:
        seen[f"{name} {after.outcome.reason}"] += 1
    if isinstance(after.phase, Choosing):
        seen[f"{name} choosing {'evening' if after.phase.evening else 'night'}"] += 1
    if isinstance(command, cmd.TechnicalFoul) and len(after.departures) > len(before.departures):
        seen["a second heavy technical foul"] += 1
    if isinstance(after.phase, Speech) and after.phase.kind is SpeechKind.DEFENCE:
        seen[f"{name} defence"] += 1
    if game.last is not None:
        decided = [event for event in game.last.events if isinstance(event, BallotDecided)]
        if decided and not isinstance(command, cmd.Next):
            seen[f"{name} the result before a removal"] += 1


RARE = (
    *(f"{name} sent off in {phase}" for name in NAMES for phase in ("Night", "Speech", "Voting", "Morning", "Dusk")),
    *(f"city {how}" for how in How),
    *(f"city {reason}" for reason in ("no_killer_left", "one_on_one", "parity")),
    "city choosing evening",
    "city choosing night",
    "city sent off in Choosing",
    "city sent off, and the vote goes on",
    "ukraine sent off, and the vote goes on",
    "ukraine defence",
    "ukraine three_misses",
    "fiim three_quiet_circles",
    "a second heavy technical foul",
    *(f"{name} the result before a removal" for name in NAMES),
)


@cache
def some(name: str, first: int, count: int) -> Counter[str]:
    """Some games, played once however often they are asked about."""
    seen: Counter[str] = Counter()
    for seed in range(first, first + count):
        try:
            play(seed, name, seen)
        except BaseException as fault:
            fault.add_note(f"in the game {seed} of {name}")
            raise
    return seen


@pytest.mark.parametrize("name", NAMES)
def test_games_of_any_rules_that_nobody_planned(name: str):
    assert some(name, 0, GAMES[name])[f"{name} Deal"] >= GAMES[name] * 8


@pytest.mark.timeout(300)
def test_they_have_walked_the_rare_paths_of_every_rule_set():
    seen: Counter[str] = sum((some(name, 0, GAMES[name]) for name in NAMES), Counter[str]())
    assert [path for path in RARE if not seen[path]] == []


@pytest.mark.soak
@pytest.mark.timeout(3 * 3600)
@pytest.mark.parametrize("name", NAMES)
def test_twenty_thousand_games(name: str, capsys: pytest.CaptureFixture[str]):
    seen: Counter[str] = Counter()
    for first in range(0, SOAK, 100):
        seen += some.__wrapped__(name, first, 100)
    games, decisions = seen[f"{name} games"], seen[f"{name} decisions taken back"]
    with capsys.disabled():
        print(
            f"\n{name}: {games} games, {decisions} decisions, each taken back and made again; {games} records read back"
        )
    assert games == SOAK
