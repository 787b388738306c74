"""Nights and days as the record counts them: night 0 is the acquaintance, day 1 follows it, night N follows day N."""

from dataclasses import dataclass
from functools import total_ordering


@total_ordering
@dataclass(frozen=True, slots=True)
class Moment:
    """A night or a day by number; they are ordered as they are played."""

    day: bool
    number: int

    @classmethod
    def night_of(cls, number: int) -> "Moment":
        """Night `number`; 0 is the acquaintance."""
        return cls(False, number)

    @classmethod
    def day_of(cls, number: int) -> "Moment":
        """Day `number`, from 1."""
        return cls(True, number)

    @property
    def following(self) -> "Moment":
        """The night after a day, the day after a night."""
        return Moment(not self.day, self.number if self.day else self.number + 1)

    def __lt__(self, other: "Moment") -> bool:
        return (self.number, not self.day) < (other.number, not other.day)

    def __str__(self) -> str:
        return f"{'day' if self.day else 'night'} {self.number}"
