"""What is asked of OBS to know all of its state, and what its answers say. No connection, no clock."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from scenes.client import NOT_READY, Answered, Asked
from scenes.pursuit import Known
from scenes.seen import Obs, Output
from scenes.wanted import Filter, Item

_STATE: Final = (
    Asked.of("GetSceneList"),
    Asked.of("GetStudioModeEnabled"),
    Asked.of("GetStats"),
    Asked.of("GetSceneTransitionList"),
    Asked.of("GetSceneCollectionList"),
    Asked.of("GetReplayBufferStatus"),
    Asked.of("GetStreamStatus"),
    Asked.of("GetRecordStatus"),
    Asked.of("GetProfileParameter", parameterCategory="Output", parameterName="DelayEnable"),
    Asked.of("GetProfileParameter", parameterCategory="Output", parameterName="DelaySec"),
    Asked.of("GetVersion"),
    Asked.of("GetCurrentSceneTransition"),
)
_REPLAYS: Final = 5
_TRANSITION: Final = len(_STATE) - 1
CHANGES_WHAT_THERE_IS: Final = frozenset(
    {
        "SceneCreated",
        "SceneRemoved",
        "SceneListChanged",
        "SceneItemCreated",
        "SceneItemRemoved",
        "InputCreated",
        "InputRemoved",
        "InputNameChanged",
        "SourceFilterCreated",
        "SourceFilterRemoved",
        "SourceFilterNameChanged",
        "CurrentProfileChanged",
    }
)
"""Events after which everything is asked anew."""
RECORDING: Final = {
    "OBS_WEBSOCKET_OUTPUT_STARTED": "started",
    "OBS_WEBSOCKET_OUTPUT_PAUSED": "paused",
    "OBS_WEBSOCKET_OUTPUT_RESUMED": "resumed",
    "OBS_WEBSOCKET_OUTPUT_STOPPED": "stopped",
}


class Reading:
    """One reading of everything: OBS's own state, and that of the sources that a link may be asked for."""

    def __init__(self, items: Sequence[Item], filters: Sequence[Filter], texts: Sequence[str]) -> None:
        self._items, self._texts = frozenset(items), tuple(texts)
        self._scenes = sorted({scene for scene, _ in items})
        self._sources = sorted({source for source, _ in filters})
        self.asked = [
            *_STATE,
            *(Asked.of("GetSceneItemList", sceneName=scene) for scene in self._scenes),
            *(Asked.of("GetSourceFilterList", sourceName=source) for source in self._sources),
            *(Asked.of("GetInputSettings", inputName=name) for name in texts),
        ]
        """In one batch."""

    def whole(self, answers: Sequence[Answered]) -> bool:
        """Whether OBS has answered all of it; one that has just started has not."""
        return len(answers) == len(self.asked) and not any(one.code == NOT_READY for one in answers)

    def state(self, before: Obs, answers: Sequence[Answered]) -> Obs:
        """OBS as the answers say it is, its program scene excepted: events know that better."""
        listed, studio, stats, transitions, collections, replays, stream, record, delayed, delay, version, _ = (
            one.data for one in answers[: len(_STATE)]
        )
        scenes = sorted(listed.get("scenes", ()), key=lambda row: -int(row.get("sceneIndex", 0)))
        return replace(
            before,
            up=True,
            why=None,
            unready=False,
            version=str(version.get("obsVersion", "")),
            requests=frozenset(str(one) for one in version.get("availableRequests", ())),
            preview=name_of(listed.get("currentPreviewSceneName")),
            studio=bool(studio.get("studioModeEnabled", False)),
            scenes=tuple(str(row.get("sceneName", "")) for row in scenes),
            collection=str(collections.get("currentSceneCollectionName", "")),
            transitions=tuple(str(row.get("transitionName", "")) for row in transitions.get("transitions", ())),
            streaming=output_of(stream),
            recording=output_of(record),
            replays=answers[_REPLAYS].ok and bool(replays.get("outputActive", False)),
            delay=_delay(delayed, delay),
            fps=float(stats.get("activeFps", 0.0)),
            missing=frozenset(),
        )

    def program(self, answers: Sequence[Answered]) -> str | None:
        """The program scene as the answers have it."""
        return name_of(answers[0].data.get("currentProgramSceneName"))

    def frames(self, answers: Sequence[Answered]) -> int:
        """How many frames OBS has drawn since its start."""
        return frames_of(answers[2].data)

    def known(self, answers: Sequence[Answered]) -> Known:
        """The sources as the answers say they are."""
        known = Known(
            transition=name_of(answers[3].data.get("currentSceneTransitionName")),
            duration=duration_of(answers[_TRANSITION].data),
            sources_read=True,
        )
        rest = iter(answers[len(_STATE) :])
        for scene in self._scenes:
            for row in next(rest).data.get("sceneItems", ()):
                item = (scene, str(row.get("sourceName", "")))
                if item in self._items:
                    known.items[item] = (int(row.get("sceneItemId", 0)), bool(row.get("sceneItemEnabled", False)))
        for source in self._sources:
            for row in next(rest).data.get("filters", ()):
                known.filters[source, str(row.get("filterName", ""))] = bool(row.get("filterEnabled", False))
        for name, answer in zip(self._texts, rest, strict=True):
            if answer.ok:
                known.texts[name] = text_of(answer.data)
        return known


def name_of(value: Any) -> str | None:
    """A scene's or a transition's name; OBS says an empty one where there is none."""
    return value if isinstance(value, str) and value else None


def duration_of(data: Mapping[str, Any]) -> int | None:
    """How long a transition takes, milliseconds; OBS says none of one whose length is fixed."""
    value: Any = data.get("transitionDuration")
    return int(value) if isinstance(value, int | float) else None


def text_of(data: Mapping[str, Any]) -> str:
    """The text of an input, from its settings."""
    settings: Any = data.get("inputSettings")
    return str(settings.get("text", "")) if isinstance(settings, dict) else ""  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]


def frames_of(stats: Mapping[str, Any]) -> int:
    """How many frames OBS has drawn since its start: fewer than before is another run."""
    return int(stats.get("renderTotalFrames", 0))


def output_of(data: Mapping[str, Any]) -> Output:
    """A stream or a recording."""
    return Output(
        active=bool(data.get("outputActive", False)),
        paused=bool(data.get("outputPaused", False)),
        seconds=float(data.get("outputDuration", 0)) / 1000,
        skipped=int(data.get("outputSkippedFrames", 0)),
        total=int(data.get("outputTotalFrames", 0)),
    )


def _delay(enabled: Mapping[str, Any], seconds: Mapping[str, Any]) -> int:
    on = str(enabled.get("parameterValue") or enabled.get("defaultParameterValue") or "false")
    value = str(seconds.get("parameterValue") or seconds.get("defaultParameterValue") or "0")
    return int(value) if on == "true" and value.isdecimal() else 0
