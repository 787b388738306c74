"""Roles and teams. A role belongs to one team; which roles a game deals is the ruleset's business."""

from enum import StrEnum


class Team(StrEnum):
    """A side that can win."""

    RED = "red"
    BLACK = "black"
    MANIAC = "maniac"


class Role(StrEnum):
    """A card. `city` calls the sheriff commissar; it is the same card."""

    CIVILIAN = "civilian"
    MAFIA = "mafia"
    DON = "don"
    SHERIFF = "sheriff"
    MANIAC = "maniac"
    BEAUTY = "beauty"
    DOCTOR = "doctor"
    BOMBER = "bomber"
    AVENGER = "avenger"

    @property
    def team(self) -> Team:
        """The side this card plays for."""
        match self:
            case Role.MAFIA | Role.DON:
                return Team.BLACK
            case Role.MANIAC:
                return Team.MANIAC
            case _:
                return Team.RED

    @property
    def black(self) -> bool:
        """Whether the card shoots with the mafia."""
        return self.team is Team.BLACK
