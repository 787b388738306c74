"""docs/messages.md and the code say the same: the same keys, and nothing on any page that is not on that page."""

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any, get_args

import msgspec
import pytest

from controller.game import commands as cmd
from controller.game.history import History
from controller.table.selftest import SelfTest
from controller.table.state import Snapshot, Suggestion, Timer
from controller.table.timers import PROTESTS
from controller.views import commands, messages, office, produce, producer, tablet
from controller.views.air import air_view
from controller.views.between import break_view
from controller.views.evidence import counted_windows
from controller.views.facts import Caps, NextGame, Place, Surroundings
from controller.views.hall import hall_view
from controller.views.judge import JudgeViews
from controller.views.messages import Fact, LowerThird
from controller.views.office import office_view
from controller.views.sounding import SoundReport, Word
from controller.views.stage import Replayed, Switches
from controller.views.table import table_view
from tests.views.course import Course, sample_game
from tests.views.typescript import PAGE, Named, keys_of, misfit, page


def _staged(snapshot: Snapshot) -> Surroundings:
    """With everything that a producer can set, and a window replayed: one with a ruling, where there is one."""
    windows = sorted(counted_windows(snapshot.state).items(), key=lambda item: not item[1].rulings)
    switches = Switches(
        lifted=3,
        lower_third=LowerThird(title="A", subtitle="B"),
        fact=Fact(seat=1, text="C"),
        replay=Replayed(windows[0][0], 0) if windows else None,
    )
    return replace(AROUND, switches=switches)


AROUND = Surroundings(
    simulated=True,
    keys=("seat 1", "next"),
    screens={"air": 1},
    photo=lambda _: "/photos/0.jpg",
    places=(Place(1, "Ёж", "3.4", 4, 3),),
    sound=SoundReport(Word("card", {"card": "USB Audio"}, ok=True)),
    caps=Caps(most="0.7", total="0.3", total_approved="0.5", players=None, players_approved=None),
    coming=(NextGame(1, "Final", 1, ("A", "B")),),
)


def _after_the_game() -> Iterator[Snapshot]:
    """With what no sample game has: a penalty, a protest, the ten minutes, a suggestion of the side judge."""
    last = list(sample_game())[-1]
    history = last.history
    for command in (cmd.Penalise(3, Decimal("-0.4"), "8.5.1"), cmd.Protest(3, "A")):
        played = history.play(command)
        assert isinstance(played, History), played
        history = played
    timer = Timer("timer 1", PROTESTS, None, 600, running=True, deadline=600, left=600)
    suggestion = Suggestion(7, 3, "foul", "6.6.1", "")
    yield replace(last, history=history, timer=timer, signed="A", suggestions=(suggestion,))
    yield replace(Course().snapshot(), header=replace(last.header, options=(("wills", "yes"),)))


STRUCTS: dict[str, Any] = {
    **{name: kind for name, kind in vars(messages).items() if isinstance(kind, type)},
    **{name: kind for name, kind in vars(producer).items() if isinstance(kind, type)},
    **{name: kind for name, kind in vars(tablet).items() if isinstance(kind, type)},
    "OfficeView": office.OfficeView,
}
VIEWS = {
    "HallView": lambda snapshot: hall_view(snapshot),
    "AirView": lambda snapshot: air_view(snapshot, _staged(snapshot)),
    "JudgeView": lambda snapshot: JudgeViews().view(snapshot, AROUND, "ru"),
    "OfficeView": lambda snapshot: office_view(snapshot, AROUND, "ru"),
    "TableView": lambda snapshot: table_view(snapshot, AROUND),
    "BreakView": lambda snapshot: break_view(snapshot, AROUND),
}


@pytest.mark.parametrize("name", sorted(set(page().types) - {"Seat", "Role", "How"}))
def test_every_type_of_the_page_has_the_keys_of_its_struct(name: str) -> None:
    reader = page()
    keys, fields = reader.shape(Named(name)).keys, set(STRUCTS[name].__struct_fields__)
    assert {key for key, (_, optional) in keys.items() if not optional} <= fields <= keys.keys()


@pytest.mark.parametrize("name", sorted(VIEWS))
def test_a_whole_game_shows_the_keys_of_the_page_and_no_other(name: str) -> None:
    reader, seen = page(), set[str]()
    walk = SelfTest(["seat 1"])
    walk.skip(0)
    for snapshot in (*sample_game(), *_after_the_game(), replace(Course().snapshot(), walk=walk.walk)):
        view = msgspec.json.decode(msgspec.json.encode(VIEWS[name](snapshot)))
        assert misfit(reader, Named(name), view, "", seen) is None
    # The sample final has no raise question, but a tie; and nobody has told how many games the series has.
    optional = {key for key in keys_of(reader, Named(name)) if key in (".vote.tied", ".header.games")}
    assert seen | optional == keys_of(reader, Named(name))


def test_every_command_of_the_page_is_one_that_can_be_read_and_the_other_way_round() -> None:
    orders: tuple[Any, ...] = (
        *get_args(commands.PlayOrder),
        *get_args(commands.AnyOrder),
        commands.SelfTest,
        commands.Call,
        commands.GoOnUnsaved,
    )
    in_code = {order.__struct_config__.tag: set(order.__struct_encode_fields__) for order in orders}
    assert _commands_of_the_page() == in_code


def test_every_order_of_a_producer_is_on_the_page_and_the_other_way_round() -> None:
    in_code = {
        order.__struct_config__.tag: set(order.__struct_encode_fields__) for order in get_args(produce.ProducerOrder)
    }
    assert _commands_of_the_page("## The producer's orders", "## Views") == in_code


def _commands_of_the_page(start: str = "## Commands", end: str = "## The producer's orders") -> dict[str, set[str]]:
    """Command -> its fields, from the table under `start`; a field is what stands in backticks, up to its type."""
    table = PAGE.read_text(encoding="utf-8").split(start)[1].split(end)[0]
    found: dict[str, set[str]] = {}
    for line in table.splitlines():
        if not line.startswith("| `"):
            continue
        names, fields, meaning = (cell.replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:4])
        said = ",".join(re.findall(r"`([^`]*)`", fields))
        said += "," + ",".join(re.findall(r"`(\w+: [^`]*)`", meaning))
        own = {match[1] for part in re.split(r",(?![^{]*\})", said) if (match := re.match(r"\s*(\w+)", part))}
        for name in re.findall(r"`(\w+)`", names):
            found[name] = own
    return found
