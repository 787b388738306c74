"""How well every word on a page can be read: its own colour against what is painted behind it, pixel by pixel."""

from __future__ import annotations

import io
from dataclasses import dataclass

from PIL import Image
from playwright.async_api import Page

_WORDS = """
() => {
  const words = []
  const walker = document.createTreeWalker(document.getElementById('app'), NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue.trim(), el = node.parentElement
    if (!text) continue
    let seen = 1
    for (let e = el; e; e = e.parentElement) {
      const style = getComputedStyle(e)
      if (style.visibility === 'hidden' || style.display === 'none') seen = 0
      seen *= Number(style.opacity)
    }
    if (seen < 0.99) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const box = range.getBoundingClientRect()
    const style = getComputedStyle(el)
    const colour = el.namespaceURI.endsWith('svg') ? style.fill : style.color
    const [r, g, b] = colour.match(/[\\d.]+/g).map(Number)
    if (box.width > 2) words.push({text, r, g, b, x: box.left, y: box.top, w: box.width, h: box.height})
  }
  return words
}
"""
_BARE = "*, *::before, *::after { color: transparent !important } svg text { fill: transparent !important }"
WORST_PART = 0.04
"""So much of a word's ground may be worse: the edges of planes, the hairline."""


@dataclass(frozen=True)
class Pale:
    """A word that is hard to read."""

    text: str
    ratio: float


def _luminance(colour: tuple[float, float, float]) -> float:
    def linear(part: float) -> float:
        part /= 255
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2])


async def pale_words(page: Page, frame: str, least: float = 4.5) -> list[Pale]:
    """The words of less contrast than `least` over a video frame of the colour `frame`."""
    await page.evaluate("(frame) => { document.documentElement.style.background = frame }", frame)
    words = await page.evaluate(_WORDS)
    bare = await page.add_style_tag(content=_BARE)
    picture = Image.open(io.BytesIO(await page.screenshot(type="png"))).convert("RGB")
    await bare.evaluate("(style) => style.remove()")
    found: list[Pale] = []
    for word in words:
        # The box of a line is taller than its letters.
        top, left = word["y"] + word["h"] * 0.22, word["x"]
        box = (int(left), int(top), int(left + word["w"]) + 1, int(top + word["h"] * 0.6) + 1)
        box = (max(box[0], 0), max(box[1], 0), min(box[2], picture.width), min(box[3], picture.height))
        if box[2] - box[0] < 2 or box[3] - box[1] < 2:
            continue
        own = _luminance((word["r"], word["g"], word["b"]))
        grounds = picture.crop(box).getcolors(1 << 20) or []
        ratios = sorted(
            (_ratio(own, _luminance((colour[0], colour[1], colour[2]))), count)
            for count, colour in grounds
            if isinstance(colour, tuple)
        )
        allowed = sum(count for _, count in ratios) * WORST_PART
        for ratio, count in ratios:
            allowed -= count
            if allowed < 0:
                if ratio < least:
                    found.append(Pale(word["text"], round(ratio, 2)))
                break
    return found


def _ratio(one: float, other: float) -> float:
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)
