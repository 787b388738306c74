"""Non-interference: two games that differ only in their secrets show the hall the same bytes, in the same order, under
the same revisions and at the same instants of a clock of the test's own, through their last common public step. What is
done in the dark is done at moments of each game's own."""

from collections.abc import Callable, Iterator
from random import Random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.game import commands as cmd
from controller.game.commands import Command
from controller.game.legal import legal
from controller.game.phases import Acquaintance, Dealing, Dusk, LastWord, Morning, Night, Over, Speech, Voting
from controller.game.refusal import Refusal
from controller.game.roles import Role
from controller.game.state import State
from controller.service.audiences import AudienceView
from controller.service.requests import said
from controller.service.sample_final import CARDS
from controller.table.state import Snapshot
from controller.views.air import air_view
from controller.views.between import break_view
from controller.views.facts import Surroundings
from controller.views.hall import hall_view
from controller.views.messages import Audience, Lamps, Message
from controller.views.office import office_view
from controller.views.table import table_view
from tests.views.course import SECOND, Course, touches

View = Callable[[Snapshot], Message]
DARK = 20 * SECOND
"""So long a call of the night goes on."""
AROUND = Surroundings(simulated=True, keys=("seat 1", "next"))
SHOWN_TO_THE_TABLE: dict[Audience, View] = {
    "hall": hall_view,
    "break": lambda snapshot: break_view(snapshot, AROUND),
    "table": lambda snapshot: table_view(snapshot, AROUND),
    "office": lambda snapshot: office_view(snapshot, AROUND, "ru"),
}


class Watched:
    """A game and all that one audience was ever sent of it."""

    def __init__(self, audience: Audience, view: View) -> None:
        self.course = Course()
        self.sent: list[tuple[int, int, bytes]] = []
        """When, under which revision, what."""
        self._audience = AudienceView[Snapshot](audience, lambda snapshot, _: view(snapshot), "build", 1)
        self.look()

    def play(self, command: Command) -> None:
        """One decision, which must be legal."""
        self.course.must(command)
        self.look()

    def secretly(self, command: Command) -> bool:
        """A decision that may be refused in this game and taken in the other: it is made under masks, at a time of its
        own. Whether it was taken."""
        done = self.course.play(command) is None
        if done:
            self.look()
        return done

    def look(self) -> None:
        """The audience is shown what there is to see now."""
        self._audience.refresh(self.course.snapshot(), ["ru"])
        shown = self._audience.shown("ru")
        assert shown is not None
        if not self.sent or self.sent[-1][1:] != (self._audience.revision, shown):
            self.sent.append((self.course.now, self._audience.revision, shown))


def public(state: State) -> object:
    """What everybody at the table has heard so far: not built from any view."""
    return (
        type(state.phase),
        getattr(state.phase, "seat", None),
        state.at,
        state.departures,
        state.outcome if isinstance(state.phase, Over) else None,
    )


class Pair:
    """Two games that are led alike in the open and differently in the dark."""

    def __init__(self, chance: Random, audience: Audience, view: View, *, written_at_once: bool = False) -> None:
        """`written_at_once`: the judge writes shots and checks down at the same moments in both games, whatever they
        were: his key's lamp and the tablet tell that they are written."""
        self._chance = chance
        self._written_at_once = written_at_once
        self.games = (Watched(audience, view), Watched(audience, view))
        for game in self.games:
            cards = list(CARDS)
            chance.shuffle(cards)
            for seat, role in enumerate(cards, 1):
                game.play(cmd.Deal(seat, role))

    @property
    def state(self) -> State:
        """Where the first game is; in the open the other is there as well."""
        return self.games[0].course.state

    def both(self, command: Command) -> bool:
        """The same decision in both; False where their public courses part by it, which ends the comparison."""
        before = [list(game.sent) for game in self.games]
        for game in self.games:
            game.course.now += SECOND
        for game in self.games:
            refused = game.course.play(command)
            if refused is not None:
                assert game is self.games[0], f"{command} is legal in one game alone: {refused}"
                return True
            game.look()
        if public(self.games[0].course.state) != public(self.games[1].course.state):
            for game, sent in zip(self.games, before, strict=True):
                game.sent = sent
            return False
        return True

    def run(self, steps: int) -> None:
        """Leads both games until they part, end, or have gone far enough."""
        for _ in range(steps):
            if isinstance(self.state.phase, Over) or not self._step():
                return
            assert self.games[0].sent == self.games[1].sent

    def _step(self) -> bool:
        chance, state = self._chance, self.state
        if chance.random() < 0.06 and not isinstance(state.phase, Dealing):
            seat = chance.choice(state.living)
            misdeed = chance.choice([cmd.Foul(seat), cmd.Foul(seat), cmd.Warn(seat), cmd.Remove(seat)])
            if not self.both(misdeed):
                return False
            state = self.state
        match state.phase:
            case Night():
                self._in_the_dark()
            case Speech(seat):
                return all(self.both(command) for command in self._said(seat)) and self.both(cmd.Next())
            case Voting():
                return self._vote() and self.both(cmd.Next())
            case LastWord(seat) if chance.random() < 0.5:
                if not self.both(cmd.BestMove(seat, tuple(chance.sample(range(1, 11), 3)))):
                    return False
            case Dealing() | Acquaintance() | Morning() | Dusk() | _:
                pass
        return self.both(cmd.Next())

    def _said(self, speaker: int) -> Iterator[Command]:
        if self._chance.random() < 0.5:
            yield cmd.Nominate(speaker, self._chance.choice(self.state.living))
        if self._chance.random() < 0.1:
            yield cmd.Withdraw(speaker)

    def _in_the_dark(self) -> None:
        """Each game has its own shots and checks; more often than not the same player is killed."""
        chance = self._chance
        killed = chance.choice([*self.state.living, None])
        until = self.games[0].course.now + DARK
        written = {by: chance.random() < 0.7 for by in (Role.DON, Role.SHERIFF)}
        for game in self.games:
            state = game.course.state
            game.course.now += DARK // 4 if self._written_at_once else chance.randint(0, DARK // 4)
            black = state.living_with(Role.MAFIA, Role.DON)
            target = killed if chance.random() < 0.8 else chance.choice([*state.living, None])
            if target is not None:
                game.secretly(cmd.Shoot(everybody_at=target))
            elif chance.random() < 0.5:
                game.secretly(cmd.Shoot(missed=True))
            else:
                game.secretly(cmd.Shoot(tuple((seat, (chance.randint(1, 10),) * 2) for seat in black)))
            for by in (Role.DON, Role.SHERIFF):
                game.course.now += DARK // 4 if self._written_at_once else chance.randint(0, DARK // 4)
                if not (written[by] if self._written_at_once else chance.random() < 0.7):
                    continue
                if not game.secretly(cmd.Check(by, chance.randint(1, 10))) and self._written_at_once:
                    # Where there is nobody to check, the judge writes down that nobody was checked.
                    game.secretly(cmd.Check(by, None))
            game.course.now = until

    def _vote(self) -> bool:
        chance = self._chance
        while (ballot := self.state.ballot) is not None and ballot.due is not None:
            hands = touches(chance.sample(ballot.voters, chance.randint(0, len(ballot.voters))))
            for game in self.games:
                game.course.touches = ()
            if not self.both(cmd.OpenWindow(self.games[0].course.now)):
                return False
            for game in self.games:
                game.course.touches = hands
            if not self.both(cmd.CountHands(ballot.due, hands)):
                return False
        return True


@settings(max_examples=30, deadline=None)
@given(st.integers(min_value=0))
def test_the_hall_is_shown_the_same_whatever_the_secrets_are(seed: int) -> None:
    for audience, view in SHOWN_TO_THE_TABLE.items():
        pair = Pair(Random(seed), audience, view)
        pair.run(120)
        first, second = (game.sent for game in pair.games)
        assert first == second


@settings(max_examples=20, deadline=None)
@given(st.integers(min_value=0))
def test_the_lamps_of_seats_and_board_are_the_same_whatever_the_secrets_are(seed: int) -> None:
    pair = Pair(Random(seed), "table", lambda snapshot: Lamps(lamps=dict(snapshot.lamps)), written_at_once=True)
    pair.run(120)
    first, second = (game.sent for game in pair.games)
    assert first == second


class Asking(Pair):
    """A pair in whose games everything is asked for before every step, and nothing of it done."""

    def both(self, command: Command) -> bool:
        """The same decision in both, and what the uncovered tablet is told of those that cannot be."""
        assert len({legal(game.course.state) for game in self.games}) == 1, "what the open tablet offers"
        for asked in self._anything():
            told = [self._told(game, asked) for game in self.games]
            if told[0] is not None and told[1] is not None:
                assert told[0] == told[1], asked
            else:
                # Where roles decide it, the sentence on the open tablet tells nothing but that it cannot be.
                for refusal in told:
                    assert refusal is None or b'"code":"secret"' in refusal, (asked, refusal)
            self.asked = getattr(self, "asked", 0) + 1
            self.refused = getattr(self, "refused", 0) + sum(refusal is not None for refusal in told)
        return super().both(command)

    def _told(self, game: Watched, command: Command) -> bytes | None:
        refusal = game.course.history.play(command)
        if not isinstance(refusal, Refusal):
            return None
        return msgspec.json.encode(msgspec.structs.replace(said(refusal, "ru", "fiim"), covered=None))

    def _anything(self) -> Iterator[Command]:
        chance = self._chance
        seat, other = chance.randint(1, 10), chance.randint(1, 10)
        yield cmd.Check(chance.choice([Role.DON, Role.SHERIFF]), seat)
        yield cmd.Shoot(everybody_at=seat)
        yield cmd.Shoot(((seat, (other, other)),))
        yield cmd.BestMove(seat, tuple(chance.sample(range(1, 11), 3)))
        yield chance.choice([cmd.Nominate(seat, other), cmd.Withdraw(seat), cmd.Warn(seat), cmd.Foul(seat)])
        yield chance.choice([cmd.Remove(seat), cmd.Defeat(seat), cmd.Next()])
        # While the cards are dealt, the tablet shows them to the judge who types them.
        if not isinstance(self.state.phase, Dealing):
            yield cmd.Deal(seat, chance.choice(CARDS))


@settings(max_examples=20, deadline=None)
@given(st.integers(min_value=0))
def test_a_refusal_on_the_open_tablet_is_the_same_whatever_the_secrets_are(seed: int) -> None:
    pair = Asking(Random(seed), "hall", hall_view, written_at_once=True)
    pair.run(120)
    assert pair.refused > 20


def test_the_pairs_go_through_nights_and_votes() -> None:
    """The property above is worth what its games are worth: they must reach the places where secrets lie."""
    reached: set[str] = set()
    for seed in range(12):
        pair = Pair(Random(seed), "hall", hall_view)
        pair.run(120)
        for game in pair.games:
            reached |= {f"night {row.night}" for row in game.course.state.nights if row.shots is not None}
            reached |= {row.how.value for row in game.course.state.departures}
            reached |= {row.kind.value for row in game.course.state.ballots}
    assert {"night 1", "night 2", "night 3", "shot", "voted", "removed", "ballot", "revote"} <= reached


def test_the_result_is_not_shown_before_it_is_announced() -> None:
    """While the last black one says the last word, the hall must not learn that he was the last."""
    course = Course()
    list(course.deal())
    for _ in range(3):
        course.must(cmd.Next())
    while not isinstance(course.state.phase, Dusk):
        course.must(cmd.Next())
    course.must(cmd.Next())
    for number in range(1, 4):
        course.must(cmd.Shoot(everybody_at=(1, 2, 4)[number - 1]))
        while not course.state.at.day:
            course.must(cmd.Next())
        while course.state.at.day and not isinstance(course.state.phase, Over):
            view = hall_view(course.snapshot())
            assert (view.result is not None) == isinstance(course.state.phase, Over)
            course.must(cmd.Next())
            if course.state.outcome is not None:
                assert isinstance(course.state.phase, Over) or hall_view(course.snapshot()).result is None
        if isinstance(course.state.phase, Over):
            break
    assert msgspec.json.encode(hall_view(course.snapshot()))


def test_the_hall_learns_a_count_when_the_judge_says_it_and_viewers_when_it_is_there() -> None:
    course = Course()
    list(course.deal())
    while not isinstance(course.state.phase, Voting):
        if course.state.minute_of in (1, 3):
            course.must(cmd.Nominate(course.state.minute_of, course.state.minute_of + 1))
        course.must(cmd.Next())
    hands = touches((5, 6))
    for candidate in (2, 4):
        course.must(cmd.OpenWindow(course.now))
        course.must(cmd.CountHands(candidate, hands if candidate == 2 else ()))
        hall, air = hall_view(course.snapshot()).vote, air_view(course.snapshot(), AROUND).vote
        assert hall is not None
        assert air is not None
        said = [2, None] if candidate == 4 else [None, None]
        assert [one.count for one in hall.candidates] == said
        assert [one.state for one in hall.candidates] == [
            "counted" if candidate == 4 else "counting",
            "counting" if candidate == 4 else "waiting",
        ]
        assert air.unsaid
        assert [len(one.hands) + len(one.assigned) for one in air.candidates] == ([2, 8] if candidate == 4 else [2, 0])
        course.must(cmd.Announce(candidate, hands if candidate == 2 else (), 3_000_000))
        hall = hall_view(course.snapshot()).vote
        assert hall is not None
        assert [one.count for one in hall.candidates] == ([2, None] if candidate == 2 else [2, 8])
        assert hall.candidates[-1].state == ("called" if candidate == 2 else "counted")


def test_one_sent_off_at_night_is_out_for_the_hall_whether_the_night_has_shot_him_or_not() -> None:
    shown: list[bytes] = []
    for target in (4, 5):
        course = Course()
        list(course.deal())
        while not isinstance(course.state.phase, Night):
            course.must(cmd.Next())
        course.must(cmd.Shoot(everybody_at=target))
        course.must(cmd.Next())
        course.must(cmd.Remove(4))
        shown.append(msgspec.json.encode(hall_view(course.snapshot())))
    assert shown[0] == shown[1]
    assert hall_view(course.snapshot()).seats[3].out is not None
