"""Moments of games as every page sees them: the sample final from the engine's own views, one of each kind of moment;
what it lacks - a raise, many nominees, twenty seats - from the fixtures; and what a producer puts up."""

from __future__ import annotations

import copy
import io
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
from PIL import Image, ImageDraw

from controller.service.pictures import PORTRAIT
from controller.table.state import Snapshot
from controller.views.air import air_view
from controller.views.between import break_view
from controller.views.facts import NextGame, Place, Surroundings
from controller.views.hall import hall_view
from controller.views.judge import JudgeViews
from tests.overlay.fixture_server import fixture, moments
from tests.views.course import sample_game

Views = dict[str, dict[str, Any]]

LONGEST = {
    "ru": (
        "Велосипедостроитель",
        "Барон Мюнхгаузен",
        "Электрификатор",
        "Достопочтенный Джентльмен",
        "Щёголь Шмыгов-Пышкин",
        "Человекообразный",
        "Ёж",
        "Мисс Провидение Петербург",
        "Гроссмейстер",
        "Ы",
    ),
    "uk": (
        "Їжакуватеньківський",
        "Шановний Добродій",
        "Електрозварювальник",
        "Щиросердна Панянка",
        "Ґудзик",
        "Найнепередбачуваніший",
        "Пан",
        "Вовкулака Опівнічний",
        "Хмарочос",
        "Я",
    ),
    "en": (
        "Whimsicalwordsmith",
        "Baron Munchausen",
        "Mississippi Mudslinger",
        "The Honourable Gentleman",
        "WWWWWWWWWW",
        "Incomprehensible",
        "Al",
        "Quartermaster-General",
        "Thunderstorm",
        "I",
    ),
}
CITY = (
    *("civilian",) * 9,
    *("mafia",) * 4,
    "don",
    "sheriff",
    "maniac",
    "beauty",
    "doctor",
    "bomber",
    "avenger",
)


def around_of(snapshot: Snapshot) -> Surroundings:
    points = {seat.number: f"{(seat.number * 37 % 21) / 10}" for seat in snapshot.state.seats}
    over = snapshot.state.outcome is not None
    return Surroundings(
        points=points if over else {},
        photo=lambda name: f"/photos/{sum(name.encode()) % 10}.jpg",
        places=tuple(
            Place(place, name, f"{(20 - place) * 0.7:.2f}", 5, (20 - place) // 4)
            for place, name in enumerate(snapshot.names, 1)
        ),
        coming=(NextGame(9, "Полуфинал", snapshot.header.table, snapshot.names),),
    )


def _relative(view: dict[str, Any], now: float) -> dict[str, Any]:
    """Times as the fixtures have them: ms after "now"."""
    timer, vote = view.get("timer"), view.get("vote")
    if timer and timer["deadline"] is not None:
        timer["deadline"] = timer["total"] * 0.7
    if vote and vote["window"]:
        vote["window"] = {key: value - now for key, value in vote["window"].items()}
    return view


def _encoded(view: object) -> dict[str, Any]:
    return json.loads(msgspec.json.encode(view))


def kind_of(view: dict[str, Any]) -> tuple[object, ...]:
    """What of a moment makes a picture of its own."""
    phase, vote = view["phase"], view["vote"]
    nights = view["nights"]
    return (
        phase["kind"],
        phase["step"],
        phase["speech"],
        phase["silent"],
        bool(view["nominations"]),
        view["best_move"] is None,
        None if vote is None else (vote["kind"], str(sorted({one["state"] for one in vote["candidates"]}))),
        None if vote is None or vote["leaves"] is None else len(vote["leaves"]),
        bool(nights) and (bool(nights[-1]["shots"]), nights[-1]["killed"] is None, len(nights[-1]["checks"]) > 0),
        any(seat["points"] for seat in view["seats"]),
    )


@cache
def _final() -> tuple[tuple[str, Views], ...]:
    """The sample final: the first moment of each kind."""
    found: dict[tuple[object, ...], tuple[str, Views]] = {}
    for number, snapshot in enumerate(sample_game()):
        around = around_of(snapshot)
        air = _encoded(air_view(snapshot, around))
        kind = kind_of(air)
        if kind in found:
            continue
        window = (air["vote"] or {}).get("window")
        now = window["opened"] + 800 if window else 0.0
        views = {
            "air": _relative(air, now),
            "hall": _relative(_encoded(hall_view(snapshot)), now),
            "break": _encoded(break_view(snapshot, around)),
        }
        phase = air["phase"]
        found[kind] = (f"{number:03} {phase['kind']} {phase['round']}", views)
    return tuple(found.values())


def _on_the_desk(view: dict[str, Any]) -> tuple[object, ...]:
    """What of a moment makes a picture of its own on the judge's tablet."""
    step, phase, legal = view["step"], view["phase"], view["legal"]
    return (
        *kind_of(view)[:-1],
        (step["do"], step["blocked"] is None),
        view["recorded"],
        len(view["hints"]),
        len([one for one in view["proposals"] if one["answer"] is None]),
        legal["redo"] is None,
        phase["kind"] == "dealing" and sum(1 for seat in view["seats"] if seat["role"]) in (0, 5, 10),
    )


@cache
def _final_of(language: str) -> tuple[tuple[str, dict[str, Any]], ...]:
    """The sample final on the judge's tablet: the first moment of each kind."""
    found: dict[tuple[object, ...], tuple[str, dict[str, Any]]] = {}
    views = JudgeViews()
    for number, snapshot in enumerate(sample_game()):
        view = _encoded(views.view(snapshot, around_of(snapshot), language))
        kind = _on_the_desk(view)
        if kind in found:
            continue
        window = (view["vote"] or {}).get("window")
        now = window["opened"] + 800 if window else 0.0
        found[kind] = (f"{number:03} {view['phase']['kind']} {view['phase']['round']}", _relative(view, now))
    return tuple(found.values())


def desk_moments(language: str) -> list[tuple[str, Views]]:
    """Everything there is to be seen on the judge's tablet: the final, the fixtures, and twenty seats."""
    found = [(name, {"judge": copy.deepcopy(view)}) for name, view in _final_of(language)]
    found += [(name, {"judge": fixture(name)["judge"]}) for name in moments()]
    found += [
        (f"{name} 20", {"judge": widened(fixture(name)["judge"], 20)}) for name in ("speech", "vote_many", "night")
    ]
    return found


def whole_game() -> list[tuple[str, Views]]:
    """The sample final, one moment of each kind, with what the hall and the break show at it."""
    return [(name, copy.deepcopy(views)) for name, views in _final()]


def others() -> Iterator[tuple[str, Views]]:
    """What the sample final does not have."""
    for name in moments():
        yield name, {page: fixture(name)[page] for page in ("air", "hall")}
    for name in ("speech", "vote_many", "night", "over", "raise", "acquaintance"):
        views = fixture(name)
        for seats in (12, 20):
            yield f"{name} {seats}", {page: widened(views[page], seats) for page in ("air", "hall")}
    yield from calling()
    yield from staged()


def widened(view: dict[str, Any], seats: int) -> dict[str, Any]:
    """The same moment with more at the table, and with city's cards."""
    wide = copy.deepcopy(view)
    rows = wide["seats"]
    for number in range(len(rows) + 1, seats + 1):
        row = copy.deepcopy(rows[(number * 7) % 10])
        row.update(seat=number, speaking=False, nominated=None)
        rows.append(row)
    if any(row.get("role") for row in rows):
        for row, role in zip(rows, CITY[20 - seats :], strict=False):
            row["role"] = role
    if wide["vote"] is not None and "free" in wide["vote"]:
        wide["vote"]["free"] = [*wide["vote"]["free"], *range(11, seats + 1)]
        given = {seat for one in wide["vote"]["candidates"] for seat in (*one["hands"], *one["assigned"])}
        wide["vote"]["free"] = [seat for seat in wide["vote"]["free"] if seat not in given]
    return wide


def calling() -> Iterator[tuple[str, Views]]:
    """The shooting as it goes: before, a number called, a hit, a miss."""
    for name, called, shots, killed in (
        ("shooting begins", None, {}, None),
        ("number called", 5, {}, None),
        ("last number called", 10, {}, None),
        ("hit", None, {"3": [5], "7": [5], "9": [5]}, [5]),
        ("missed", None, {"3": [5], "7": [5], "9": [4]}, []),
        ("missed thrice", None, {"3": [5], "7": [2, 5], "9": [4, 8]}, []),
    ):
        views = fixture("night")
        air = views["air"]
        air["calling"] = called
        air["nights"][-1].update(shots=shots, killed=killed)
        yield name, {"air": air, "hall": views["hall"]}


def staged() -> Iterator[tuple[str, Views]]:
    """What a producer puts up."""
    fact = {"seat": 4, "text": "Двенадцать игр подряд без единого фола, лучший шериф осени"}
    third = {"title": "Александра Константинопольская", "subtitle": "Главный судья турнира, международная категория"}
    evidence = {
        "ballot": 1,
        "candidate": 7,
        "length": 2000.0,
        "touches": [
            {"seat": 1, "down": -620.0, "up": None},
            {"seat": 4, "down": 210.0, "up": 2600.0},
            {"seat": 5, "down": 240.5, "up": None},
            {"seat": 8, "down": 900.0, "up": 1300.0},
            {"seat": 8, "down": 1500.0, "up": None},
            {"seat": 10, "down": 2090.0, "up": None},
        ],
        "hands": [4, 5, 8],
        "late": [10],
        "rulings": [],
        "flagged": False,
    }
    for name, moment, stage in (
        ("lifted", "speech", {"lifted": 4}),
        ("lifted out", "last_word", {"lifted": 2}),
        ("fact", "speech", {"fact": fact}),
        ("lower third", "night", {"lower_third": third}),
        ("everything", "speech", {"lifted": 4, "fact": fact, "lower_third": third}),
        ("everything over", "over", {"lifted": 4, "fact": fact, "lower_third": third}),
        ("replay begins", "vote_counting", {"replay": {"window": "1.7", "started_at": -600.0, "evidence": evidence}}),
        ("replay ended", "vote_counting", {"replay": {"window": "1.7", "started_at": -60000.0, "evidence": evidence}}),
        ("roles off", "over", {"roles": False}),
        ("roles off at night", "night", {"roles": False}),
        ("scores off", "over", {"scores": False}),
        ("overlay off", "speech", {"overlay": False}),
    ):
        views = fixture(moment)
        views["air"]["stage"].update(stage)
        yield name, {"air": views["air"], "hall": views["hall"]}
    wide = widened(fixture("vote_counting")["air"], 20)
    wide["stage"]["replay"] = {"window": "1.7", "started_at": -60000.0, "evidence": evidence}
    yield "replay of twenty", {"air": wide, "hall": widened(fixture("vote_counting")["hall"], 20)}


def long_names(views: Views, language: str) -> Views:
    """The same moment with the longest names that there are."""
    given = LONGEST[language]
    called = copy.deepcopy(views)
    for page in called.values():
        for i, row in enumerate([*page.get("seats", ()), *page.get("standings", ())]):
            row["name"] = given[i % len(given)]
            if "photo" in row:
                row["photo"] = f"/photos/{i % 10}.jpg"
        for i, row in enumerate((page.get("next") or {}).get("players", ())):
            row["name"] = given[(i + 3) % len(given)]
            row["photo"] = None if i % 4 == 3 else f"/photos/{i % 10}.jpg"
    return called


@cache
def picture(number: int) -> bytes:
    """A player's picture as people send them in: bright clothes, bright walls, odd crops. A drawing."""
    wide, high = PORTRAIT
    walls = (
        "#ffffff",
        "#f4efe2",
        "#cfe4f7",
        "#ffe14d",
        "#222222",
        "#e9e9e9",
        "#ff5a3c",
        "#fafafa",
        "#9adf7a",
        "#ffffff",
    )
    shirts = (
        "#ffffff",
        "#ff2f92",
        "#fff200",
        "#ffffff",
        "#f5f5f5",
        "#00d7ff",
        "#ffffff",
        "#101010",
        "#ffd1dc",
        "#fefefe",
    )
    picture = Image.new("RGB", PORTRAIT, walls[number])
    pen = ImageDraw.Draw(picture)
    x, y = wide * (0.5 + 0.14 * ((number % 3) - 1)), high * (0.36 + 0.09 * ((number % 4) - 1.5))
    r = wide * (0.17 + 0.03 * (number % 3))
    pen.ellipse((x - 2.4 * r, y + 1.1 * r, x + 2.4 * r, y + 6 * r), fill=shirts[number])
    pen.ellipse((x - r, y - 1.25 * r, x + r, y + 1.25 * r), fill=("#e8bd9a", "#8d5a3a", "#f1d0b0")[number % 3])
    pen.pieslice(
        (x - 1.1 * r, y - 1.4 * r, x + 1.1 * r, y + 0.8 * r), 180, 360, fill=("#2b1d18", "#c9a15a")[number % 2]
    )
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=80)
    return out.getvalue()
