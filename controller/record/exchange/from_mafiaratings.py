"""Games of mafiaratings: one object a game, every player with his own doings by round; round 0 is the first day.

A round is a night with its day: shots and checks of round N are of our night N, its day is our day N + 1.
"""

from typing import Any, TypeAlias

import msgspec

from controller.game.moment import Moment
from controller.game.outcome import Winner
from controller.game.roles import Role
from controller.record.exchange.faults import ExchangeFault
from controller.record.exchange.foreign import Day, Exit, ForeignGame, Gone, Night, Place, Sanction, Stage
from controller.record.exchange.notes import Kind, Notes
from controller.record.headers import Headers, Sitter

PLAYERS = 10
MOST_ROUNDS = 20
ROLES = {"civ": Role.CIVILIAN, "sheriff": Role.SHERIFF, "maf": Role.MAFIA, "don": Role.DON}
WINNERS = {"civ": Winner.RED, "maf": Winner.BLACK, "tie": Winner.DRAW}
NIGHT_STAGES = {
    "start": Stage.BEGIN,
    "arrangement": Stage.BEGIN,
    "relaxed sitting": Stage.BEGIN,
    "shooting": Stage.SHOOTING,
    "don": Stage.DON,
    "sheriff": Stage.SHERIFF,
}
DAY_STAGES = {
    "day start": Stage.BEGIN,
    "night kill speaking": Stage.MORNING_WORD,
    "speaking": Stage.MINUTE,
    "voting start": Stage.VOTE,
    "voting": Stage.VOTE,
    "voting kill all": Stage.RAISE,
    "day kill speaking": Stage.EVENING_WORD,
    "end": Stage.END,
}
EXITS = {
    "night": Exit.NIGHT,
    "day": Exit.VOTE,
    "warnings": Exit.FOULS,
    "techFouls": Exit.REMOVED,
    "kickOut": Exit.REMOVED,
    "giveUp": Exit.REMOVED,
    "teamKickOut": Exit.DEFEAT,
}


class GameTime(msgspec.Struct, rename="camel"):
    """When something happened."""

    round: int = 0
    time: str = ""
    speaker: int | None = None
    voting_round: int | None = None
    nominee: int | None = None


class Death(msgspec.Struct):
    """How a player left."""

    round: int = -1
    type: str = ""
    time: GameTime | str | None = None


Vote: TypeAlias = int | list[int | bool | None] | None


class Player(msgspec.Struct, rename="camel"):
    """One player; a red one's role may be left out."""

    seat: int | None = None
    name: str = ""
    role: str = "civ"
    death: Death | int | str | None = None
    nominating: list[int | None] = []
    voting: list[Vote] = []
    shooting: list[int | None] = []
    warnings: list[GameTime] | int = []
    tech_fouls: list[GameTime] | int = []
    don: int | None = None
    sheriff: int | None = None
    legacy: list[int] | int | None = None
    arranged: int | None = None
    bonus: Any = None


class Game(msgspec.Struct, rename="camel"):
    """One game."""

    players: list[Player]
    id: int | None = None
    game_id: int | None = msgspec.field(default=None, name="game_id")
    winner: str = ""
    table: int | str | None = None
    number: int | str | None = None


def foreign_game(game: Game, notes: Notes) -> ForeignGame:
    """What the source says, in our words. Raises ExchangeFault where it does not make sense."""
    number = game.game_id if game.game_id is not None else game.id
    label = str(number) if number is not None else "?"
    return _Reader(game, label, notes).read()


class _Reader:
    def __init__(self, game: Game, label: str, notes: Notes) -> None:
        self.game = game
        self.label = label
        self.notes = notes
        self.days: dict[int, Day] = {}
        self.nights: dict[int, Night] = {}
        self.sanctions: list[Sanction] = []
        self.gone: list[Gone] = []
        self.best_move: tuple[int, tuple[int, ...]] | None = None

    def read(self) -> ForeignGame:
        if len(self.game.players) != PLAYERS:
            raise ExchangeFault("game_players", game=self.label, count=len(self.game.players))
        players = {player.seat or place: player for place, player in enumerate(self.game.players, 1)}
        if sorted(players) != list(range(1, PLAYERS + 1)):
            raise ExchangeFault("game_seats", game=self.label)
        roles = {seat: self.role(player) for seat, player in players.items()}
        for seat, player in sorted(players.items()):
            self.player(seat, player, roles[seat])
        if self.game.winner and self.game.winner not in WINNERS:
            raise ExchangeFault("game_word", game=self.label, word=self.game.winner)
        headers = Headers(
            ruleset="fiim",
            scoring="fiim",
            game=str(self.game.number) if self.game.number is not None else self.label,
            table=str(self.game.table) if self.game.table is not None else "",
            seats=tuple(Sitter(seat, players[seat].name, roles[seat]) for seat in sorted(players)),
        )
        return ForeignGame(
            label=self.label,
            headers=headers,
            roles=roles,
            winner=WINNERS.get(self.game.winner),
            days=self.days,
            nights=self.nights,
            gone=tuple(self.gone),
            sanctions=self.sanctions,
            best_move=self.best_move,
        )

    def role(self, player: Player) -> Role:
        if player.role not in ROLES:
            raise ExchangeFault("game_word", game=self.label, word=player.role)
        return ROLES[player.role]

    def seat(self, seat: int | None) -> int | None:
        """A seat of the source, or nobody. Raises ExchangeFault if there is no such seat."""
        if seat is not None and not 1 <= seat <= PLAYERS:
            raise ExchangeFault("game_seat", game=self.label, seat=seat)
        return seat

    def round(self, number: int) -> int:
        if not 0 <= number <= MOST_ROUNDS:
            raise ExchangeFault("game_round", game=self.label, round=number)
        return number

    def night(self, number: int) -> Night:
        return self.nights.setdefault(self.round(number), Night())

    def player(self, seat: int, player: Player, role: Role) -> None:
        """Everything that stands under one player."""
        for round_, nominee in enumerate(player.nominating):
            if self.seat(nominee) is not None and nominee is not None:
                self.days.setdefault(self.round(round_) + 1, Day()).nominations[seat] = nominee
        for round_, vote in enumerate(player.voting):
            self.vote(seat, self.round(round_) + 1, vote)
        for night, target in enumerate(player.shooting, 1):
            self.night(night).shots[seat] = self.seat(target)
        if player.shooting and not role.black:
            raise ExchangeFault("game_red_shoots", game=self.label, seat=seat)
        for checker, night in ((Role.DON, player.don), (Role.SHERIFF, player.sheriff)):
            if night is not None:
                self.check(checker, night, seat)
        if player.legacy is not None:
            self.legacy(seat, player.legacy)
        if player.arranged is not None:
            self.notes.add(Kind.DROPPED, "arrangement")
        if player.bonus is not None:
            self.notes.add(Kind.DROPPED, "bonus", seat=seat)
        self.fouls(seat, player)
        self.death(seat, player)

    def vote(self, seat: int, day: int, vote: Vote) -> None:
        rounds = vote if isinstance(vote, list) else [vote]
        at = self.days.setdefault(day, Day())
        for number, candidate in enumerate(rounds):
            if isinstance(candidate, bool):
                at.raised = (*(at.raised or ()), *((seat,) if candidate else ()))
            elif self.seat(candidate) is not None and candidate is not None:
                while len(at.ballots) <= number:
                    at.ballots.append({})
                at.ballots[number][seat] = candidate

    def check(self, checker: Role, night: int, seat: int) -> None:
        checks = self.night(night).checks
        if checker in checks:
            self.notes.add(Kind.DIFFERS, "two_checks", role=checker.value, night=night)
        checks.setdefault(checker, seat)

    def legacy(self, seat: int, legacy: list[int] | int) -> None:
        if isinstance(legacy, int):
            self.notes.add(Kind.MISSING, "legacy_numbers", seat=seat, count=legacy)
            return
        for number in legacy:
            self.seat(number)
        self.best_move = (seat, tuple(legacy))

    def fouls(self, seat: int, player: Player) -> None:
        if isinstance(player.warnings, int):
            if player.warnings:
                self.notes.add(Kind.MISSING, "fouls_without_place", seat=seat, count=player.warnings)
            # Up to three change nothing but a minute, wherever they stand; four send off where he left.
            death = player.death
            out = isinstance(death, Death) and death.type == "warnings" and death.round >= 0
            at = Moment.day_of(self.round(death.round) + 1 if out and isinstance(death, Death) else 1)
            places = [Place(at, Stage.BEGIN)] * min(player.warnings, 4)
        else:
            places = [self.place(time) for time in player.warnings]
        self.sanctions += [Sanction(seat, place) for place in places]
        if player.tech_fouls:
            self.notes.add(Kind.DROPPED, "tech_fouls", seat=seat)

    def place(self, time: GameTime) -> Place:
        """Where in our game a time of theirs is."""
        self.seat(time.speaker)
        round_ = self.round(time.round)
        if time.time == "night start" and round_:
            return Place(Moment.day_of(round_), Stage.DUSK)
        if time.time in NIGHT_STAGES:
            return Place(Moment.night_of(round_), NIGHT_STAGES[time.time])
        if time.time not in DAY_STAGES:
            raise ExchangeFault("game_word", game=self.label, word=time.time)
        stage = DAY_STAGES[time.time]
        at = Moment.day_of(round_ + 1)
        if time.time == "voting" and time.speaker is not None and time.nominee is None:
            return Place(at, Stage.SPLIT, time.speaker, time.voting_round)
        if stage is Stage.VOTE:
            return Place(at, stage, self.seat(time.nominee), time.voting_round)
        return Place(at, stage, time.speaker)

    def death(self, seat: int, player: Player) -> None:
        death = player.death
        if death is None:
            return
        if not isinstance(death, Death) or death.type not in EXITS or death.round < 0:
            raise ExchangeFault("game_death", game=self.label, seat=seat)
        how, round_ = EXITS[death.type], self.round(death.round)
        at = Moment.night_of(round_) if how is Exit.NIGHT else Moment.day_of(round_ + 1)
        if how in (Exit.REMOVED, Exit.DEFEAT):
            place = self.place(death.time) if isinstance(death.time, GameTime) else Place(at, Stage.BEGIN)
            if not isinstance(death.time, GameTime):
                self.notes.add(Kind.ASSUMED, "foul_place", seat=seat, at=str(at))
            self.sanctions.append(Sanction(seat, place, how))
            at = place.at
        if how is not Exit.DEFEAT:
            self.gone.append(Gone(seat, how, at))
