"""Games of all four rulesets that nobody planned, for the writer to write."""

from dataclasses import replace
from decimal import Decimal
from random import Random

from controller.game import RULESETS, History, Legal, Refusal, State, begin, legal, new_game
from controller.game import commands as cmd
from controller.game.ballot import Touch
from controller.game.commands import Command
from controller.game.moment import Moment
from controller.game.phases import Dealing, Over
from controller.game.position import Position
from controller.game.roles import Role
from controller.game.seat import How
from controller.scoring import referee, rules_for, scoring_table
from tests.game.any_game import Judge

STEPS = 1500
CITY = (Role.SHERIFF, Role.MANIAC, Role.BEAUTY, Role.DOCTOR, Role.BOMBER, Role.AVENGER)


class AnyJudge(Judge):
    """A judge who knows the city's night and the club's wills too, and sets the table by hand now and then."""

    def decides(self, state: State, now: Legal) -> Command | None:
        if now.will is not None and self.often(0.6):
            named = self.chance.choice((None, *range(1, 11)))
            return cmd.Will(now.will, named, forgotten=named is None and self.often(0.5))
        if not isinstance(state.phase, Dealing | Over) and len(state.living) > 2 and self.often(0.0015):
            return cmd.SetPosition(self._position(state))
        return super().decides(state, now)

    def _position(self, state: State) -> Position:
        at = state.at if state.at.number else Moment.day_of(1)
        left = tuple((row.seat, row.how, row.at) for row in state.departures if row.at <= at)
        living = list(state.living)
        if self.often(0.5) and len(living) > 5:
            left = (*left, (living[0], How.VOTED, Moment.day_of(1)))
            living = living[1:]
        speaker = self.chance.choice((None, *living)) if at.day else None
        return Position(at, left, ((living[-1], 3),), (living[-1],), ((0, living[1]),) if at.day else (), speaker)

    def _deal(self, state: State, now: Legal) -> Command:
        if state.rules.deck is not None:
            return super()._deal(state, now)
        if now.next:
            return cmd.Next()
        seat = next(seat.number for seat in state.seats if seat.role is None)
        cards = [Role.DON, *(role for role in CITY if Random(f"{self.seed}.{role}").random() < 0.7), Role.MAFIA]
        cards += [Role.CIVILIAN] * (len(state.seats) - len(cards))
        Random(self.seed).shuffle(cards)
        return cmd.Deal(seat, cards[seat - 1])

    def _vote(self, state: State, now: Legal) -> Command:
        ballot = state.ballot
        assert ballot is not None
        last = ballot.counts[-1] if ballot.counts else None
        if last is not None and last.by_sensors and not ballot.is_open and self.often(0.2):
            after = last.closed + 100
            more = tuple(
                touch if touch.up is not None or touch.down > after else Touch(touch.seat, touch.down, after)
                for touch in last.touches
            )
            return cmd.Announce(
                last.candidate, more, max(last.closed, last.announced or 0) + self.chance.randrange(10**6)
            )
        command = super()._vote(state, now)
        if isinstance(command, cmd.CountHands) and self.often(0.3):
            return replace(command, closed=self.chance.randrange(2_500_000), flagged=self.often(0.5))
        return command

    def _night(self, state: State, now: Legal) -> Command:
        seats = [*state.living]
        if now.kill:
            black = [s.number for s in state.seats if s.acts and s.role is not None and s.role.black]
            if self.often(0.2):
                return cmd.Kill()
            if self.often(0.5):
                return cmd.Kill(self.chance.choice(seats))
            return cmd.Kill(choices=tuple((one, self.chance.choice(seats)) for one in black if self.often(0.8)))
        if now.act is not None and self.often(0.9):
            count = self.chance.choice((0, 2)) if now.act is Role.BOMBER else self.chance.choice((0, 1, 1))
            return cmd.Act(now.act, tuple(self.chance.sample(seats, min(count, len(seats)))))
        return super()._night(state, now)

    def _after_the_game(self, state: State, now: Legal) -> Command | None:
        command = super()._after_the_game(state, now)
        if isinstance(command, cmd.Penalise) and self.often(0.7):
            points = self.chance.choice(("-0.4", "-0.6", "-1", "-0.25"))
            return cmd.Penalise(command.seat, Decimal(points), self.chance.choice((None, "8.5", "6.4.2")))
        if isinstance(command, cmd.Award) and self.often(0.7):
            points = self.chance.choice(("0.1", "0.3", "0.25", "1", "0.5"))
            return cmd.Award(command.seat, Decimal(points), self.often(0.5))
        return command


def played(seed: int, ruleset: str, scoring: str, steps: int = STEPS) -> History:
    """A game from one seed, up to `steps` decisions of it; what the scoring or a detail forbids is not taken."""
    rules = rules_for(scoring, RULESETS[ruleset])
    seats = Random(seed).randint(max(10, rules.fewest), rules.most)
    game = begin(new_game(rules, seats), referee(scoring_table(scoring)))
    judge = AnyJudge(seed)
    for _ in range(steps):
        command = judge.decides(game.state, legal(game.state))
        if command is None:
            break
        after = game.play(command)
        if isinstance(after, Refusal):
            # An act that is not possible: the night must go on.
            after = game.play(cmd.Next()) if isinstance(command, cmd.Act) else game
        game = after if isinstance(after, History) else game
    return game
