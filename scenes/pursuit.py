"""How far the wanted picture has come, and what still has to be asked of OBS for it. No connection, no clock."""

from collections.abc import Set
from dataclasses import dataclass, field
from typing import TypeAlias

from scenes.client import Asked
from scenes.seen import Obs
from scenes.wanted import Filter, Item, Wanted

Key: TypeAlias = tuple[str, ...]
"""Something that a hand may have switched: `("item", scene, source)`, `("filter", source, filter)`, `("text", input)`,
`("transition",)`."""


@dataclass(slots=True)
class Pursuit:
    """How far the newest wanted picture has come."""

    wanted: Wanted
    first_sent: bool = False
    sent_at: float | None = None
    """When it was last sent and not yet seen."""
    attempts: int = 0
    not_before: float = 0.0
    overruled: bool = False
    """Somebody switched OBS after it was wanted: the scene is not asked for again."""
    done: bool = False


@dataclass(slots=True)
class Known:
    """What the connection has read of OBS's sources; a name that is not there is not in OBS."""

    items: dict[Item, tuple[int, bool]] = field(default_factory=dict[Item, tuple[int, bool]])
    filters: dict[Filter, bool] = field(default_factory=dict[Filter, bool])
    texts: dict[str, str] = field(default_factory=dict[str, str])
    transition: str | None = None
    duration: int | None = None
    """Of the transition, milliseconds."""
    sources_read: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """How OBS switched before this link had it switch otherwise: what names no way of its own goes by this one."""

    transition: str | None = None
    duration: int | None = None
    """Milliseconds."""


@dataclass(slots=True)
class Missing:
    """What OBS does not show yet."""

    asked: list[tuple[Asked, str]] = field(default_factory=list[tuple[Asked, str]])
    """What has to be asked, each with the name that OBS may not have."""
    own: dict[Key, bool | str] = field(default_factory=dict[Key, bool | str])
    """What OBS will say of it: an event that says the same is no hand's."""

    def __bool__(self) -> bool:
        return bool(self.asked)


def missing_from(pursuit: Pursuit, known: Known, obs: Obs, hands: Set[Key], theirs: Way) -> Missing:
    """What has to be asked so that OBS shows what is wanted. What is in `hands` is left alone."""
    wanted, missing = pursuit.wanted, Missing()
    for name, text in wanted.texts.items():
        if name in known.texts and known.texts[name] != text and ("text", name) not in hands:
            settings = {"text": text}
            call = Asked.of("SetInputSettings", inputName=name, inputSettings=settings, overlay=True)
            missing.asked.append((call, name))
    for (source, name), on in wanted.filters.items():
        there, key = known.filters.get((source, name)), ("filter", source, name)
        if there is not None and there != on and key not in hands:
            call = Asked.of("SetSourceFilterEnabled", sourceName=source, filterName=name, filterEnabled=on)
            missing.asked.append((call, f"{source}/{name}"))
            missing.own[key] = on
    for (scene, source), shown in wanted.items.items():
        item, key = known.items.get((scene, source)), ("item", scene, source)
        if item is not None and item[1] != shown and key not in hands:
            call = Asked.of("SetSceneItemEnabled", sceneName=scene, sceneItemId=item[0], sceneItemEnabled=shown)
            missing.asked.append((call, f"{scene}/{source}"))
            missing.own[key] = shown
    if _scene_is_missing(pursuit, obs):
        _switch(wanted, known, obs, hands, theirs, missing)
    return missing


def _scene_is_missing(pursuit: Pursuit, obs: Obs) -> bool:
    wanted = pursuit.wanted
    if wanted.scene is None or pursuit.overruled or wanted.scene in obs.missing:
        return False
    there = obs.preview if wanted.prepare and obs.studio else obs.program
    return there != wanted.scene


def _switch(wanted: Wanted, known: Known, obs: Obs, hands: Set[Key], theirs: Way, missing: Missing) -> None:
    assert wanted.scene is not None
    if wanted.prepare and obs.studio:
        missing.asked.append((Asked.of("SetCurrentPreviewScene", sceneName=wanted.scene), wanted.scene))
        return
    own = Way(wanted.transition, wanted.duration) if wanted.emergency or ("transition",) not in hands else Way()
    name = own.transition or theirs.transition
    if name is not None and name in obs.transitions and name != known.transition:
        missing.asked.append((Asked.of("SetCurrentSceneTransition", transitionName=name), name))
        missing.own["transition",] = name
    duration = own.duration if own.duration is not None else theirs.duration
    if duration is not None and (own.duration is not None or duration != known.duration):
        call = Asked.of("SetCurrentSceneTransitionDuration", transitionDuration=duration)
        missing.asked.append((call, ""))
    missing.asked.append((Asked.of("SetCurrentProgramScene", sceneName=wanted.scene), wanted.scene))
