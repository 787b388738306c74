"""Debounce over raw edges, in MicroPython's subset: the microcontroller and the host run this same file.

A contact settles on a level once it has held it for `quiet`. A settled change is dated by the first raw edge of
the unrest before it. Nothing is locked out after a glitch, so a press that follows one is never swallowed.
Any unit of time will do; a clock that wraps is told by its modulus.
"""

HEALTHY = 0
CLOSED_AT_START = 1
CLOSED_TOO_LONG = 2
CHATTERING = 3


def since(now: int, then: int, modulus: int) -> int:
    """Return `now - then`, signed, on a clock that wraps at `modulus` (0: it never wraps)."""
    if not modulus:
        return now - then
    ahead = (now - then) % modulus
    return ahead - modulus if ahead >= modulus >> 1 else ahead


class Contact:
    """One debounced contact: raw edges and the passage of time in, settled changes out.

    `closed` is the level found at the start. A contact that starts closed is stuck: it counts once it has opened.
    `quiet` is how long a level must hold to be believed. It must exceed the longest bounce.
    `chatter` is how long unrest may last; a longer one is reported, and a change that ends it is dated by its last
    raw edge, since the first no longer says when the hand moved.
    `longest` is how long a contact may stay closed before it is reported as stuck.
    """

    def __init__(self, closed: bool, quiet: int, chatter: int, longest: int, modulus: int = 0) -> None:
        self.closed = closed
        self._raw = closed
        self._quiet = quiet
        self._chatter = chatter
        self._longest = longest
        self._modulus = modulus
        self._unrest = False
        self._first = 0
        self._last = 0
        self._closed_at = 0
        self._stuck = CLOSED_AT_START if closed else HEALTHY

    def edge(self, closed: bool, at: int) -> tuple[bool, int] | None:
        """Take a raw edge to level `closed` at `at`. Return a change that this shows to be settled, or None.

        An edge to the level that the contact already had tells of a pulse too short to read; it is unrest as well.
        Edges of one contact come in the order of their times.
        """
        settled = self.advance(at)
        if not self._unrest:
            self._unrest = True
            self._first = at
        self._last = at
        self._raw = closed
        return settled

    def advance(self, now: int) -> tuple[bool, int] | None:
        """Say that every raw edge before `now` has been given. Return `(closed, at)` for a settled change, or None."""
        if self._unrest and since(now, self._last, self._modulus) >= self._quiet:
            at = self._when()
            self._unrest = False
            if self._raw != self.closed:
                self.closed = self._raw
                counted = self._stuck != CLOSED_AT_START
                self._stuck = HEALTHY
                if counted:
                    self._closed_at = at
                    return (self.closed, at)
        if self.closed and not self._stuck and since(now, self._closed_at, self._modulus) >= self._longest:
            self._stuck = CLOSED_TOO_LONG
        return None

    def unsettled(self) -> bool:
        """Return whether raw edges wait for the level to hold."""
        return self._unrest

    def settled_before(self) -> int:
        """Return the time that a change still to come can have at the earliest. Only while unsettled."""
        return self._when()

    def fault(self) -> int:
        """Return HEALTHY, CLOSED_AT_START, CLOSED_TOO_LONG or CHATTERING."""
        return CHATTERING if self._unrest and self._is_chatter() else self._stuck

    def _is_chatter(self) -> bool:
        return since(self._last, self._first, self._modulus) > self._chatter

    def _when(self) -> int:
        return self._last if self._is_chatter() else self._first
