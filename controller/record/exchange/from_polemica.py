"""A game of Polemica: lists of votes, shots and checks by day and night, as its own service stores a match."""

from typing import Any

import msgspec

from controller.game.moment import Moment
from controller.game.outcome import Winner
from controller.game.roles import Role
from controller.record.exchange.faults import ExchangeFault
from controller.record.exchange.foreign import Day, Exit, ForeignGame, Night, Place, Sanction, Stage
from controller.record.exchange.notes import Kind, Notes
from controller.record.headers import Headers, Sitter

PLAYERS = 10
MOST_DAYS = 20
ROLES = {0: Role.DON, 1: Role.MAFIA, 2: Role.CIVILIAN, 3: Role.SHERIFF}
WINNERS = {0: Winner.RED, 1: Winner.BLACK}
STAGES = {
    "dealing": Stage.BEGIN,
    "briefing": Stage.BEGIN,
    "comIntro": Stage.BEGIN,
    "speech": Stage.MINUTE,
    "voting": Stage.VOTE,
    "voted": Stage.EVENING_WORD,
    "shooting": Stage.SHOOTING,
    "shooted": Stage.MORNING_WORD,
    "reSpeech": Stage.SPLIT,
    "lift": Stage.RAISE,
    "donCheck": Stage.DON,
    "comCheck": Stage.SHERIFF,
    "guess": Stage.MORNING_WORD,
    "comKill": Stage.BEGIN,
    "gameOver": Stage.END,
}
AT_NIGHT = frozenset({"shooting", "donCheck", "comCheck"})
NIGHT_0 = frozenset({"dealing", "briefing", "comIntro"})


class At(msgspec.Struct):
    """A stage of the match."""

    type: str
    day: int = 0
    player: int | None = None
    voting: int | None = None


class Foul(msgspec.Struct):
    """A foul with the stage it was given in."""

    stage: At
    time: str = ""


class Guess(msgspec.Struct):
    """Whom a player left for black, for red, and for the one to be voted out."""

    mafs: list[int] = []
    civs: list[int] = []
    vice: int | None = None


class Player(msgspec.Struct):
    """One player."""

    position: int
    role: int
    username: str = ""
    fouls: list[Foul] = []
    techs: list[Foul] = []
    guess: Guess | None = None
    disqual: At | None = None
    award: float | None = None


class Check(msgspec.Struct):
    """A check; `role` is who made it."""

    night: int
    role: int
    player: int


class Shot(msgspec.Struct):
    """One shot."""

    night: int
    shooter: int
    victim: int


class Vote(msgspec.Struct):
    """A hand: `num` 0 is a nomination, 1 and on a ballot, none the question whether all leave."""

    day: int
    voter: int
    candidate: int | None = None
    num: int | None = None


class Game(msgspec.Struct, rename="camel"):
    """One match."""

    players: list[Player]
    id: int | None = None
    started: str = ""
    num: int | None = None
    table: int | None = None
    checks: list[Check] = []
    shots: list[Shot] = []
    votes: list[Vote] = []
    result: int | None = None
    zero_voting: str | None = None
    com_killer: int | None = None
    bonuses: list[Any] = []


def foreign_game(game: Game, notes: Notes) -> ForeignGame:
    """What the source says, in our words. Raises ExchangeFault where it does not make sense."""
    label = str(game.id) if game.id is not None else "?"
    players = {player.position: player for player in game.players}
    if len(game.players) != PLAYERS:
        raise ExchangeFault("game_players", game=label, count=len(game.players))
    if sorted(players) != list(range(1, PLAYERS + 1)):
        raise ExchangeFault("game_seats", game=label)
    roles = {seat: _word(ROLES, player.role, label) for seat, player in players.items()}
    if game.zero_voting is not None:
        notes.add(Kind.DIFFERS, "zero_voting", word=game.zero_voting)
    if game.com_killer is not None:
        notes.add(Kind.DROPPED, "com_killer", seat=game.com_killer)
    if game.bonuses or any(player.award for player in game.players):
        notes.add(Kind.DROPPED, "bonuses")
    date, _, time = game.started.partition("T")
    headers = Headers(
        ruleset="fiim",
        scoring="fiim",
        game=str(game.num) if game.num is not None else label,
        table=str(game.table) if game.table is not None else "",
        date=f"{date} {time[:5]}".strip(),
        seats=tuple(Sitter(seat, players[seat].username, roles[seat]) for seat in sorted(players)),
    )
    nights = _nights(game, label)
    return ForeignGame(
        label=label,
        headers=headers,
        roles=roles,
        winner=_word(WINNERS, game.result, label) if game.result is not None else None,
        days=_days(game, label),
        nights=nights,
        gone=None,
        sanctions=[sanction for seat in sorted(players) for sanction in _sanctions(players[seat], label, notes)],
        best_move=_best_move(players, nights, label, notes),
    )


def _word(words: dict[int, Any], word: int, label: str) -> Any:
    if word not in words:
        raise ExchangeFault("game_word", game=label, word=str(word))
    return words[word]


def _seat(seat: int | None, label: str) -> int | None:
    if seat is not None and not 1 <= seat <= PLAYERS:
        raise ExchangeFault("game_seat", game=label, seat=seat)
    return seat


def _number(number: int, label: str) -> int:
    if not 0 <= number <= MOST_DAYS:
        raise ExchangeFault("game_round", game=label, round=number)
    return number


def _days(game: Game, label: str) -> dict[int, Day]:
    days: dict[int, Day] = {}
    for vote in game.votes:
        day = days.setdefault(_number(vote.day, label), Day())
        _seat(vote.voter, label)
        if vote.num is None:
            day.raised = (*(day.raised or ()), *((vote.voter,) if vote.candidate else ()))
            continue
        candidate = _seat(vote.candidate, label)
        if candidate is None:
            continue
        if vote.num == 0:
            day.nominations[vote.voter] = candidate
            continue
        while len(day.ballots) < _number(vote.num, label):
            day.ballots.append({})
        day.ballots[vote.num - 1][vote.voter] = candidate
    return days


def _nights(game: Game, label: str) -> dict[int, Night]:
    nights: dict[int, Night] = {}
    for shot in game.shots:
        _seat(shot.shooter, label)
        nights.setdefault(_number(shot.night, label), Night()).shots[shot.shooter] = _seat(shot.victim, label)
    for check in game.checks:
        by = _word({0: Role.DON, 3: Role.SHERIFF}, check.role, label)
        nights.setdefault(_number(check.night, label), Night()).checks[by] = _seat(check.player, label) or 0
    return nights


def _sanctions(player: Player, label: str, notes: Notes) -> list[Sanction]:
    """Fouls, and a removal that no fourth foul explains."""
    found = [Sanction(player.position, _place(foul.stage, label)) for foul in player.fouls]
    if player.disqual is not None and len(player.fouls) < 4:
        found.append(Sanction(player.position, _place(player.disqual, label), Exit.REMOVED))
    if player.techs:
        notes.add(Kind.DROPPED, "tech_fouls", seat=player.position)
    return found


def _place(at: At, label: str) -> Place:
    """Where in our game a stage of theirs is."""
    if at.type not in STAGES:
        raise ExchangeFault("game_word", game=label, word=at.type)
    stage = STAGES[at.type]
    moment = Moment(at.type not in AT_NIGHT, _number(at.day, label))
    if at.type in NIGHT_0:
        moment = Moment.night_of(0)
    if stage is Stage.VOTE:
        return Place(moment, stage, None, at.voting - 1 if at.voting else None)
    return Place(moment, stage, _seat(at.player, label) if at.player else None, at.voting or None)


def _best_move(
    players: dict[int, Player], nights: dict[int, Night], label: str, notes: Notes
) -> tuple[int, tuple[int, ...]] | None:
    """The guess of the one shot in the first night; other guesses have no place in fiim (8.3)."""
    first = set(nights[1].shots.values()) if 1 in nights else set[int | None]()
    found: tuple[int, tuple[int, ...]] | None = None
    for seat, player in sorted(players.items()):
        guess = player.guess
        if guess is None:
            continue
        if first == {seat} and guess.mafs:
            for number in guess.mafs:
                _seat(number, label)
            found = (seat, tuple(guess.mafs))
        if found is None or found[0] != seat or guess.civs or guess.vice is not None:
            notes.add(Kind.DROPPED, "guess", seat=seat)
    if found is None and len(first) == 1:
        notes.add(Kind.MISSING, "best_move", seat=next(iter(first)) or 0)
    return found
