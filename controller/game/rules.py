"""The parameters of a ruleset. A ruleset is one value of `Rules`; the code of play asks it and never its name.

Names of the parameters are those of the notation's options and of a tournament's own file.
Times of speech are whole seconds, times of a vote window are microseconds.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from controller.game.ballot import Offence
from controller.game.roles import Role

if TYPE_CHECKING:
    from controller.game.draft import Draft
    from controller.game.outcome import Outcome
    from controller.game.seat import How
    from controller.game.state import State


class Waking(StrEnum):
    """Who is called in a night, in the words of `Phase.step`."""

    DON = "don"
    MAFIA = "mafia"
    SHERIFF = "sheriff"
    SHOOTING = "shooting"
    KILL = "kill"
    MANIAC = "maniac"
    BEAUTY = "beauty"
    DOCTOR = "doctor"
    BOMBER = "bomber"
    AVENGER = "avenger"


@dataclass(frozen=True, slots=True)
class Wake:
    """One call of a night: who, for how many seconds (0: no limit is stated), which cards must be
    in the deal, and how many must live."""

    step: Waking
    seconds: int = 0
    needs: frozenset[Role] = frozenset()
    least_living: int = 0
    clause: str = ""


class Opener(StrEnum):
    """Who opens the day."""

    AFTER_FIRST_SPEAKER = "after_first_speaker"
    LOWEST = "lowest"
    AFTER_LAST_SPEAKER = "after_last_speaker"


class SoleCandidate(StrEnum):
    """What is done when one player alone is nominated."""

    NO_VOTE = "no_vote"
    VOTE = "vote"
    LEAVES = "leaves"
    WORD_ONLY = "word_only"
    OWN_HAND = "own_hand"


class SecondTie(StrEnum):
    """What the same set tying again leads to."""

    RAISE = "raise"
    STAY = "stay"


class ThirdFoul(StrEnum):
    """What the third foul takes."""

    NEAREST_MINUTE = "nearest_minute"
    ALL_MINUTES = "all_minutes"
    HALF_MINUTE = "half_minute"
    NOTHING = "nothing"


class RaiseOfThree(StrEnum):
    """Whether three may be raised at a table of nine."""

    ALLOWED = "allowed"
    NEVER = "never"
    AFTER_A_MISS = "after_a_miss"


class Penalty(StrEnum):
    """What a violation costs by the text."""

    WARNING = "warning"
    FOUL = "foul"
    REMOVAL = "removal"
    DEFEAT = "defeat"


@dataclass(frozen=True, slots=True)
class ViolationRule:
    """One line of a text's list of violations; its short name is in the catalogue under the clause."""

    clause: str
    penalty: Penalty
    words: str = ""
    """The line's first words, where the text has no numbers to cite (city)."""
    after_leaving: bool = False
    """Whether it is committed by one who has left the table (city, "Нарушение после выхода из игры")."""

    def is_cited(self, clause: str) -> bool:
        """Whether `clause` means this line: by its number, or by its first words."""
        return clause == self.clause or (len(clause) > 2 and self.words.casefold().startswith(clause.casefold()))


@dataclass(frozen=True, slots=True)
class Sanction:
    """What a window's proposal leads to when it is given."""

    clause: str
    penalty: Penalty = Penalty.FOUL


@dataclass(frozen=True, kw_only=True)  # without slots: see `changed` in values.py
class Rules:
    """Everything in which the four texts differ, with the clause at each ruleset's own value."""

    name: str
    fewest: int = 10
    most: int = 10
    deck: Mapping[Role, int] | None
    """How many of each card; None: any deal with one don."""
    acquaintance: tuple[Wake, ...]
    night: tuple[Wake, ...]
    minute: int = 60
    defence: int = 0
    """Seconds for every candidate before the vote; 0: no such speech."""
    revote_speech: int = 30
    last_word_voted: int = 60
    last_word_shot: int = 60
    opener: Opener = Opener.AFTER_FIRST_SPEAKER
    withdrawal: bool = True
    sole_candidate_day_one: SoleCandidate = SoleCandidate.NO_VOTE
    sole_candidate: SoleCandidate = SoleCandidate.VOTE
    window: int = 2_000_000
    early_tolerance: int = 300_000
    close_inclusive: bool = True
    lifted_before_count: Sanction | None = None
    """What a hand that leaves after the close, but before the count is said, leads to; None: it is only noted."""
    unvoted_to_last: bool = True
    second_tie: SecondTie = SecondTie.RAISE
    revote_reversed: bool = False
    no_raise_at_four: bool = True
    no_raise_of_all: bool = True
    raise_of_three_at_nine: RaiseOfThree = RaiseOfThree.ALLOWED
    no_elimination_over_half_tied: bool = False
    third_foul: ThirdFoul = ThirdFoul.NEAREST_MINUTE
    short_minute: int = 30
    short_minute_living: frozenset[int] = frozenset({3, 4})
    """With so many living a minute taken by the third foul is `short_minute` seconds long instead (fiim 7.7)."""
    technical_fouls_out: int = 0
    """So many heavy technical fouls send off, light ones being only noted; 0: the tournament has no technical fouls."""
    softened_fourth_foul: frozenset[str] = frozenset()
    """Clauses for which a warning stands in for the fourth foul, the first time (wma 5.6.6, 5.6.7)."""
    void_fourth_foul_after_decision: frozenset[str] = frozenset()
    """Clauses that give no fourth foul where the vote has decided the game (wma 5.6.5)."""
    proposals: Mapping[Offence, Sanction]
    violations: tuple[ViolationRule, ...]
    three_misses: bool = True
    quiet_circles: int = 3
    """Circles of night and day with nobody leaving that make a draw; 0: never."""
    draw_after_night: bool = False
    """The draw falls due after the third quiet night, not after the day that follows it."""
    best_move: bool = True
    best_move_void_after: int = 0
    """Void when so many or more left on day 1; 0: never."""
    best_move_voted_day_one: bool = False
    wills: bool = False
    team_defeat: bool = True
    defeat_disqualifies: bool = False
    protests: bool = True
    best_move_points: str = ""
    """The tournament's own values of the best move, `3:0.4,2:0.25`; read by the scoring."""
    vote_held_after_removals: int = 0
    """So many removals or more leave the vote as it is; 0: never (city, "Важно!")."""
    clauses: Mapping[str, str]
    """The clause of the text, or the line of the rules page, in which each parameter stands."""
    removed: "Callable[[Draft, int, str | None], None]"
    """What a removal does to the vote."""
    victims: "Callable[[State], tuple[tuple[int, How], ...]]"
    """Who leaves at the end of the night, in the record's order."""
    winner: "Callable[[State], Outcome | None]"
    """Whether somebody has won at this moment."""
    taken_along: "Callable[[State, tuple[tuple[int, How], ...]], tuple[tuple[int, How], ...]]"
    """Whom those who leave now take along at once."""

    def violation(self, clause: str) -> ViolationRule | None:
        """The text's own line for `clause`, if it has one."""
        for rule in self.violations:
            if rule.clause == clause:
                return rule
        return next((rule for rule in self.violations if rule.is_cited(clause)), None)
