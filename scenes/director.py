"""The director: what OBS is to show, decided from the on-air view, the cue sheet and the producer's hand.

Pure: time comes in as seconds of any clock that only goes forward, and what is wanted goes out as a value. What lasts
is a function of the view, so an undo leads back by itself; what passes is told once and never again.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import count
from typing import Final, Literal, TypeAlias

from controller.views.messages import AirView, HallView
from scenes.cues import COVER, PLACE, Cue, Sheet
from scenes.happenings import (
    Moment,
    in_the_open,
    open_moments,
    replay_begun,
    situations,
    subject,
    viewers_moments,
)
from scenes.wanted import Wanted

PATIENCE_S: Final = 3.0
"""A moment that could not be shown so long, because a shot had to stay, is not shown any more."""
LONG_AGO: Final = float("-inf")
NEVER: Final = float("inf")
_ASKED_FOR: Final = 2**31
"""What the producer asks for here is overruled by no switch in OBS that was made before."""

Who: TypeAlias = Literal["obs", "page", "cover"]


@dataclass(frozen=True, slots=True)
class Held:
    """The producer has the wheel: since they did it in OBS, on the page, or covered the picture."""

    by: Who
    scene: str | None
    """OBS's name; None: whatever is on air."""


@dataclass(frozen=True, slots=True)
class Step:
    """The next automatic step."""

    id: str
    on: str
    """The happening."""
    seat: int | None
    scene: str
    """OBS's name."""
    at: float
    """When, on the clock that the director is given."""


@dataclass(frozen=True, slots=True)
class _Shot:
    """A cue with whom it is about."""

    cue: Cue
    scene: str | None
    seat: int | None
    number: int | None = None

    @property
    def key(self) -> tuple[str, int | None, str | None]:
        """What makes it another shot."""
        return (self.cue.on, self.seat if self.cue.camera or self.cue.texts else None, self.scene)


class Director:
    """Decides. Whoever owns it calls `see` with each view and `advance` whenever `wakes_at` has come or something was
    done."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._ids = count(1)
        self._view: AirView | None = None
        self._open: HallView | None = None
        self._situation: _Shot | None = None
        self._situation_from = 0.0
        self._base: _Shot | None = None
        """The situation that is on air, or was before the moment."""
        self._moment: _Shot | None = None
        self._moment_from = self._moment_until = 0.0
        self._viewers: _Shot | None = None
        self._viewers_until = 0.0
        self._on_air: _Shot | None = None
        self._cut_at = LONG_AGO
        self._held: Held | None = None
        self._uncovered: Held | None = None
        """Who had the wheel before the cover."""
        self._skipped: tuple[str, int | None, str | None] | None = None
        self._hurry = False
        self._step: Step | None = None
        self._wanted: Wanted | None = None
        self._scene: str | None = None
        self._by_hand = True
        """The producer's picture has been asked for."""
        self._hands = 0

    # --- what is known

    @property
    def sheet(self) -> Sheet:
        """The cue sheet."""
        return self._sheet

    @property
    def held(self) -> Held | None:
        """Who has the wheel; None: the automation."""
        return self._held

    @property
    def step(self) -> Step | None:
        """The next automatic step, as it stands; while the wheel is held there is none."""
        return None if self._held is not None else self._step

    @property
    def wakes_at(self) -> float:
        """When `advance` has to be called again if nothing else comes; infinity where nothing is due."""
        due = [self._viewers_until] if self._viewers is not None else []
        if self._held is None:
            if self._step is not None:
                due.append(self._step.at)
            if self._moment is not None:
                due.append(self._moment_until if self._on_air is self._moment else self._moment_from + PATIENCE_S)
        return min(due, default=NEVER)

    # --- what happens

    def see(self, view: AirView, now: float, *, told: bool = True) -> tuple[Moment, ...]:
        """The view is this now; the open moments that have passed. Not `told`: an undo has led here, and
        nothing that passed before passes again."""
        before, opened = self._view, in_the_open(view)
        was_open, self._view, self._open = self._open, view, opened
        self._settle(opened, now, soon=before is None)
        if before is None or was_open is None:
            return ()
        found = list(open_moments(was_open, opened)) if told else []
        if replay_begun(before, view):
            found.append(Moment("replay"))
        self._offer(found, now)
        if told:
            self._offer_to_viewers(viewers_moments(before, view), now)
        return tuple(found)

    def _settle(self, view: HallView, now: float, *, soon: bool) -> None:
        cue = next((self._sheet.cues[name] for name in situations(view) if name in self._sheet.cues), None)
        shot = None if cue is None else self._shot(cue, subject(view), None)
        known = self._situation
        if shot is not None and known is not None and shot.key == known.key:
            self._situation = replace(shot, seat=shot.seat)
            return
        begun = self._situation_from if self._waits() else now + self._sheet.burst
        self._situation = shot
        at_once = soon or (shot is not None and shot.cue.at_once)
        wait = 0.0 if shot is None else shot.cue.after
        self._situation_from = now if at_once else max(begun, now + wait)
        if self._skipped is not None and (shot is None or shot.key != self._skipped):
            self._skipped = None

    def _waits(self) -> bool:
        """Whether a change of the situation has been seen and not been shown yet."""
        return self._situation is not None and (self._base is None or self._situation.key != self._base.key)

    def _offer(self, moments: Iterable[Moment], now: float) -> None:
        """Of moments that come together the one of the highest rank is taken; one that waits or is shown yields to its
        equals and betters."""
        for moment in moments:
            cue = self._sheet.cues.get(moment.name)
            if cue is None or self._held is not None:
                continue
            if self._moment is not None and self._moment.cue.rank > cue.rank:
                continue
            self._moment = self._shot(cue, moment.seat, moment.number)
            self._moment_from = now + (cue.after if cue.at_once else max(cue.after, self._sheet.burst))
            self._moment_until = NEVER

    def _offer_to_viewers(self, moments: Iterable[Moment], now: float) -> None:
        """What viewers alone may know has a place of its own: it moves no scene and takes no moment's turn."""
        for moment in moments:
            if (cue := self._sheet.cues.get(moment.name)) is not None:
                self._viewers = self._shot(cue, moment.seat, moment.number)
                self._viewers_until = now + cue.lasts

    def _shot(self, cue: Cue, seat: int | None, number: int | None) -> _Shot:
        short = self._sheet.cameras.get(seat) if cue.camera and seat is not None else None
        short = short or cue.scene
        return _Shot(cue, None if short is None else self._sheet.scenes.get(short), seat, number)

    # --- the producer

    def hand(self, scene: str, number: int = 0) -> None:
        """Somebody has switched OBS to `scene`, for the `number`th time: that stays until it is released."""
        self._hands = max(self._hands, number)
        self._hold(Held("obs", scene))

    def take(self, scene: str) -> None:
        """The producer takes `scene` (OBS's name) and keeps it."""
        self._hold(Held("page", scene))

    def hold(self) -> None:
        """Whatever is on air stays. Where scenes are only prepared, what was decided last may not be on air at all."""
        if self._held is None:
            self._hold(Held("page", None if self._sheet.prepare else self._scene))

    def _hold(self, held: Held) -> None:
        self._held, self._moment, self._step = held, None, None
        self._by_hand = False

    def cover(self, *, on: bool) -> None:
        """The emergency scene, at once; and back to whoever had the wheel."""
        covered = self._held is not None and self._held.by == "cover"
        if on and not covered:
            self._uncovered = self._held
            self._hold(Held("cover", self._sheet.scenes.get(COVER)))
        elif not on and covered:
            self._held, self._uncovered = self._uncovered, None
            self._by_hand = False
            if self._held is None:
                self._begin_anew()

    def release(self) -> None:
        """The automation has the wheel again, and goes at once to what the game says."""
        self._held = self._uncovered = None
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._moment = self._on_air = self._base = None
        self._skipped, self._cut_at = None, LONG_AGO
        self._situation_from = LONG_AGO

    def skip(self, step: str) -> bool:
        """The step `step` does not happen; whether it was still to come."""
        if self.step is None or self.step.id != step:
            return False
        if self._moment is not None and self._on_air is not self._moment:
            self._moment = None
        elif self._situation is not None:
            if self._moment is not None:
                self._base = self._on_air
                self._moment = None
            self._skipped = self._situation.key
        self._step = None
        return True

    def go(self, step: str) -> bool:
        """The step `step` happens now; whether it was still to come."""
        if self.step is None or self.step.id != step:
            return False
        self._hurry = True
        return True

    # --- what is wanted

    def advance(self, now: float) -> Wanted | None:
        """What is wanted from now on, where that has changed."""
        if self._viewers is not None and now >= self._viewers_until:
            self._viewers = None
        if self._held is not None:
            return self._by_the_producer(now)
        hurry, self._hurry = self._hurry, False
        if hurry and self._step is not None:
            self._moment_until = now if self._on_air is self._moment else self._moment_until
            self._moment_from = min(self._moment_from, now)
            self._situation_from = min(self._situation_from, now)
            self._cut_at = LONG_AGO
        self._let_moments_pass(now)
        shot, ready = self._due(now)
        own: str | None = None
        if shot is not None and now >= ready:
            own = self._cut(shot, now)
            shot, ready = self._due(now)
        self._step = None if shot is None else self._step_of(shot, ready)
        return self._picture(now, own)

    def _let_moments_pass(self, now: float) -> None:
        if self._moment is None:
            return
        if self._on_air is self._moment:
            if now >= self._moment_until:
                self._moment = None
        elif now >= self._moment_from + PATIENCE_S:
            self._moment = None

    def _due(self, now: float) -> tuple[_Shot | None, float]:
        """What comes next on air and when; None where what is on air stays."""
        moment, situation = self._moment, self._situation
        if moment is not None and self._on_air is not moment:
            return moment, max(self._moment_from, self._free(moment))
        if moment is not None:
            return (situation, max(self._moment_until, self._situation_from)) if self._wanted_back() else (None, NEVER)
        if situation is None or situation.key == self._skipped:
            return None, NEVER
        if self._on_air is not None and self._on_air.key == situation.key:
            return None, NEVER
        return situation, max(self._situation_from, self._free(situation))

    def _wanted_back(self) -> bool:
        return self._situation is not None and self._situation.key != self._skipped

    def _free(self, shot: _Shot) -> float:
        """When the shot on air has been long enough to be cut to `shot`."""
        if self._on_air is None or shot.cue.at_once or shot.scene is None or shot.scene == self._scene:
            return LONG_AGO
        return self._cut_at + max(self._sheet.minimum, self._on_air.cue.hold)

    def _cut(self, shot: _Shot, now: float) -> str:
        """`shot` goes on air; its id."""
        planned = self._step_of(shot, now)
        if shot is self._moment:
            self._moment_until = now + shot.cue.lasts
        else:
            self._base = shot
        if shot.scene is not None and shot.scene != self._scene:
            self._cut_at = now
        self._on_air = shot
        if shot.scene is not None:
            self._scene = shot.scene
        self._step = None
        return planned.id

    def _step_of(self, shot: _Shot, at: float) -> Step:
        scene = shot.scene or self._scene or ""
        known = self._step
        if known is not None and (known.on, known.seat, known.scene) == (shot.cue.on, shot.seat, scene):
            return replace(known, at=at)
        return Step(f"auto-{next(self._ids)}", shot.cue.on, shot.seat, scene, at)

    def _by_the_producer(self, now: float) -> Wanted | None:
        held = self._held
        assert held is not None
        if held.scene is not None:
            self._scene = held.scene
        if self._by_hand:
            return self._picture(now, None)
        self._by_hand = True
        return self._picture(now, f"hand-{next(self._ids)}")

    def _picture(self, now: float, own: str | None) -> Wanted | None:
        """The whole picture, where it has changed or was decided under the id `own`."""
        before, held = self._wanted, self._held
        cue = self._on_air.cue if self._on_air is not None and held is None else None
        stays = before if held is not None else None
        wanted = Wanted(
            id=own or "",
            decided=now,
            scene=None if held is not None and held.scene is None else self._scene,
            transition=_cover_cut(held) or (cue.transition if cue is not None else None),
            duration=cue.duration if cue is not None else None,
            items=self._items() if stays is None else stays.items,
            filters=self._filters() if stays is None else stays.filters,
            texts=self._texts(),
            prepare=self._sheet.prepare and held is None,
            emergency=held is not None and held.by == "cover",
            hands=_ASKED_FOR if held is not None and own is not None else self._hands,
        )
        if own is None:
            if before is not None and wanted.same_picture(before):
                return None
            wanted = replace(wanted, id=f"text-{next(self._ids)}")
        self._wanted = wanted
        return wanted

    def _active(self) -> list[_Shot]:
        """What is shown, the later over the earlier."""
        shots = [self._base, self._moment if self._on_air is self._moment else None, self._viewers]
        return [shot for shot in shots if shot is not None]

    def _items(self) -> dict[tuple[str, str], bool]:
        shown = {item for cue in self._sheet.cues.values() for item in cue.show}
        flags = {item: item not in shown for item in self._sheet.items}
        for shot in self._active():
            flags |= dict.fromkeys(shot.cue.show, True) | dict.fromkeys(shot.cue.hide, False)
        return flags

    def _filters(self) -> dict[tuple[str, str], bool]:
        switched_on = {one for cue in self._sheet.cues.values() for one in cue.filters_on}
        flags = {one: one not in switched_on for one in self._sheet.filters}
        for shot in self._active():
            flags |= dict.fromkeys(shot.cue.filters_on, True) | dict.fromkeys(shot.cue.filters_off, False)
        return flags

    def _texts(self) -> dict[str, str]:
        texts = dict.fromkeys(self._sheet.texts, "")
        view = self._open
        if view is None:
            return texts
        shots = self._active()
        if self._held is not None and self._situation is not None:
            shots = [self._situation, *([self._viewers] if self._viewers is not None else [])]
        for shot in shots:
            texts |= {name: _filled(text, view, shot) for name, text in shot.cue.texts.items()}
        return texts


def _cover_cut(held: Held | None) -> str | None:
    """An emergency is a cut."""
    return "Cut" if held is not None and held.by == "cover" else None


def _filled(text: str, view: HallView, shot: _Shot) -> str:
    seat = next((one for one in view.seats if one.seat == shot.seat), None)
    words = {
        "seat": "" if seat is None else str(seat.seat),
        "name": "" if seat is None else seat.name,
        "number": "" if shot.number is None else str(shot.number),
        "round": str(view.phase.round),
        "event": view.header.event,
        "stage": view.header.stage,
        "game": str(view.header.game),
    }
    return PLACE.sub(lambda found: words[found[1]], text)
