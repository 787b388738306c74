"""The nights of the form: shots, checks, the acts of the city's roles, and who was killed."""

from collections.abc import Iterable

from controller.game.roles import Role
from controller.game.rules import Rules, Waking
from controller.game.state import NightRow, State
from controller.record.form.value import NightLine
from controller.record.form.words import Words

NONE = "–"
ROLES = {
    Waking.DON: Role.DON,
    Waking.SHERIFF: Role.SHERIFF,
    Waking.MANIAC: Role.MANIAC,
    Waking.BEAUTY: Role.BEAUTY,
    Waking.DOCTOR: Role.DOCTOR,
    Waking.BOMBER: Role.BOMBER,
}


def _calls(rules: Rules) -> tuple[Waking, ...]:
    return tuple(wake.step for wake in rules.night)


def night_columns(words: Words, rules: Rules) -> tuple[str, ...]:
    """Who is called in a night of these rules, and at the end who is killed by it."""
    called = [
        words.say("shots") if step in (Waking.SHOOTING, Waking.KILL) else words.role(ROLES[step])
        for step in _calls(rules)
    ]
    return (*called, words.say("killed"))


def night_lines(words: Words, state: State) -> tuple[NightLine, ...]:
    """Every night with shooting, in order."""
    return tuple(
        NightLine(
            f"{words.say('night')} {night.night}",
            (*(_cell(words, state, night, step) for step in _calls(state.rules)), _killed(night)),
        )
        for night in state.nights
        if night.night
    )


def _cell(words: Words, state: State, night: NightRow, step: Waking) -> str:
    if step in (Waking.SHOOTING, Waking.KILL):
        return _shots(words, night)
    role = ROLES[step]
    if role in (Role.DON, Role.SHERIFF):
        return _check(words, state, night, role)
    if seats := night.act(role):
        return ", ".join(map(str, seats))
    return NONE if role.value in night.acted else ""


def _shots(words: Words, night: NightRow) -> str:
    """At whom each one shot; all at one in short: `4 (2, 7, 9)`."""
    if night.shots is None:
        return ""
    if not night.shots:
        return words.say("miss")
    targets = {aimed for _, aimed in night.shots}
    if len(targets) == 1 and len(aimed := next(iter(targets))) == 1:
        return f"{aimed[0]} ({_listed(shooter for shooter, _ in night.shots)})"
    return "; ".join(f"{shooter}: {_listed(aimed) or NONE}" for shooter, aimed in night.shots)


def _listed(seats: Iterable[int]) -> str:
    return ", ".join(map(str, seats))


def _check(words: Words, state: State, night: NightRow, role: Role) -> str:
    """Whom and what he saw: the don the sheriff's letter or a dash, the sheriff the colour's letter."""
    for row in night.checks:
        if row.by is role:
            if role is Role.DON:
                return f"{row.seat} {words.letter(Role.SHERIFF) if row.hit else NONE}"
            return f"{row.seat} {words.letter(Role.MAFIA if row.hit else Role.CIVILIAN)}"
    return NONE if role.value in night.acted else ""


def _killed(night: NightRow) -> str:
    if night.killed is None:
        return ""
    return _listed(night.killed) or NONE
