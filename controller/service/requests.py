"""What a client may ask, by scope. An event that is not on its scope's list is refused, whoever asks and however it is
named; every answer is a value, and nothing that a client sends can end in a traceback."""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol, TypeAlias

import msgspec

from controller.catalogue import sentence
from controller.game.refusal import Refusal, Refused, refuse
from controller.service.access import Scope
from controller.service.broadcast import Broadcast
from controller.service.orders import wanted
from controller.service.screens import Allowance
from controller.table.state import Snapshot
from controller.table.table import Walking
from controller.table.wishes import Accepted, Wish
from controller.views import commands, messages
from controller.views.commands import AnyOrder, Call, GoOnUnsaved, SelfTest, SoundOrder, read_command
from controller.views.judge import told_history
from controller.views.messages import ClockAnswer, Done, Language, Message, NotDone
from controller.views.produce import ProducerOrder, read_order
from controller.views.steps import refusal_sentence

log = logging.getLogger(__name__)

Asked: TypeAlias = AnyOrder | SelfTest | Call | GoOnUnsaved

MILLISECOND: Final = 1_000_000
TOO_LATE_NS: Final = 5_000 * MILLISECOND
"""A command that was tapped longer ago has been stuck on its way: nobody at the table expects it any more."""
FAULT: Final = "fault"

ALLOWED: Final[Mapping[Scope, frozenset[str]]] = {
    Scope.JUDGE: frozenset({"clock", "command", "history", "position", "protocol", "sound"}),
    Scope.TABLE: frozenset({"clock", "signal", "takeover"}),
    Scope.OFFICE: frozenset({"clock"}),
    Scope.AIR: frozenset({"clock"}),
    Scope.SPECTATOR: frozenset({"clock"}),
    Scope.PRODUCER: frozenset({"clock", "produce"}),
    Scope.HALL: frozenset({"clock"}),
    Scope.BREAK: frozenset({"clock"}),
}
"""The events of each scope; there are no others."""


class Asker(Protocol):
    """Who asks."""

    allowance: Allowance
    language: Language
    side: bool
    """Whether it is the side judge's."""

    @property
    def scope(self) -> Scope:
        """As what it was let in."""
        ...

    @property
    def delay(self) -> int:
        """How many seconds later it is shown the game; its clock is slow by that."""
        ...


class LiveTable(Protocol):
    """What of the table is asked here."""

    @property
    def snapshot(self) -> Snapshot:
        """All that the table knows now."""
        ...

    async def submit(self, wish: Wish) -> Accepted | Refusal:
        """Does `wish`, once."""
        ...

    def go_on_unsaved(self) -> Accepted | Refusal:
        """Goes on although the disk takes nothing."""
        ...

    def selftest(self, act: Walking, step: int = 0) -> Accepted | Refusal:
        """Takes a step of the walk around the table."""
        ...


class Hands(Protocol):
    """The simulated table's contacts."""

    def press(self, key: str, *, down: bool) -> bool:
        """Moves one contact; whether there was a table. Raises ValueError for an unknown key."""
        ...


class Produces(Protocol):
    """The producer's desk."""

    def do(self, order: ProducerOrder) -> Refusal | None:
        """Does what is asked; why not, where it is not done."""
        ...


class _ClockAsked(msgspec.Struct):
    t0: float


class _Signal(msgspec.Struct):
    key: str
    down: bool


class _Takeover(msgspec.Struct):
    person: bool


class Requests:
    """Answers clients."""

    def __init__(
        self,
        table: LiveTable,
        broadcast: Broadcast,
        *,
        hands: Hands | None = None,
        take_over: Callable[[bool], None] | None = None,
        call: Callable[[int | None], Refusal | None] = lambda _: Refusal("not_called_now"),
        desk: Produces | None = None,
        sound: Callable[[str, SoundOrder], None] | None = None,
        variant: str = "",
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """`hands` and `take_over` belong to a simulation alone; `call` shows the number called in the shooting; `sound`
        is told who wants what of it; `variant` is the text of the tournament's own file."""
        self._variant = variant
        self._table = table
        self._broadcast = broadcast
        self._hands = hands
        self._take_over = take_over
        self._call = call
        self._desk = desk
        self._sound = sound
        self._clock = clock

    async def answer(self, screen: Asker, event: str, arguments: tuple[Any, ...]) -> Message:
        """The answer to `event`; always one."""
        try:
            if not screen.allowance.take():
                return self._refused(screen, Refusal("too_many_commands"))
            if event not in ALLOWED[screen.scope]:
                known = any(event in allowed for allowed in ALLOWED.values())
                refusal = Refusal("no_right") if known else Refusal("unknown_command", {"command": event[:40]})
                return self._refused(screen, refusal)
            if len(arguments) != 1:
                return self._refused(screen, Refusal("malformed", {"field": event}))
            match event:
                case "clock":
                    return self._clock_asked(arguments[0], screen.delay)
                case "command":
                    return await self._command(screen, arguments[0])
                case "produce":
                    return self.produce(arguments[0], screen.language)
                case "history":
                    return told_history(self._table.snapshot, screen.language)
                case "protocol":
                    return await self._protocol(screen)
                case "position":
                    return await asyncio.to_thread(_position, self._table.snapshot, screen.language, self._clock())
                case "signal":
                    return self._signal(screen, arguments[0])
                case "sound":
                    return self._sound_order(screen, arguments[0])
                case _:
                    return self._person(screen, arguments[0])
        except msgspec.ValidationError as wrong:
            return self._refused(screen, Refusal("malformed", {"field": _field_of(wrong)}))
        except Refused as refused:
            return self._refused(screen, refused.refusal)
        except Exception:
            # A bug and a refusal never look alike: this one is in the log, with all that is known of it.
            log.exception("the event %r of a client of scope %s could not be answered", event[:40], screen.scope)
            return NotDone(
                refusal=messages.Refusal(
                    code=FAULT,
                    params={},
                    clause=None,
                    sentence=sentence("service.fault", screen.language),
                    covered=None,
                )
            )

    def _clock_asked(self, payload: Any, delay: int) -> Message:
        asked = msgspec.convert(payload, _ClockAsked)
        return ClockAnswer(t0=asked.t0, now=self._clock() // 1000 / 1000 - delay * 1000)

    async def _command(self, screen: Asker, payload: Any) -> Message:
        head, order = read_command(payload)
        if screen.side:
            order = _from_the_side(order, gives=self._table.snapshot.side_gives)
        if isinstance(order, Call):
            refused = self._call(order.seat)
            return (
                Done(revision=self._broadcast.revision(Scope.JUDGE))
                if refused is None
                else self._refused(screen, refused)
            )
        tapped = None if head.tapped is None else int(head.tapped * MILLISECOND)
        if tapped is not None and self._clock() - tapped > TOO_LATE_NS:
            return self._refused(screen, Refusal("too_late"))
        if isinstance(order, SelfTest):
            walked = self._table.selftest(order.act, order.step)
            if isinstance(walked, Refusal):
                return self._refused(screen, walked)
            return Done(revision=self._broadcast.revision(Scope.JUDGE))
        if isinstance(order, GoOnUnsaved):
            goes_on = self._table.go_on_unsaved()
            if isinstance(goes_on, Refusal):
                return self._refused(screen, goes_on)
            return Done(revision=self._broadcast.revision(Scope.JUDGE))
        wish = Wish(
            id=head.id,
            command=wanted(order, self._table.snapshot, self._variant),
            origin="side judge" if screen.side else "judge",
            revision=self._broadcast.looked_at(head.revision),
            at=tapped,
        )
        answer = await self._table.submit(wish)
        if isinstance(answer, Refusal):
            return self._refused(screen, answer)
        return Done(revision=self._broadcast.revision(Scope.JUDGE))

    async def _protocol(self, screen: Asker) -> Message:
        """The form of the live game as a PDF: the disk and the typesetter are kept off the table's loop."""
        made = await asyncio.to_thread(_drawn, self._table.snapshot, screen.language)
        return self._refused(screen, made) if isinstance(made, Refusal) else made

    def _signal(self, screen: Asker, payload: Any) -> Message:
        signal = msgspec.convert(payload, _Signal)
        if self._hands is None:
            return self._refused(screen, Refusal("not_simulated"))
        try:
            there = self._hands.press(signal.key, down=signal.down)
        except ValueError:
            return self._refused(screen, Refusal("malformed", {"field": "key"}))
        return Done() if there else self._refused(screen, Refusal("not_simulated"))

    def _sound_order(self, screen: Asker, payload: Any) -> Message:
        order = msgspec.convert(payload, SoundOrder)
        if self._sound is None:
            return self._refused(screen, Refusal("no_sound"))
        self._sound(f"tablet {id(screen)}", order)
        return Done()

    def _person(self, screen: Asker, payload: Any) -> Message:
        takeover = msgspec.convert(payload, _Takeover)
        if self._take_over is None:
            return self._refused(screen, Refusal("not_simulated"))
        self._take_over(takeover.person)
        return Done()

    def produce(self, payload: Any, language: Language) -> Message:
        """What a producer asks, from the page or a Stream Deck; always an answer."""
        try:
            order = read_order(payload)
            refusal = Refusal("unknown_command", {"command": "produce"}) if self._desk is None else self._desk.do(order)
        except msgspec.ValidationError as wrong:
            refusal = Refusal("malformed", {"field": _field_of(wrong)})
        if refusal is None:
            return Done()
        return NotDone(refusal=said(refusal, language, self._table.snapshot.header.ruleset))

    def _refused(self, screen: Asker, refusal: Refusal) -> NotDone:
        return NotDone(refusal=said(refusal, screen.language, self._table.snapshot.header.ruleset))


def _from_the_side(
    order: AnyOrder | SelfTest | Call | GoOnUnsaved, *, gives: bool
) -> AnyOrder | SelfTest | Call | GoOnUnsaved:
    """What the side judge's order comes to. Raises Refused for what is the judge's alone."""
    match order:
        case commands.Foul(seat, clause) if not gives:
            return commands.Suggest(seat, "foul", clause)
        case commands.Warn(seat, clause) if not gives:
            return commands.Suggest(seat, "warn", clause)
        case commands.Foul() | commands.Warn() | commands.Suggest():
            return order
        case _:
            raise refuse("judge_alone")


def said(refusal: Refusal, language: str, ruleset: str) -> messages.Refusal:
    """The refusal with its sentence. One that tells a role has it under the cover alone."""
    text = refusal_sentence(refusal, language, ruleset)
    if refusal.secret:
        return messages.Refusal(
            code="secret", params={}, clause=None, sentence=sentence("service.secret", language), covered=text
        )
    return messages.Refusal(
        code=refusal.code, params=dict(refusal.params), clause=refusal.clause, sentence=text, covered=None
    )


def _drawn(snapshot: Snapshot, language: str) -> messages.Document | Refusal:
    # The typesetter and the spreadsheets are loaded when they are asked for: a table that was killed is ready sooner.
    from controller.service.protocol import protocol_of

    return protocol_of(snapshot, language)


def _position(snapshot: Snapshot, language: str, now: int) -> messages.Document:
    from controller.service.protocol import position_of

    return position_of(snapshot, language, now)


def _field_of(wrong: msgspec.ValidationError) -> str:
    """The field that msgspec names: `... - at `$.seat`` is `seat`."""
    _, _, path = str(wrong).partition("$")
    return path.strip("`.") or "command"
