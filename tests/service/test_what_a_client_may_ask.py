"""The hall can ask for anything and gets nothing; the judge's commands are done once, or refused with a sentence."""

import json
from random import Random
from typing import Any, get_args

import pytest

from controller.service.access import OPEN, Scope
from controller.service.requests import ALLOWED
from controller.service.running import Running
from controller.views import commands
from tests.service.judge import Judge, hears_no_role, token
from tests.service.page import Page
from tests.service.waiting import comes_true

DO = sorted(order.__struct_config__.tag for order in (*get_args(commands.PlayOrder), *get_args(commands.AnyOrder)))
FIELDS: dict[str, Any] = {
    "seat": 4,
    "by": 3,
    "role": "don",
    "clause": "6.6.1",
    "candidate": 4,
    "counts": True,
    "seats": [1, 2],
    "proposal": "1.4.8.early_hand",
    "shots": {},
    "at": 5,
    "numbers": [1, 2, 3],
    "points": "0.4",
    "approved": True,
    "text": "протест",
    "decision": 1,
    "with": {"do": "next"},
    "running": True,
    "stopped": True,
    "event": "",
    "stage": "",
    "game": 1,
    "table": 1,
    "judge": "",
    "names": [""] * 10,
}
EVENTS = (
    "command", "signal", "takeover", "clock", "view", "views", "state", "snapshot", "subscribe", "join", "auth",
    "login", "token", "judge", "air", "connect", "disconnect", "connect_error", "*", "message", "admin", "eval", "",
)  # fmt: skip


async def test_a_hall_client_asks_for_everything_and_hears_no_role(simulated: Running) -> None:
    judge_token = token(simulated, Scope.JUDGE)
    async with Page(simulated.address, judge_token) as tablet, Page(simulated.address) as hall:
        judge = Judge(tablet)
        await judge.deals()
        await judge.goes_on_to("night" if tablet.view["phase"]["kind"] == "dusk" else "morning")
        before = simulated.table.snapshot.revision
        for do in DO:
            answer = await hall.ask("command", {"id": f"hall {do}", "revision": hall.revision, "do": do, **FIELDS})
            assert answer["ok"] is False
            assert answer["refusal"]["code"] == "no_right"
            assert answer["refusal"]["sentence"]
        for event in EVENTS:
            for payload in ({}, {"token": judge_token}, {"page": "judge", "audience": "judge"}, None, "judge"):
                answer = await hall.ask(event, payload)
                assert event == "clock" or answer["ok"] is False, (event, payload)
        assert simulated.table.snapshot.revision == before
        assert {view["audience"] for view in hall.views} == {"hall"}
        hears_no_role(hall)


@pytest.mark.parametrize("scope", [Scope.AIR, Scope.TABLE])
async def test_no_other_scope_commands_the_table(simulated: Running, scope: Scope) -> None:
    async with Page(simulated.address, token(simulated, scope)) as page:
        for event in {name for allowed in ALLOWED.values() for name in allowed} - ALLOWED[scope]:
            answer = await page.ask(event, {"id": "1", "revision": 0, "do": "next", "key": "next", "down": True})
            assert answer["refusal"]["code"] == "no_right"


async def test_the_same_id_twice_is_one_command(service: Running) -> None:
    async with Page(service.address, token(service, Scope.JUDGE)) as tablet:
        judge = Judge(tablet)
        await judge.does("deal", id="the card", seat=1, role="don")
        revision = service.table.snapshot.revision
        again = await judge.tries("deal", id="the card", seat=1, role="don")
        assert again["ok"]
        assert service.table.snapshot.revision == revision


async def test_a_stale_command_is_refused_and_a_later_one_is_not(service: Running) -> None:
    async with (
        Page(service.address, token(service, Scope.JUDGE)) as tablet,
        Page(service.address, token(service, Scope.JUDGE), language="en") as other,
    ):
        judge = Judge(tablet)
        old = other.revision
        await judge.does("deal", seat=1, role="don")
        stale = await other.ask("command", {"id": "late", "revision": old, "do": "deal", "seat": 1, "role": "mafia"})
        assert stale["refusal"]["code"] == "stale"
        unaffected = await other.ask(
            "command", {"id": "fine", "revision": old, "do": "deal", "seat": 2, "role": "mafia"}
        )
        assert unaffected["ok"]
        await other.until(lambda: other.revision >= unaffected["revision"])
        assert other.view["step"]["label"]
        unknown = await other.ask("command", {"id": "never", "revision": 5, "do": "next"})
        assert unknown["refusal"]["code"] == "stale"


async def test_a_refusal_that_tells_a_role_is_to_be_read_under_the_cover_alone(service: Running) -> None:
    async with Page(service.address, token(service, Scope.JUDGE)) as tablet:
        judge = Judge(tablet)
        await judge.deals()
        while tablet.view["phase"]["kind"] != "night":
            await judge.does("next")
        answer = await judge.tries("shoot", shots={"1": [2]})
        refusal = answer["refusal"]
        assert (refusal["code"], refusal["params"], refusal["clause"]) == ("secret", {}, None)
        assert "1" not in refusal["sentence"]
        assert "1" in refusal["covered"]


async def test_a_page_is_answered_in_its_own_language(service: Running) -> None:
    said = {}
    for language in ("ru", "uk", "en"):
        async with Page(service.address, token(service, Scope.JUDGE), language=language) as page:
            answer = await page.ask("command", {"id": language, "revision": page.revision, "do": "next"})
            said[language] = (answer["refusal"]["sentence"], page.view["phrase"], page.view["step"]["label"])
    assert len(set(said.values())) == 3


async def test_odd_payloads_are_refused_with_a_sentence_and_change_nothing(simulated: Running) -> None:
    """Some thousands of them, from every scope."""
    chance = Random(20261129)
    refusals = 0
    for scope in Scope:
        own = None if scope in OPEN else token(simulated, scope)
        async with Page(simulated.address, own, page=scope.value) as page:
            before = simulated.table.snapshot.revision
            for number in range(700):
                event = chance.choice([*EVENTS, "command", "command", "signal", "clock", "takeover"])
                arguments = [_odd(chance, 0) for _ in range(chance.choice([0, 1, 1, 1, 1, 2]))]
                if event == "command" and chance.random() < 0.7:
                    fields = {key: _odd(chance, 2) if chance.random() < 0.5 else FIELDS[key] for key in FIELDS}
                    body = {"id": f"fuzz {number}", "revision": 1, "do": chance.choice(DO), **fields}
                    arguments = [{key: value for key, value in body.items() if chance.random() < 0.9}]
                answer = await page.ask(event, *arguments)
                if not answer.get("ok", "now" in answer):
                    assert answer["refusal"]["sentence"], (event, arguments)
                    assert answer["refusal"]["code"] != "fault", (event, arguments)
                    refusals += 1
                if number % 350 == 349:
                    # Not so fast that the service would refuse for that alone.
                    simulated.broadcast.screens.renew_allowances()
            if scope is not Scope.TABLE:
                assert simulated.table.snapshot.revision == before
            assert not page.closed.is_set()
    assert refusals > 2000
    async with Page(simulated.address) as hall:
        assert hall.views


def _odd(chance: Random, depth: int) -> Any:
    plain = [
        None, True, False, 0, -1, 21, 2**70, 1.5, -0.0, 1e308, "", "4", "\u0000", "дон", "a" * 500, "‮", "\ud83d\ude00",
    ]  # fmt: skip
    if depth > 3 or chance.random() < 0.6:
        return chance.choice(plain)
    if chance.random() < 0.5:
        return [_odd(chance, depth + 1) for _ in range(chance.randint(0, 4))]
    return {str(chance.choice([*FIELDS, *plain])): _odd(chance, depth + 1) for _ in range(chance.randint(0, 4))}


@pytest.mark.parametrize(
    "frame",
    [
        "", "0", "5", "7", "4", "49", "42", "42[", "42[]", "42[5]", "42{}", '42["clock"', "421[1]", "43", "431[1]",
        "44{}", "40{}", "451-[\"a\",{\"_placeholder\":true,\"num\":0}]", "42" + "[" * 5000, "4" * 200, "\ud7ff",
        "42/admin,[\"command\",{}]", "x" * 15_000,
    ],
)  # fmt: skip
async def test_what_is_no_message_ends_its_own_connection_and_no_other(service: Running, frame: str) -> None:
    async with Page(service.address) as other:
        async with Page(service.address) as page:
            await page.send_raw(frame)
            if frame == "40{}":
                return  # a second greeting is odd and harmless
            await page.until(page.closed.is_set)
        await comes_true(lambda: len(service.broadcast.screens) == 1)
        assert (await other.ask("clock", {"t0": 1}))["t0"] == 1


async def test_a_deeply_nested_payload_is_refused_like_any_other(service: Running) -> None:
    nested: Any = 1
    for _ in range(700):
        nested = {"a": nested}
    async with Page(service.address, token(service, Scope.JUDGE)) as page:
        assert (await page.ask("command", nested))["refusal"]["code"] == "malformed"


async def test_a_frame_that_is_too_large_ends_the_connection(service: Running) -> None:
    async with Page(service.address) as page:
        await page.send_raw("42" + json.dumps(["clock", "x" * 20_000]))
        await page.until(page.closed.is_set)


async def test_a_command_that_was_tapped_long_ago_is_refused(service: Running) -> None:
    async with Page(service.address, token(service, Scope.JUDGE), language="en") as tablet:
        judge = Judge(tablet)
        now = (await tablet.ask("clock", {"t0": 1}))["now"]
        for do, fields in (("deal", {"seat": 1, "role": "don"}), ("stop", {"stopped": True})):
            late = await judge.tries(do, **fields, tapped=now - 6000)
            assert late["refusal"]["code"] == "too_late"
            assert late["refusal"]["sentence"]
        for tapped in (float("1e308"), -1, "now"):
            assert (await judge.tries("next", tapped=tapped))["refusal"]["code"] == "malformed"
        assert service.table.snapshot.history.length == 0
        await judge.does("deal", seat=1, role="don", tapped=now - 1000)


async def test_a_number_of_any_length_is_refused_with_a_sentence(service: Running) -> None:
    async with Page(service.address, token(service, Scope.JUDGE)) as tablet:
        for shooter in ("1" * 5000, "001", "0", "21", "-1", "²"):
            answer = await Judge(tablet).tries("shoot", shots={shooter: [2]})
            assert answer["refusal"]["code"] == "malformed", shooter[:8]


async def test_a_count_is_replaced_for_the_candidate_it_was_for(service: Running) -> None:
    async with Page(service.address, token(service, Scope.JUDGE)) as tablet:
        judge = Judge(tablet)
        await judge.deals()
        await judge.goes_on_to("morning")
        await judge.discussion({1: 6, 2: 3})
        await judge.does("count", seats=[1, 2])
        decision = service.table.snapshot.history.length
        await judge.does("count", seats=[4, 5, 7])
        await judge.does("replace", decision=decision, **{"with": {"do": "count", "seats": [1, 2, 8]}})
        counted = [(one["seat"], one["hands"]) for one in tablet.view["vote"]["candidates"]]
        assert counted[0] == (6, [1, 2, 8])


async def test_a_name_turns_nothing_that_stands_beside_it(service: Running) -> None:
    async with Page(service.address, token(service, Scope.JUDGE)) as tablet:
        names = ["\u202eрехаЗ\u202c", "\u2067Кот\u2069", *[""] * 8]
        await Judge(tablet).does("set_up", event="\u202dКубок", stage="", game=1, table=1, judge="", names=names)
        assert [seat["name"] for seat in tablet.view["seats"][:2]] == ["рехаЗ", "Кот"]
        assert tablet.view["header"]["event"] == "Кубок"
