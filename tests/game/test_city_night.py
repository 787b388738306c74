"""city by night: the deal, the acquaintance, every role's act and how the acts meet; by the text's paragraphs."""

import pytest

from controller.game import RULESETS, new_game
from controller.game import commands as cmd
from controller.game.deal import unusual
from controller.game.night import waking
from controller.game.roles import Role
from controller.game.rules import Waking
from controller.game.state import CheckRow
from tests.game.bench import Table

DON, MAFIA, MANIAC, BEAUTY, DOCTOR = Role.DON, Role.MAFIA, Role.MANIAC, Role.BEAUTY, Role.DOCTOR
SHERIFF, BOMBER, AVENGER = Role.SHERIFF, Role.BOMBER, Role.AVENGER
ALL = (DON, MAFIA, MAFIA, MANIAC, BEAUTY, DOCTOR, SHERIFF, BOMBER, AVENGER)
"""Seats 1 to 9; all others are civilians."""
CALLED = (
    Waking.MAFIA,
    Waking.MANIAC,
    Waking.BEAUTY,
    Waking.DOCTOR,
    Waking.DON,
    Waking.SHERIFF,
    Waking.BOMBER,
    Waking.AVENGER,
)


def city(seats: int = 16, *roles: Role) -> Table:
    """1 is the don, 2 and 3 mafia, 4 the maniac, 5 the beauty, 6 the doctor, 7 the commissar, 8 the bomber,
    9 the avenger, and the others are civilians."""
    return Table("city", seats=seats).seated(*(roles or ALL))


def night(number: int = 1) -> Table:
    return city().night(number)


def calls(game: Table) -> list[tuple[Waking, int]]:
    found = list[tuple[Waking, int]]()
    while (call := waking(game.state)) is not None:
        found.append((call.step, call.seconds))
        if call.step is Waking.KILL and game.state.nights[-1].shots is None:
            game.kills()
        game.next()
    return found


# --- the deal and the acquaintance


def test_city_deal_from_eight_to_twenty_players():
    for seats in (8, 20):
        assert city(seats, DON, MAFIA).next().stands == "acquaintance of night 0"
    for seats in (7, 21):
        with pytest.raises(ValueError, match="8 to 20"):
            new_game(RULESETS["city"], seats)


def test_city_deal_any_cards_with_one_don():
    game = Table("city", seats=8)
    for seat in range(1, 8):
        game.plays(cmd.Deal(seat, MAFIA if seat < 3 else Role.CIVILIAN))
    assert game.refuses(cmd.Next()).code == "cards_left"
    assert game.plays(cmd.Deal(8, MANIAC)).refuses(cmd.Next()).code == "no_don"
    assert game.plays(cmd.Deal(1, DON)).next().calls is Waking.MAFIA
    game = city(9, DON, MAFIA, MAFIA, MAFIA)
    assert game.next().calls is Waking.MAFIA


@pytest.mark.parametrize("role", sorted(set(Role) - {Role.CIVILIAN, MAFIA}))
def test_city_deal_of_every_role_there_is_one_card(role: Role):
    game = Table("city", seats=8).plays(cmd.Deal(1, role))
    assert game.refuses(cmd.Deal(2, role)).code == "no_such_card_left"


def test_city_deal_a_game_that_black_has_won_is_not_begun_but_with_a_maniac_it_is_open():
    assert city(8, DON, MAFIA, MAFIA, MAFIA).refuses(cmd.Next()).code == "deal_is_won"
    assert city(8, DON, MAFIA, MAFIA, MAFIA, MANIAC).next().calls is Waking.MAFIA


def test_city_deal_avenger_from_15_and_bomber_from_16_else_a_warning():
    assert unusual(city(14).state) == (AVENGER, BOMBER)
    assert unusual(city(15).state) == (BOMBER,)
    assert unusual(city(16).state) == ()
    assert unusual(city(8, DON, MAFIA).state) == ()
    assert city(14).next().calls is Waking.MAFIA


def test_city_acquaintance_the_roles_wake_in_turn_and_the_mafia_have_a_minute():
    found = calls(city().next())
    assert tuple(step for step, _ in found) == CALLED
    assert found[0][1] == 60


def test_city_acquaintance_cards_that_are_not_dealt_are_not_called():
    assert [step for step, _ in calls(city(8, DON, MAFIA, DOCTOR).next())] == [Waking.MAFIA, Waking.DOCTOR, Waking.DON]


def test_city_acquaintance_nobody_acts():
    game = city().next()
    while game.calls is not None:
        for command in (
            cmd.Kill(10),
            cmd.Act(MANIAC, (10,)),
            cmd.Act(BEAUTY, (10,)),
            cmd.Act(DOCTOR, (10,)),
            cmd.Check(SHERIFF, 1),
            cmd.Check(DON, 7),
            cmd.Act(BOMBER, (7, 10)),
            cmd.Act(AVENGER, (10,)),
            cmd.Shoot(everybody_at=10),
        ):
            assert game.refuses(command).not_now
        game.next()
    assert game.stands == "morning of day 1"


def test_city_night_the_order_of_the_calls():
    assert calls(night()) == [
        (Waking.KILL, 40),
        (Waking.MANIAC, 0),
        (Waking.BEAUTY, 0),
        (Waking.DOCTOR, 0),
        (Waking.SHERIFF, 0),
        (Waking.DON, 0),
        (Waking.BOMBER, 0),
    ]


def test_city_night_is_not_passed_before_anything_is_recorded():
    game = night()
    game.next(6)
    assert game.calls is Waking.BOMBER
    assert game.refuses(cmd.Next()).code == "night_not_recorded"
    assert game.plays(cmd.Act(BOMBER)).next().stands == "morning of day 2"


def test_city_night_each_acts_once_and_when_called():
    game = night()
    assert game.refuses(cmd.Act(MANIAC, (10,))).code == "not_called_now"
    assert game.refuses(cmd.Act(Role.CIVILIAN, (10,))).code == "does_not_act"
    assert game.refuses(cmd.Act(SHERIFF, (10,))).code == "does_not_act"
    game.kills(10)
    assert game.refuses(cmd.Kill(11)).code == "shots_recorded"
    game.acts(MANIAC, 11)
    assert game.refuses(cmd.Act(MANIAC, (12,))).code == "act_recorded"


def test_city_night_whoever_is_chosen_lives_and_sits_at_the_table():
    game = city().day(1).remove(10).night(1)
    for target, code in ((10, "not_living"), (0, "no_such_seat"), (17, "no_such_seat")):
        assert game.refuses(cmd.Kill(target)).code == code
    game.kills()
    for role in (MANIAC, BEAUTY, DOCTOR):
        game.wakes(role)
        for target, code in ((10, "not_living"), (0, "no_such_seat"), (17, "no_such_seat")):
            assert game.refuses(cmd.Act(role, (target,))).code == code
        assert game.refuses(cmd.Act(role, (11, 12))).code == "so_many_seats"
        game.plays(cmd.Act(role))


def test_city_night_a_dead_role_is_called_and_does_nothing():
    game = city().day(1)
    for seat in (4, 5, 6, 7, 8):
        game.remove(seat)
    game.night(1).kills(10)
    for role in (MANIAC, BEAUTY, DOCTOR, BOMBER):
        if role is BOMBER:
            assert game.wakes(SHERIFF).refuses(cmd.Check(SHERIFF, 1)).code == "role_is_dead"
        refusal = game.wakes(role).refuses(cmd.Act(role, (10, 11) if role is BOMBER else (11,)))
        assert (refusal.code, refusal.secret) == ("role_is_dead", True)
        game.plays(cmd.Act(role))
    assert game.state.nights[-1].acts == ()


# --- «Мафия вместе с Доном просыпается»


def kill(game: Table) -> int | None:
    return game.state.nights[-1].kill


def test_city_mafia_with_the_don_kill_any_living_player():
    assert kill(night().kills(10)) == 10
    assert kill(night().kills(1)) == 1
    assert night().kills(10).day(2).left == ["10 shot night 1"]


def test_city_mafia_may_refuse():
    game = night().kills()
    assert kill(game) is None
    assert game.day(2).left == []


def test_city_mafia_the_don_has_the_last_word():
    assert kill(night().kills(_1=10, _2=11, _3=11)) == 10
    assert kill(night().kills(_1=10)) == 10


def test_city_mafia_where_the_don_refuses_nobody_is_killed():
    assert kill(night().kills(_2=11, _3=11)) is None


def without_the_don() -> Table:
    return city().day(1).remove(1).night(1)


def test_city_mafia_without_the_don_all_must_show_the_same():
    assert kill(without_the_don().kills(_2=10, _3=10)) == 10
    assert kill(without_the_don().kills(10)) == 10
    assert kill(without_the_don().kills(_2=10, _3=11)) is None
    assert kill(without_the_don().kills(_2=10)) is None
    assert kill(without_the_don().kills()) is None


def test_city_mafia_a_don_who_is_sent_off_this_night_has_no_word():
    game = night().remove(1)
    assert kill(game.kills(_2=10, _3=11)) is None
    game = night().remove(1)
    assert game.refuses(cmd.Kill(choices=((1, 10),))).code == "cannot_shoot"


def test_city_mafia_nobody_else_shoots_and_each_once():
    game = night()
    for shooter in (4, 7, 10):
        refusal = game.refuses(cmd.Kill(choices=((shooter, 11),)))
        assert (refusal.code, refusal.secret) == ("cannot_shoot", True)
    assert game.refuses(cmd.Kill(choices=((2, 10), (2, 11)))).code == "shooter_twice"


def test_city_mafia_when_no_black_lives_a_number_is_refused():
    game = city().day(1)
    for seat in (1, 2, 3):
        game.remove(seat)
    refusal = game.night(1).refuses(cmd.Kill(10))
    assert (refusal.code, refusal.secret) == ("role_is_dead", True)
    assert kill(game.plays(cmd.Kill())) is None


# --- «Маньяк просыпается»


def test_city_maniac_kills_alone_whom_he_likes():
    assert night().kills().acts(MANIAC, 1).day(2).left == ["1 maniac night 1"]
    assert night().kills(11).acts(MANIAC, 10).day(2).left == ["11 shot night 1", "10 maniac night 1"]


def test_city_maniac_may_refuse():
    assert night().kills(11).acts(MANIAC).day(2).left == ["11 shot night 1"]


def test_city_maniac_and_mafia_at_one_player_are_one_death():
    assert night().kills(10).acts(MANIAC, 10).day(2).left == ["10 shot night 1"]


# --- «Красотка просыпается»: 5 invites 12


def invited(shot: int | None = None, maniac: int | None = None, guest: int = 12, healed: int | None = None) -> Table:
    game = night().kills(shot)
    if maniac is not None:
        game.acts(MANIAC, maniac)
    game.acts(BEAUTY, guest)
    if healed is not None:
        game.acts(DOCTOR, healed)
    return game.day(2)


def test_city_beauty_a_shot_at_the_guest_misses():
    assert invited(shot=12).left == []
    assert invited(maniac=12).left == []
    assert invited(shot=12, maniac=12).left == []


def test_city_beauty_a_shot_at_her_kills_the_guest_too():
    assert invited(shot=5).left == ["5 shot night 1", "12 guest night 1"]
    assert invited(maniac=5).left == ["5 maniac night 1", "12 guest night 1"]
    assert invited(shot=5, maniac=5).left == ["5 shot night 1", "12 guest night 1"]


def test_city_beauty_a_guest_of_the_mafia_dies_too_also_the_maniac():
    assert invited(shot=5, guest=2).left == ["5 shot night 1", "2 guest night 1"]
    assert invited(shot=5, guest=4).left == ["5 shot night 1", "4 guest night 1"]


def test_city_beauty_the_record_has_the_mafias_victim_and_guest_before_the_maniacs():
    game = invited(shot=10, maniac=5)
    assert game.left == ["10 shot night 1", "5 maniac night 1", "12 guest night 1"]
    assert game.state.nights[-1].killed == (10, 5, 12)
    assert invited(shot=5, maniac=12).left == ["5 shot night 1", "12 guest night 1"]
    assert invited(shot=12, maniac=5).left == ["5 maniac night 1", "12 guest night 1"]


def test_city_beauty_the_guest_acts_all_the_same():
    game = night().kills(10).acts(MANIAC, 11).acts(BEAUTY, 4)
    assert game.day(2).left == ["10 shot night 1", "11 maniac night 1"]


def test_city_beauty_may_refuse_and_then_dies_alone():
    assert night().kills(5).acts(BEAUTY).day(2).left == ["5 shot night 1"]


def test_city_beauty_not_the_same_two_nights_running_but_with_a_night_between():
    game = night().kills().acts(BEAUTY, 12).night(2).wakes(BEAUTY)
    assert game.refuses(cmd.Act(BEAUTY, (12,))).code == "not_twice_running"
    game.plays(cmd.Act(BEAUTY, (13,))).night(3).acts(BEAUTY, 12)
    game = night().kills().acts(BEAUTY, 12).night(2).acts(BEAUTY).night(3).acts(BEAUTY, 12)
    assert game.state.nights[-1].act(BEAUTY) == (12,)


def test_city_beauty_does_not_invite_herself():
    assert night().kills().wakes(BEAUTY).refuses(cmd.Act(BEAUTY, (5,))).code == "not_oneself"


# --- «Доктор просыпается»


def test_city_doctor_whom_he_heals_lives():
    assert night().kills(10).acts(DOCTOR, 10).day(2).left == []
    assert night().kills().acts(MANIAC, 10).acts(DOCTOR, 10).day(2).left == []
    assert night().kills(10).acts(MANIAC, 10).acts(DOCTOR, 10).day(2).left == []


def test_city_doctor_heals_in_vain_where_nobody_shot():
    assert night().kills(11).acts(DOCTOR, 10).day(2).left == ["11 shot night 1"]


def test_city_doctor_may_refuse():
    assert night().kills(10).acts(DOCTOR).day(2).left == ["10 shot night 1"]


def test_city_doctor_not_the_same_two_nights_running_but_with_a_night_between():
    game = night().kills().acts(DOCTOR, 10).night(2).wakes(DOCTOR)
    assert game.refuses(cmd.Act(DOCTOR, (10,))).code == "not_twice_running"
    game.plays(cmd.Act(DOCTOR, (11,))).night(3).acts(DOCTOR, 10)


def test_city_doctor_heals_himself_once_a_game():
    game = night().kills(6).acts(DOCTOR, 6).day(2)
    assert game.left == []
    for number in (3, 4, 7):
        game.night(number).wakes(DOCTOR)
        assert game.refuses(cmd.Act(DOCTOR, (6,))).code == "heals_himself_once"
        game.plays(cmd.Act(DOCTOR, (number + 7,)))


def test_city_doctor_one_shot_tonight_still_heals_tonight():
    assert night().kills(6).acts(DOCTOR, 10).day(2).left == ["6 shot night 1"]
    assert night().kills(6).acts(MANIAC, 10).acts(DOCTOR, 10).day(2).left == ["6 shot night 1"]


def test_city_doctor_healing_the_beauty_saves_her_guest_too():
    assert invited(shot=5, healed=5).left == []
    assert invited(shot=5, maniac=5, healed=5).left == []


def test_city_doctor_healing_the_guest_saves_the_guest_alone():
    assert invited(shot=5, healed=12).left == ["5 shot night 1"]
    assert invited(shot=5, maniac=5, healed=12).left == ["5 shot night 1"]


def test_city_doctor_who_heals_the_beauty_and_is_her_guest_is_as_safe_as_she():
    for shot, maniac in ((5, None), (6, None), (5, 6), (6, 5), (5, 5), (6, 6)):
        assert invited(shot=shot, maniac=maniac, guest=6, healed=5).left == []


def test_city_doctor_the_guest_who_is_shot_at_and_healed_lives_and_the_beauty_too():
    assert invited(shot=12, healed=12).left == []


# --- «Комиссар просыпается», «Дон просыпается второй раз за ночь»


def test_city_commissar_sees_the_mafia_and_the_don_black_and_all_others_red():
    for seat, black in ((1, True), (2, True), (4, False), (5, False), (7, False), (10, False)):
        assert night().kills().sheriff_checks(seat) is black


def test_city_commissar_sees_the_maniac_black_once_no_mafia_is_at_the_table():
    game = city().day(1)
    for seat in (1, 2, 3):
        game.remove(seat)
    assert game.night(1).kills().sheriff_checks(4)


def test_city_commissar_one_of_the_mafia_is_enough_for_the_maniac_to_look_red():
    game = city().day(1).remove(1).remove(2).night(1).kills()
    assert not game.sheriff_checks(4)


def test_city_commissar_the_last_of_the_mafia_shot_tonight_still_is_at_the_table():
    game = city().day(1).remove(1).remove(2).night(1).kills().acts(MANIAC, 3)
    assert not game.sheriff_checks(4)
    assert game.night(2).kills().sheriff_checks(4)


def test_city_commissar_one_check_a_night_or_none():
    game = night().kills()
    game.sheriff_checks(1)
    assert game.refuses(cmd.Check(SHERIFF, 2)).code == "check_recorded"
    assert not night().kills().sheriff_checks(None)


def test_city_commissar_shot_tonight_still_checks():
    assert night().kills(7).sheriff_checks(1)


def test_city_don_looks_for_the_commissar_after_his_check():
    game = night().kills()
    game.sheriff_checks(1)
    assert game.don_checks(7)
    assert game.state.nights[-1].checks == (CheckRow(SHERIFF, 1, True), CheckRow(DON, 7, True))
    assert not night().kills().don_checks(4)
    assert not night().kills().don_checks(8)


# --- «Подрывник»: 8 sits between 7 and 9


def mined(*seats: int, number: int = 1) -> Table:
    return night(number).kills().acts(BOMBER, *seats)


def test_city_bomber_mines_a_neighbour_and_any_other():
    for seats in ((7, 12), (12, 9), (7, 9), (9, 7)):
        assert mined(*seats).state.nights[-1].act(BOMBER) == seats
    game = night().kills().wakes(BOMBER)
    assert game.refuses(cmd.Act(BOMBER, (12, 13))).code == "no_neighbour_mined"
    assert game.refuses(cmd.Act(BOMBER, (7, 7))).code == "number_twice"
    assert game.refuses(cmd.Act(BOMBER, (7, 8))).code == "not_oneself"
    for seats in ((7,), (7, 9, 12)):
        assert game.refuses(cmd.Act(BOMBER, seats)).code == "so_many_seats"


def test_city_bomber_his_neighbour_is_the_next_living_seat_on_either_side():
    game = city().day(1).remove(9).night(1).kills().wakes(BOMBER)
    game.plays(cmd.Act(BOMBER, (10, 13)))
    game = city(16, BOMBER, DON, MAFIA).night(1).kills().wakes(BOMBER)
    assert game.refuses(cmd.Act(BOMBER, (3, 15))).code == "no_neighbour_mined"
    game.plays(cmd.Act(BOMBER, (16, 5)))


def test_city_bomber_not_the_same_two_nights_running_but_with_a_night_between():
    game = mined(7, 12).night(2).wakes(BOMBER)
    for seats in ((7, 13), (9, 12)):
        assert game.refuses(cmd.Act(BOMBER, seats)).code == "not_twice_running"
    game.plays(cmd.Act(BOMBER, (9, 13))).night(3).acts(BOMBER, 7, 12)


def test_city_bomber_may_refuse():
    game = mined().night(2).kills(8).day(3)
    assert game.left == ["8 shot night 2"]


def test_city_bomber_voted_out_takes_last_nights_mines_along():
    game = mined(7, 12).day(2).nominates(1, 8).vote({8: range(1, 17)})
    assert game.left == ["8 voted day 2", "7 blast day 2", "12 blast day 2"]
    assert game.word == (8, 60)
    assert game.next().stands == "dusk of day 2"


def test_city_bomber_the_mines_of_the_night_before_are_gone():
    game = mined(7, 12).night(2).kills().acts(BOMBER, 9, 13).day(3).nominates(1, 8).vote({8: range(1, 17)})
    assert game.left == ["8 voted day 3", "9 blast day 3", "13 blast day 3"]
    game = mined(7, 12).night(2).kills().acts(BOMBER).day(3).nominates(1, 8).vote({8: range(1, 17)})
    assert game.left == ["8 voted day 3"]


def test_city_bomber_on_day_1_there_are_no_mines():
    assert city().nominates(1, 8).vote({8: range(1, 17)}).left == ["8 voted day 1"]


def test_city_bomber_shot_sets_off_this_nights_mines():
    game = night().kills(8).acts(BOMBER, 7, 12).day(2)
    assert game.left == ["8 shot night 1", "7 blast night 1", "12 blast night 1"]
    assert game.state.nights[-1].killed == (8, 7, 12)
    assert game.word == (8, 30)
    assert game.next().word == (1, 60)


def test_city_bomber_killed_by_the_maniac_or_as_a_guest_too():
    game = night().kills().acts(MANIAC, 8).acts(BOMBER, 7, 12).day(2)
    assert game.left == ["8 maniac night 1", "7 blast night 1", "12 blast night 1"]
    game = night().kills(5).acts(BEAUTY, 8).acts(BOMBER, 7, 12).day(2)
    assert game.left == ["5 shot night 1", "8 guest night 1", "7 blast night 1", "12 blast night 1"]


def test_city_bomber_healed_sets_off_nothing():
    assert night().kills(8).acts(DOCTOR, 8).acts(BOMBER, 7, 12).day(2).left == []


def test_city_bomber_neither_the_doctor_nor_the_beauty_protects_from_a_blast():
    game = night().kills(8).acts(BEAUTY, 12).acts(DOCTOR, 7).acts(BOMBER, 7, 12).day(2)
    assert game.left == ["8 shot night 1", "7 blast night 1", "12 blast night 1"]


def test_city_bomber_one_who_is_shot_and_mined_was_shot():
    game = night().kills(8).acts(MANIAC, 7).acts(BOMBER, 7, 12).day(2)
    assert game.left == ["8 shot night 1", "7 maniac night 1", "12 blast night 1"]


def test_city_bomber_sent_off_takes_nobody_along():
    assert mined(7, 12).day(2).remove(8).left == ["8 removed day 2"]
    assert mined(7, 12).day(2).foul(8, times=4).left == ["8 fouled day 2"]
    assert mined(7, 12).remove(8).day(2).left == ["8 removed night 1"]


def few(living: int) -> Table:
    """The don, the bomber on seat 8 and civilians, so many of them."""
    game = city(10, DON, Role.CIVILIAN, Role.CIVILIAN, Role.CIVILIAN, Role.CIVILIAN, Role.CIVILIAN, SHERIFF, BOMBER)
    game.day(1)
    for seat in (10, 9, 7, 6, 5, 4, 3)[: 10 - living]:
        game.remove(seat)
    return game


def test_city_bomber_with_fewer_than_five_at_nightfall_he_is_not_woken():
    assert Waking.BOMBER in [step for step, _ in calls(few(5).night(1))]
    game = few(4).night(1)
    assert Waking.BOMBER not in [step for step, _ in calls(game)]
    assert game.refuses(cmd.Act(BOMBER, (1, 2))).not_now


def test_city_bomber_what_counts_is_who_lived_when_night_fell():
    game = few(5).night(1).kills().remove(4).acts(BOMBER, 1, 2)
    assert game.state.nights[-1].act(BOMBER) == (1, 2)


def test_city_bomber_with_four_left_last_nights_mines_still_lie():
    """Five lived at nightfall and one was shot: by day four are left."""
    game = few(5).night(1).kills(2).acts(BOMBER, 1, 3).day(2)
    assert len(game.living) == 4
    game.nominates(1, 8).vote({8: [1, 3, 4, 8]})
    assert game.left[-3:] == ["8 voted day 2", "1 blast day 2", "3 blast day 2"]
    assert game.outcome == "red no_killer_left day 2"


def test_city_bomber_with_fewer_than_five_at_nightfall_there_are_no_mines_any_more():
    game = few(5).night(1).kills().acts(BOMBER, 1, 2).day(2).remove(4).night(2).kills(8).day(3)
    assert "blast" not in " ".join(game.left)


# --- «Мститель»: 9


def test_city_avenger_shot_at_night_takes_somebody_along_before_the_others_wake():
    game = night().kills(9).wakes(AVENGER)
    assert game.stands == "choosing of night 1"
    assert game.legal.act is AVENGER
    game.acts(AVENGER, 1).day(2)
    assert game.left == ["9 shot night 1", "1 avenged night 1"]
    assert game.state.nights[-1].killed == (9, 1)
    assert game.word == (9, 30)
    assert game.next().word == (1, 30)
    assert game.next().word == (2, 60)


def test_city_avenger_may_refuse_and_saying_nothing_is_refusing():
    assert night().kills(9).acts(AVENGER).day(2).left == ["9 shot night 1"]
    assert night().kills(9).wakes(AVENGER).day(2).left == ["9 shot night 1"]


def test_city_avenger_chooses_once_and_somebody_living():
    game = night().kills(9).acts(MANIAC, 10).wakes(AVENGER)
    for seat, code in ((9, "not_living"), (10, "not_living"), (17, "no_such_seat")):
        assert game.refuses(cmd.Act(AVENGER, (seat,))).code == code
    assert game.refuses(cmd.Act(AVENGER, (1, 2))).code == "so_many_seats"
    game.plays(cmd.Act(AVENGER, (1,)))
    assert game.refuses(cmd.Act(AVENGER, (2,))).code == "act_recorded"


def test_city_avenger_is_not_asked_while_he_lives():
    game = night().kills(10)
    assert game.refuses(cmd.Act(AVENGER, (1,))).not_now
    assert game.day(2).refuses(cmd.Act(AVENGER, (1,))).not_now


def test_city_avenger_killed_by_the_maniac_or_as_a_guest_too():
    assert night().kills().acts(MANIAC, 9).acts(AVENGER, 1).day(2).left[-1] == "1 avenged night 1"
    game = night().kills(5).acts(BEAUTY, 9).acts(AVENGER, 1).day(2)
    assert game.left == ["5 shot night 1", "9 guest night 1", "1 avenged night 1"]


def test_city_avenger_healed_is_not_asked():
    assert night().kills(9).acts(DOCTOR, 9).morning(2).left == []


def test_city_avenger_voted_out_takes_somebody_along_also_on_day_1():
    game = city().nominates(1, 9).vote({9: range(1, 17)})
    assert game.stands == "choosing of day 1"
    game.acts(AVENGER, 1).next()
    assert game.left == ["9 voted day 1", "1 avenged day 1"]
    assert game.word == (9, 60)
    assert game.next().word == (1, 30)
    assert game.next().stands == "dusk of day 1"


def test_city_avenger_raised_with_another_chooses_before_their_last_words():
    game = city().nominates(1, 9).nominates(2, 10)
    for _ in range(2):
        game.vote({9: [1, 2, 3], 10: [4, 5, 6]})
    game.raises(*range(1, 10)).acts(AVENGER, 1).next()
    assert game.left == ["9 raised day 1", "10 raised day 1", "1 avenged day 1"]
    assert [game.word, game.next().word, game.next().word] == [(9, 60), (10, 60), (1, 30)]


def test_city_avenger_sent_off_takes_nobody_along():
    assert city().day(1).foul(9, times=4).next().left == ["9 fouled day 1"]
    assert city().day(1).remove(9).dusk().left == ["9 removed day 1"]
    assert night().kills().remove(9).morning(2).left == ["9 removed night 1"]


def test_city_avenger_shot_and_sent_off_in_the_same_night_is_not_asked():
    game = night().kills(9).remove(9).morning(2)
    assert game.left == ["9 shot night 1"]
    assert game.seat(9).disqualified == "removed"


def test_city_avenger_sent_off_while_he_chooses_takes_nobody_along():
    game = night().kills(9).wakes(AVENGER).remove(9)
    assert game.refuses(cmd.Act(AVENGER, (1,))).code == "already_removed"
    assert game.legal.act is None
    assert game.day(2).left == ["9 shot night 1"]
    assert game.word == (1, 60)


def test_city_avenger_blown_up_does_not_avenge():
    game = night().kills(8).acts(BOMBER, 9, 12).morning(2)
    assert game.left == ["8 shot night 1", "9 blast night 1", "12 blast night 1"]
    game = mined(9, 12).day(2).nominates(1, 8).vote({8: range(1, 17)})
    assert game.word == (8, 60)
    assert game.left == ["8 voted day 2", "9 blast day 2", "12 blast day 2"]


def test_city_avenger_who_is_mined_and_shot_avenges():
    game = night().kills(8).acts(MANIAC, 9).acts(BOMBER, 9, 12).acts(AVENGER, 1).day(2)
    assert game.left == ["8 shot night 1", "9 maniac night 1", "12 blast night 1", "1 avenged night 1"]


def test_city_avenger_takes_the_bomber_and_his_mines_go_off():
    game = night().kills(9).acts(BOMBER, 7, 12).acts(AVENGER, 8).day(2)
    assert game.left == ["9 shot night 1", "8 avenged night 1", "7 blast night 1", "12 blast night 1"]
    game = mined(7, 12).day(2).nominates(1, 9).vote({9: range(1, 17)}).acts(AVENGER, 8).next()
    assert game.left == ["9 voted day 2", "8 avenged day 2", "7 blast day 2", "12 blast day 2"]
    assert [game.word, game.next().word] == [(9, 60), (8, 30)]


def test_city_avenger_and_bomber_raised_together_each_do_theirs():
    game = mined(9, 12).day(2).nominates(1, 9).nominates(2, 8)
    for _ in range(2):
        game.vote({9: [1, 2, 3], 8: [4, 5, 6]})
    game.raises(*range(1, 10)).acts(AVENGER, 1).next()
    assert game.left == ["9 raised day 2", "8 raised day 2", "12 blast day 2", "1 avenged day 2"]


def test_city_avenger_the_win_is_checked_after_his_choice_and_the_blasts():
    """The last killer falls by the avenger's hand: without him the mafia would have won before it."""
    game = city(8, DON, AVENGER).day(1)
    for seat in (8, 7, 6, 5):
        game.remove(seat)
    game.night(1).kills(3).night(2).kills(2).wakes(AVENGER)
    assert game.outcome is None
    assert game.acts(AVENGER, 1).next().outcome == "red no_killer_left night 2"


def test_city_avenger_in_the_evening_too():
    game = city(8, DON, AVENGER).day(1)
    for seat in (8, 7, 6, 5, 4):
        game.remove(seat)
    game.nominates(1, 2).vote({2: [1, 3]})
    assert game.living == (1, 3)
    assert game.outcome is None
    assert game.acts(AVENGER, 1).next().outcome == "red no_killer_left day 1"
    game.undo().undo().next()
    assert game.outcome == "black parity day 1"


def test_city_avenger_a_removal_while_he_chooses_does_not_end_the_game_before_he_has_chosen():
    game = city(8, DON, MAFIA, AVENGER).night(1).kills(3).wakes(AVENGER)
    for seat in (4, 5, 6):
        game.remove(seat)
    assert game.outcome is None
    assert game.acts(AVENGER, 1).next().outcome is None
    assert game.left[-1] == "1 avenged night 1"
    assert game.undo().undo().next().outcome == "black parity night 1"
