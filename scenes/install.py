"""Set-up in one step: the house's scenes, sources and links in a running OBS.

Done again it changes nothing. What the producer has changed since - a link, a source that was taken out, a scene that
was renamed - stays as the producer wants it, and is said. OBS itself keeps the note of what was made.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from controller.catalogue import sentence
from scenes.client import Client, ObsRefused
from scenes.layout import Canvas, Scene, Source

_REALM: Final = "OBS_WEBSOCKET_DATA_REALM_GLOBAL"
_SLOT: Final = "mafia-table"
_NO_SUCH_SLOT: Final = 600
_NAME_TAKEN: Final = 601


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report: a code of the catalogue's group `install`; not `ok`: something is left to do."""

    code: str
    params: Mapping[str, str | int] = field(default_factory=dict[str, str | int])
    ok: bool = True

    def said(self, language: str) -> str:
        """The sentence."""
        return sentence(f"install.{self.code}", language, **self.params)


def canvas_of(client: Client) -> Canvas:
    """OBS's canvas. Raises NoObs."""
    video = client.call("GetVideoSettings")
    return Canvas(int(video["baseWidth"]), int(video["baseHeight"]))


def install(
    client: Client,
    scenes: Sequence[Scene],
    canvas: Canvas,
    *,
    transitions: Sequence[str] = (),
    delay: int | None = None,
    again: bool = False,
) -> list[Finding]:
    """Makes what is missing. `again` also makes what the producer has taken out. `transitions` are those that the cue
    sheet names, `delay` OBS's stream delay, seconds. Raises NoObs and ObsRefused."""
    return _Installer(client, canvas, again=again).run(scenes, transitions, delay)


class _Installer:
    def __init__(self, client: Client, canvas: Canvas, *, again: bool) -> None:
        self._client = client
        self._canvas = canvas
        self._again = again
        self._found: list[Finding] = []
        self._looked_at = set[str]()
        self._collection = str(client.call("GetSceneCollectionList")["currentSceneCollectionName"])
        self._notes = _notes(client)
        self._own: dict[str, Any] = dict(self._notes.get(self._collection, {}))
        self._kinds = [str(kind) for kind in client.call("GetInputKindList")["inputKinds"]]
        self._inputs = {str(row["inputName"]) for row in client.call("GetInputList")["inputs"]}
        self._scenes = {str(row["sceneName"]) for row in client.call("GetSceneList")["scenes"]}

    def run(self, scenes: Sequence[Scene], transitions: Sequence[str], delay: int | None) -> list[Finding]:
        without_kind = {source.kind for scene in scenes for source in scene.sources if self._kind(source) is None}
        for kind in sorted(without_kind):
            self._say(f"no_{kind}", ok=False)
        for scene in scenes:
            if self._scene(scene):
                for source in scene.sources:
                    if self._kind(source) is not None:
                        self._source(scene, source)
        self._transitions(transitions)
        if delay is not None:
            self._delay(delay)
        self._notes[self._collection] = self._own
        self._client.call("SetPersistentData", realm=_REALM, slotName=_SLOT, slotValue=self._notes)
        if not self._found:
            self._say("nothing_to_do", collection=self._collection)
        return self._found

    def _say(self, code: str, *, ok: bool = True, **params: str | int) -> None:
        self._found.append(Finding(code, params, ok))

    def _kind(self, source: Source) -> str | None:
        """OBS's name of the kind of `source`: the newest version that it has."""
        start = {"browser": "browser_source", "colour": "color_source"}[source.kind]
        return max((kind for kind in self._kinds if kind.startswith(start)), default=None)

    def _made(self, what: str) -> bool:
        """Whether `what` was made here before: then it is missing because somebody wants it so."""
        return what in self._own.get("made", ()) and not self._again

    def _note(self, what: str) -> None:
        made = [one for one in self._own.get("made", ()) if one != what]
        self._own["made"] = [*made, what]

    def _scene(self, scene: Scene) -> bool:
        """Whether the scene is there now."""
        key = f"scene {scene.name}"
        if scene.name in self._scenes:
            self._note(key)
            return True
        if self._made(key):
            self._say("scene_left_out", word=scene.name)
            return False
        try:
            self._client.call("CreateScene", sceneName=scene.name)
        except ObsRefused as refused:
            if refused.code != _NAME_TAKEN:
                raise
            self._say("name_taken", word=scene.name, ok=False)
            return False
        self._note(key)
        self._say("scene_made", word=scene.name)
        return True

    def _source(self, scene: Scene, source: Source) -> None:
        rows = self._client.call("GetSceneItemList", sceneName=scene.name)["sceneItems"]
        key = f"item {scene.name}/{source.name}"
        if source.name in self._inputs:
            self._link(source)
        if any(row["sourceName"] == source.name for row in rows):
            self._note(key)
            return
        if self._made(key):
            self._say("source_left_out", word=source.name, scene=scene.name)
            return
        if source.name in self._inputs:
            made = self._client.call("CreateSceneItem", sceneName=scene.name, sourceName=source.name)
        else:
            made = self._client.call(
                "CreateInput",
                sceneName=scene.name,
                inputName=source.name,
                inputKind=self._kind(source),
                inputSettings=source.settings,
            )
            self._inputs.add(source.name)
            self._remember_link(source)
        # Over the whole canvas, whatever its size.
        transform = {
            "boundsType": "OBS_BOUNDS_STRETCH",
            "boundsWidth": float(self._canvas.width),
            "boundsHeight": float(self._canvas.height),
            "positionX": 0.0,
            "positionY": 0.0,
        }
        self._client.call(
            "SetSceneItemTransform",
            sceneName=scene.name,
            sceneItemId=made["sceneItemId"],
            sceneItemTransform=transform,
        )
        self._note(key)
        self._say("source_made", word=source.name, scene=scene.name)

    def _link(self, source: Source) -> None:
        """The link of a browser source that is there: the old one of ours is renewed, another one is the producer's."""
        if source.url is None or source.name in self._looked_at:
            return
        self._looked_at.add(source.name)
        settings = self._client.call("GetInputSettings", inputName=source.name)["inputSettings"]
        there, ours = settings.get("url"), self._own.get("links", {}).get(source.name)
        if there == source.url:
            self._remember_link(source)
        elif self._again or there == ours or not there:
            values = {"url": source.url}
            self._client.call("SetInputSettings", inputName=source.name, inputSettings=values, overlay=True)
            self._remember_link(source)
            self._say("link_made", word=source.name)
        else:
            self._say("link_left", word=source.name)

    def _remember_link(self, source: Source) -> None:
        if source.url is not None:
            self._own["links"] = {**self._own.get("links", {}), source.name: source.url}

    def _transitions(self, wanted: Sequence[str]) -> None:
        """OBS lets nobody make transitions from outside; it has Cut and Fade by itself."""
        rows = self._client.call("GetSceneTransitionList")["transitions"]
        known = {str(row["transitionName"]) for row in rows}
        for name in sorted(set(wanted) - known):
            self._say("no_transition", word=name, known=", ".join(sorted(known)), ok=False)

    def _delay(self, seconds: int) -> None:
        def read(name: str) -> str:
            call = self._client.call("GetProfileParameter", parameterCategory="Output", parameterName=name)
            return str(call.get("parameterValue") or call.get("defaultParameterValue") or "")

        there = int(read("DelaySec") or 0) if read("DelayEnable") == "true" else 0
        if there != seconds and there not in (0, self._own.get("delay", 0)) and not self._again:
            self._say("delay_left", seconds=there, wanted=seconds)
            return
        if there != seconds:
            for name, value in (("DelayEnable", "true" if seconds else "false"), ("DelaySec", str(seconds))):
                self._client.call(
                    "SetProfileParameter", parameterCategory="Output", parameterName=name, parameterValue=value
                )
            self._say("delay_made", seconds=seconds)
        self._own["delay"] = seconds


def _notes(client: Client) -> dict[str, Any]:
    try:
        kept: Any = client.call("GetPersistentData", realm=_REALM, slotName=_SLOT).get("slotValue")
    except ObsRefused as refused:
        if refused.code != _NO_SUCH_SLOT:
            raise
        kept = None
    return kept if isinstance(kept, dict) else {}  # pyright: ignore[reportUnknownVariableType]
