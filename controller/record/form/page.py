"""The form as a page for a browser: one HTML text with its own style, nothing fetched from anywhere."""

from collections.abc import Iterable
from html import escape
from pathlib import Path

from controller.record.form.value import DaySheet, Field, ProtocolForm, Round, SeatRow

STYLE = Path(__file__).with_name("page.css")
FOULS = 4
PROTEST_LINES = 3


def page(form: ProtocolForm) -> str:
    """The whole page."""
    parts = [
        f"<h1>{_e(form.title)} <small>{_e(form.subtitle)}</small></h1>",
        _head(form.head),
        '<div class="sheet"><div>',
        _seats(form),
        _best_move(form),
        f"<p><label>{_e(form.winner.label)}</label> <b>{_e(form.winner.value)}</b> {_e(form.reason)}</p>",
        _nights(form),
        f'<p class="faint">{_e(form.legend)}</p>',
        "</div><div>",
        f"<h2>{_e(form.words['votes_title'])}</h2>" if form.days else "",
        *(_day(form, day) for day in form.days),
        _remarks(form),
        _protests(form),
        *(_signature(form, signer) for signer in form.signatures),
        "</div></div>",
    ]
    style = STYLE.read_text(encoding="utf-8")
    return (
        f'<!doctype html>\n<html lang="{form.language}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_e(form.title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        + "\n".join(part for part in parts if part)
        + "\n</body>\n</html>\n"
    )


def _e(text: str) -> str:
    return escape(text, quote=True)


def _row(cells: Iterable[str], tag: str = "td") -> str:
    return "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in cells) + "</tr>"


def _head(fields: Iterable[Field]) -> str:
    return (
        '<dl class="head">'
        + "".join(f"<div><dt>{_e(f.label)}</dt><dd>{_e(f.value)}</dd></div>" for f in fields)
        + "</dl>"
    )


def _seats(form: ProtocolForm) -> str:
    words = form.words
    warned = f"<th>{_e(words['warnings'])}</th>" if form.with_warnings else ""
    heads = (
        f"<tr><th>{_e(words['seat'])}</th><th>{_e(words['name'])}</th><th>{_e(words['role'])}</th>"
        f'<th colspan="{FOULS}">{_e(words["fouls"])}</th>{warned}'
        + "".join(f"<th>{_e(words[key])}</th>" for key in ("left", "points", "extra", "total"))
        + "</tr>"
    )
    return f'<table class="seats">{heads}{"".join(_seat(form, seat) for seat in form.seats)}</table>'


def _seat(form: ProtocolForm, seat: SeatRow) -> str:
    fouls = [*seat.fouls, *[""] * (FOULS - len(seat.fouls))]
    warned = [_e(seat.warnings)] if form.with_warnings else []
    rest = [_e(seat.left), _e(seat.points), _e(seat.extra), f"<b>{_e(seat.total)}</b>"]
    cells = [
        f"<b>{seat.number}</b>",
        f"<bdi>{_e(seat.name)}</bdi>",
        f"<b>{_e(seat.role)}</b>",
        *map(_e, fouls),
        *warned,
        *rest,
    ]
    return _row(cells)


def _best_move(form: ProtocolForm) -> str:
    move = form.best_move
    if move is None:
        return ""
    numbers = [*move.numbers, *[""] * (3 - len(move.numbers))]
    boxes = [f"<i>{_e(text)}</i>" for text in ((move.seat, *numbers) if not move.dash else ("–",))]
    return f'<p class="boxes"><label>{_e(form.words["best_move"])}</label> {"".join(boxes)}</p>'


def _nights(form: ProtocolForm) -> str:
    if not form.nights:
        return ""
    heads = _row(["", *map(_e, form.night_columns)], "th")
    rows = (_row([_e(night.title), *map(_e, night.cells)]) for night in form.nights)
    return f"<h2>{_e(form.words['nights_title'])}</h2><table>{heads}{''.join(rows)}</table>"


def _day(form: ProtocolForm, day: DaySheet) -> str:
    count = max(len(day.candidates), max((len(round_.tallies) for round_ in day.rounds), default=0), 1)
    candidates = [f"<small>{_e(candidate.by)}</small><br><b>{_e(candidate.seat)}</b>" for candidate in day.candidates]
    candidates += [""] * (count - len(candidates))
    rows = [_row([f"<b>{_e(day.title)}</b>", *candidates])]
    rows += [_round(round_, count) for round_ in day.rounds]
    result = f'<tr><td>{_e(form.words["result"])}</td><td class="wide" colspan="{count}">{_e(day.result)}</td></tr>'
    return f'<table class="day">{"".join(rows)}{result}</table>'


def _round(round_: Round, count: int) -> str:
    if round_.whole:
        tally = round_.tallies[0]
        said = f"<b>{_e(tally.count)}</b> {_e(tally.hands)}" if tally is not None else ""
        return f'<tr><td>{_e(round_.label)}</td><td class="wide" colspan="{count}">{said}</td></tr>'
    cells = [
        f"<b>{_e(tally.count)}</b><br><small>{_e(tally.hands)}</small>" if tally is not None else ""
        for tally in round_.tallies
    ]
    return _row([_e(round_.label), *cells, *[""] * (count - len(cells))])


def _remarks(form: ProtocolForm) -> str:
    if not form.remarks:
        return ""
    return f"<h2>{_e(form.words['remarks'])}</h2><p>{'<br>'.join(map(_e, form.remarks))}</p>"


def _protests(form: ProtocolForm) -> str:
    if form.protests is None:
        return ""
    said = "".join(f"<p><b>{_e(protest.label)}:</b> {_e(protest.value)}</p>" for protest in form.protests)
    lines = '<p class="line"></p>' * max(1, PROTEST_LINES - len(form.protests))
    title = f"<h2>{_e(form.words['protests'])}</h2>"
    return f'{title}<p class="faint">{_e(form.protest_hint)}</p>{said}{lines}'


def _signature(form: ProtocolForm, signer: Field) -> str:
    return (
        f'<p class="sign"><label>{_e(signer.label)}</label><span>{_e(signer.value)}</span>'
        f'<span class="faint">{_e(form.words["signature"])}</span></p>'
    )
