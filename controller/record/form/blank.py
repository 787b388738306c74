"""The form before the game: head and names written in, the rest for the pen (fiim 9.2, 9.3; ukraine 9.2, 9.3)."""

from collections.abc import Sequence

from controller.game import RULESETS
from controller.game.roles import Role
from controller.game.rules import Penalty
from controller.record.form.fill import BY_LETTER, head_fields, signatures
from controller.record.form.nights import night_columns
from controller.record.form.value import BestMoveBox, DaySheet, Field, NightLine, ProtocolForm, Round, SeatRow
from controller.record.form.words import Words
from controller.record.headers import Headers

DAYS, MORE_DAYS = 6, 9
"""Days and nights that there are rows for: at a table of ten, and at a larger one."""
TEN = 10
CANDIDATES = 10


def blank_form(headers: Headers, language: str, *, names: Sequence[str] = (), seats: int = 0) -> ProtocolForm:
    """The empty form under the head of `headers`, whose own seats are not looked at: the cards are not dealt yet."""
    rules = RULESETS[headers.ruleset]
    words = Words(language, headers.ruleset)
    count = max(seats, len(names), rules.fewest)
    named = [*names, *[""] * (count - len(names))]
    columns = night_columns(words, rules)
    days = range(1, (DAYS if count <= TEN else MORE_DAYS) + 1)
    letters = BY_LETTER if rules.deck is not None else tuple(Role)
    return ProtocolForm(
        language=language,
        title=words.say("title"),
        subtitle=words.ruleset_name(headers.scoring),
        blank=True,
        words=words.labels(),
        head=head_fields(words, headers),
        legend=words.legend(letters),
        seats=tuple(SeatRow(number, name, "", (), "", "", "", "", "") for number, name in enumerate(named, 1)),
        with_warnings=any(rule.penalty is Penalty.WARNING for rule in rules.violations),
        best_move=BestMoveBox("", (), dash=False) if rules.best_move else None,
        winner=Field(words.say("winner"), ""),
        reason="",
        days=tuple(_day(words, number) for number in days),
        night_columns=columns,
        nights=tuple(NightLine(f"{words.say('night')} {number}", ("",) * len(columns)) for number in days),
        remarks=(),
        protests=() if rules.protests else None,
        protest_hint=words.say("protest_hint"),
        signatures=signatures(words, headers.judge),
    )


def _day(words: Words, number: int) -> DaySheet:
    empty = (None,) * CANDIDATES
    rounds = (Round(words.say("votes"), empty, whole=False), Round(words.say("revote"), empty, whole=False))
    return DaySheet(f"{words.say('day')} {number}", (), rounds, "")
