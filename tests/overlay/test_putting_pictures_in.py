"""Pictures put in on the producer's page and on the secretary's, of the real service: seen on air, refused in words."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image
from playwright.async_api import Browser, FilePayload, Page

from controller.service import sample_final
from controller.service.access import Scope
from controller.service.running import Running, running
from controller.service.settings import Game, Settings, Web
from controller.sound.settings import SoundSettings
from tests.overlay.stories import picture
from tests.overlay.test_change import until
from tests.service.judge import token

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="package")]

DRAWING = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 60">'
    b'<path d="M0 0h200v60H0z" fill="#ffb000"/><circle cx="30" cy="30" r="20" fill="#102030"/></svg>'
)
SHOWN = "[...document.querySelectorAll('img')].filter((one) => one.src.includes('{}') && one.naturalWidth > 0).length"


def settings(folder: Path) -> Settings:
    game = Game(event="Кубок", names=sample_final.NAMES)
    return Settings(data=folder / "data", web=Web(port=0), game=game, sound=SoundSettings(on=False))


def photo(width: int, height: int, face: tuple[int, int], kind: str = "JPEG") -> bytes:
    """A wide picture with something bright where the face is."""
    made = Image.new("RGB", (width, height), "#203040")
    made.paste("#ffffff", (face[0] - 60, face[1] - 60, face[0] + 60, face[1] + 60))
    out = io.BytesIO()
    made.save(out, kind)
    return out.getvalue()


def file(name: str, body: bytes, kind: str = "image/jpeg") -> FilePayload:
    return FilePayload(name=name, mimeType=kind, buffer=body)


async def producers(browser: Browser, service: Running, language: str = "ru", width: int = 1280) -> Page:
    page = await browser.new_page(viewport={"width": width, "height": 900})
    await page.goto(service.link(Scope.PRODUCER).replace("/producer", f"/producer?lang={language}"))
    await page.locator("summary").click()
    await page.wait_for_selector(".pictures li")
    return page


async def test_a_player_a_logo_and_sponsors_are_put_in_and_seen_on_air(
    browser: Browser, built_pages: Path, tmp_path: Path
) -> None:
    async with running(settings(tmp_path), simulated=True) as service:
        air = await browser.new_page(viewport={"width": 1920, "height": 1080})
        await air.goto(service.link(Scope.AIR))
        await air.wait_for_selector(".card")
        light = await browser.new_page(viewport={"width": 1920, "height": 1080})
        await light.goto(service.link(Scope.AIR).replace("/air", "/air?theme=light"))
        await light.wait_for_selector(".card")
        page = await producers(browser, service)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)

        # The face is far to the left: by itself the middle would be cut out.
        name = sample_final.NAMES[2]
        await page.get_by_label(f"Выбрать: {name}").set_input_files(file("IMG_2231.jpg", photo(3000, 1000, (160, 300))))
        frame = page.get_by_role("dialog", name=name)
        canvas = frame.locator("canvas")
        await canvas.focus()
        for _ in range(150):
            await page.keyboard.press("ArrowRight")
        box = await canvas.bounding_box()
        assert box is not None
        await page.mouse.move(box["x"] + 100, box["y"] + 100)
        await page.mouse.down()
        await page.mouse.move(box["x"] + 100, box["y"] + 140, steps=4)
        await page.mouse.up()
        await frame.get_by_role("button", name="Поставить").click()
        await until(air, f"{SHOWN.format('/photos/')} === 1")
        kept = Image.open(next((tmp_path / "data" / "pictures" / "players").glob("*.jpg"))).convert("L")
        bright = kept.point([0] * 128 + [255] * 128).getbbox()
        assert bright is not None
        assert bright[0] < 200, "the face was moved into the frame"

        # Many at once, by their names.
        several = [file(f"{other}.jpg", picture(place)) for place, other in enumerate(sample_final.NAMES[3:6])]
        await page.get_by_label("Выбрать несколько").set_input_files([*several, file("DSC_1.jpg", picture(7))])
        await page.get_by_text("Поставлено: 3 из 4.").wait_for()
        await page.get_by_text("DSC_1.jpg: игрока с таким именем нет.").wait_for()
        await until(air, f"{SHOWN.format('/photos/')} === 4")

        await page.get_by_label("Выбрать: Логотип события").set_input_files(file("logo.svg", DRAWING, "image/svg+xml"))
        for screen in (air, light):
            await until(screen, "document.querySelector('.logo img')?.naturalWidth === 1600")
        large = DRAWING.replace(b"<path", b"<!--" + b"." * 400_000 + b"--><path")
        sponsors = [
            file("a.png", photo(400, 200, (90, 90), "PNG"), "image/png"),
            file("b.svg", large, "image/svg+xml"),
        ]
        await page.get_by_label("Добавить: Полоса спонсоров").set_input_files(sponsors)
        await until(air, f"{SHOWN.format('/theme/')} === 3")
        await page.get_by_label("Убрать: Спонсор 1").click()
        await until(air, f"{SHOWN.format('/theme/')} === 2")
        await page.get_by_label(f"Убрать: {name}").click()
        await until(air, f"{SHOWN.format('/photos/')} === 3")
        assert faults == []
        assert [url for url in asked if not url.startswith((service.address, "data:"))] == []
        for screen in (air, light, page):
            await screen.close()


@pytest.mark.parametrize(
    ("language", "sentence"), [("ru", "Это не картинка"), ("uk", "Це не картинка"), ("en", "no picture")]
)
async def test_what_cannot_be_shown_is_refused_in_words(
    browser: Browser, built_pages: Path, tmp_path: Path, language: str, sentence: str
) -> None:
    async with running(settings(tmp_path), simulated=True) as service:
        page = await producers(browser, service, language, width=360)
        first = page.locator("li input[type=file]").first
        await first.set_input_files(file("a.jpg", b"no picture"))
        await page.get_by_text(sentence).wait_for()
        await first.set_input_files(file("a.jpg", photo(90, 90, (45, 45))))
        await page.get_by_text("160").wait_for()
        await first.set_input_files(file("a.heic", b"\0" * 9_000_000, "image/heic"))
        await page.locator(".wrong", has_text="8").wait_for()
        assert await page.locator("li img").count() == 0
        assert await page.evaluate("document.documentElement.scrollWidth") <= 360
        await page.close()


async def test_the_secretary_puts_them_in_too(browser: Browser, built_pages: Path, tmp_path: Path) -> None:
    async with running(settings(tmp_path), simulated=True) as service:
        name, _, value = token(service, Scope.OFFICE).partition("=")
        context = await browser.new_context(viewport={"width": 900, "height": 900})
        await context.add_cookies([{"name": name, "value": value, "url": service.address}])
        page = await context.new_page()
        await page.goto(f"{service.address}/office?lang=en")
        await page.locator("summary").click()
        logo = file("logo.png", photo(300, 100, (90, 50), "PNG"), "image/png")
        await page.get_by_label("Choose: The event’s logo").set_input_files(logo)
        await page.get_by_text("Done").wait_for()
        assert len(list((tmp_path / "data" / "pictures").glob("logo.png"))) == 1
        await context.close()
