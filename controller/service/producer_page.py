"""The producer's page, made of what the desk knows: the game, the director, OBS, the recording. Decides nothing."""

from collections.abc import Callable, Iterable
from typing import Final

from controller.catalogue import nearest, sentence
from controller.service.producer_kept import Kept, delay_of
from controller.service.settings import Settings
from controller.table.state import Snapshot
from controller.views.air import air_view
from controller.views.evidence import counted_windows
from controller.views.facts import Surroundings
from controller.views.messages import AirView
from controller.views.producer import (
    Delays,
    KnownFacts,
    LinkToObs,
    Mark,
    NextStep,
    ObsOutput,
    ObsState,
    OwnDelay,
    ProducerView,
    ReplayWindow,
    SavedClip,
    SceneButton,
    Wheel,
)
from scenes.client import Why
from scenes.director import Director
from scenes.happenings import in_the_open, situations, subject
from scenes.seen import Obs, Output
from scenes.tape import clock, lines

WINDOWS_SHOWN: Final = 12


class ProducerPage:
    """What the producer sees of one desk."""

    def __init__(
        self, settings: Settings, director: Director, own_delays: Callable[[], Iterable[tuple[str, int]]]
    ) -> None:
        """`own_delays`: name and seconds of the spectators' links that have a delay of their own."""
        self._own_delays = own_delays
        self._settings = settings
        self._director = director

    def view(
        self,
        snapshot: Snapshot,
        around: Surroundings,
        obs: Obs,
        kept: Kept,
        language: str,
        *,
        unkept: str | None = None,
    ) -> ProducerView:
        """The page. `unkept` is the key of the sentence that says why `kept` could not be written."""
        air = air_view(snapshot, around)
        return ProducerView(
            header=air.header,
            phase=air.phase,
            timer=air.timer,
            stopped=air.stopped,
            now=_what_happens(air, language),
            seats=air.seats,
            stage=air.stage,
            facts=tuple(KnownFacts(seat=seat, facts=facts) for seat, facts in around.facts.items()),
            facts_by=around.facts_by,
            windows=tuple(
                ReplayWindow(window=name, candidate=one.candidate, hands=len(one.hands))
                for name, one in list(counted_windows(snapshot.state).items())[-WINDOWS_SHOWN:]
            ),
            obs=self._obs_state(obs, language, unkept),
            wheel=self._wheel(language),
            buttons=tuple(
                SceneButton(short=short, name=name, there=name in obs.scenes)
                for short, name in self._director.sheet.scenes.items()
            ),
            delays=self._delays(obs, kept),
            chapters=tuple(Mark(at=at, title=title) for at, title in lines(kept.shelf.present, language)),
            clips=tuple(
                SavedClip(
                    at="" if one.recorded is None else clock(one.recorded), title=one.title(language), path=one.path
                )
                for one in kept.shelf.present.clips
            ),
            simulated=air.simulated,
        )

    def sentence(self, obs: Obs, language: str) -> str:
        """How the link to OBS does."""
        code, params = self.sentence_code(obs)
        return sentence(f"obs.{code}", language, **params)

    def sentence_code(self, obs: Obs) -> tuple[str, dict[str, str | int]]:
        """The same as a code of the catalogue's group `obs`, with its parameters."""
        where, state = self._settings.obs, self._link_state(obs)
        params: dict[str, str | int] = {"host": where.host, "port": where.port, "version": obs.version}
        return ((obs.why or Why.LOST).value if state == "down" else state), params

    def _delays(self, obs: Obs, kept: Kept) -> Delays:
        wanted = delay_of(self._settings, kept)
        return Delays(
            stream=wanted.stream,
            in_obs=obs.delay if obs.up else None,
            spectators=wanted.spectators,
            own=tuple(OwnDelay(name=name, seconds=seconds) for name, seconds in self._own_delays()),
        )

    def _wheel(self, language: str) -> Wheel:
        held, step = self._director.held, self._director.step
        following = None
        if step is not None:
            label = sentence(f"happening.{step.on}", language, seat=step.seat or 0)
            following = NextStep(id=step.id, label=label, scene=step.scene, at=step.at * 1000)
        return Wheel(
            held=None if held is None else held.by,
            scene=None if held is None else held.scene,
            next=following,
        )

    def _obs_state(self, obs: Obs, language: str, unkept: str | None) -> ObsState:
        return ObsState(
            state=self._link_state(obs),
            sentence=self.sentence(obs, language),
            faults=(
                *(() if unkept is None else (sentence(f"obs.{unkept}", language),)),
                *self._obs_faults(obs, language),
            ),
            version=obs.version,
            program=obs.program if obs.up else None,
            preview=obs.preview if obs.up and obs.studio else None,
            studio=obs.up and obs.studio,
            scenes=obs.scenes if obs.up else (),
            fps=round(obs.fps, 1),
            round_trip=round(obs.round_trip * 1000, 1),
            streaming=_shown(obs.streaming),
            recording=_shown(obs.recording),
            replays=obs.up and obs.replays,
            touched=tuple(
                sentence("obs.transition", language) if name == "transition" else name
                for name in sorted(obs.of_the_producer)
            ),
        )

    def _link_state(self, obs: Obs) -> LinkToObs:
        if not self._settings.obs.host:
            return "off"
        if obs.up:
            return "up"
        return "seeking" if obs.why is None else "down"

    def _obs_faults(self, obs: Obs, language: str) -> Iterable[str]:
        if self._director.sheet.faults:
            yield sentence("obs.cue_faults", language, count=len(self._director.sheet.faults))
        if not obs.up:
            return
        if obs.unready:
            yield sentence("obs.unready", language)
        if obs.stubborn:
            yield sentence("obs.stubborn", language)
        for name in sorted(obs.missing):
            yield sentence("obs.missing", language, word=name, nearest=nearest(name, obs.scenes))


def _what_happens(air: AirView, language: str) -> str:
    opened = in_the_open(air)
    return sentence(f"happening.{situations(opened)[0]}", language, seat=subject(opened) or 0)


def _shown(output: Output) -> ObsOutput:
    return ObsOutput(
        active=output.active,
        paused=output.paused,
        seconds=round(output.seconds, 1),
        skipped=output.skipped,
        total=output.total,
    )
