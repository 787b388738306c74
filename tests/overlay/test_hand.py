"""What presses and keys send."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from playwright.async_api import Page

from tests.overlay.conftest import Opener
from tests.overlay.fixture_server import FixtureServer

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="package")]


async def judge_at(server: FixtureServer, open_page: Opener, moment: str) -> Page:
    server.change(moment)
    page = await open_page("judge")
    await page.wait_for_timeout(450)  # the slip guard of a fresh step
    return page


def sent(server: FixtureServer) -> list[dict[str, Any]]:
    """Every command without its id and revision."""
    return [{k: v for k, v in one.items() if k not in ("id", "revision", "tapped")} for one in server.commands]


async def until_sent(server: FixtureServer, count: int) -> None:
    """Waits until so many commands have come."""
    async with asyncio.timeout(10):
        while len(server.commands) < count:  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(0.01)


async def test_keys_do_the_main_things(server: FixtureServer, open_page: Opener) -> None:
    page = await judge_at(server, open_page, "speech")
    for key in ("Space", "Digit8", "KeyF", "Digit6", "KeyT", "KeyZ", "KeyY"):
        await page.keyboard.press(key)
        await page.wait_for_timeout(60)
    assert sent(server) == [
        {"do": "next"},
        {"do": "nominate", "by": 4, "seat": 8},
        {"do": "foul", "seat": 6},
        {"do": "timer", "running": False},
        {"do": "undo"},
        {"do": "redo"},
    ]
    assert {one["revision"] for one in server.commands} == {server.revision}


async def test_two_quick_presses_are_one_step(server: FixtureServer, open_page: Opener) -> None:
    page = await judge_at(server, open_page, "speech")
    server.answer_commands = False
    step = page.locator(".step")
    await step.click()
    await step.click()
    await page.wait_for_timeout(200)
    assert len({one["id"] for one in server.commands}) == 1


async def test_a_press_right_after_the_step_has_changed_is_a_slip(server: FixtureServer, open_page: Opener) -> None:
    page = await judge_at(server, open_page, "speech")
    await server.play("vote_called")
    await page.wait_for_selector(".vote")
    await page.keyboard.press("Space")
    await page.wait_for_timeout(400)
    assert server.commands == []
    await page.keyboard.press("Space")
    await page.wait_for_timeout(100)
    assert sent(server) == [{"do": "open_window"}]
    assert server.commands[0]["tapped"] == pytest.approx(server.now(), abs=400)


async def test_a_touch_rules_a_hand(server: FixtureServer, open_page: Opener) -> None:
    page = await judge_at(server, open_page, "vote")
    await page.locator("[data-seat='10']").click()
    await page.locator("[data-seat='5']").click()
    await page.wait_for_timeout(100)
    assert sent(server) == [
        {"do": "rule", "candidate": 7, "seat": 10, "counts": True},
        {"do": "rule", "candidate": 7, "seat": 5, "counts": False},
    ]


async def test_hands_can_be_counted_without_sensors(server: FixtureServer, open_page: Opener) -> None:
    page = await judge_at(server, open_page, "vote_called")
    await page.get_by_text("Считать вручную").click()
    for seat in (4, 5, 9, 5):
        await page.locator(f"[data-seat='{seat}']").click()
    await page.locator(".step").click()
    await page.wait_for_timeout(100)
    assert sent(server) == [{"do": "count", "seats": [4, 9]}]


async def test_the_shot_is_aimed_first_and_recorded_by_the_big_button(server: FixtureServer, open_page: Opener) -> None:
    page = await judge_at(server, open_page, "night")
    await page.locator(".step").click()
    await page.wait_for_timeout(60)
    assert server.commands == [], "nothing is aimed at: nothing is sent"
    await page.locator("[data-seat='5']").click()
    await page.locator(".step").click()
    await page.wait_for_timeout(400)
    await page.get_by_text("Промах", exact=True).click()
    await page.locator(".step").click()
    await page.wait_for_timeout(100)
    assert sent(server) == [{"do": "shoot", "shots": {}, "at": 5}, {"do": "shoot", "shots": {}, "miss": True}]


async def test_the_best_move_keeps_the_order_of_the_numbers(server: FixtureServer, open_page: Opener) -> None:
    page = await judge_at(server, open_page, "last_word")
    for seat in (9, 3, 6):
        await page.locator(f"[data-seat='{seat}']").click()
    await page.locator(".step").click()
    await page.wait_for_timeout(100)
    assert sent(server) == [{"do": "best_move", "seat": 2, "numbers": [9, 3, 6]}]


async def test_a_fourth_number_of_the_best_move_is_answered(server: FixtureServer, open_page: Opener) -> None:
    page = await judge_at(server, open_page, "last_word")
    for seat in (9, 3, 6, 7):
        await page.locator(f"[data-seat='{seat}']").click()
    assert "три номера" in await page.locator("[data-refusal]").inner_text()
    await page.locator("[data-seat='9']").click()
    await page.locator("[data-seat='7']").click()
    await page.locator(".step").click()
    await page.wait_for_timeout(100)
    assert sent(server) == [{"do": "best_move", "seat": 2, "numbers": [3, 6, 7]}]


FINGER = """
([where, kind]) => document.querySelector(where).dispatchEvent(
  new PointerEvent(kind, { bubbles: true, cancelable: true, button: 0, detail: 1 }))
"""
TREMBLE = """
(touched) => {
  for (const one of touched.map((where) => document.querySelector(where))) {
    for (const kind of ['pointerdown', 'pointerup', 'click'])
      one.dispatchEvent(new PointerEvent(kind, { bubbles: true, cancelable: true, button: 0 }))
  }
}
"""
"""Touches that follow one another at once, however busy the machine is."""


async def test_a_finger_that_trembles_on_undo_takes_back_one_decision(server: FixtureServer, open_page: Opener) -> None:
    page = await judge_at(server, open_page, "speech")
    undo = "header .back:nth-last-of-type(2)"
    await page.evaluate(TREMBLE, [undo, undo])
    await page.wait_for_timeout(400)
    assert sent(server) == [{"do": "undo"}]
    await page.locator(undo).click()
    await until_sent(server, 2)


async def test_a_finger_that_trembles_on_a_foul_to_decide_does_not_decide_the_next_one(
    server: FixtureServer, open_page: Opener
) -> None:
    page = await judge_at(server, open_page, "speech")
    first, second = await page.locator("[data-proposal]").evaluate_all("all => all.map((one) => one.dataset.proposal)")
    rows = [f"[data-proposal='{one}'] [data-answer='give']" for one in (first, second)]
    await page.evaluate(TREMBLE, rows)
    await page.wait_for_timeout(400)
    assert sent(server) == [{"do": "give", "proposal": first}]
    await page.locator(rows[1]).click()
    await until_sent(server, 2)


async def test_a_finger_that_trembles_on_a_seats_menu_touches_nothing_that_lay_under_it(
    server: FixtureServer, open_page: Opener
) -> None:
    page = await judge_at(server, open_page, "speech")
    await page.keyboard.press("Shift+Digit6")
    await page.evaluate(TREMBLE, [".quick .foul", "[data-seat='8']", "[data-proposal] [data-answer='give']"])
    await page.wait_for_timeout(400)
    assert sent(server) == [{"do": "foul", "seat": 6}]
    await page.locator("[data-seat='8']").click()
    await until_sent(server, 2)


async def test_another_finger_is_taken_at_once_where_a_sheet_has_closed(
    server: FixtureServer, open_page: Opener
) -> None:
    page = await judge_at(server, open_page, "speech")
    await page.keyboard.press("Shift+Digit6")
    await page.wait_for_selector(".quick .foul")
    await page.evaluate(
        """() => {
          const at = (where, kind, x) => document.querySelector(where).dispatchEvent(
            new PointerEvent(kind, { bubbles: true, cancelable: true, button: 0, clientX: x, clientY: 300 }))
          for (const kind of ['pointerdown', 'pointerup', 'click']) at('.quick .foul', kind, 900)
          for (const kind of ['pointerdown', 'pointerup', 'click']) at("[data-seat='8']", kind, 500)
        }"""
    )
    await until_sent(server, 2)
    assert sent(server)[1] == {"do": "nominate", "by": 4, "seat": 8}


async def test_the_finger_that_leaves_after_a_hold_touches_nothing_of_what_it_has_opened(
    server: FixtureServer, open_page: Opener
) -> None:
    page = await judge_at(server, open_page, "speech")
    await page.evaluate(FINGER, ["[data-seat='8']", "pointerdown"])
    await page.wait_for_selector(".quick .foul")
    await page.evaluate(FINGER, ["[data-seat='8']", "pointerup"])
    await page.evaluate(FINGER, [".quick .foul", "click"])  # as a slow tablet has it
    await page.evaluate(FINGER, [".veil", "pointerdown"])
    assert await page.locator("[role=dialog]").count() == 1
    await page.evaluate(FINGER, [".veil", "click"])
    await page.wait_for_selector("[role=dialog]", state="detached")
    assert sent(server) == []


async def test_the_finger_that_has_held_a_button_touches_nothing_that_lay_under_it(
    server: FixtureServer, open_page: Opener
) -> None:
    page = await judge_at(server, open_page, "over")
    await page.locator("[aria-label='Ещё']").click()
    await page.evaluate(FINGER, [".sheet .hold", "pointerdown"])
    await until_sent(server, 1)
    await page.evaluate(FINGER, ["header .back", "click"])
    await page.wait_for_timeout(100)
    assert sent(server) == [{"do": "new_game"}]


async def test_what_a_record_cannot_hold_cannot_be_typed(server: FixtureServer, open_page: Opener) -> None:
    page = await judge_at(server, open_page, "over")
    await page.locator("[data-seat='2']").click()
    points, clause, text = (page.locator(".row input").nth(n) for n in range(3))
    punish = page.locator(".row .act").first
    for typed, can in (("0", False), ("0,0", False), ("0,355", False), ("abc", False), ("0,4", True), ("−1", True)):
        await points.fill(typed)
        assert await punish.is_enabled() is can, typed
    await clause.press_sequentially("6" * 30)
    assert len(await clause.input_value()) == 20
    assert await text.get_attribute("maxlength") == "2000"


async def test_a_card_is_dealt_by_one_touch(server: FixtureServer, open_page: Opener) -> None:
    page = await judge_at(server, open_page, "dealing")
    await page.locator("[data-role='don']").click()
    await page.wait_for_timeout(60)
    assert sent(server) == [{"do": "deal", "seat": 4, "role": "don"}]


async def test_a_removal_needs_a_second_and_longer_touch_elsewhere(server: FixtureServer, open_page: Opener) -> None:
    page = await judge_at(server, open_page, "speech")
    seat = page.locator("[data-seat='8']")
    box = await seat.bounding_box()
    assert box is not None
    await page.mouse.move(box["x"] + 60, box["y"] + 50)
    await page.mouse.down()
    await page.wait_for_timeout(650)
    await page.mouse.up()
    clause = page.get_by_role("button").filter(has_text="6.7.1")
    await clause.click()
    hold = page.locator(".hold")
    await hold.click()
    await page.wait_for_timeout(200)
    assert server.commands == []
    first, second = await clause.bounding_box(), await hold.bounding_box()
    assert first is not None
    assert second is not None
    assert second["x"] + second["width"] <= first["x"], "another place"
    await page.mouse.move(second["x"] + 60, second["y"] + 40)
    await page.mouse.down()
    await page.wait_for_timeout(1200)
    await page.mouse.up()
    await page.wait_for_timeout(60)
    assert sent(server) == [{"do": "remove", "seat": 8, "clause": "6.7.1"}]


async def test_a_violation_is_found_by_a_word_and_given_after_its_consequence_is_shown(
    server: FixtureServer, open_page: Opener
) -> None:
    page = await judge_at(server, open_page, "speech")
    await page.keyboard.press("Shift+Digit8")
    await page.get_by_label("Пункт или слово").fill("шепот")
    await page.locator("li button").filter(has_text="6.6.1").click()
    await page.wait_for_selector(".confirm.light")
    assert sent(server) == []
    assert "6.6.1" in await page.locator(".confirm.light").inner_text()
    await page.locator(".confirm.light .give").click()
    await page.wait_for_timeout(60)
    assert sent(server) == [{"do": "foul", "seat": 8, "clause": "6.6.1"}]


async def test_a_proposal_is_given_or_waived(server: FixtureServer, open_page: Opener) -> None:
    page = await judge_at(server, open_page, "speech")
    await page.get_by_label("Дать").first.click()
    await page.wait_for_timeout(400)  # a second answer at once would be the same touch, slipping
    await page.locator(".what").nth(1).click()
    assert await page.locator(".timeline .mark b").inner_text() == "8"
    await page.locator(".decide button").filter(has_text="Не давать").click()
    await page.wait_for_selector("[role=dialog]", state="detached")
    await until_sent(server, 2)
    assert sent(server) == [{"do": "give", "proposal": "p1"}, {"do": "waive", "proposal": "p2"}]


async def test_a_refusal_is_a_sentence(server: FixtureServer, open_page: Opener) -> None:
    page = await judge_at(server, open_page, "speech")
    sentence = "За это время стол изменился: говорит уже игрок 5."
    server.refusal = {"code": "stale", "params": {}, "clause": "fiim 4.3.2", "sentence": sentence, "covered": None}
    await page.keyboard.press("Space")
    await page.wait_for_selector(f"text={sentence}")
    assert await page.locator(".refusal small").inner_text() == "fiim 4.3.2"


async def test_the_form_is_sent_whole(server: FixtureServer, open_page: Opener) -> None:
    page = await judge_at(server, open_page, "setup")
    await page.get_by_text("Игра и игроки").click()
    await page.get_by_label("1", exact=True).fill("Снегирь")
    await page.get_by_text("Записать").click()
    await page.wait_for_timeout(100)
    [form] = sent(server)
    assert form["do"] == "set_up"
    assert (form["event"], form["stage"], form["game"], form["table"]) == ("Кубок Осени", "Финал", 3, 1)
    assert form["names"][0] == "Снегирь"
    assert len(form["names"]) == 10


async def test_a_hand_on_the_simulated_table_is_pressed_and_released(server: FixtureServer, open_page: Opener) -> None:
    page = await open_page("table")
    await page.keyboard.down("Digit4")
    await page.keyboard.down("Shift")
    await page.keyboard.press("Digit0")
    await page.keyboard.up("Shift")
    await page.keyboard.up("Digit4")
    await page.keyboard.press("Space")
    await page.wait_for_timeout(100)
    assert [(one["key"], one["down"]) for one in server.signals] == [
        ("seat 4", True),
        ("board 10", True),
        ("board 10", False),
        ("seat 4", False),
        ("next", True),
        ("next", False),
    ]


async def test_hands_can_stay_on_the_simulated_table_and_come_back_after_a_cut(
    server: FixtureServer, open_page: Opener
) -> None:
    page = await open_page("table")
    await page.get_by_text("Руки остаются на столе").click()
    await page.locator("[data-key='seat 7']").click()
    await page.wait_for_timeout(60)
    assert [(one["key"], one["down"]) for one in server.signals] == [("seat 7", True)]
    await server.lamps({"seat 7": "on", "vote": "blink"})
    await page.wait_for_selector("[data-key='seat 7'] .lamp.on")
    await server.stop()
    await asyncio.sleep(0.2)
    await server.start()
    await page.wait_for_function("document.querySelector('.lost') === null")
    await page.wait_for_timeout(300)
    assert [(one["key"], one["down"]) for one in server.signals][1:] == [("seat 7", True)]
    await page.get_by_text("Играю сам").click()
    await page.wait_for_selector("text=Взять игру на себя")
    assert server.takeovers == [False]


async def test_a_command_says_when_it_was_tapped_and_lapses_with_a_sentence(
    server: FixtureServer, open_page: Opener
) -> None:
    page = await judge_at(server, open_page, "speech")
    server.answer_commands = False
    await page.keyboard.press("Space")
    await page.wait_for_selector("text=Ответа нет", timeout=6000)
    assert {one["do"] for one in server.commands} == {"next"}
    assert all(one["tapped"] == pytest.approx(server.now(), abs=6000) for one in server.commands)
    before = len(server.commands)
    await page.wait_for_timeout(800)
    assert len(server.commands) == before


async def test_the_undo_button_says_its_verb_once(server: FixtureServer, open_page: Opener) -> None:
    server.change("speech")
    server.views["judge"]["legal"]["undo"] = "Отменить: речь игрока 5"
    page = await open_page("judge")
    button = page.locator(".back").last
    assert (await button.inner_text()).split("\n") == ["Отменить", "речь игрока 5"]


async def test_a_long_number_and_a_long_name_stay_in_their_boxes(server: FixtureServer, open_page: Opener) -> None:
    server.change("speech")
    for audience in ("air", "hall"):
        view = server.views[audience]
        view["header"]["game"] = 9999
        for seat in view["seats"]:
            if seat["out"] is None:
                seat["name"], seat["nominated"] = "Дядя Фёдор", 1
    air, hall = await open_page("air"), await open_page("hall")
    assert await air.evaluate(
        "(() => { const box = document.querySelector('.game'); return box.scrollWidth <= box.clientWidth })()"
    )
    assert await hall.evaluate(
        """[...document.querySelectorAll('.seat')].filter((seat) => seat.querySelector('em')).every((seat) =>
          seat.querySelector('.name > div').getBoundingClientRect().bottom + 4
            <= seat.querySelector('em').getBoundingClientRect().top)"""
    )


async def test_the_table_is_set_in_half_a_minute_of_touches(server: FixtureServer, open_page: Opener) -> None:
    """Day 3 with four out, five fouls, two nominees and a speaker: at a touch a second it is there in time."""
    page = await judge_at(server, open_page, "speech")
    touches = 0

    async def touch(where: str, times: int = 1) -> None:
        nonlocal touches
        for _ in range(times):
            touches += 1
            await page.locator(where).click()

    await touch("[aria-label='Ещё']")
    await touch(".list .act:has-text('Расставить')")
    await touch("[aria-label='+']", 3 - int(await page.locator(".round").inner_text()))
    for seat, times in ((3, 1), (7, 1), (2, 2), (5, 2)):
        await touch(f"[data-place='{seat}']", times)
    await touch(".line:nth-child(2) .act:nth-child(2)")
    for seat, times in ((4, 3), (6, 1), (9, 1)):
        await touch(f"[data-place='{seat}']", times)
    await touch(".line:nth-child(2) .act:nth-child(3)")
    for seat in (9, 1):
        await touch(f"[data-place='{seat}']")
    await touch(".line:nth-child(2) .act:nth-child(4)")
    await touch("[data-place='6']")
    await touch(".go")
    await until_sent(server, 1)
    assert sent(server) == [
        {
            "do": "position",
            "day": True,
            "round": 3,
            "left": [[3, "voted"], [7, "voted"], [2, "shot"], [5, "shot"]],
            "fouls": {"4": 3, "6": 1, "9": 1},
            "silent": [4],
            "nominated": [9, 1],
            "speaker": 6,
        }
    ]
    assert touches <= 30, touches
