"""Looks at a page the way a person does: is every word whole, does anything lie over anything else."""

from __future__ import annotations

from playwright.async_api import Page

# Text has to lie inside the screen and inside every ancestor that clips; an ellipsis is a fault too.
_FAULTS = r"""
(apart) => {
  const faults = []
  const shown = (el) => {
    for (let e = el; e; e = e.parentElement) {
      const style = getComputedStyle(e)
      if (style.display === 'none' || style.visibility === 'hidden' || Number(style.opacity) === 0) return false
    }
    return true
  }
  // What of a box is there to be seen: the rest can be scrolled to.
  const seen = (el, box) => {
    let { left, right, top, bottom } = box
    for (let e = el; e && e.id !== 'app'; e = e.parentElement) {
      if (!['auto', 'scroll'].includes(getComputedStyle(e).overflowY)) continue
      const clip = e.getBoundingClientRect()
      top = Math.max(top, clip.top)
      bottom = Math.min(bottom, clip.bottom)
    }
    return { left, right, top, bottom, width: right - left, height: Math.max(0, bottom - top) }
  }
  const own = (el) => [...el.classList].filter((c) => !c.startsWith('svelte-'))
  const name = (el) => [el.tagName.toLowerCase(), ...own(el)].join('.')
  const walker = document.createTreeWalker(document.getElementById('app'), NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue.trim()
    const el = node.parentElement
    if (!text || !shown(el)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const box = seen(el, range.getBoundingClientRect())
    if (box.height === 0) continue
    const size = parseFloat(getComputedStyle(el).fontSize)
    const up = size * 0.3 // a line's box is taller than its letters
    if (box.left < -1 || box.right > innerWidth + 1 || box.top < -up || box.bottom > innerHeight + up)
      faults.push(`"${text}" leaves the screen in ${name(el)}`)
    for (let e = el; e && e.id !== 'app'; e = e.parentElement) {
      const style = getComputedStyle(e)
      if (style.overflowX === 'visible' && style.clipPath === 'none') continue
      if (style.overflowY === 'auto' || style.overflowY === 'scroll') break // can be scrolled to
      const clip = e.getBoundingClientRect()
      // `overflow: clip` may leave room around; in px of a picture that may be scaled.
      const room = (parseFloat(style.overflowClipMargin) || 0) * (clip.width / e.offsetWidth || 1)
      const aside = box.left < clip.left - room - 1.5 || box.right > clip.right + room + 1.5
      const across = box.top < clip.top - room - up || box.bottom > clip.bottom + room + up
      const dots = style.textOverflow === 'ellipsis' && e.scrollWidth > e.clientWidth + 1
      if (aside) faults.push(`"${text}" is cut at the side by ${name(e)}`)
      if (across) faults.push(`"${text}" is cut above or below by ${name(e)}`)
      if (dots) faults.push(`"${text}" ends in dots in ${name(e)}`)
    }
    if (el.closest('.name') && text.endsWith('…')) faults.push(`the name "${text}" is cut`)
    // Text must not run out of a plane that it stands on.
    const plane = el.closest('button, .tile, .tag, .box, .plate, .seat, .row, .caption, .lane, li')
    if (plane) {
      const on = plane.getBoundingClientRect()
      if (box.left < on.left - 1.5 || box.right > on.right + 1.5) faults.push(`"${text}" runs out of ${name(plane)}`)
    }
  }
  for (const [one, other, room] of apart) {
    const ones = [...document.querySelectorAll(one)].filter(shown)
    const others = [...document.querySelectorAll(other)].filter(shown)
    for (const a of ones) for (const b of others) {
      if (a === b || a.contains(b) || b.contains(a)) continue
      const p = seen(a, a.getBoundingClientRect()), q = seen(b, b.getBoundingClientRect())
      const wide = Math.min(p.right, q.right) - Math.max(p.left, q.left)
      const high = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top)
      if (!p.width || !q.width || !p.height || !q.height) continue
      if (wide > 1 && high > 1)
        faults.push(`${name(a)} lies over ${name(b)} by ${wide.toFixed(0)} x ${high.toFixed(0)}`)
      else if (room && wide > -room && high > -room) faults.push(`${name(a)} touches ${name(b)}`)
    }
  }
  return [...new Set(faults)]
}
"""

ROOM: dict[str, list[tuple[str, str, float]]] = {
    "air": [(".slot.result", ".place", 8), (".nights", ".stack .mask", 6), (".stack .mask", ".slot > *", 6)],
    "judge": [
        (".number", ".tag", 2.5),
        (".number", ".seat img", 2.5),
        (".tag", ".fouls", 2),
    ],
}
"""Pairs that must have some room between them, in px of the screen: one that only just misses another reads as one."""

APART: dict[str, list[tuple[str, str]]] = {
    "air": [
        (".place", ".place"),
        (".slot:not(.result)", ".tag"),
        (".slot", ".points"),
        (".slot", ".place .number"),
        (".slot > *", ".nights"),
        (".strap", ".event"),
        (".strap", ".nights"),
        (".event", ".sponsors"),
        (".tag", ".tag"),
        (".tag", ".flag"),
        (".tag", "svg text"),
        (".fouls", ".role"),
        (".word", ".number"),
        (".lifted", ".stack .mask"),
        (".lifted", ".slot > *"),
        (".lifted", ".event"),
        (".lifted", ".nights"),
        (".lifted", ".sponsors"),
        (".lifted .role", ".lifted .points"),
        (".lifted .number", ".lifted .how"),
        (".stack .mask", ".slot > *"),
        (".stack .mask", ".nights"),
        (".stack .mask", ".stack .mask"),
        (".tenths", ".stack .mask"),
        (".replay", ".slot > *"),
        (".replay .name span", ".replay i"),
        (".replay .head > *", ".replay .head > *"),
        (".mark", ".place .number"),
        (".mark", ".card > .role"),
        (".clock", ".card > .role"),
        (".mark", ".card > .fouls"),
        (".card > .fouls.low", ".card > .role"),
        (".slot > *", ".card > *"),
        (".aim", ".fouls"),
        (".aim", ".place .number"),
    ],
    "break": [
        ("header > *", "header > *"),
        (".standings", "aside"),
        (".row > *", ".row > *"),
        ("li > *", "li > *"),
        ("footer", ".row"),
    ],
    "result": [
        ("header > *", "header > *"),
        (".winner", "section"),
        ("section", "aside"),
        (".row > *", ".row > *"),
        (".nights", ".second"),
        (".best", ".sponsors"),
    ],
    "hall": [
        (".seat", ".seat"),
        (".middle", ".seats"),
        ("header", ".middle"),
        ("h2", "header p"),
        (".seat b", ".sign"),
        (".name span", "em"),
        (".name span", "small"),
    ],
    "judge": [
        (".seat", ".seat"),
        (".seat", ".centre > *"),
        (".centre > *", ".centre > *"),
        ("aside > *", "aside > *"),
        ("aside > *", ".step"),
        ("header > *", "header > *"),
        (".tag", ".fouls"),
        (".number", ".tag"),
        (".seat .name", ".seat .note"),
    ],
    "table": [("button", "button")],
}


async def faults(page: Page, name: str) -> list[str]:
    """What is clipped, overlapping or out of its plane on the page now; empty when all is well."""
    return await page.evaluate(
        _FAULTS, [*([*pair, 0] for pair in APART[name]), *(list(one) for one in ROOM.get(name, ()))]
    )
