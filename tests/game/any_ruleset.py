"""Games of all four rule sets that nobody planned: any deal that city allows, any options that a club could think of.

Everything comes from one seed; the judge is that of `any_game.py`, who knows city's night and the clubs' options too.
"""

from dataclasses import replace
from decimal import Decimal
from random import Random

from controller.game import RULESETS, History, Legal, State, begin, legal, new_game
from controller.game import commands as cmd
from controller.game.ballot import RAISE
from controller.game.commands import Command
from controller.game.legal import refusal
from controller.game.night import waking
from controller.game.phases import Choosing, LastWord
from controller.game.roles import Role
from controller.game.rules import Opener, RaiseOfThree, Rules, SecondTie, SoleCandidate, ThirdFoul, Waking
from controller.scoring import referee, rules_for, scoring_table
from tests.game.any_game import Judge, anything, living_black, pending

LONGEST = 12
"""From this day on somebody is sent off whenever it goes on: ukraine and city have no draw."""
SPECIAL = (Role.MANIAC, Role.BEAUTY, Role.DOCTOR, Role.SHERIFF, Role.BOMBER, Role.AVENGER)
ACTS = {
    Waking.MANIAC: Role.MANIAC,
    Waking.BEAUTY: Role.BEAUTY,
    Waking.DOCTOR: Role.DOCTOR,
    Waking.BOMBER: Role.BOMBER,
}
OPTIONS: dict[str, tuple[object, ...]] = {
    "opener": tuple(Opener),
    "withdrawal": (True, False),
    "sole_candidate_day_one": tuple(SoleCandidate),
    "sole_candidate": tuple(SoleCandidate),
    "close_inclusive": (True, False),
    "early_tolerance": (0, 300_000, 800_000),
    "unvoted_to_last": (True, False),
    "second_tie": tuple(SecondTie),
    "revote_reversed": (True, False),
    "no_raise_at_four": (True, False),
    "no_raise_of_all": (True, False),
    "raise_of_three_at_nine": tuple(RaiseOfThree),
    "no_elimination_over_half_tied": (True, False),
    "third_foul": tuple(ThirdFoul),
    "short_minute_living": (frozenset[int](), frozenset({3}), frozenset({3, 4})),
    "technical_fouls_out": (0, 2),
    "three_misses": (True, False),
    "quiet_circles": (0, 2, 3),
    "draw_after_night": (True, False),
    "best_move": (True, False),
    "best_move_void_after": (0, 2),
    "best_move_voted_day_one": (True, False),
    "wills": (True, False),
    "minute": (60, 90),
    "short_minute": (30, 15),
    "defence": (0, 20),
    "revote_speech": (30, 20),
    "last_word_voted": (60, 0),
    "last_word_shot": (60, 30, 0),
    "window": (2_000_000, 1_500_000, 3_000_000),
    "best_move_points": ("", "3:0.5,2:0.3,1:0.1"),
    "team_defeat": (True, False),
    "defeat_disqualifies": (True, False),
    "protests": (True, False),
}


CITYS_OWN: dict[str, tuple[object, ...]] = {"vote_held_after_removals": (0, 2, 3)}
POINTS = ("0.1", "0.2", "0.25", "0.3", "0.4", "0.5", "0.7", "1")
FINES = ("-0.25", "-0.4", "-0.5", "-0.6", "-1")


def any_scoring(seed: int, name: str) -> str:
    """The rule set's own way of counting points; a quarter of the games of fiim are a club's."""
    return "club" if name == "fiim" and Random(f"scoring {seed}").random() < 0.25 else name


def any_rules(chance: Random, rules: Rules) -> Rules:
    """These rules with some of their parameters set otherwise; a third of the games are played by the text."""
    if chance.random() < 0.33:
        return rules
    options = OPTIONS | (CITYS_OWN if rules.name == "city" else {})
    return replace(rules, **{key: chance.choice(of) for key, of in options.items() if chance.random() < 0.2})


class AnyJudge(Judge):
    """Makes one legal command after another by any of the four texts."""

    def __init__(self, seed: int, name: str) -> None:
        super().__init__(seed)
        self.scoring = any_scoring(seed, name)
        self.rules = any_rules(self.chance, rules_for(self.scoring, RULESETS[name]))
        self.fined = (None, *scoring_table(self.scoring).penalties)
        self.seats = self.chance.randint(self.rules.fewest, self.rules.most)
        self.clauses = (None, *(rule.clause for rule in self.rules.violations))
        self.deals = self._any_deal()

    def _any_deal(self) -> list[Role]:
        deck = self.rules.deck
        if deck is not None:
            roles = [role for role, count in deck.items() for _ in range(count)]
        else:
            special = [role for role in SPECIAL if self.often(0.75)]
            mafia = self.chance.randint(0, (self.seats - 1) // 2 - 1)
            roles = [Role.DON, *[Role.MAFIA] * mafia, *special][: self.seats]
            roles += [Role.CIVILIAN] * (self.seats - len(roles))
        self.chance.shuffle(roles)
        return roles

    def _deal(self, state: State, now: Legal) -> Command:
        if now.next:
            return cmd.Next()
        seat = next(seat.number for seat in state.seats if seat.role is None)
        return cmd.Deal(seat, self.deals[seat - 1])

    def decides(self, state: State, now: Legal) -> Command | None:
        """The next command; None when there is nothing more to do."""
        if state.at.number >= LONGEST and state.outcome is None and now.remove and not now.close_window:
            return cmd.Remove(self.chance.choice(now.remove))
        if now.will is not None and self.often(0.7):
            named = self.chance.choice((None, *range(1, self.seats + 1)))
            return cmd.Will(now.will, named, forgotten=named is None and self.often(0.5))
        if isinstance(state.phase, LastWord) and now.best_move is not None:
            if self.often(0.6):
                numbers = self.chance.sample(range(1, self.seats + 1), self.chance.randrange(4))
                return cmd.BestMove(now.best_move, tuple(numbers))
            now = replace(now, best_move=None)  # the judge of fiim would name seats that this table has not
        if isinstance(state.phase, Choosing):
            if now.remove and self.often(self.temper.remove * 10):
                return cmd.Remove(self.chance.choice(now.remove))
            return self._aside(state, now) or self._avenge(state, now)
        return super().decides(state, now)

    def _aside(self, state: State, now: Legal) -> Command | None:
        if now.technical and self.often(self.temper.foul):
            # They gather on few, so that second heavy ones come.
            seat = self.chance.choice(now.technical[:2] if self.often(0.7) else now.technical)
            return cmd.TechnicalFoul(seat, self.often(0.6), self.chance.choice(self.clauses))
        if now.foul and self.often(self.temper.foul):
            seat = self.chance.choice(now.foul[:3] if self.often(0.7) else now.foul)
            return cmd.Foul(seat, self.chance.choice(self.clauses))
        if now.remove and self.often(self.temper.remove):
            return cmd.Remove(self.chance.choice(now.remove), self.chance.choice(self.clauses))
        if now.warn and self.often(0.01):
            return cmd.Warn(self.chance.choice(now.warn), self.chance.choice(self.clauses))
        if now.defeat and refusal(state, cmd.Defeat(now.defeat[0])) is None and self.often(self.temper.end):
            return cmd.Defeat(self.chance.choice(now.defeat))
        if now.annul and self.often(self.temper.end / 2):
            return cmd.Annul()
        waiting = pending(state)
        if waiting and not now.close_window and self.often(0.3):
            proposal = self.chance.choice(waiting)
            give = proposal.seat in now.foul and self.often(0.6)
            return cmd.Give(proposal.id) if give else cmd.Waive(proposal.id)
        return None

    # --- city's night

    def _night(self, state: State, now: Legal) -> Command:
        call = waking(state)
        if call is not None and call.step is Waking.KILL and now.kill:
            return self._kill(state)
        if now.act is not None and call is not None and call.step in ACTS:
            return self._act(state, ACTS[call.step])
        if now.check is not None and self.often(0.8):
            holder = state.holder(now.check)
            acts = holder is not None and holder.acts
            return cmd.Check(now.check, self.chance.randint(1, self.seats) if acts and self.often(0.8) else None)
        return self._shoot(state) if now.shoot else cmd.Next()

    def _kill(self, state: State) -> Command:
        shooters = living_black(state)
        if not shooters or self.often(self.temper.miss / 2):
            return cmd.Kill()
        if self.often(0.5):
            return cmd.Kill(self.chance.choice(self._marked(state)))
        choices = [(seat, self.chance.choice(self._marked(state))) for seat in shooters if self.often(0.9)]
        return cmd.Kill(choices=tuple(choices))

    def _marked(self, state: State) -> tuple[int, ...]:
        """Special cards are shot more often than others, so that their acts meet."""
        special = state.living_with(*SPECIAL)
        return special if special and self.often(0.6) else state.living

    def _act(self, state: State, role: Role) -> Command:
        holder = state.holder(role)
        before = next((row for row in state.nights if row.night == state.at.number - 1), None)
        if holder is None or not holder.acts or self.often(0.1):
            return cmd.Act(role)
        spent = before.act(role) if before is not None and role is not Role.MANIAC else ()
        among = [seat for seat in state.living if seat not in spent]
        if role in (Role.BEAUTY, Role.BOMBER):
            among = [seat for seat in among if seat != holder.number]
        if role is Role.DOCTOR and any(holder.number in row.act(role) for row in state.nights):
            among = [seat for seat in among if seat != holder.number]
        if role is Role.BOMBER:
            return self._mines(state, holder.number, among)
        marked = [seat for seat in self._marked(state) if seat in among] or among
        return cmd.Act(role, (self.chance.choice(marked),)) if marked else cmd.Act(role)

    def _mines(self, state: State, bomber: int, among: list[int]) -> Command:
        living = state.living
        place = living.index(bomber)
        beside = [seat for seat in (living[place - 1], living[(place + 1) % len(living)]) if seat in among]
        if not beside or len(among) < 2:
            return cmd.Act(Role.BOMBER)
        first = self.chance.choice(beside)
        second = self.chance.choice([seat for seat in among if seat != first])
        return cmd.Act(Role.BOMBER, (first, second) if self.often(0.5) else (second, first))

    def _avenge(self, state: State, now: Legal) -> Command:
        if now.act is Role.AVENGER and self.often(0.9):
            seats = (self.chance.choice(state.living),) if state.living and self.often(0.8) else ()
            return cmd.Act(Role.AVENGER, seats)
        return cmd.Next()

    # --- the vote, in which somebody may have been removed

    def _vote(self, state: State, now: Legal) -> Command:
        command = super()._vote(state, now)
        if isinstance(command, cmd.CountVote):
            return cmd.CountVote(command.candidate, tuple(seat for seat in command.seats if seat in state.living))
        return command

    def _after_the_game(self, state: State, now: Legal) -> Command | None:
        """As the judge of fiim, with points that the scoring may refuse."""
        command = super()._after_the_game(state, now)
        if isinstance(command, cmd.Protest):
            return replace(command, seat=min(command.seat, self.seats))
        seat = self.chance.randint(1, self.seats)
        if isinstance(command, cmd.Award):
            return cmd.Award(seat, Decimal(self.chance.choice(POINTS)), self.often(0.5))
        if isinstance(command, cmd.Penalise):
            return cmd.Penalise(seat, Decimal(self.chance.choice(FINES)), self.chance.choice(self.fined) or None)
        return command


def played_out(judge: AnyJudge) -> History:
    """The judge's game from the deal to the end."""
    game = begin(new_game(judge.rules, judge.seats), referee(scoring_table(judge.scoring)))
    while (command := judge.decides(game.state, legal(game.state))) is not None:
        after = game.play(command)
        game = after if isinstance(after, History) else game  # the scoring has refused an award
    return game


def anything_at_all(chance: Random, state: State) -> Command:
    """Any command, city's among them, of which many can be done."""
    if chance.random() < 0.6:
        return anything(chance, state)
    seat = chance.choice((*state.living, 0, len(state.seats) + 1))
    other = chance.choice((*state.living, 1))
    call = waking(state)
    role = ACTS.get(call.step, Role.AVENGER) if call is not None else Role.AVENGER
    return chance.choice(
        (
            cmd.Kill(seat),
            cmd.Kill(choices=((other, seat),)),
            cmd.Act(role, (seat,)),
            cmd.Act(role, (seat, other)),
            cmd.Act(role),
            cmd.TechnicalFoul(seat, chance.random() < 0.5),
            cmd.Remove(seat),
            cmd.Foul(seat),
            cmd.Will(seat, other),
            cmd.CountVote(state.ballot.due or RAISE if state.ballot else RAISE, (other,)),
            cmd.Next(),
        )
    )
