"""What the service knows beside the table, gathered for the views: screens, the board's last refusal, points, players'
pictures, the number that is called in the shooting, who plays at the simulated table."""

import asyncio
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path

from controller.game.history import History
from controller.game.night import waking
from controller.game.phases import LastWord, Night, Over, Speech, SpeechKind
from controller.game.refusal import Refusal
from controller.game.rules import Waking
from controller.game.state import State
from controller.scoring import SCORINGS, points_of_game
from controller.scoring.referee import left_to_award
from controller.service.roster import Roster
from controller.table.state import Cause, Snapshot, What
from controller.table.terms import playable, points_of
from controller.views.facts import Caps, Note, ObsLine, Place, Surroundings
from controller.views.sounding import SoundReport
from controller.views.stage import FactsBy, Switches


class Takeover:
    """Who moves the simulated table: the autoplay, or a person who has taken over."""

    def __init__(self, note: Path | None = None) -> None:
        """`note` is the file that says so after a restart: it is there while a person plays."""
        self._note = note
        self.person = note is not None and note.exists()
        self.changed = asyncio.Event()
        """Set at every change; whoever waits for it clears it."""

    def give(self, *, person: bool) -> None:
        """Hands the simulated table to a person, or back. Raises OSError where that cannot be noted."""
        self.person = person
        self.changed.set()
        if self._note is not None:
            if person:
                self._note.touch()
            else:
                self._note.unlink(missing_ok=True)


class Around:
    """Everything around one table."""

    def __init__(
        self,
        takeover: Takeover,
        *,
        simulated: bool,
        keys: tuple[str, ...] = (),
        notes: Callable[[], tuple[Note, ...]] = tuple,
        roster: Callable[[], Roster] = Roster,
        places: Callable[[], tuple[Place, ...]] = tuple,
        facts: FactsBy = "by_hand",
        sound: Callable[[], SoundReport | None] = lambda: None,
        variant: str = "",
    ) -> None:
        """`notes` gives what the checklist has to say of settings and devices, `sound` how the sound goes,
        `variant` is the text of the tournament's own file;
        `facts`: when a fact comes by itself, as long as the producer has not said it."""
        self._notes = notes
        self._takeover = takeover
        self._simulated = simulated
        self._keys = keys
        self._sound = sound
        self._variant = variant
        self._board_refused: Refusal | None = None
        self._roster = roster
        self._places = places
        self._facts_by: FactsBy = facts
        self._calling: int | None = None
        self.producer: Callable[[], tuple[Switches, ObsLine | None]] = lambda: (Switches(), None)
        """What the producer's desk has set, and what it knows of OBS."""
        self._points: tuple[History, Mapping[int, str]] | None = None

    def call(self, snapshot: Snapshot, seat: int | None) -> Refusal | None:
        """The judge calls the number `seat` in the shooting; why not, where there is no shooting now."""
        if seat is not None and not _shooting(snapshot.state):
            return Refusal("not_called_now", clause="4.5.3")
        if seat is not None and seat > len(snapshot.state.seats):
            return Refusal("no_such_seat", {"seat": seat, "seats": len(snapshot.state.seats)})
        self._calling = seat
        return None

    def hear(self, snapshot: Snapshot, cause: Cause) -> None:
        """Something has happened at the table: a press of the board that did nothing is kept till something is done,
        the number that is called till the shots are recorded."""
        if not _shooting(snapshot.state):
            self._calling = None
        match cause.what:
            case What.REFUSED:
                self._board_refused = cause.refusal
            case What.DECISION:
                self._board_refused = None
            case _:
                pass

    def now(self, snapshot: Snapshot, screens: Mapping[str, int]) -> Surroundings:
        """What there is to know beside `snapshot`; `screens` counts those of each audience."""
        roster = self._roster()
        switches, obs = self.producer()
        by = switches.facts or self._facts_by
        facts = {seat: known for seat, name in enumerate(snapshot.names, 1) if (known := roster.facts_of(name))}
        return Surroundings(
            switches=switches,
            obs=obs,
            simulated=self._simulated,
            person=self._takeover.person,
            keys=self._keys,
            board_refused=self._board_refused,
            points=self._points_of(snapshot),
            caps=_caps_of(snapshot),
            notes=self._notes(),
            screens=dict(screens),
            calling=self._calling,
            photo=roster.photo,
            facts=facts,
            facts_by=by,
            fact=_fact_now(snapshot, facts, by),
            places=self._places(),
            coming=roster.games,
            sound=self._sound(),
            playable=playable(snapshot.header.variant or self._variant),
        )

    def _points_of(self, snapshot: Snapshot) -> Mapping[int, str]:
        """Points as decimals in shortest form, once the game is over and if its ruleset has a scoring of its own."""
        state = snapshot.state
        if not isinstance(state.phase, Over) or state.rules.name not in SCORINGS:
            return {}
        if self._points is None or self._points[0] is not snapshot.history:
            rows = points_of_game(state, points_of(snapshot.header))
            self._points = (snapshot.history, {seat: _shortest(row.total) for seat, row in rows.items()})
        return self._points[1]


def _shooting(state: State) -> bool:
    """Whether numbers are called now: in a night, at the mafia's call, until the shots are recorded."""
    call, night = waking(state), state.tonight
    return (
        isinstance(state.phase, Night)
        and call is not None
        and call.step in (Waking.SHOOTING, Waking.KILL)
        and night is not None
        and night.shots is None
    )


def _fact_now(snapshot: Snapshot, facts: Mapping[int, tuple[str, ...]], by: FactsBy) -> tuple[int, str] | None:
    """The fact that comes by itself: another one with each game and each day."""
    day = snapshot.state.at.number
    match snapshot.state.phase:
        case Speech(seat, SpeechKind.MINUTE) if by == "speeches" or (by == "first_day" and day == 1):
            pass
        case LastWord(seat) if by == "last_words":
            pass
        case _:
            return None
    known = facts.get(seat, ())
    return (seat, known[(snapshot.header.game + day - 1) % len(known)]) if known else None


def _caps_of(snapshot: Snapshot) -> Caps | None:
    state = snapshot.state
    if not isinstance(state.phase, Over) or state.rules.name not in SCORINGS:
        return None
    table = points_of(snapshot.header)
    left = left_to_award(state, table)
    return Caps(
        most=_shortest(table.awards.won.most),
        total=None if left.total is None else _shortest(left.total),
        total_approved=None if left.total_approved is None else _shortest(left.total_approved),
        players=left.players,
        players_approved=left.players_approved,
    )


def _shortest(points: Decimal) -> str:
    return format(points.normalize(), "f") if points else "0"
