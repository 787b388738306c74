"""The form's words: labels, letters of roles, short names of moments and departures."""

from collections.abc import Mapping
from decimal import Decimal

from controller.catalogue import LANGUAGES, group, sentence
from controller.game.moment import Moment
from controller.game.roles import Role, Team
from controller.game.seat import How
from controller.scoring.decimals import shortest

LABELS = (
    "after_game", "all_leave", "best_move", "by", "day", "extra", "fouls", "left", "name", "night", "nominated", "page",
    "points", "protests", "remarks", "result", "role", "seat", "seats", "signature", "total", "votes", "votes_title",
    "warnings", "nights_title",
)  # fmt: skip


class Words:
    """The words of one form, in its language and by its ruleset's own terms."""

    def __init__(self, language: str, ruleset: str) -> None:
        if language not in LANGUAGES:
            raise ValueError(f"no such language: {language}")
        self.language = language
        self.ruleset = ruleset

    def say(self, key: str, **params: str | int) -> str:
        """The form's word `key`."""
        return sentence(f"protocol.{key}", self.language, **{"ruleset": self.ruleset, **params})

    def labels(self) -> Mapping[str, str]:
        """All labels by name."""
        return {key: self.say(key) for key in LABELS}

    def letter(self, role: Role) -> str:
        """The letter of a role (fiim 9.4.1, ukraine 9.4.1)."""
        return self.say(f"letter_{role.value}")

    def colour(self, team: Team) -> str:
        """The letter for what a check shows: red or black."""
        return self.letter(Role.MAFIA if team is Team.BLACK else Role.CIVILIAN)

    def role(self, role: Role) -> str:
        """The role's name."""
        return sentence(f"role.{role.value}", self.language, ruleset=self.ruleset)

    def legend(self, roles: tuple[Role, ...]) -> str:
        """What the letters mean."""
        return ", ".join(f"{self.letter(role)} – {self.say('legend_' + role.value)}" for role in roles)

    def short(self, at: Moment) -> str:
        """A day or a night in two signs: `Д2`."""
        return f"{self.say('day_short' if at.day else 'night_short')}{at.number}"

    def full(self, at: Moment) -> str:
        """A day or a night in words."""
        return f"{self.say('day' if at.day else 'night')} {at.number}"

    def how(self, how: How) -> str:
        """How somebody left, in a word."""
        return self.say(f"left_{how.value}")

    def number(self, value: Decimal) -> str:
        """Points as the language writes them: `0,7` or `0.7`."""
        return shortest(value) if self.language == "en" else shortest(value).replace(".", ",")

    def ruleset_name(self, scoring: str) -> str:
        """Which rules and which scoring the form is for."""
        names = group("ruleset", self.language)
        own = names.get(self.ruleset, self.ruleset)
        return own if scoring == self.ruleset else f"{own}, {names.get(scoring, scoring)}"
