"""The screens and what each of them is to be shown. Called after every change of the table; it decides nothing."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Final

from controller.service.access import Scope
from controller.service.audiences import AudienceView
from controller.service.screens import Screen, Screens
from controller.table.state import Snapshot
from controller.views.air import air_view
from controller.views.between import break_view
from controller.views.facts import Surroundings
from controller.views.hall import hall_view
from controller.views.judge import JudgeViews
from controller.views.messages import Audience, Envelope, Lamps, Language, LookNow, Message
from controller.views.office import office_view
from controller.views.producer import Pictures
from controller.views.spectator import spectator_view
from controller.views.table import table_view

_REVISIONS_KEPT: Final = 1024
_DRESSED: Final = frozenset({Scope.AIR, Scope.HALL, Scope.BREAK})
"""Who wears the event's look."""

Seen = tuple[Snapshot, Surroundings]


class Broadcast:
    """All audiences of one table."""

    def __init__(
        self,
        snapshot: Callable[[], Snapshot],
        surroundings: Callable[[Snapshot, Mapping[str, int]], Surroundings],
        clock: Callable[[], int],
        *,
        page_build: str,
        start: int,
        producer: Callable[[Snapshot, Surroundings, Language], Message],
        record: Callable[[bytes], None] = lambda view: None,
        look: Callable[[], str] = lambda: "",
    ) -> None:
        """`surroundings` is told how many screens of each scope there are; `clock` gives nanoseconds; `producer`
        makes the producer's view; `record` is given what spectators are to be shown later; `look` gives the version of
        the event's look."""
        self._record = record
        self._look = look
        self.screens = Screens()
        self._snapshot = snapshot
        self._surroundings = surroundings
        self._clock = clock
        self._lamps: Mapping[str, str] = {}
        self._looked_at: OrderedDict[int, int] = OrderedDict()

        judge = JudgeViews()

        def audience(name: Audience, build: Callable[[Seen, Language], Message]) -> AudienceView[Seen]:
            return AudienceView(name, build, page_build, start)

        self._audiences: dict[Scope, AudienceView[Seen]] = {
            # The judge first: his tablet is what the others wait for.
            Scope.JUDGE: audience("judge", lambda seen, language: judge.view(*seen, language)),
            Scope.AIR: audience("air", lambda seen, _: air_view(*seen)),
            Scope.SPECTATOR: audience("spectator", lambda seen, _: spectator_view(*seen)),
            Scope.PRODUCER: audience("producer", lambda seen, language: producer(*seen, language)),
            Scope.HALL: audience("hall", lambda seen, _: hall_view(seen[0])),
            Scope.BREAK: audience("break", lambda seen, _: break_view(*seen)),
            Scope.OFFICE: audience("office", lambda seen, language: office_view(*seen, language)),
            Scope.TABLE: audience("table", lambda seen, _: table_view(*seen)),
        }

    def refresh(self) -> None:
        """Makes every view anew and shows those that have changed."""
        seen = self._seen()
        for scope in self._audiences:
            self._refresh(scope, seen)

    def refresh_one(self, scope: Scope) -> None:
        """The same for one audience, where nobody else can have got anything new."""
        if self.screens.of(scope):
            self._refresh(scope, self._seen())

    def _seen(self) -> Seen:
        snapshot = self._snapshot()
        counts = {scope.value: len(self.screens.of(scope)) for scope in Scope}
        return snapshot, self._surroundings(snapshot, counts)

    def _refresh(self, scope: Scope, seen: Seen) -> None:
        audience = self._audiences[scope]
        if scope is Scope.SPECTATOR:
            audience.refresh(seen, ["ru"])  # one view, in no language
            self._record(audience.shown("ru") or b"")
            return
        changed = audience.refresh(seen, self.screens.languages(scope))
        if scope is Scope.JUDGE:
            self._remember(audience.revision, seen[0].revision)
        if changed:
            for screen in self.screens.of(scope):
                self._show(screen)

    def greet(self, sid: str, screen: Screen) -> None:
        """A screen has come, for the first time or again: it gets the whole view at once."""
        self.screens.add(sid, screen)
        self.refresh()
        self._show(screen)
        if screen.scope is Scope.TABLE:
            self._show_lamps(screen)
        if screen.scope in _DRESSED:
            self._show_look(screen)

    def leave(self, sid: str) -> None:
        """A screen has gone."""
        if self.screens.drop(sid) is not None:
            self.refresh()

    def light(self, lamps: Mapping[str, str]) -> None:
        """The simulated table's lamps are these now."""
        self._lamps = dict(lamps)
        for screen in self.screens.of(Scope.TABLE):
            self._show_lamps(screen)

    def dress(self) -> None:
        """The look is another one now."""
        for scope in _DRESSED:
            for screen in self.screens.of(scope):
                self._show_look(screen)

    def picture(self, pictures: Pictures) -> None:
        """Program and preview look like this now."""
        for screen in self.screens.of(Scope.PRODUCER):
            screen.show("pictures", lambda: pictures)

    def revision(self, scope: Scope) -> int:
        """The revision of the last view of `scope`."""
        return self._audiences[scope].revision

    def looked_at(self, judge_revision: int) -> int:
        """The table's own revision behind a judge's view; 0 for one that nobody remembers."""
        return self._looked_at.get(judge_revision, 0)

    def _remember(self, judge_revision: int, table_revision: int) -> None:
        # The first snapshot of a view: what changed later without changing it is new to whoever looks at it.
        self._looked_at.setdefault(judge_revision, table_revision)
        while len(self._looked_at) > _REVISIONS_KEPT:
            self._looked_at.popitem(last=False)

    def _show(self, screen: Screen) -> None:
        audience = self._audiences[screen.scope]

        def envelope() -> Envelope:
            return audience.envelope(screen.language, self._clock())

        screen.show("view", envelope)

    def _show_lamps(self, screen: Screen) -> None:
        lamps = dict(self._lamps)
        screen.show("lamps", lambda: Lamps(lamps=lamps))

    def _show_look(self, screen: Screen) -> None:
        screen.show("look", lambda: LookNow(version=self._look()))
