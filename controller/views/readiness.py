"""Whether the table is ready, as sentences for the judge and for those who look after the table; no secret is in it."""

from collections.abc import Sequence

from controller.catalogue import has, listed, sentence
from controller.table.state import Contact, Disk, Link, Snapshot
from controller.views import tablet
from controller.views.facts import Surroundings
from controller.views.sounding import readiness_of
from controller.views.tablet import Readiness

_NOT_BELIEVED = (Contact.STUCK, Contact.CHATTERING, Contact.LOST)


def link_of(link: Link, language: str) -> tablet.Link:
    """A device and how it is reached, as a sentence."""
    state: tablet.LinkState = "up" if link.up else "connecting" if link.reason == "searching" else "down"
    code = "connecting" if state == "connecting" else (link.reason or "down").replace(" ", "_")
    if link.up:
        code = "up" if link.clock_ready else "fitting"
    if not has(f"link.{code}", language):
        code = "down"
    told = sentence(f"link.{code}", language, device=serves(link.seats, language, board=link.board), detail=link.detail)
    return tablet.Link(device=link.name, state=state, sentence=told)


def serves(seats: Sequence[int], language: str, *, board: bool) -> str:
    """What a device is for, as a person would call it."""
    if not seats:
        return sentence("device.board", language)
    code = "seats_and_board" if board else "seats"
    return sentence(f"device.{code}", language, first=seats[0], last=seats[-1])


def checklist(snapshot: Snapshot, around: Surroundings, language: str) -> tuple[Readiness, ...]:
    """The checklist as sentences; red ones say what to do."""

    def line(code: str, *, ok: bool, **params: str | int) -> Readiness:
        return Readiness(ok=ok, sentence=sentence(f"readiness.{code}", language, **params))

    lines = [line(f"disk_{snapshot.disk.value}", ok=snapshot.disk is Disk.OK)]
    if snapshot.unsaved.rows:
        lines.append(line("unsaved", ok=False, count=snapshot.unsaved.rows))
    if (damage := snapshot.damage) is not None:
        counts = {"row": damage.row, "kept": damage.kept, "missing": damage.missing}
        lines.append(line(f"journal_{damage.kind}", ok=False, **counts))
    lines += [Readiness(ok=False, sentence=sentence(note.code, language, **note.params)) for note in around.notes]
    lines += [
        Readiness(ok=link.up and link.clock_ready, sentence=link_of(link, language).sentence) for link in snapshot.links
    ]
    if snapshot.links:
        seats = [seat.number for seat in snapshot.state.seats]
        out = [n for n in seats if snapshot.contacts.get(n, Contact.LOST) in _NOT_BELIEVED]
        count = len(seats) - len(out)
        code = "sensors_out" if out else "sensors"
        lines.append(line(code, ok=not out, count=count, seats=len(seats), out=listed(out)))
    else:
        lines.append(line("no_table", ok=False))
    if (obs := around.obs) is not None:
        lines.append(Readiness(ok=obs.ok, sentence=sentence(f"obs.{obs.code}", language, **obs.params)))
    lines += readiness_of(around.sound, language)
    air, hall, judge = (around.screens.get(name, 0) for name in ("air", "hall", "judge"))
    code = "screens" if air and hall else "screens_missing"
    lines.append(line(code, ok=bool(air and hall), air=air, hall=hall, judge=judge))
    return tuple(lines)
