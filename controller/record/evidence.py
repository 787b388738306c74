"""The evidence of a vote window: every touch on the table's clock, what each hand was read as, what the judge ruled.

One value a window; a drawing (SVG that needs nothing else) and the value as JSON for a replay are made from it. It
decides nothing: votes, rulings and proposals are the game's own.
"""

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape

from controller.catalogue import sentence
from controller.game.ballot import RAISE, Ballot, Count, Proposal, Touch, Votes
from controller.game.moment import Moment
from controller.game.state import BallotRow, State
from controller.game.window import read_hand
from controller.record.headers import Headers
from controller.record.lines import RecordFault
from controller.record.replay import REFUSED, fault_line, read_file

NO_WINDOWS: Final = 1
_PER_MS: Final = 1000


@dataclass(frozen=True, slots=True)
class Foul:
    """What the window proposed of this hand, and the judge's answer; None while it waits."""

    what: str
    clause: str
    given: bool | None


@dataclass(frozen=True, slots=True)
class Lane:
    """One seat in one window. Times are milliseconds from the opening."""

    seat: int
    touches: tuple[tuple[float, float | None], ...]
    verdict: str
    """"counted", "ruled_yes", "ruled_no", "late", "gone_before", "given_before", "assigned", "not_counted", "none",
    "no_vote" (the seat does not vote), "void" (the window's hands are not in any count)."""
    at: float | None = None
    """When the hand that counts came down."""
    other: int | None = None
    """Of "given_before": whom the hand was against; 0 for the raise question."""
    fouls: tuple[Foul, ...] = ()


@dataclass(frozen=True, slots=True)
class RawEdge:
    """One edge as its device told it. Times are milliseconds from the opening; `error` bounds how far `at` can be off.
    `key` is the hand's, or "started" where the device was heard for the first time in its life `life`."""

    source: str
    life: int
    seq: int
    key: str
    down: bool
    at: float
    error: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """One window. Times are milliseconds from the opening."""

    ballot: int
    kind: str
    day: bool
    round: int
    candidate: int
    """0: the raise question."""
    closed: float
    announced: float | None
    tolerance: float
    """A hand that came down longer before the opening is an early one."""
    flagged: bool
    total: int
    lanes: tuple[Lane, ...]
    number: int = 0
    """The window's own within the game, from 1; 0: a record does not say."""
    fate: str = "counted"
    """"counted"; "voided" (to be repeated), "taken_back" (by an undo) or "open": those are in no count."""
    wall: str = ""
    """The wall's date and time of the opening, as it was noted."""
    opened_by: str = ""
    closed_by: str = ""
    counted_by: str = ""
    """Who asked: "judge", "board", "timer"; empty: nobody, or a record does not say."""
    edges: tuple[RawEdge, ...] = ()


def evidence(state: State, ballot: int | None = None) -> tuple[Evidence, ...]:
    """Every window of the game that sensors saw, in order; `ballot` names the one to be had."""
    held: list[tuple[BallotRow | Ballot, Moment]] = [(row, row.at) for row in state.ballots]
    if state.ballot is not None:
        held.append((state.ballot, state.at))
    return tuple(
        _window(state, row, at, index)
        for row, at in held
        if ballot is None or row.number == ballot
        for index, count in enumerate(row.counts)
        if count.by_sensors
    )


def _window(state: State, row: BallotRow | Ballot, at: Moment, index: int) -> Evidence:
    count, votes = row.counts[index], row.votes[index]
    given = {seat: before.candidate for before in row.votes[:index] for seat in before.hands}
    lanes = tuple(_lane(state, row, count, votes, given, seat.number) for seat in state.seats)
    return Evidence(
        ballot=row.number,
        kind=row.kind.value,
        day=at.day,
        round=at.number,
        candidate=count.candidate,
        closed=count.closed / _PER_MS,
        announced=None if count.announced is None else count.announced / _PER_MS,
        tolerance=state.rules.early_tolerance / _PER_MS,
        flagged=count.flagged,
        total=votes.total,
        lanes=lanes,
    )


def _lane(state: State, row: BallotRow | Ballot, count: Count, votes: Votes, given: dict[int, int], seat: int) -> Lane:
    touches = [touch for touch in count.touches if touch.seat == seat]
    touches.sort(key=lambda touch: touch.down)
    hand = read_hand(state.rules, seat, touches, count)
    vote = None if hand is None or hand.vote is None else hand.vote / _PER_MS
    ruled = next((r.counts for r in reversed(row.rulings) if (r.candidate, r.seat) == (count.candidate, seat)), None)
    own = f"{row.number}.{count.candidate}.{seat}."
    lane = Lane(seat, tuple(_times(touch) for touch in touches), "none", fouls=_fouls(state.proposals, own))

    def read(verdict: str, at: float | None = None, other: int | None = None) -> Lane:
        return Lane(seat, lane.touches, verdict, at, other, lane.fouls)

    if seat not in row.voters:
        return read("no_vote")
    if ruled is not None:
        return read("ruled_yes" if ruled else "ruled_no", vote if ruled else None)
    if seat in votes.hands:
        return read("counted", vote)
    if seat in votes.assigned:
        return read("assigned")
    if hand is None:
        return lane
    if seat in votes.late:
        return read("late")
    if seat in given:
        return read("given_before", other=given[seat])
    return read("gone_before" if vote is None else "not_counted")


def _times(touch: Touch) -> tuple[float, float | None]:
    return touch.down / _PER_MS, None if touch.up is None else touch.up / _PER_MS


def _fouls(proposals: Iterable[Proposal], own: str) -> tuple[Foul, ...]:
    return tuple(Foul(row.what.value, row.clause, row.given) for row in proposals if row.id.startswith(own))


def as_json(window: Evidence) -> dict[str, Any]:
    """The window as a JSON object, for a replay."""
    return asdict(window)


# --- the drawing

_WIDTH, _LEFT, _RIGHT = 1400, 250, 420
_TOP, _LANE = 150, 50
_INK, _MUTE, _PALE, _WARN, _GOOD = "#14181e", "#5b6470", "#e9ecf0", "#a3480b", "#0b6b62"
_KNOWN: Final = frozenset({"judge", "board"})
_COUNTS: Final = frozenset({"counted", "ruled_yes"})
_AMISS: Final = frozenset({"late", "ruled_no", "gone_before", "not_counted"})


def svg(window: Evidence, names: Iterable[str], language: str, title: str = "") -> str:
    """The window drawn: a lane for every seat, its verdict in words. `names` are the players', seat 1 first."""
    return _Drawing(window, tuple(names), language, title).text()


class _Drawing:
    """One drawing on white paper, legible without colour."""

    def __init__(self, window: Evidence, names: tuple[str, ...], language: str, title: str) -> None:
        self._w = window
        self._names = names
        self._language = language
        self._title = title
        times = [at for lane in window.lanes for touch in lane.touches for at in touch if at is not None]
        last = max(window.closed, window.announced or 0)
        self._start = max(min([-window.tolerance - 200, *(at - 150 for at in times)]), -3000)
        self._end = min(max([last + 500, *(at + 150 for at in times)]), last + 2000)
        self._height = _TOP + _LANE * len(window.lanes) + 56
        self._parts: list[str] = []

    def text(self) -> str:
        """The whole file."""
        window, bottom = self._w, self._height - 48
        self._put(f'<rect width="{_WIDTH}" height="{self._height}" fill="#fff"/>')
        self._say(24, 38, self._heading(), 26, weight=700)
        self._say(24, 66, self._title, 17, _MUTE)
        if window.number:
            self._say(24, 92, self._who(), 15, _MUTE)
        if window.fate != "counted":
            self._say(_WIDTH - 24, 66, self._word(f"fate_{window.fate}"), 20, _WARN, weight=700, anchor="end")
        if window.flagged:
            self._say(_WIDTH - 24, 92, self._word("flagged"), 18, _WARN, weight=700, anchor="end")
        opened, closed = self._x(0), self._x(window.closed)
        early = self._x(-window.tolerance)
        self._put(
            f'<rect x="{opened:.1f}" y="{_TOP}" width="{closed - opened:.1f}" height="{bottom - _TOP}" fill="{_PALE}"/>'
        )
        self._put(
            f'<rect x="{early:.1f}" y="{_TOP}" width="{opened - early:.1f}" height="{bottom - _TOP}" '
            f'fill="#f6f7f9" stroke="{_MUTE}" stroke-width="0.6" stroke-dasharray="2 4"/>'
        )
        for number, lane in enumerate(window.lanes):
            self._lane(lane, _TOP + number * _LANE)
        self._mark(0, self._word("opened"), _TOP - 10, bottom)
        self._mark(window.closed, f"{self._word('closed')} {self._time(window.closed)}", _TOP - 10, bottom)
        if window.announced is not None:
            self._mark(window.announced, self._word("announced"), _TOP - 32, bottom, dashed=True)
        self._say(early, bottom + 26, self._word("tolerance", time=self._time(-window.tolerance)), 14, _MUTE)
        self._say(_WIDTH - 24, bottom + 26, self._word("unit"), 14, _MUTE, anchor="end")
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {self._height}" width="{_WIDTH}" '
            f'height="{self._height}" font-family="Roboto Condensed, Arial Narrow, Liberation Sans Narrow, Arial, '
            f'sans-serif"><title>{escape(self._heading())}</title>\n' + "\n".join(self._parts) + "\n</svg>\n"
        )

    def _heading(self) -> str:
        window = self._w
        at = sentence(f"moment.{'day' if window.day else 'night'}", self._language, number=window.round)
        kind = "raise" if window.candidate == RAISE else window.kind
        kind = kind if window.fate == "counted" else f"uncounted_{kind}"
        name = self._name(window.candidate)
        return self._word(f"title_{kind}", at=at, seat=window.candidate, name=name, total=window.total)

    def _who(self) -> str:
        """Which window of the game it is, and who opened, closed and counted it."""
        window = self._w

        def by(who: str) -> str:
            return self._word(f"by_{who}") if who in _KNOWN else self._word("by_itself")

        parts = [self._word("number", number=window.number), self._word("who_opened", who=by(window.opened_by))]
        parts.append(self._word("who_closed", who=by(window.closed_by)))
        if window.counted_by:
            parts.append(self._word("who_counted", who=by(window.counted_by)))
        return ", ".join((*parts, window.wall[:19].replace("T", " ")))

    def _lane(self, lane: Lane, top: float) -> None:
        middle = top + _LANE / 2
        self._put(f'<line x1="24" x2="{_WIDTH - 24}" y1="{top + _LANE}" y2="{top + _LANE}" stroke="#c9ced6"/>')
        faint = lane.verdict == "no_vote"
        self._say(24, middle + 9, str(lane.seat), 26, _MUTE if faint else _INK, weight=700)
        self._say(66, middle + 6, _short(self._name(lane.seat)), 17, _MUTE if faint else _INK)
        solid = lane.verdict in _COUNTS
        labels: list[str] = []
        for down, up in lane.touches:
            left = self._x(down)
            right = self._x(self._end) if up is None else self._x(up)
            style = f'fill="{_INK}"' if solid else f'fill="#fff" stroke="{_INK}" stroke-width="1.5"'
            self._put(f'<rect x="{left:.1f}" y="{middle + 2}" width="{max(right - left, 2):.1f}" height="14" {style}/>')
            labels.append(self._time(down) + (" …" if up is None else f" … {self._time(up)}"))
        if labels:
            # A lane's times stand above its bars, together, so that they never cover each other.
            end = _WIDTH - _RIGHT
            at = min(max(self._x(lane.touches[0][0]), _LEFT), end - 7.2 * len("   ".join(labels)))
            self._say(max(at, _LEFT), middle - 5, "   ".join(labels), 14, _INK)
        lines = [self._verdict(lane), *(self._foul(foul) for foul in lane.fouls)]
        colour = _GOOD if solid else _WARN if lane.verdict in _AMISS else _MUTE
        step = 18 if len(lines) < 3 else 15
        first = middle + 6 - step * (len(lines) - 1) / 2
        for number, line in enumerate(lines):
            self._say(
                _WIDTH - _RIGHT + 20,
                first + step * number,
                line,
                (17, 15, 13)[min(len(lines), 3) - 1],
                _WARN if number else colour,
                weight=600 if solid or number == 0 else 400,
            )

    def _verdict(self, lane: Lane) -> str:
        code = f"verdict_{lane.verdict}"
        if lane.verdict == "given_before" and lane.other == RAISE:
            code = "verdict_given_raise"
        time = "" if lane.at is None else self._time(lane.at)
        return self._word(code, time=time, other=lane.other or 0)

    def _foul(self, foul: Foul) -> str:
        code = "foul_waits" if foul.given is None else "foul_given" if foul.given else "foul_waived"
        return self._word(code, what=foul.what, clause=foul.clause)

    def _mark(self, at: float, label: str, top: float, bottom: float, *, dashed: bool = False) -> None:
        x = self._x(at)
        dash = ' stroke-dasharray="6 5"' if dashed else ""
        self._put(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{bottom}" stroke="{_INK}" stroke-width="1.5"{dash}/>'
        )
        self._say(x + 5, top + 6, label, 14, _INK, weight=600)

    def _x(self, at: float) -> float:
        part = (min(max(at, self._start), self._end) - self._start) / (self._end - self._start)
        return _LEFT + part * (_WIDTH - _RIGHT - _LEFT)

    def _time(self, at: float) -> str:
        sign = "−" if at < 0 else "+"
        text = f"{sign}{abs(at) / 1000:.3f}"
        return text if self._language == "en" else text.replace(".", ",")

    def _name(self, seat: int) -> str:
        return self._names[seat - 1] if 0 < seat <= len(self._names) else ""

    def _word(self, key: str, **params: str | int) -> str:
        return sentence(f"evidence.{key}", self._language, **params)

    def _put(self, part: str) -> None:
        self._parts.append(part)

    def _say(
        self, x: float, y: float, text: str, size: int, fill: str = _INK, *, weight: int = 400, anchor: str = "start"
    ) -> None:
        if text:
            self._put(
                f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" fill="{fill}" '
                f'text-anchor="{anchor}" stroke="#fff" stroke-width="3" paint-order="stroke" '
                f'xml:space="preserve">{escape(text)}</text>'
            )


def _short(name: str, most: int = 21) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


# --- files


def title(headers: Headers, language: str) -> str:
    """One line that says which game it was."""
    game = sentence("replay.game", language, game=headers.game) if headers.game else ""
    table = sentence("replay.table", language, table=headers.table) if headers.table else ""
    judge = sentence("replay.judge", language, name=headers.judge) if headers.judge else ""
    return ", ".join(part for part in (headers.event, headers.stage, game, table, headers.date, judge) if part)


def write_evidence(
    state: State, headers: Headers, folder: Path, language: str, *, ballot: int | None = None
) -> list[Path]:
    """Lay a drawing of every window and `evidence.json` with all of them in `folder`. Return the drawings.

    Raises OSError where the folder cannot be written.
    """
    names = [sitter.name for sitter in headers.seats]
    return write_windows(evidence(state, ballot), names, folder, language, title(headers, language))


def file_name(window: Evidence) -> str:
    """What the drawing of a window is called."""
    against = "raise" if window.candidate == RAISE else str(window.candidate)
    own = f"window-{window.number}-" if window.number else ""
    return f"{own}ballot-{window.ballot}-{window.kind}-{against}.svg"


def write_windows(
    windows: Sequence[Evidence], names: Sequence[str], folder: Path, language: str, said: str
) -> list[Path]:
    """Lay a drawing of every window, with the line `said`, and `evidence.json` with all of them in `folder`.

    Return the drawings. Raises OSError where the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for window in windows:
        file = folder / file_name(window)
        file.write_text(svg(window, names, language, said), encoding="utf-8")
        written.append(file)
    if windows:
        values = json.dumps([as_json(window) for window in windows], ensure_ascii=False, indent=1)
        (folder / "evidence.json").write_text(values + "\n", encoding="utf-8")
    return written


def run_evidence(path: Path, out: Path, language: str, ballot: int | None = None) -> int:
    """`mafia-table evidence`: draws the windows of the record in `path` into `out` and names the files.

    Returns the exit status: 1 where no sensor saw a window, 2 where the record is refused or `out` is not writable.
    """
    try:
        reading = read_file(path)
    except RecordFault as fault:
        sys.stderr.write(fault_line(path, fault, language) + "\n")
        return REFUSED
    try:
        written = write_evidence(reading.game.state, reading.headers, out, language, ballot=ballot)
    except OSError as error:
        why = error.strerror or str(error)
        sys.stderr.write(sentence("evidence.unwritable", language, folder=str(out), why=why) + "\n")
        return REFUSED
    if not written:
        sys.stderr.write(sentence("evidence.no_windows", language, file=str(path)) + "\n")
        return NO_WINDOWS
    for file in written:
        sys.stdout.write(f"{file}\n")
    return 0
