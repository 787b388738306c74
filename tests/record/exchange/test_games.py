"""Games of other programs: they come to the result the source states, and what it does not say is said."""

import copy
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.catalogue import LANGUAGES
from controller.game import RULESETS, History, State
from controller.game.commands import SetPosition
from controller.game.moment import Moment
from controller.game.outcome import Reason, Winner
from controller.game.seat import How
from controller.record import Headers, Sitter, read
from controller.record.exchange import ExchangeFault, Imported, Kind, Note, import_games, mafiaratings
from controller.record.exchange.command import run_export, run_import
from controller.record.exchange.games import games_from
from controller.record.exchange.notes import Notes
from controller.record.play import finished
from tests.record.any_record import played

SAMPLES = Path(__file__).parent / "samples"
VECTORS = Path(__file__).parents[2] / "vectors"
MAFIARATINGS = json.loads((SAMPLES / "mafiaratings.json").read_text(encoding="utf-8"))
POLEMICA = json.loads((SAMPLES / "polemica.json").read_text(encoding="utf-8"))


def imported(game: Any) -> Imported:
    (found,) = games_from(json.dumps(game).encode())
    return found


def codes(notes: tuple[Note, ...], kind: Kind | None = None) -> list[str]:
    return [note.code for note in notes if kind in (None, note.kind)]


def ratings(index: int) -> dict[str, Any]:
    return copy.deepcopy(MAFIARATINGS["games"][index])


def polemica() -> dict[str, Any]:
    return copy.deepcopy(POLEMICA["game"])


def player(game: dict[str, Any], seat: int) -> dict[str, Any]:
    key = "seat" if "seat" in game["players"][0] else "position"
    return next(player for player in game["players"] if player[key] == seat)


# --- the samples


@pytest.mark.parametrize("game", MAFIARATINGS["games"], ids=lambda game: game["game_id"])
def test_a_game_of_mafiaratings_comes_to_the_winner_and_the_departures_it_states(game: dict[str, Any]):
    found = imported(game)
    assert found.complete
    assert found.differs == ()
    outcome = found.game.state.outcome
    assert outcome is not None
    assert outcome.winner is {"maf": Winner.BLACK, "civ": Winner.RED}[game["winner"]]
    stated = {
        (player["seat"], player["death"]["type"] == "night", player["death"]["round"])
        for player in game["players"]
        if "death" in player
    }
    ours = {(row.seat, row.how is How.SHOT, row.at.number - row.at.day) for row in found.game.state.departures}
    assert ours == stated


def test_the_game_of_polemica_comes_to_its_winner_through_the_fourth_foul_after_the_result():
    found = imported(POLEMICA)
    assert found.differs == ()
    state = found.game.state
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason) == (Winner.BLACK, Reason.PARITY)
    assert [(row.seat, row.how, str(row.at)) for row in state.departures] == [
        (1, How.VOTED, "day 1"),
        (8, How.SHOT, "night 1"),
        (3, How.VOTED, "day 2"),
        (5, How.FOULED, "day 2"),
        (6, How.SHOT, "night 2"),
        (10, How.SHOT, "night 3"),
    ]
    # fiim 7.2: removed after the result, so that the next day's vote is not held, as it was not.
    assert {row.at for row in state.ballots} == {Moment.day_of(1), Moment.day_of(2)}


@pytest.mark.parametrize("file", ["mafiaratings.json", "polemica.json"])
def test_the_record_of_an_imported_game_replays_to_it(file: str):
    for found in import_games(SAMPLES / file):
        assert read(found.record).game.state == found.game.state


def test_hands_of_a_ballot_are_those_of_the_source():
    (found,) = games_from(json.dumps(ratings(1)).encode())
    revote = found.game.state.ballots[1]
    assert [(votes.candidate, votes.hands) for votes in revote.votes] == [(1, (2, 3, 4, 5, 6)), (3, (1, 7, 8, 9, 10))]


def test_fouls_are_given_in_the_minute_they_were_given_in():
    # By the source seat 9 was given a foul in round 1 while seat 8 spoke after the tie.
    found = imported(ratings(1))
    assert [str(foul.at) for foul in found.game.state.seat(9).fouls] == ["day 2"]
    lines = found.record.splitlines()
    at = lines.index("foul 9")
    assert lines[at - 1].startswith("vote 7:")
    assert lines[at + 1].startswith("vote 5:")


def test_the_best_move_is_that_of_the_first_one_shot():
    best = imported(ratings(1)).game.state.best_move
    assert best is not None
    assert (best.seat, best.numbers) == (4, (3, 5, 6))


def test_what_a_source_does_not_say_and_what_was_assumed_is_said():
    first, second = (imported(ratings(index)) for index in (0, 1))
    assert codes(first.notes) == ["arrangement", "order_of_hands"]
    assert codes(second.notes, Kind.ASSUMED) == ["raise_none"]
    assert codes(second.notes, Kind.DROPPED) == ["bonus"]
    third = imported(POLEMICA)
    assert codes(third.notes, Kind.MISSING) == ["best_move", "order_of_hands", "departures"]
    assert codes(third.notes, Kind.DROPPED) == ["guess", "guess"]


# --- where the source and the rules disagree


def test_another_winner_in_the_source_is_said():
    found = imported(ratings(0) | {"winner": "civ"})
    assert codes(found.differs) == ["winner_differs"]


def test_another_departure_in_the_source_is_said():
    game = ratings(0)
    player(game, 6)["death"] = {"round": 3, "type": "night"}
    assert codes(imported(game).differs) == ["departure_differs"]


def test_a_vote_by_one_who_is_out_is_left_out_and_said():
    game = ratings(0)
    player(game, 1)["voting"] = [None, None, 5]
    found = imported(game)
    assert "vote_of_the_dead" in codes(found.differs)
    assert found.complete


def test_a_nomination_that_the_rules_refuse_is_said_with_the_reason():
    game = ratings(0)
    player(game, 10)["nominating"][2:3] = [1]
    found = imported(game)
    (note,) = (note for note in found.differs if note.code == "refused")
    assert "not_living" in str(note.refusal)
    assert "10 nominates 1" in note.said("en")


def test_a_source_by_other_rules_ends_where_they_part_and_there_is_no_record(tmp_path: Path):
    game = polemica()
    game["zeroVoting"] = "liftOnly"
    # By that rule nobody leaves on day one, so the source goes on with seat 1.
    game["votes"] = [vote for vote in game["votes"] if vote["day"] == 1]
    found = imported(game)
    assert codes(found.differs)[0] == "zero_voting"
    assert not found.complete
    assert found.record == ""
    file = tmp_path / "x.json"
    file.write_text(json.dumps(game), encoding="utf-8")
    assert run_import(file, tmp_path, "ru") == 2
    assert list(tmp_path.glob("*.mafia")) == []


def test_votes_for_all_leaving_are_those_with_a_candidate():
    game = polemica()
    game["votes"] = [vote for vote in game["votes"] if vote["day"] == 1 and vote["num"] in (0, 1)]
    ballots = [
        {"day": 1, "num": number, "voter": voter, "candidate": 1 if voter <= 5 else 2}
        for number in (1, 2)
        for voter in range(1, 11)
    ]
    lift = [{"day": 1, "voter": voter, "candidate": int(voter < 8)} for voter in range(1, 11)]
    game["votes"] = [vote for vote in game["votes"] if vote["num"] == 0] + ballots + lift
    departures = imported(game).game.state.departures
    assert [(row.seat, row.how) for row in departures][:2] == [(1, How.RAISED), (2, How.RAISED)]


# --- removals


def test_a_fourth_foul_while_a_nominee_was_voted_on_cuts_the_ballot():
    # fiim 7.1: the current vote is not held; so the source has no votes of that day.
    game = ratings(0)
    for one in game["players"]:
        one["voting"] = one.get("voting", [None] * 9)[:1]
        one["nominating"] = one.get("nominating", [])[:2]
        one["shooting"] = one.get("shooting", [])[:1] or None
        if one["shooting"] is None:
            del one["shooting"]
        if one.get("death", {}).get("round", 0) > 1 or one.get("death", {}).get("type") == "day":
            one.pop("death", None)
    times = [{"round": 1, "time": "speaking", "speaker": 4}] * 3 + [
        {"round": 1, "time": "voting", "votingRound": 0, "nominee": 8}
    ]
    player(game, 6)["warnings"] = times
    player(game, 6)["death"] = {"round": 1, "type": "warnings"}
    state = imported(game).game.state
    assert [(row.seat, row.how) for row in state.departures] == [(1, How.SHOT), (6, How.FOULED)]
    assert state.ballots == ()


@pytest.mark.parametrize(
    ("kind", "how"), [("kickOut", How.REMOVED), ("giveUp", How.REMOVED), ("techFouls", How.REMOVED)]
)
def test_one_who_was_sent_off_is_removed_at_the_time_the_source_has(kind: str, how: How):
    game = ratings(0)
    last = player(game, 9)
    last["death"] = {"round": 4, "type": kind, "time": {"round": 4, "time": "speaking", "speaker": 9}}
    for one in game["players"]:
        one["voting"] = one.get("voting", [])[:4]
    departures = imported(game).game.state.departures
    assert (departures[-1].seat, departures[-1].how, str(departures[-1].at)) == (9, how, "day 5")


def test_technical_fouls_have_no_place_and_are_said_to_be_dropped():
    game = ratings(0)
    player(game, 3)["techFouls"] = 1
    dropped = [note for note in imported(game).notes if note.kind is Kind.DROPPED and note.code == "tech_fouls"]
    assert [note.said("en") for note in dropped] == ["not carried over: the technical fouls of player 3"]


def test_the_defeat_of_a_team_is_the_source_s():
    game = ratings(0)
    time = {"round": 2, "time": "speaking", "speaker": 9}
    for one in game["players"]:
        if one.get("death", {}).get("round", 0) > 2 or one["seat"] == 7:
            one.pop("death")
    player(game, 9)["death"] = {"round": 2, "type": "teamKickOut", "time": time}
    outcome = imported(game).game.state.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason, outcome.offender) == (Winner.BLACK, Reason.TEAM_DEFEAT, 9)


# --- there and back


def carried(state: State) -> dict[str, Any]:
    """What mafiaratings has a place for, in an order of its own.

    It has one night for each checked player and checker, one shot a player, and no order among those who were sent off
    in the same place.
    """
    checks: dict[tuple[str, int], tuple[int, bool]] = {}
    for night in state.nights:
        for check in night.checks:
            checks.setdefault((check.by.value, check.seat), (night.night, check.hit))
    return {
        "outcome": state.outcome and (state.outcome.winner, state.outcome.reason, state.outcome.at),
        "departures": {(row.seat, row.how, row.at) for row in state.departures},
        "ballots": [
            (row.at, row.kind, row.candidates, [(v.candidate, sorted((*v.hands, *v.assigned))) for v in row.votes])
            for row in state.ballots
        ],
        "nights": [
            (row.night, row.killed, {seat: aimed for seat, aimed in row.shots or () if len(aimed) == 1})
            for row in state.nights
        ],
        "checks": checks,
        "fouls": {seat.number: sorted(str(foul.at) for foul in seat.fouls) for seat in state.seats},
        "best_move": state.best_move and state.best_move.numbers,
    }


def there_and_back(headers: Headers, game: History) -> tuple[State, tuple[Note, ...]]:
    notes = Notes()
    text = json.dumps(mafiaratings(headers, game, notes)).encode()
    (back,) = games_from(text, game.start.rules)
    return back.game.state, (*notes.found, *back.notes)


def set_by_hand(game: History) -> bool:
    return any(isinstance(decision.command, SetPosition) for decision in game)


@pytest.mark.parametrize("file", ["mafiaratings.json", "polemica.json"])
def test_a_sample_comes_back_as_it_was(file: str):
    for found in import_games(SAMPLES / file):
        state, notes = there_and_back(found.headers, found.game)
        assert state == found.game.state
        assert codes(notes, Kind.DIFFERS) == []


@pytest.mark.parametrize(
    "name",
    [
        "fiim_red_win",
        "fiim_draw",
        "fiim_raise_at_four",
        "fiim_three_misses",
        "ukraine_removed",
        "wma_final",
        "club_black_win",
    ],
)
def test_a_worked_case_comes_back_as_far_as_the_format_carries(name: str):
    reading = read((VECTORS / f"{name}.mafia").read_text(encoding="utf-8"))
    state, notes = there_and_back(reading.headers, reading.game)
    assert carried(state) == carried(reading.game.state)
    assert codes(notes, Kind.DIFFERS) == []


@pytest.mark.parametrize("ruleset", ["fiim", "wma", "ukraine"])
def test_games_that_nobody_planned_come_back(ruleset: str):
    compared = 0
    for seed in range(60):
        game = finished(played(seed, ruleset, ruleset))
        seats = tuple(Sitter(seat.number, f"И{seat.number}", seat.role) for seat in game.state.seats if seat.role)
        headers = Headers(ruleset=ruleset, scoring=ruleset, seats=seats)
        if game.state.outcome is None or game.state.outcome.reason is Reason.ANNULLED or set_by_hand(game):
            with pytest.raises(ExchangeFault):
                mafiaratings(headers, game)
            continue
        state, notes = there_and_back(headers, game)
        if "defeat_after_death" in codes(notes):
            continue  # a player has one death there, and the team's defeat is written in it
        assert carried(state) == carried(game.state), (ruleset, seed)
        compared += 1
    assert compared > 15


def test_what_has_no_place_there_is_said():
    reading = read((VECTORS / "fiim_red_win.mafia").read_text(encoding="utf-8"))
    notes = Notes()
    mafiaratings(reading.headers, reading.game, notes)
    assert codes(tuple(notes.found)) == ["judges_points"]


@pytest.mark.parametrize(("name", "code"), [("city_night", "not_for_mafiaratings"), ("fiim_tie_raise", "game_goes_on")])
def test_a_game_that_has_no_place_there_is_refused(name: str, code: str):
    reading = read((VECTORS / f"{name}.mafia").read_text(encoding="utf-8"))
    with pytest.raises(ExchangeFault) as refused:
        mafiaratings(reading.headers, reading.game)
    assert refused.value.code == code


def test_names_go_along():
    reading = read((VECTORS / "fiim_red_win.mafia").read_text(encoding="utf-8"))
    (back,) = games_from(json.dumps(mafiaratings(reading.headers, reading.game)).encode())
    assert [seat.name for seat in back.headers.seats] == [seat.name for seat in reading.headers.seats]


def test_a_game_by_other_rules_is_played_by_them():
    rules = replace(RULESETS["fiim"], no_raise_at_four=False)
    reading = read((VECTORS / "fiim_raise_at_four.mafia").read_text(encoding="utf-8"))
    (back,) = games_from(json.dumps(mafiaratings(reading.headers, reading.game)).encode(), rules)
    assert "option: no_raise_at_four=no" in back.record


# --- the commands


def test_the_commands_write_records_and_an_export(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run_import(SAMPLES / "mafiaratings.json", tmp_path, "ru") == 0
    assert "голоса за подъём не указаны" in capsys.readouterr().out
    first, second = sorted(tmp_path.glob("*.mafia"))
    assert (first.name, second.name) == ("mafiaratings-1.mafia", "mafiaratings-4868.mafia")
    out = tmp_path / "x.json"
    assert run_export(second, out, "ru") == 0
    (back,) = import_games(out)
    assert back.game.state == read(second.read_text(encoding="utf-8")).game.state


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_note_has_a_sentence(language: str):
    found = [*imported(ratings(0)).notes, *imported(ratings(1)).notes, *imported(POLEMICA).notes]
    for note in found:
        assert "…" not in note.said(language)
        assert "note_" not in note.said(language)
