"""What secretary and technician may know: whether the table is ready, and how its finished games ended. Of a game that
is being played they see what the hall sees of it, which is where it is.
"""

from controller.table.state import Snapshot
from controller.views import public
from controller.views.facts import Surroundings
from controller.views.messages import Header, Message, Phase, Result
from controller.views.readiness import checklist, link_of
from controller.views.tablet import DiskState, Link, Readiness


class OfficeView(Message, frozen=True, kw_only=True):
    """Everything that secretary and technician may know."""

    header: Header
    phase: Phase
    result: Result | None
    links: tuple[Link, ...]
    readiness: tuple[Readiness, ...]
    disk: DiskState


def office_view(snapshot: Snapshot, around: Surroundings, language: str) -> OfficeView:
    """The office's view, in `language`."""
    return OfficeView(
        header=public.header_of(snapshot),
        phase=public.phase_of(snapshot.state),
        result=public.result_of(snapshot.state),
        links=tuple(link_of(link, language) for link in snapshot.links),
        readiness=checklist(snapshot, around, language),
        disk=snapshot.disk.value,
    )
