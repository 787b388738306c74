"""The walk around the table before a game: every hand, every key, then the lamps. Pure: edges and what a link says of
itself in, findings out. It is no decision, it leaves no row in the journal, and it knows nothing of a game.

A step asks for one contact: hand on, hand off. The contact that answers is not always the one that was asked:
seat 5 answering for seat 4 is a crossed cable, and is named. A contact's own answer is believed before another's,
so that a neighbour's hand on the table does no harm.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from controller.table.chatter import Chatter
from controller.table.state import Ask, Finding, Verdict, Walk

CHATTERING: Final = "chattering"
"""The link's word for it, among its reasons not to believe a contact."""
LAMPS: Final = "lamps"
"""Stands for all of them among the findings."""


class SelfTest:
    """One walk. It is over when every contact has a verdict and the lamps were looked at."""

    def __init__(self, keys: Iterable[str], *, lamps: bool = True) -> None:
        """`keys` are the contacts in the order of the walk; without `lamps` nobody is asked to look at them."""
        self._keys = tuple(keys)
        self._found: dict[str, Finding] = {}
        self._round = self._keys
        self._answered: str | None = None
        self._look = lamps
        """Whether this round asks for the lamps."""
        self._looked = not lamps
        self._down: set[str] = set()
        self._chatter = Chatter()
        self._stuck: Mapping[str, str] = {}
        self._silent: Collection[str] = ()

    # --- what happens

    def edge(self, key: str, at: int, *, down: bool) -> None:
        """A contact closed or opened at `at`, nanoseconds."""
        (self._down.add if down else self._down.discard)(key)
        if self._chatter.edge(key, at):
            self._chatters(key)
            return
        asked = self.asked
        if asked is None or key not in self._keys:
            return
        if down:
            # The asked contact's own answer takes the place of a neighbour's; a faulty one's says nothing.
            if key == asked or (self._answered is None and self._is_sound(key)):
                self._answered = key
        elif key == self._answered:
            if key == asked:
                self._end(asked, Verdict.PASSED)
            else:
                self._end(asked, Verdict.SWAPPED, key)

    def link(self, stuck: Mapping[str, str], silent: Collection[str] = ()) -> None:
        """What the links say: contacts not to be believed and why, and those whose device is not heard."""
        self._stuck, self._silent = stuck, silent
        for key, why in stuck.items():
            if why == CHATTERING:
                self._chatters(key)

    def skip(self, step: int) -> None:
        """Nothing came of step `step`: the contact gets the verdict that fits. Another step's number does nothing."""
        if step != self.step or self.is_over:
            return
        asked = self.asked
        if asked is None:
            self._looked = True
            self._found[LAMPS] = Finding(LAMPS, Verdict.DARK)
        elif asked in self._silent:
            self._end(asked, Verdict.LOST)
        elif asked in self._stuck or asked in self._down:
            self._end(asked, Verdict.STUCK)
        elif self._answered is not None:
            self._end(asked, Verdict.SWAPPED, self._answered)
        else:
            self._end(asked, Verdict.DEAD)

    def seen(self) -> None:
        """Every lamp was seen lit."""
        if self.asked is None and not self._looked:
            self._looked = True
            self._found[LAMPS] = Finding(LAMPS, Verdict.PASSED)

    def again(self) -> None:
        """Once it is over: what did not pass is asked for once more."""
        if not self.is_over:
            return
        failed = [key for key, found in self._found.items() if found.verdict is not Verdict.PASSED]
        if failed:
            self._round = tuple(key for key in self._keys if key in failed)
            self._look = LAMPS in failed
            self._looked = not self._look
            self._found = {key: found for key, found in self._found.items() if key not in failed}

    # --- where it is

    @property
    def asked(self) -> str | None:
        """The contact that is asked for; None once all have answered."""
        return next((key for key in self._round if key not in self._found), None)

    @property
    def step(self) -> int:
        """The number of the present step, from 0; once it is over, how many there were."""
        return sum(key in self._found for key in self._round) + (self._looked and self._look)

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to do."""
        return self.asked is None and self._looked

    @property
    def walk(self) -> Walk:
        """What there is to see of it."""
        asked = self.asked
        if asked is not None:
            ask = Ask.DOWN if self._answered is None else Ask.UP
        else:
            ask = None if self._looked else Ask.LOOK
        return Walk(
            step=self.step,
            of=len(self._round) + self._look,
            key=asked,
            ask=ask,
            silent=asked in self._silent,
            closed=self._answered is None and asked in self._stuck,
            findings=tuple(self._found[key] for key in (*self._keys, LAMPS) if key in self._found),
        )

    @property
    def lamps(self) -> dict[str, str]:
        """Lamps that are not off: the one asked for blinks, and is lit while its contact is closed."""
        asked = self.asked
        if asked is not None:
            return {asked: "blink" if self._answered is None else "on"}
        return {} if self._looked else dict.fromkeys(self._keys, "on")

    def _is_sound(self, key: str) -> bool:
        found = self._found.get(key)
        return key not in self._stuck and (found is None or found.verdict in (Verdict.PASSED, Verdict.SWAPPED))

    def _chatters(self, key: str) -> None:
        if key == self._answered:
            self._answered = None
        # What it had answered for before it was known is asked for again.
        self._found = {of: found for of, found in self._found.items() if found.by != key}
        if key == self.asked:
            self._end(key, Verdict.CHATTERING)
        elif key in self._keys:
            self._found[key] = Finding(key, Verdict.CHATTERING)

    def _end(self, key: str, verdict: Verdict, by: str | None = None) -> None:
        self._found[key] = Finding(key, verdict, by)
        self._answered = None
