"""fiim 4.5 and 4.6: the night's calls, the shooting, the checks, and how day and night go on; clause by clause."""

from controller.game import commands as cmd
from controller.game.night import waking
from controller.game.roles import Role
from controller.game.rules import Waking
from tests.game.bench import Table, four_left


def test_fiim_4_5_1_night_falls_after_the_day():
    game = Table().dealt().dusk()
    assert game.stands == "dusk of day 1"
    assert game.next().stands == "night of night 1"


def test_fiim_4_5_2_the_mafia_shoot_in_this_and_every_later_night():
    game = Table().dealt()
    for night in (1, 2, 3):
        game.night(night)
        assert game.calls is Waking.SHOOTING
        assert game.legal.shoot
        game.misses()


def test_fiim_4_5_3_any_number_from_1_to_10_may_be_shot_at():
    game = Table().dealt().night(1)
    for seat in range(1, 11):
        assert game.shoots(seat).state.nights[-1].kill == seat
        game.undo()
    for seat in (0, 11):
        assert game.refuses(cmd.Shoot(everybody_at=seat)).code == "no_such_seat"
        assert game.refuses(cmd.Shoot(((2, (seat,)),))).code == "no_such_seat"


def test_fiim_4_5_3_only_living_black_players_shoot():
    game = Table().dealt().nominates(1, 2).nominates(3, 8).vote({2: [1, 3, 4, 5, 6, 8]}).night(1)
    for shooter in (1, 2, 4, 11):
        refusal = game.refuses(cmd.Shoot(((shooter, (1,)), (7, (1,)), (9, (1,)))))
        assert (refusal.code, refusal.secret) == ("cannot_shoot", True)
    assert game.refuses(cmd.Shoot(((7, (1,)), (7, (1,))))).code == "shooter_twice"


def test_fiim_4_5_3_the_shooting_is_recorded_once_and_not_passed_over():
    game = Table().dealt().night(1)
    assert game.refuses(cmd.Next()).code == "shots_not_recorded"
    assert game.shoots(4).refuses(cmd.Shoot(everybody_at=5)).code == "shots_recorded"
    assert not game.legal.shoot
    assert game.next().refuses(cmd.Shoot(everybody_at=5)).not_now


def test_fiim_4_5_4_all_black_at_the_same_player_kill_and_the_killed_has_a_last_minute():
    game = Table().dealt().night(1).shots({2: [4], 7: [4], 9: [4]})
    assert game.living == tuple(range(1, 11))  # by the end of the night, not before
    game.day(2)
    assert game.left == ["4 shot night 1"]
    assert game.word == (4, 60)
    assert game.state.nights[0].killed == (4,)
    assert game.next().word == (2, 60)


def test_fiim_4_5_4_the_black_who_are_left_are_all():
    game = Table().dealt().nominates(1, 2).nominates(3, 8).vote({2: [1, 3, 4, 5, 6, 8]})
    game.night(1).shots({7: [1], 9: [1]}).day(2)
    assert game.left[-1] == "1 shot night 1"


def test_fiim_4_5_4_the_mafia_may_shoot_one_of_their_own():
    game = Table().dealt().night(1).shoots(9).day(2)
    assert game.left == ["9 shot night 1"]


def test_fiim_4_5_5_another_target_twice_or_no_shot_is_a_miss():
    for shots in (
        {2: [4], 7: [4], 9: [5]},
        {2: [4], 7: [4], 9: [4, 4]},
        {2: [4, 4], 7: [4, 4], 9: [4, 4]},
        {2: [4, 5], 7: [4, 5], 9: [4, 5]},
        {2: [4], 7: [4], 9: []},
        {2: [4], 7: [4]},
        {2: [], 7: [], 9: []},
        {},
    ):
        game = Table().dealt().night(1).shots(shots)
        assert game.state.nights[-1].kill is None, shots
        assert game.day(2).left == []
        assert game.word == (2, 60)


def test_fiim_4_5_5_a_miss_without_names():
    game = Table().dealt().night(1).misses().day(2)
    assert game.left == []
    assert game.state.nights[0].killed == ()


def test_fiim_4_5_5_a_dead_seat_may_be_shot_at_and_nobody_leaves():
    game = Table().dealt().nominates(1, 2).nominates(3, 8).vote({2: [1, 3, 4, 5, 6, 8]})
    game.night(1).shoots(2).day(2)
    assert game.state.nights[0].kill is None
    assert game.left == ["2 voted day 1"]
    assert game.word == (3, 60)


def test_fiim_4_5_6_the_don_looks_for_the_sheriff_for_ten_seconds():
    game = Table().dealt().night(1).shoots(1).next()
    call = waking(game.state)
    assert call is not None
    assert (call.step, call.seconds) == (Waking.DON, 10)
    assert game.don_checks(4)
    assert not game.undo().don_checks(7)
    assert not game.undo().don_checks(None)


def test_fiim_4_5_7_the_sheriff_checks_the_team_for_ten_seconds():
    game = Table().dealt().night(1).shoots(1).next(2)
    call = waking(game.state)
    assert call is not None
    assert (call.step, call.seconds) == (Waking.SHERIFF, 10)
    for black in (2, 7, 9):
        assert game.sheriff_checks(black)
        game.undo()
    for red in (1, 4, 10):
        assert not game.sheriff_checks(red)
        game.undo()


def test_fiim_4_5_8_one_check_a_night_each():
    game = Table().dealt().night(1).shoots(1)
    game.don_checks(5)
    assert game.refuses(cmd.Check(Role.DON, 6)).code == "check_recorded"
    game.sheriff_checks(5)
    assert game.refuses(cmd.Check(Role.SHERIFF, 6)).code == "check_recorded"
    game.night(2).misses()
    game.don_checks(4)
    game.sheriff_checks(2)
    assert [(row.by, row.seat) for row in game.state.nights[0].checks] == [(Role.DON, 5), (Role.SHERIFF, 5)]
    assert [(row.by, row.seat) for row in game.state.nights[1].checks] == [(Role.DON, 4), (Role.SHERIFF, 2)]


def test_fiim_4_5_8_each_at_the_own_call():
    game = Table().dealt().night(1)
    assert game.refuses(cmd.Check(Role.DON, 4)).not_now
    game.shoots(1).next()
    assert game.refuses(cmd.Check(Role.SHERIFF, 2)).not_now
    assert game.legal.check is Role.DON
    game.next()
    assert game.refuses(cmd.Check(Role.DON, 4)).not_now
    assert game.legal.check is Role.SHERIFF
    assert game.refuses(cmd.Check(Role.MAFIA, 4)).code == "does_not_check"
    assert game.refuses(cmd.Check(Role.SHERIFF, 11)).code == "no_such_seat"


def test_fiim_4_6_1_days_and_nights_alternate_until_red_has_no_black_left():
    game = four_left().nominates(6, 9).nominates(9, 10).vote({9: [4, 6, 10]})
    assert game.outcome == "red no_black_left day 4"
    assert game.word == (9, 60)  # 7.12: the last word is always said
    assert game.next().stands == "over of day 4"
    assert game.refuses(cmd.Next()).code == "game_over"


def test_fiim_4_6_1_or_until_black_are_level_with_red():
    game = Table().dealt()
    for day, out, shot in ((1, 1, 3), (2, 4, 5)):
        game.day(day).nominates(9, 10).nominates(10, out)
        game.vote({out: [2, 7, 9, 10, 6, 8]}).night(day).shoots(shot)
    assert game.day(3).outcome == "black parity night 2"
    assert game.living == (2, 6, 7, 8, 9, 10)
    assert game.word == (5, 60)
    assert game.next().stands == "over of day 3"
