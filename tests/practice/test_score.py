"""The review of a practice game: what was there, noticed, missed, called falsely; what was written down right."""

from controller.game import commands as cmd
from controller.game.ballot import Touch
from controller.game.commands import Command
from controller.game.history import History, begin
from controller.game.phases import Choosing, Night, Speech, Voting
from controller.game.refusal import Refusal
from controller.game.roles import Role
from controller.game.rules import Penalty
from controller.game.rulesets import RULESETS
from controller.game.state import State, new_game
from controller.practice.score import FalseCall, Shown, Told, score
from controller.practice.script import MEASURES, Spoken
from controller.service.sample_final import CARDS

CITY = (Role.DON, Role.MAFIA, Role.MAFIA, Role.SHERIFF, Role.MANIAC, Role.BEAUTY, Role.DOCTOR, *[Role.CIVILIAN] * 7)
CITY_16 = (*CITY, Role.BOMBER, Role.AVENGER)


class Judged:
    """A game that the test judges."""

    def __init__(self, ruleset: str = "fiim", cards: tuple[Role, ...] = CARDS) -> None:
        self.history: History = begin(new_game(RULESETS[ruleset], len(cards)))
        self.shown: list[Shown] = []
        self.told: list[Told] = []
        for seat, role in enumerate(cards, 1):
            self.plays(cmd.Deal(seat, role))
            self.told.append(Told("card", seat, self.state.at, role=role))

    @property
    def state(self) -> State:
        return self.history.state

    def plays(self, command: Command) -> None:
        after = self.history.play(command)
        assert not isinstance(after, Refusal), (command, after)
        self.history = after

    def to(self, phase: type) -> None:
        while not isinstance(self.state.phase, phase):
            self.plays(cmd.Next())

    def hears(self, what: Spoken, seat: int) -> None:
        self.shown.append(Shown(what, seat, self.state.at, self.history.length, MEASURES["fiim"][what]))

    def verdicts(self) -> list[tuple[str, int, str]]:
        report = score(self.history, self.shown, self.told)
        return [(row.what, row.seat, row.verdict) for row in report.rows]

    def false(self) -> tuple[FalseCall, ...]:
        return score(self.history, self.shown, self.told).false

    def wrong(self) -> list[Told]:
        return [fact.told for fact in score(self.history, self.shown, self.told).facts if not fact.right]


def test_what_is_punished_was_noticed_and_what_is_not_was_missed() -> None:
    game = Judged()
    game.to(Speech)
    game.hears(Spoken.OUT_OF_TURN, 4)
    game.plays(cmd.Foul(4))
    game.hears(Spoken.OUT_OF_TURN, 6)
    assert game.verdicts() == [("out_of_turn", 4, "noticed"), ("out_of_turn", 6, "missed")]
    assert game.false() == ()


def test_a_punishment_for_nothing_or_of_another_is_a_false_call() -> None:
    game = Judged()
    game.to(Speech)
    game.plays(cmd.Foul(4, "6.6.1"))
    game.hears(Spoken.OUT_OF_TURN, 4)
    game.plays(cmd.Foul(5))
    assert game.verdicts() == [("out_of_turn", 4, "missed")]
    assert [(one.seat, one.penalty, one.clause) for one in game.false()] == [
        (4, Penalty.FOUL, "6.6.1"),
        (5, Penalty.FOUL, None),
    ]


def test_another_measure_and_another_clause_are_told_apart() -> None:
    game = Judged()
    game.to(Speech)
    for seat, command in ((4, cmd.Warn(4)), (5, cmd.Foul(5, "6.6.3")), (6, cmd.Foul(6, "6.6.1"))):
        game.hears(Spoken.OUT_OF_TURN, seat)
        game.plays(command)
    assert [verdict for *_, verdict in game.verdicts()] == ["other_measure", "other_clause", "noticed"]


def test_one_foul_answers_one_mistake_and_comes_too_late_two_phases_on() -> None:
    game = Judged()
    game.to(Speech)
    game.hears(Spoken.OUT_OF_TURN, 4)
    game.hears(Spoken.OUT_OF_TURN, 4)
    game.plays(cmd.Foul(4))
    assert [verdict for *_, verdict in game.verdicts()] == ["noticed", "missed"]
    game.to(Night)
    game.plays(cmd.Shoot(missed=True))
    game.to(Speech)
    game.plays(cmd.Foul(4))
    assert [verdict for *_, verdict in game.verdicts()] == ["noticed", "missed"]
    assert [one.at for one in game.false()] == ["day 2"]


def test_what_was_undone_was_not_done() -> None:
    game = Judged()
    game.to(Speech)
    game.hears(Spoken.OUT_OF_TURN, 4)
    game.plays(cmd.Foul(4))
    back = game.history.undo()
    assert isinstance(back, History)
    game.history = back
    assert game.verdicts() == [("out_of_turn", 4, "missed")]


def test_the_sensors_mistakes_are_noticed_when_they_are_given() -> None:
    game = Judged()
    while not isinstance(game.state.phase, Voting):
        if game.state.minute_of in (1, 3):
            game.plays(cmd.Nominate(game.state.minute_of, game.state.minute_of + 4))
        game.plays(cmd.Next())
    game.plays(cmd.OpenWindow(1))
    game.plays(cmd.CountHands(5, (Touch(1, -900_000), Touch(2, 100_000, 900_000), Touch(3, -900_000)), 2_000_000))
    first, second, _ = game.state.proposals
    game.plays(cmd.Give(first.id))
    game.plays(cmd.Waive(second.id))
    assert sorted(game.verdicts()) == [
        ("early_hand", 1, "noticed"),
        ("early_hand", 3, "waived") if second.seat == 3 else ("early_hand", 3, "missed"),
        ("hand_pulled", 2, "missed") if second.seat == 3 else ("hand_pulled", 2, "waived"),
    ]
    assert game.false() == ()


def test_what_is_written_down_is_held_against_what_was_said() -> None:
    game = Judged()
    game.to(Speech)
    at = game.state.at
    game.told += [Told("nomination", 1, at, (5,)), Told("nomination", 2, at, (7,))]
    game.plays(cmd.Nominate(1, 5))
    game.plays(cmd.Next())
    game.plays(cmd.Nominate(2, 8))
    assert game.wrong() == [Told("nomination", 2, at, (7,))]
    assert score(game.history, game.shown, game.told).unsaid == (("day 1", 2, 8),)
    game.to(Voting)
    for candidate in (5, 8):
        game.plays(cmd.CountVote(candidate, ()))
    game.to(Night)
    night = game.state.at
    game.told += [
        Told("shots", 0, night, (1, 1, 1)),
        Told("check", 7, night, (5,), Role.DON),
        Told("check", 5, night, (7,), Role.SHERIFF),
    ]
    game.plays(cmd.Shoot(everybody_at=1))
    game.plays(cmd.Next())
    game.plays(cmd.Check(Role.DON, 4))
    game.plays(cmd.Next())
    game.plays(cmd.Check(Role.SHERIFF, 7))
    assert [one.kind for one in game.wrong()] == ["nomination", "check"]
    game.told.append(Told("best_move", 1, night, (3, 7, 9)))
    game.plays(cmd.Next())
    game.plays(cmd.Next())
    game.plays(cmd.BestMove(1, (9, 3, 7)))
    assert [one.kind for one in game.wrong()] == ["nomination", "check"]


def test_shots_that_part_are_a_miss() -> None:
    game = Judged()
    game.to(Night)
    game.told.append(Told("shots", 0, game.state.at, (1, 1, 4)))
    game.plays(cmd.Shoot(missed=True))
    assert game.wrong() == []


def test_in_city_every_act_of_a_night_is_held_against_what_was_shown() -> None:
    game = Judged("city", CITY_16)
    game.to(Night)
    night = game.state.at
    game.told += [
        Told("shots", 0, night, (16,)),  # the don's word
        Told("act", 5, night, (8,), Role.MANIAC),
        Told("act", 6, night, (9,), Role.BEAUTY),
        Told("act", 7, night, (), Role.DOCTOR),
        Told("act", 15, night, (14, 9), Role.BOMBER),
    ]
    game.plays(cmd.Kill(choices=((1, 16), (2, 4), (3, 4))))
    for command in (
        cmd.Act(Role.MANIAC, (10,)),
        cmd.Act(Role.BEAUTY, (9,)),
        cmd.Act(Role.DOCTOR, (6,)),
        None,
        None,
        cmd.Act(Role.BOMBER, (9, 14)),
    ):
        game.plays(cmd.Next())
        if command is not None:
            game.plays(command)
    assert [(one.role, one.said) for one in game.wrong()] == [(Role.MANIAC, (8,)), (Role.DOCTOR, ())]
    game.to(Choosing)
    game.told.append(Told("act", 16, night, (1,), Role.AVENGER))
    assert game.wrong()[-1].role is Role.AVENGER
    game.plays(cmd.Act(Role.AVENGER, (1,)))
    assert Role.AVENGER not in [one.role for one in game.wrong()]


def test_every_clause_of_the_measures_stands_in_its_rules_with_its_penalty() -> None:
    for ruleset, measures in MEASURES.items():
        listed = {one.clause: one.penalty for one in RULESETS[ruleset].violations}
        for measure in measures.values():
            assert listed[measure.clause] is measure.penalty, (ruleset, measure)
