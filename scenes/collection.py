"""The scene collection as a file that OBS imports: the same scenes as `install` makes in a running OBS."""

import json
from collections.abc import Sequence
from typing import Any, Final

from scenes.layout import Canvas, Scene, Source

_IDS: Final = {"browser": ("browser_source", "browser_source"), "colour": ("color_source", "color_source_v3")}
_STRETCHED: Final = 2
"""OBS's number for bounds that a source is stretched to."""
_FADE_MS: Final = 300


def collection(name: str, scenes: Sequence[Scene], canvas: Canvas) -> bytes:
    """The file (JSON, UTF-8), under the collection's `name`."""
    sources = {source.name: source for scene in scenes for source in scene.sources}
    first = scenes[0].name
    made: dict[str, Any] = {
        "name": name,
        "current_scene": first,
        "current_program_scene": first,
        "current_transition": "Fade",
        "transition_duration": _FADE_MS,
        "scene_order": [{"name": scene.name} for scene in scenes],
        "sources": [*(_input(source) for source in sources.values()), *(_scene(scene, canvas) for scene in scenes)],
        "groups": [],
        "transitions": [],
        "quick_transitions": [],
        "modules": {},
        "preview_locked": False,
        "scaling_enabled": False,
        "scaling_level": 0,
        "scaling_off_x": 0.0,
        "scaling_off_y": 0.0,
    }
    return json.dumps(made, ensure_ascii=False, indent=1).encode() + b"\n"


def _source(kind: str, versioned: str, name: str, settings: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": kind,
        "versioned_id": versioned,
        "name": name,
        "settings": settings,
        "enabled": True,
        "flags": 0,
        "hotkeys": {},
        "mixers": 0,
        "muted": False,
        "volume": 1.0,
        "sync": 0,
        "balance": 0.5,
        "monitoring_type": 0,
        "private_settings": {},
    }


def _input(source: Source) -> dict[str, Any]:
    return _source(*_IDS[source.kind], source.name, source.settings)


def _scene(scene: Scene, canvas: Canvas) -> dict[str, Any]:
    items = [_item(number, source, canvas) for number, source in enumerate(scene.sources, 1)]
    return _source("scene", "scene", scene.name, {"id_counter": len(items), "custom_size": False, "items": items})


def _item(number: int, source: Source, canvas: Canvas) -> dict[str, Any]:
    return {
        "id": number,
        "name": source.name,
        "visible": True,
        "locked": False,
        "align": 5,
        "rot": 0.0,
        "pos": {"x": 0.0, "y": 0.0},
        "scale": {"x": 1.0, "y": 1.0},
        "bounds_type": _STRETCHED,
        "bounds_align": 0,
        "bounds": {"x": float(canvas.width), "y": float(canvas.height)},
        "crop_left": 0,
        "crop_right": 0,
        "crop_top": 0,
        "crop_bottom": 0,
        "private_settings": {},
    }
