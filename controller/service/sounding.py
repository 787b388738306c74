"""The sound's cable to the table: what the hall sees goes to the sound director, and so does the judge's key. Nothing
comes back to the table: no command ever waits for a sound."""

from typing import Final

from controller.game.commands import SetPosition
from controller.sound.director import BOARD_HELD_FOR_S, Director
from controller.sound.score import heard_in
from controller.table.state import Cause, Snapshot, What
from controller.table.wishes import NewGame, Redo, Replace, Undo
from controller.views.commands import SoundOrder
from controller.views.hall import hall_view

TAPPED_NS: Final = 400_000_000
"""A key that is let go sooner was tapped, not held."""
_BOARD: Final = "board"
_NO_MOMENT_OF_ITS_OWN: Final = (Undo, Redo, Replace, NewGame, SetPosition)
"""What brings the table somewhere without anything happening there now: no cue belongs to it."""


class Sounding:
    """Tells a director of one table."""

    def __init__(self, director: Director) -> None:
        self._director = director
        self._pressed: int | None = None

    def hear(self, snapshot: Snapshot, cause: Cause) -> None:
        """Something has happened at the table."""
        match cause.what:
            case What.HANDS:
                return
            case What.NIGHT_SOUND:
                self._key(down=cause.down, at=cause.at)
            case _:
                if self._pressed is not None and not any(link.up for link in snapshot.links):
                    # The key's release would not come any more.
                    self._pressed = None
                    self._director.hold(_BOARD, held=False)
                taken_back = isinstance(cause.command, _NO_MOMENT_OF_ITS_OWN)
                self._director.see(heard_in(hall_view(snapshot)), taken_back=taken_back)

    def begin(self, snapshot: Snapshot) -> None:
        """The table as it is at the start: what it says sounds, and nothing of it is news."""
        self._director.see(heard_in(hall_view(snapshot)), taken_back=True)

    def do(self, who: str, order: SoundOrder) -> None:
        """What the tablet `who` asks for."""
        match order.act:
            case "hold":
                self._director.hold(who, held=True)
            case "release":
                self._director.hold(who, held=False)
            case "mute":
                self._director.mute(muted=True)
            case "unmute":
                self._director.mute(muted=False)
            case "without":
                self._director.go_without(without=True)
            case "with":
                self._director.go_without(without=False)
            case "volume":
                self._director.set_volume(order.volume)
            case "tone":
                self._director.tone()

    def _key(self, *, down: bool, at: int) -> None:
        """Held, the music steps back; tapped, it is off or on for this night."""
        if down:
            self._pressed = at
            self._director.hold(_BOARD, held=True, seconds=BOARD_HELD_FOR_S)
            return
        pressed, self._pressed = self._pressed, None
        self._director.hold(_BOARD, held=False)
        if pressed is not None and at - pressed < TAPPED_NS:
            self._director.mute()
