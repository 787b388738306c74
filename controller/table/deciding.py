"""What a wish comes to: the row that goes into the journal, or a refusal. Pure: the book, the hands and the time come
in as values, and nothing has happened until the row is on disk."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, assert_never

from controller.game import events as ge
from controller.game.ballot import Ballot, Count, Touch
from controller.game.commands import Announce, Command, CountHands, CountVote, Foul, Next, OpenWindow, Warn
from controller.game.decide import decide
from controller.game.events import Event
from controller.game.history import History
from controller.game.phases import Over
from controller.game.refusal import Refusal, Refused
from controller.game.rules import Rules
from controller.game.state import State
from controller.table import events as ev
from controller.table import wishes
from controller.table.book import Book, WindowTimes, is_another_game
from controller.table.clock import MICROSECOND, MILLISECOND
from controller.table.events import TableEvent
from controller.table.state import Timer
from controller.table.terms import NoSuchTerms, points_of, rules_of
from controller.table.timers import timer_of
from controller.table.wishes import TableCommand, Wish

TAP_BELIEVED_NS: Final = 250 * MILLISECOND
"""So far back a screen's own time of a tap is believed."""
MOST_SUGGESTIONS: Final = 40
ANNOUNCED_BY: Final = (OpenWindow, CountVote, Next)
"""What cannot be done before the last count has been said aloud."""


@dataclass(frozen=True, slots=True)
class Present:
    """What is true at the moment of deciding and stands in no book."""

    now: int
    boot: str
    touches: Callable[[str, Iterable[int], int, int], tuple[Touch, ...]]
    """Of a boot, of seats, since when, from which opening: `Hands.touches` of the believed sensors."""
    doubted: Callable[[str, Iterable[int], int, int], tuple[tuple[int, ...], tuple[int, ...]]]
    """Asked the same: the seats whose touches are left out, and those of whose touches hands left lying are."""
    flagged: bool
    rulesets: Mapping[str, Rules]


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a row will say."""

    command: Command | TableCommand
    events: tuple[Event, ...] = ()
    table: tuple[TableEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class NothingToDo:
    """It is so already: a timer that runs is started, a window that is closed is closed."""


def rule(book: Book, wish: Wish, present: Present) -> Ruling | NothingToDo | Refusal:
    """What `wish` comes to in `book`. `NewGame` and an undo beyond a game's first decision are the table's own."""
    command = wish.command
    if isinstance(command, Command):
        return _play(book, wish, command, present)
    now = present.now
    match command:
        case wishes.CountWindow():
            return _count(book, command, present)
        case wishes.AnnounceCount():
            return _announce(book, when(wish, now), present)
        case wishes.CloseWindow():
            return _close(book, command, when(wish, now), present)
        case wishes.Undo():
            return _undo(book, command, now)
        case wishes.Redo():
            return _redo(book, command)
        case wishes.Replace(number, other):
            return _replace(book, command, number, other, present)
        case wishes.SetTimer(running):
            return _set_timer(book, command, now, running=running)
        case wishes.SetStopped(stopped):
            return _set_stopped(book, command, now, stopped=stopped)
        case wishes.SetUp():
            return _set_up(book, command, present)
        case wishes.NewGame():
            return Refusal("game_not_over") if not isinstance(book.state.phase, Over) else Ruling(command)
        case wishes.Suggest():
            return _suggest(book, command)
        case wishes.Answer():
            return _answer(book, wish, command, present)
        case wishes.SetSide(gives):
            return NothingToDo() if gives == book.side_gives else Ruling(command, (), (ev.SideSet(gives),))
        case wishes.Sign():
            return _sign(book, command)
        case wishes.Start():
            return Refusal("not_for_a_person")
        case _:
            assert_never(command)


def when(wish: Wish, now: int) -> int:
    """When the key or the screen of `wish` was pressed: the board's stamp as it is, a tap within the last 250 ms."""
    if wish.at is None:
        return now
    if wish.origin == "board":
        return min(wish.at, now)
    return max(now - TAP_BELIEVED_NS, min(wish.at, now))


# --- decisions of the game


def _play(book: Book, wish: Wish, command: Command, present: Present) -> Ruling | Refusal:
    now = present.now
    if isinstance(command, OpenWindow):
        if book.stopped:
            return Refusal("stopped", not_now=True)
        command = OpenWindow(when(wish, now))
        now = command.at
    ahead = _announcement(book, now, present) if isinstance(command, ANNOUNCED_BY) else ()
    played = book.history.play(command, ahead)
    if isinstance(played, Refusal):
        return played
    assert played.last is not None
    events = played.last.events
    table: list[TableEvent] = [ev.Played(ahead), *_hands_events(book, played.state, events, now)]
    table += _phase_timer(book, played.state, events, present.now)
    return Ruling(command, events, tuple(table))


def _hands_events(book: Book, state: State, events: tuple[Event, ...], at: int) -> Iterable[TableEvent]:
    """From when on hands are gathered, and the times of a window that has opened at `at`."""
    since = book.since
    unsaid = book.state.ballot is not None and book.state.ballot.unsaid is not None
    for event in events:
        match event:
            case ge.BallotOpened() | ge.WindowVoided():
                since = at
            case ge.HandsCounted(count) if not count.by_sensors or (count.announced is not None and unsaid):
                since = at
            case ge.WindowOpened(candidate, opened):
                assert state.ballot is not None
                closes = opened + state.rules.window * MICROSECOND
                yield ev.WindowTimed(state.ballot.number, candidate, since, opened, closes)
            case _:
                pass
    if since != book.since:
        yield ev.Gathering(since)


def _phase_timer(book: Book, state: State, events: tuple[Event, ...], now: int) -> Iterable[TableEvent]:
    """The timer of a phase that has begun; in a technical stop it waits for the end of that."""
    if not any(isinstance(event, ge.PhaseBegan) for event in events):
        return
    timer = timer_of(state, book.revision + 1, now)
    if timer is not None and book.stopped:
        timer = timer.paused(now)
    if timer is not None or book.timer is not None:
        yield ev.TimerSet(timer)
    if book.stopped:
        yield ev.StopSet(stopped=True, resumes=timer is not None)


def _announcement(book: Book, at: int, present: Present) -> tuple[Command, ...]:
    """The completed evidence of the last window, as a command; nothing where it is complete or no sensor counted."""
    ballot = book.state.ballot
    if ballot is None or ballot.is_open or not ballot.counts:
        return ()
    count = ballot.counts[-1]
    times = book.counted_times(count.candidate)
    if not count.by_sensors or times is None or times.boot != present.boot:
        return ()
    seen = present.touches(times.boot, ballot.voters, times.since, times.opened)
    if count.announced is not None:
        # It was said before; the hands that still lay there have left since, or have not.
        left = tuple(with_leaving(touch, seen) for touch in count.touches)
        return () if left == count.touches else (Announce(count.candidate, left, count.announced),)
    announced = (at - times.opened) // MICROSECOND
    return (Announce(count.candidate, completed(count, seen), max(count.closed, announced)),)


def with_leaving(touch: Touch, seen: Iterable[Touch]) -> Touch:
    """`touch` with the moment when its hand left, if that has been seen since."""
    same = (one for one in seen if (one.seat, one.down) == (touch.seat, touch.down))
    return touch if touch.up is not None else next(same, touch)


def of_the_window(book: Book, seen: Iterable[Touch], times: WindowTimes) -> tuple[Touch, ...]:
    """`seen` without the hands that were there for the candidate before and left before this window was opened: they
    stand in that one's evidence."""
    ballot = book.state.ballot
    before = None if ballot is None or not ballot.counts else book.counted_times(ballot.counts[-1].candidate)
    if ballot is None or before is None or before.boot != times.boot:
        return tuple(seen)
    later = (times.opened - before.opened) // MICROSECOND
    known = {(touch.seat, touch.down - later + off) for touch in ballot.counts[-1].touches for off in (-1, 0, 1)}
    return tuple(one for one in seen if one.up is None or one.up >= 0 or (one.seat, one.down) not in known)


def _announce(book: Book, at: int, present: Present) -> Ruling | Refusal:
    """The judge says the count aloud: a decision of its own, which an undo takes back."""
    ballot = book.state.ballot
    count = None if ballot is None else ballot.unsaid
    if count is None:
        return Refusal("nothing_to_announce", not_now=True)
    # A count from before the machine was started anew has no times any more: its evidence ends with the window.
    seen = _announcement(book, at, present) or (Announce(count.candidate, count.touches, count.closed),)
    command = seen[0]
    played = book.history.play(command)
    if isinstance(played, Refusal):
        return played
    assert played.last is not None
    events = played.last.events
    return Ruling(command, events, (ev.Played(), *_hands_events(book, played.state, events, at)))


def completed(count: Count, touches: Iterable[Touch]) -> tuple[Touch, ...]:
    """The touches of `count` as they were seen to its announcement. A hand inside the window that was not heard of
    before the count stays out of it: the count has been shown."""
    seen = {(touch.seat, touch.down): touch for touch in touches}
    known = [seen.pop((touch.seat, touch.down), touch) for touch in count.touches]
    return (*known, *(touch for touch in seen.values() if touch.down > count.closed))


# --- the vote window


def _open_window(book: Book) -> tuple[Ballot, WindowTimes] | Refusal:
    ballot = book.state.ballot
    if ballot is None or ballot.opened is None or ballot.due is None:
        return Refusal("no_window")
    times = book.open_times()
    if times is None:
        # A decision was replaced and the window with it: it has no evidence of its own.
        closes = ballot.opened + book.state.rules.window * MICROSECOND
        times = WindowTimes(ballot.number, ballot.due, ballot.opened, ballot.opened, closes, "")
    return ballot, times


def _count(book: Book, command: wishes.CountWindow, present: Present) -> Ruling | Refusal:
    found = _open_window(book)
    if isinstance(found, Refusal):
        return found
    ballot, times = found
    assert ballot.due is not None
    if command.opened not in (None, times.opened):
        return Refusal("no_window")
    if times.boot == present.boot and present.now < times.closes:
        return Refusal("window_open", not_now=True)
    counted = CountHands(
        ballot.due,
        of_the_window(book, present.touches(times.boot, ballot.voters, times.since, times.opened), times),
        (times.closes - times.opened) // MICROSECOND,
        flagged=present.flagged or command.opened is None,
    )
    events = decide(book.state, counted)
    if isinstance(events, Refusal):
        return events
    last = book.history.last
    own = last is not None and isinstance(last.command, OpenWindow)
    seats, lying = present.doubted(times.boot, ballot.voters, times.since, times.opened)
    doubted = (ev.SensorsDoubted(seats, lying),) if seats or lying else ()
    return Ruling(counted, events, (ev.Followed() if own else ev.Played(), *doubted))


def _close(book: Book, command: TableCommand, at: int, present: Present) -> Ruling | NothingToDo | Refusal:
    found = _open_window(book)
    if isinstance(found, Refusal):
        ballot = book.state.ballot
        # The window closed by itself while the finger was on its way.
        return NothingToDo() if ballot is not None and ballot.counts else found
    _, times = found
    if times.boot == present.boot and at < times.opened:
        return Refusal("before_opening", {"candidate": times.candidate}, not_now=True)
    if times.boot != present.boot or at >= times.closes:
        return NothingToDo()
    return Ruling(command, (), (ev.WindowTimed(times.ballot, times.candidate, times.since, times.opened, at),))


# --- undo, redo, replace


def _restored(book: Book, clock: Timer | None) -> list[TableEvent]:
    """The timer of the moment that is restored, standing still; one that ran through all of it runs on."""
    present = book.timer
    if (None if clock is None else clock.id) == (None if present is None else present.id):
        return []
    stop: list[TableEvent] = [ev.StopSet(stopped=True, resumes=False)] if book.stopped else []
    return [ev.TimerSet(clock), *stop]


def _undo(book: Book, command: TableCommand, now: int) -> Ruling | Refusal:
    last = book.history.last
    if last is None:
        return Refusal("nothing_to_undo")
    gathering: list[TableEvent] = []
    if any(isinstance(event, ge.WindowOpened | ge.HandsCounted | ge.WindowVoided) for event in last.events):
        gathering = [ev.Gathering(now)]  # hands of the window that is taken back are no early hands of its repetition
    return Ruling(command, (), (ev.Undone(), *_restored(book, book.clocks[-1]), *gathering))


def _redo(book: Book, command: TableCommand) -> Ruling | Refusal:
    if not book.history.undone:
        return Refusal("nothing_to_redo")
    return Ruling(command, (), (ev.Redone(), *_restored(book, book.undone_clocks[-1])))


def _replace(book: Book, command: TableCommand, number: int, other: Command, present: Present) -> Ruling | Refusal:
    replaced = book.history.replace(number, other)
    if isinstance(replaced, Refusal):
        return replaced
    plays = tuple(
        ev.Play(decision.ahead, decision.command, decision.then, decision.events)
        for decision in replaced
        if decision.number >= number
    )
    return Ruling(command, (), (ev.Replaced(number, plays), *_timer_after_replacing(book, replaced, present.now)))


def _timer_after_replacing(book: Book, replaced: History, now: int) -> list[TableEvent]:
    old, new = book.state, replaced.state
    if (old.phase, old.at) == (new.phase, new.at):
        return []
    timer = timer_of(new, book.revision + 1, now)
    return [ev.TimerSet(None if timer is None else timer.paused(now))]


# --- the table's own


def _set_timer(book: Book, command: TableCommand, now: int, *, running: bool) -> Ruling | NothingToDo | Refusal:
    timer = book.timer
    if timer is None:
        return Refusal("no_timer", not_now=True)
    if book.stopped:
        return Refusal("stopped", not_now=True)
    if timer.running == running:
        return NothingToDo()
    if running and timer.left_at(now) == 0:
        return Refusal("timer_is_over")
    return Ruling(command, (), (ev.TimerSet(timer.started(now) if running else timer.paused(now)),))


def _set_stopped(book: Book, command: TableCommand, now: int, *, stopped: bool) -> Ruling | NothingToDo | Refusal:
    if book.stopped == stopped:
        return NothingToDo()
    ballot, timer = book.state.ballot, book.timer
    if ballot is not None and ballot.is_open:
        return Refusal("window_open", not_now=True)
    table: list[TableEvent] = []
    resumes = False
    if timer is not None and stopped:
        resumes = timer.running
        table.append(ev.TimerSet(timer.paused(now)))
    elif timer is not None and book.resumes:
        table.append(ev.TimerSet(timer.started(now)))
    return Ruling(command, (), (*table, ev.StopSet(stopped, resumes)))


def _set_up(book: Book, command: wishes.SetUp, present: Present) -> Ruling | Refusal:
    """The head and the names; a slip in them is put right at any time, the rules are chosen before the first card."""
    header, names = command.header, command.names
    try:
        rules, _ = rules_of(header, present.rulesets), points_of(header)
    except NoSuchTerms as wrong:
        return wrong.refusal
    except Refused as refused:
        return refused.refusal
    if not rules.fewest <= len(names) <= rules.most:
        return Refusal("wrong_number_of_names", {"names": len(names), "seats": rules.fewest})
    if is_another_game(book, header, names) and (book.history.last is not None or book.history.undone):
        return Refusal("cards_are_dealt")
    return Ruling(command, (), (ev.RosterSet(header, names),))


# --- the side judge, the signature


def _suggest(book: Book, command: wishes.Suggest) -> Ruling | Refusal:
    if not 1 <= command.seat <= len(book.state.seats):
        return Refusal("no_such_seat", {"seat": command.seat, "seats": len(book.state.seats)})
    if command.what == "note" and not command.text.strip():
        return Refusal("note_is_empty", {"seat": command.seat})
    if len(book.suggestions) >= MOST_SUGGESTIONS:
        return Refusal("too_many_suggestions", {"most": MOST_SUGGESTIONS})
    return Ruling(command, (), (ev.Suggested(command.seat, command.what, command.clause, command.text.strip()),))


def _answer(book: Book, wish: Wish, command: wishes.Answer, present: Present) -> Ruling | Refusal:
    asked = next((one for one in book.suggestions if one.number == command.suggestion), None)
    if asked is None:
        return Refusal("suggestion_answered")
    answered = ev.SuggestionAnswered(asked.number, command.taken)
    if not command.taken or asked.what == "note":
        return Ruling(command, (), (answered,))
    play: Command = Foul(asked.seat, asked.clause) if asked.what == "foul" else Warn(asked.seat, asked.clause)
    ruled = _play(book, wish, play, present)
    if isinstance(ruled, Refusal):
        return ruled
    return Ruling(command, ruled.events, (answered, ev.Took(play), *ruled.table))


def _sign(book: Book, command: wishes.Sign) -> Ruling | NothingToDo | Refusal:
    if not isinstance(book.state.phase, Over):
        return Refusal("game_not_over")
    return NothingToDo() if book.signed is not None else Ruling(command, (), (ev.Signed(book.header.judge),))


def came_up(book: Book, row_boot: str, last_seen: int, boot: str) -> Ruling:
    """The service came up again with `book`: a clock that ran stands still with what was left when the service was
    last seen alive, at `last_seen` of the boot `row_boot`; now it is `boot`."""
    table: list[TableEvent] = [ev.Restarted(new_boot=row_boot != boot)]
    if book.timer is not None and book.timer.running:
        table.append(ev.TimerSet(book.timer.paused(last_seen)))
    return Ruling(wishes.Start(), (), tuple(table))
