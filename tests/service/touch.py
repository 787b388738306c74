"""A judge whose only means is a finger on the tablet: the pages as they are built, a service that runs, and a count
of every touch. What to do next is read from the table's state, as a judge reads the players; how, only by touch.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from playwright.async_api import Browser, CDPSession, Page, async_playwright

from controller.game.ballot import Ballot
from controller.game.hints import recorded
from controller.game.night import waking
from controller.game.phases import Choosing, Dealing, LastWord, Night, Over, Speech, SpeechKind, Voting
from controller.game.roles import Role
from controller.game.rules import Waking
from controller.game.state import State
from controller.service.access import Scope
from controller.service.running import Running
from controller.table.state import Snapshot, Stage
from tests.service.waiting import comes_true

SIZE = {"width": 1280, "height": 800}
SLIP_MS = 380
"""Longer than the page takes a second press for the same one slipping."""
PATIENCE_MS = 90_000
"""A busy machine takes its time to open four pages at once."""
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run",
]  # fmt: skip


@asynccontextmanager
async def chromium() -> AsyncGenerator[Browser]:
    """Chromium without a screen."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path="/usr/bin/chromium", args=ARGUMENTS)
        try:
            yield browser
        finally:
            await browser.close()


@dataclass
class Plan:
    """What the players of a game do. Whatever is not said is done by whoever comes first."""

    cards: tuple[Role, ...]
    nominates: Mapping[int, Mapping[int, int]] = field(default_factory=dict[int, Mapping[int, int]])
    """Day -> speaker -> nominee."""
    fouls: Mapping[int, Mapping[int, int]] = field(default_factory=dict[int, Mapping[int, int]])
    """Day -> speaker in whose minute -> who is given a foul."""
    hands: Mapping[int, tuple[Mapping[int, tuple[int, ...]], ...]] = field(
        default_factory=dict[int, tuple[Mapping[int, tuple[int, ...]], ...]]
    )
    """Day -> ballots -> candidate -> hands; whoever is not named raises the hand for the last."""
    shots: Mapping[int, int | None] = field(default_factory=dict[int, int | None])
    """Night -> who is shot; None: a miss."""
    checks: Mapping[tuple[int, str], int] = field(default_factory=dict[tuple[int, str], int])
    """(night, role) -> whom a check or an act is for."""
    mines: Mapping[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])
    best_move: tuple[int, ...] = ()
    answer: str = "give"
    """What becomes of proposed fouls: give or waive."""
    awards: Mapping[int, str] = field(default_factory=dict[int, str])


class Tablet:
    """One tablet and the finger on it."""

    def __init__(self, running: Running, page: Page, touch: CDPSession) -> None:
        self.running = running
        self.page = page
        self.touches = 0
        self._touch = touch

    @classmethod
    async def opened(
        cls, browser: Browser, running: Running, *, language: str = "ru", size: Mapping[str, int] = SIZE
    ) -> "Tablet":
        """A tablet with the judge's page."""
        context = await browser.new_context(
            viewport={"width": size["width"], "height": size["height"]}, has_touch=True, reduced_motion="reduce"
        )
        page = await context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        link = running.link(Scope.JUDGE).replace("/judge#", f"/judge?lang={language}#")
        await page.goto(link, wait_until="commit")
        await page.wait_for_selector(".seat")
        return cls(running, page, await context.new_cdp_session(page))

    @property
    def now(self) -> Snapshot:
        """The table as it is."""
        return self.running.table.snapshot

    @property
    def state(self) -> State:
        """The game as it is."""
        return self.now.state

    async def tap(self, where: str) -> None:
        """A finger down and up."""
        await self._at(where, 40)

    async def hold(self, where: str, ms: int = 700) -> None:
        """A finger that stays."""
        await self._at(where, ms)

    async def _at(self, where: str, ms: int) -> None:
        spot = self.page.locator(where).first
        await spot.scroll_into_view_if_needed()
        box = await spot.bounding_box()
        assert box is not None, where
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        self.touches += 1
        await self._touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
        await self.page.wait_for_timeout(ms)
        await self._touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    async def seat(self, number: int) -> None:
        """Touches a seat."""
        await self.tap(f"[data-seat='{number}']")

    async def does(self, touch: Callable[[], Awaitable[None]], *, what: str = "") -> None:
        """A touch by which something is decided; waits until it is, and until the tablet shows it."""
        before = self.now.revision
        await touch()
        try:
            await comes_true(lambda: self.now.revision != before, 15.0)
        except TimeoutError:
            refusal = await self.page.locator("[data-refusal]").all_inner_texts()
            raise AssertionError(f"nothing came of {what or 'a touch'} in {self.state.phase}: {refusal}") from None
        await self.settled()

    async def settled(self) -> None:
        """The tablet shows what the table is."""
        await self.page.wait_for_function(
            "(undo) => !document.querySelector('.step.shut') || document.querySelector('.step.shut')", arg=None
        )
        await self.page.wait_for_timeout(60)

    async def step(self) -> None:
        """The big button."""
        await self.page.wait_for_timeout(SLIP_MS)
        await self.does(lambda: self.tap(".step"), what="the step")


class Game:
    """A whole game, played by touch."""

    def __init__(self, tablet: Tablet, plan: Plan, look: Callable[[str], Awaitable[None]] | None = None) -> None:
        """`look` is called with the name of each state before anything is done in it."""
        self.tablet = tablet
        self.plan = plan
        self._look = look
        self._votes: tuple[int, int] = (0, 0)

    async def looks(self, name: str) -> None:
        """Somebody looks at the page in this state."""
        if self._look is not None:
            await self._look(name)

    async def play(self) -> None:
        """From the first card to the signature."""
        while not isinstance(self.tablet.state.phase, Over):
            await self._turn()
        await self.looks("over")
        for seat, points in self.plan.awards.items():
            await self._award(seat, points)

    async def _award(self, seat: int, points: str) -> None:
        tablet = self.tablet
        await tablet.seat(seat)
        await tablet.page.wait_for_selector(f"[data-award='{points}']")
        await self.looks("award")
        await tablet.does(lambda: tablet.tap(f"[data-award='{points}']"), what="an award")

    async def _turn(self) -> None:
        tablet = self.tablet
        state = tablet.state
        match state.phase:
            case Dealing():
                await self._deal(state)
            case Speech(seat, kind, _):
                await self._speech(state, seat, kind)
            case LastWord(seat):
                await self._last_word(state, seat)
            case Voting():
                await self._vote()
            case Night():
                await self._night(state)
            case Choosing():
                await self.looks("choosing")
                if state.avenger_choice is None:
                    target = self.plan.checks.get((state.at.number, "avenger"), state.living[0])
                    await tablet.does(lambda: tablet.seat(target), what="the avenger")
                await tablet.step()
            case _:
                await self.looks(type(state.phase).__name__.lower())
                await tablet.step()

    async def _deal(self, state: State) -> None:
        seat = next((seat.number for seat in state.seats if seat.role is None), None)
        await self.looks("dealing" if seat is not None else "dealt")
        if seat is None:
            await self.tablet.step()
            return
        role = self.plan.cards[seat - 1].value
        await self.tablet.does(lambda: self.tablet.tap(f"[data-role='{role}']"), what=f"a card, {role}")

    async def _speech(self, state: State, seat: int, kind: SpeechKind) -> None:
        tablet, day = self.tablet, state.at.number
        await self.looks(f"speech_{kind.value}")
        if kind is SpeechKind.MINUTE:
            fouled = self.plan.fouls.get(day, {}).get(seat)
            if fouled is not None and state.seat(fouled).in_play:
                await tablet.hold(f"[data-seat='{fouled}']")
                await tablet.page.wait_for_selector(".quick .foul")
                await self.looks("menu")
                await tablet.does(lambda: tablet.tap(".quick .foul"), what="a foul")
            nominee = self.plan.nominates.get(day, {}).get(seat)
            if nominee is not None and state.seat(nominee).in_play and state.minute_of == seat:
                await tablet.does(lambda: tablet.seat(nominee), what="a nomination")
                await self.looks("nominated")
        await tablet.step()

    async def _last_word(self, state: State, seat: int) -> None:
        tablet = self.tablet
        await self.looks("last_word")
        named = state.best_move is not None
        if not named and await tablet.page.locator("[data-best]").count():
            for number in self.plan.best_move:
                await tablet.seat(number)
            await tablet.page.wait_for_timeout(SLIP_MS)
            await tablet.does(lambda: tablet.tap(".step"), what="the best move")
            await self.looks("best_move")
        await tablet.step()

    # --- the vote

    async def _vote(self) -> None:
        tablet = self.tablet
        state, window = tablet.state, tablet.now.window
        ballot = state.ballot
        assert ballot is not None
        await self.looks("vote_called" if ballot.due is not None else "vote_counted")
        for waiting in [row for row in state.proposals if row.given is None] if ballot.due is None else []:
            await tablet.does(
                lambda waiting=waiting: tablet.tap(
                    f"[data-proposal='{waiting.id}'] [data-answer='{self.plan.answer}']"
                ),
                what="a proposal",
            )
        if ballot.due is None:
            await tablet.step()
            return
        assert window is None
        simulation = tablet.running.simulation
        assert simulation is not None
        hands = self._hands(state, ballot, ballot.due)
        counted = len(ballot.counts)
        await tablet.step()
        wired = [seat for seat in hands if f"seat {seat}" in simulation.keys]
        for seat in wired:
            simulation.press(f"seat {seat}", down=True)
        await comes_true(lambda: tablet.now.window is None or set(wired) <= set(tablet.now.window.hands), 20.0)
        await self.looks("vote_open")
        await comes_true(lambda: self._counted(counted), 20.0)
        for seat in set(hands) - set(wired):  # no sensor: the judge has seen the hand
            await tablet.does(lambda seat=seat: tablet.seat(seat), what="a hand")
        await self.looks("vote_to_announce")
        await tablet.step()
        for seat in wired:  # the count is said: hands may leave
            simulation.press(f"seat {seat}", down=False)
        await comes_true(lambda: all(one.value != "down" for one in tablet.now.contacts.values()), 20.0)
        await tablet.settled()

    def _counted(self, before: int) -> bool:
        ballot, window = self.tablet.state.ballot, self.tablet.now.window
        done = ballot is None or (not ballot.is_open and len(ballot.counts) > before)
        return done and (window is None or window.stage is not Stage.OPEN)

    def _hands(self, state: State, ballot: Ballot, candidate: int) -> tuple[int, ...]:
        given = {seat for votes in ballot.votes for seat in (*votes.hands, *votes.assigned)}
        free = tuple(seat for seat in ballot.voters if seat not in given and state.seat(seat).in_play)
        day, number = state.at.number, sum(1 for row in state.ballots if row.at == state.at)
        plans = self.plan.hands.get(day, ())
        if number < len(plans) and candidate in plans[number]:
            return tuple(seat for seat in plans[number][candidate] if seat in free)
        return free if candidate == ballot.questions[-1] else ()

    # --- the night

    async def _night(self, state: State) -> None:
        tablet, night = self.tablet, state.at.number
        call, row = waking(state), state.tonight
        assert call is not None
        assert row is not None
        step = call.step
        await self.looks(f"night_{step.value}" + ("_noted" if recorded(row, call) else ""))
        if recorded(row, call):
            await tablet.step()
            return
        if step in (Waking.SHOOTING, Waking.KILL):
            target = self.plan.shots.get(night)
            if target is None:
                await tablet.tap(".centre .pill")
            else:
                await tablet.seat(target)
            await self.looks("night_aimed")
            await tablet.step()
        elif step is Waking.BOMBER and night in self.plan.mines:
            one, other = self.plan.mines[night]
            await tablet.seat(one)
            await tablet.does(lambda: tablet.seat(other), what="the mines")
        elif (night, step.value) in self.plan.checks:
            await tablet.does(lambda: tablet.seat(self.plan.checks[night, step.value]), what=f"the night of {step}")
        else:
            await tablet.step()


async def link_is_up(running: Running) -> None:
    """The simulated table answers and its clock is fitted."""
    await comes_true(lambda: any(link.up and link.clock_ready for link in running.table.snapshot.links), 30.0)
