"""One statement of a record: what a line of the game says, read without knowing where the game is.

How a statement is played is in `play.py`. Three words are our own, for what a live table does and the notation does
not say: `void C` (the window for C is void, it is repeated), `next [COUNT]` (the judge's step, where its place matters)
and `technical S light|heavy` (a technical foul, where a tournament has them).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from controller.catalogue import nearest
from controller.game import commands as cmd
from controller.game.ballot import RAISE, Offence, Touch
from controller.game.commands import Command
from controller.game.moment import Moment
from controller.game.refusal import refuse
from controller.game.roles import Role
from controller.record.lines import SEAT, microseconds, seat_number, seat_numbers
from controller.record.positions import position_of
from controller.scoring.decimals import points


class Where(Enum):
    """Where the engine may move by itself to take a statement."""

    HERE = "here"
    """Nowhere: it is taken at the present step."""
    ONWARD = "onward"
    """To a later step of the same night or day."""
    PAST_DAWN = "past_dawn"
    """The same, and from the night to its victims' last words, which are said in the morning."""
    AFTERWARDS = "afterwards"
    """To the end of a game that is decided."""


@dataclass(frozen=True, slots=True)
class Play:
    """A command of the judge."""

    command: Command
    where: Where = Where.ONWARD


@dataclass(frozen=True, slots=True)
class Answer:
    """The judge's answer to the first waiting proposal of this kind for `seat`.

    `where` tells two apart, as only a program writes it: the ballot's number in the game and the candidate, `3.7`.
    """

    seat: int
    what: Offence
    given: bool
    where: str | None = None


@dataclass(frozen=True, slots=True)
class Void:
    """The window for `candidate` is void."""

    candidate: int


@dataclass(frozen=True, slots=True)
class Reach:
    """The game must have reached this night or day."""

    at: Moment


@dataclass(frozen=True, slots=True)
class Steps:
    """The judge pressed Next so many times."""

    count: int


@dataclass(frozen=True, slots=True)
class End:
    """The present night or day is played out."""


@dataclass(frozen=True, slots=True)
class Undo:
    """The statement before is taken back."""


Statement: TypeAlias = Play | Answer | Void | Reach | Steps | End | Undo


class Words(NamedTuple):
    """A statement in words: those before its colon after the keyword, those behind it, and how many seats there are."""

    head: tuple[str, ...]
    tail: tuple[str, ...]
    seats: int
    window: int
    rest: str = ""
    """All behind the colon as it was written."""

    def seat(self, index: int = 0) -> int:
        """The seat among the words before the colon."""
        return seat_number(self.head[index], self.seats)

    @property
    def clause(self) -> str | None:
        """What follows the seat: the clause as the text has it."""
        return " ".join(self.head[1:]) or None

    @property
    def listed(self) -> tuple[int, ...]:
        """The seats behind the colon."""
        return seat_numbers(self.tail, self.seats)

    def question(self, word: str) -> int:
        """A candidate, or the raise question."""
        return RAISE if word.casefold() == "raise" else seat_number(word, self.seats)


NONE = "-"


def _one(words: Words) -> int | None:
    """One seat behind the colon, or `-`."""
    if words.tail == (NONE,):
        return None
    return words.listed[0]


def _moment(*, day: bool) -> Callable[[Words], Statement]:
    def read(words: Words) -> Statement:
        word = words.head[0]
        if not SEAT.fullmatch(word):
            raise refuse("number_expected", word=word)
        return Reach(Moment(day, int(word)))

    return read


def _technical(words: Words) -> Statement:
    weight = words.head[1].casefold()
    if weight not in ("light", "heavy"):
        raise refuse("word_unknown", word=words.head[1], nearest=nearest(weight, ("light", "heavy")))
    clause = " ".join(words.head[2:]) or None
    return Play(cmd.TechnicalFoul(words.seat(), weight == "heavy", clause), Where.HERE)


def _vote(words: Words) -> Statement:
    return Play(cmd.CountVote(words.seat(), words.listed))


def _raise(words: Words) -> Statement:
    return Play(cmd.CountVote(RAISE, words.listed))


def _hands(words: Words) -> Statement:
    closed, announced, flagged = words.window, None, False
    rest = list(words.head[1:])
    while rest:
        word = rest.pop(0)
        if word.startswith("+") and len(word) > 1:
            closed = microseconds(word)
        elif word.casefold() == "counted" and rest:
            announced = microseconds(rest.pop(0))
        elif word.casefold() == "flagged":
            flagged = True
        else:
            raise refuse("word_unknown", word=word, nearest=nearest(word, ("counted", "flagged")))
    if closed < 0 or (announced is not None and announced < closed):
        raise refuse("counted_before_close")
    touches = tuple(_touch(word, words.seats) for word in words.tail)
    return Play(cmd.CountHands(words.question(words.head[0]), touches, closed, announced, flagged))


def _touch(word: str, seats: int) -> Touch:
    seat, at, times = word.partition("@")
    if not at:
        raise refuse("hand_expected", word=word)
    down, dots, up = times.partition("..")
    number = seat_number(seat, seats)
    return Touch(number, microseconds(down), microseconds(up) if dots else None)


def _rule(words: Words) -> Statement:
    answer = words.tail[1].casefold()
    if answer not in ("yes", "no"):
        raise refuse("yes_or_no", word=words.tail[1])
    candidate = words.question(words.head[0])
    return Play(cmd.RuleHand(candidate, seat_number(words.tail[0], words.seats), answer == "yes"))


def _answer(*, given: bool) -> Callable[[Words], Statement]:
    def read(words: Words) -> Statement:
        word = words.head[1].casefold()
        try:
            what = Offence(word)
        except ValueError:
            raise refuse("offence_unknown", word=word, nearest=nearest(word, Offence)) from None
        return Answer(words.seat(), what, given, words.head[2] if len(words.head) > 2 else None)

    return read


def _shot(words: Words) -> Statement:
    if len(words.tail) == 1 and ">" not in words.tail[0]:
        if words.tail[0].casefold() == "miss":
            return Play(cmd.Shoot(missed=True))
        return Play(cmd.Shoot(everybody_at=words.listed[0]))
    shots: list[tuple[int, tuple[int, ...]]] = []
    for word in words.tail:
        shooter, targets = _aimed(word, words.seats)
        shots.append((shooter, targets))
    return Play(cmd.Shoot(tuple(shots)))


def _aimed(word: str, seats: int) -> tuple[int, tuple[int, ...]]:
    shooter, arrow, targets = word.partition(">")
    if not arrow:
        raise refuse("shot_expected", word=word)
    aimed = () if targets == NONE else seat_numbers(targets.split("+"), seats)
    return seat_number(shooter, seats), aimed


def _kill(words: Words) -> Statement:
    if len(words.tail) == 1 and ">" not in words.tail[0]:
        return Play(cmd.Kill(together=_one(words)))
    choices: list[tuple[int, int]] = []
    for word in words.tail:
        shooter, targets = _aimed(word, words.seats)
        if len(targets) > 1:
            raise refuse("shot_expected", word=word)
        choices += [(shooter, target) for target in targets]
    return Play(cmd.Kill(choices=tuple(choices)))


def _check(role: Role) -> Callable[[Words], Statement]:
    return lambda words: Play(cmd.Check(role, _one(words)))


def _act(role: Role) -> Callable[[Words], Statement]:
    def read(words: Words) -> Statement:
        return Play(cmd.Act(role, () if words.tail == (NONE,) else words.listed))

    return read


def _best(words: Words) -> Statement:
    numbers = () if words.tail == (NONE,) else words.listed
    return Play(cmd.BestMove(words.seat(), numbers), Where.PAST_DAWN)


def _will(words: Words) -> Statement:
    if words.tail[0].casefold() == "forgotten":
        return Play(cmd.Will(words.seat(), forgotten=True), Where.PAST_DAWN)
    return Play(cmd.Will(words.seat(), _one(words)), Where.PAST_DAWN)


def _award(words: Words) -> Statement:
    approved = len(words.head) == 3
    if approved and words.head[2].casefold() != "approved":
        raise refuse("word_unknown", word=words.head[2], nearest="approved")
    return Play(cmd.Award(words.seat(), points(words.head[1]), approved), Where.AFTERWARDS)


def _penalty(words: Words) -> Statement:
    clause = " ".join(words.head[2:]) or None
    return Play(cmd.Penalise(words.seat(), points(words.head[1]), clause), Where.AFTERWARDS)


def _position(words: Words) -> Statement:
    return Play(cmd.SetPosition(position_of(words.tail, words.seats)), Where.HERE)


def _steps(words: Words) -> Statement:
    word = words.head[0] if words.head else "1"
    if not SEAT.fullmatch(word) or int(word) == 0:
        raise refuse("number_expected", word=word)
    return Steps(int(word))


MANY = 99


@dataclass(frozen=True, slots=True)
class Form:
    """How a statement is written: how many words stand before its colon and behind it, and how it is read."""

    usage: str
    read: Callable[[Words], Statement]
    head: tuple[int, int]
    tail: tuple[int, int] | None = None
    """None: the statement has no colon."""


FORMS: Mapping[str, Form] = MappingProxyType(
    {
        "night": Form("night N", _moment(day=False), (1, 1)),
        "day": Form("day N", _moment(day=True), (1, 1)),
        "foul": Form("foul S [CLAUSE]", lambda w: Play(cmd.Foul(w.seat(), w.clause), Where.HERE), (1, MANY)),
        "technical": Form("technical S light|heavy [CLAUSE]", _technical, (2, MANY)),
        "warn": Form("warn S [CLAUSE]", lambda w: Play(cmd.Warn(w.seat(), w.clause), Where.HERE), (1, MANY)),
        "remove": Form("remove S [CLAUSE]", lambda w: Play(cmd.Remove(w.seat(), w.clause), Where.HERE), (1, MANY)),
        "defeat": Form("defeat S CLAUSE", lambda w: Play(cmd.Defeat(w.seat(), w.clause), Where.HERE), (1, MANY)),
        "vote": Form("vote C: S S S", _vote, (1, 1), (0, MANY)),
        "hands": Form("hands C [+CLOSED] [counted AT]: S@DOWN..UP", _hands, (1, 5), (0, 4 * MANY)),
        "rule": Form("rule C: S yes|no", _rule, (1, 1), (2, 2)),
        "give": Form("give S WHAT", _answer(given=True), (2, 3)),
        "waive": Form("waive S WHAT", _answer(given=False), (2, 3)),
        "position": Form("position: KEY=VALUE", _position, (0, 0), (1, MANY)),
        "raise": Form("raise: S S S", _raise, (0, 0), (0, MANY)),
        "shot": Form("shot: C | miss | S>C S>C S>C", _shot, (0, 0), (1, MANY)),
        "don": Form("don: C | -", _check(Role.DON), (0, 0), (1, 1)),
        "sheriff": Form("sheriff: C | -", _check(Role.SHERIFF), (0, 0), (1, 1)),
        "check": Form("check: C | -", _check(Role.SHERIFF), (0, 0), (1, 1)),
        "kill": Form("kill: C | - | S>C S>C", _kill, (0, 0), (1, MANY)),
        "maniac": Form("maniac: C | -", _act(Role.MANIAC), (0, 0), (1, 1)),
        "beauty": Form("beauty: C | -", _act(Role.BEAUTY), (0, 0), (1, 1)),
        "doctor": Form("doctor: C | -", _act(Role.DOCTOR), (0, 0), (1, 1)),
        "bomber": Form("bomber: C C | -", _act(Role.BOMBER), (0, 0), (1, 2)),
        "avenger": Form("avenger: C | -", _act(Role.AVENGER), (0, 0), (1, 1)),
        "best": Form("best S: A B C | -", _best, (1, 1), (1, MANY)),
        "will": Form("will S: A | - | forgotten", _will, (1, 1), (1, 1)),
        "award": Form("award S POINTS [approved]", _award, (2, 3)),
        "penalty": Form("penalty S -POINTS [CLAUSE]", _penalty, (2, MANY)),
        "protest": Form(
            "protest S: TEXT", lambda w: Play(cmd.Protest(w.seat(), w.rest), Where.AFTERWARDS), (1, 1), (1, 10 * MANY)
        ),
        "end": Form("end", lambda _: End(), (0, 0)),
        "annul": Form("annul", lambda _: Play(cmd.Annul(), Where.HERE), (0, 0)),
        "undo": Form("undo", lambda _: Undo(), (0, 0)),
        "void": Form("void C", lambda w: Void(w.question(w.head[0])), (1, 1)),
        "next": Form("next [COUNT]", _steps, (0, 1)),
    }
)
"""Every word a statement can begin with; the two that begin with a seat are read beside them."""
AFTER_A_SEAT = ("nominates", "withdraws")


@lru_cache(maxsize=4096)  # the lines of a tournament's records are the same ones over and over
def read_statement(text: str, *, seats: int, window: int) -> Statement:
    """What the line `text` says, at a table of `seats` with a vote window of `window` microseconds. Raises Refused."""
    before, colon, behind = text.partition(":")
    words = before.split()
    if not words:
        raise refuse("word_unknown", word=text, nearest="")
    if SEAT.fullmatch(words[0]):
        return _after_a_seat(text.split(), seats)
    keyword = words[0].casefold()
    form = FORMS.get(keyword)
    if form is None:
        raise refuse("word_unknown", word=words[0], nearest=nearest(keyword, (*FORMS, *AFTER_A_SEAT)))
    if form.tail is None:
        said = Words(tuple(text.split()[1:]), (), seats, window)
        fits = len(words) > 1 or not colon
    else:
        said = Words(tuple(words[1:]), tuple(behind.split()), seats, window, behind.strip())
        fits = bool(colon) and form.tail[0] <= len(said.tail) <= form.tail[1]
    if not fits or not form.head[0] <= len(said.head) <= form.head[1]:
        raise refuse("statement_form", usage=form.usage)
    return form.read(said)


def _after_a_seat(words: Sequence[str], seats: int) -> Statement:
    verb = words[1].casefold() if len(words) > 1 else ""
    if verb == "nominates":
        if len(words) != 3:
            raise refuse("statement_form", usage="S nominates C")
        return Play(cmd.Nominate(seat_number(words[0], seats), seat_number(words[2], seats)))
    if verb == "withdraws":
        if len(words) != 2:
            raise refuse("statement_form", usage="S withdraws")
        return Play(cmd.Withdraw(seat_number(words[0], seats)))
    known = (*AFTER_A_SEAT, *FORMS)
    raise refuse("word_unknown", word=words[1] if len(words) > 1 else words[0], nearest=nearest(verb, known))
