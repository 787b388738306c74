"""Undo, redo, replace: one decision with all that followed from it, over every boundary, all or nothing."""

from controller.game import History, Refusal
from controller.game import commands as cmd
from tests.game.bench import Table, four_left


def counted() -> Table:
    return Table().dealt().nominates(1, 5).nominates(2, 8).count({5: range(1, 11)})


def test_undo_takes_back_a_foul_with_the_departure_the_vote_and_the_phase_that_followed():
    game = Table().dealt().nominates(1, 5).nominates(2, 8).ballot().foul(3, times=3)
    before = game.state
    game.foul(3)
    assert game.stands == "dusk of day 1"
    assert game.undo().state == before
    assert game.stands == "voting of day 1"


def test_undo_takes_back_a_result_that_a_removal_brought_along():
    game = counted()
    before = game.state
    game.remove(3)
    assert game.left == ["5 voted day 1", "3 removed day 1"]
    assert game.undo().state == before


def test_undo_takes_back_the_end_of_the_game():
    game = four_left().nominates(6, 9).nominates(9, 10).vote({9: [4, 6, 10]}).over()
    assert game.undo().outcome == "red no_black_left day 4"
    assert game.undo().outcome is None
    assert game.living == (4, 6, 9, 10)


def test_redo_brings_it_back_and_a_new_decision_forgets_it():
    game = counted().remove(3)
    after = game.state
    assert game.undo().redo().state == after
    game.undo().foul(4)
    assert game.history.redo() == Refusal("nothing_to_redo")


def test_redo_goes_on_as_far_as_was_undone():
    game = Table().dealt().day(1).foul(3).foul(4).foul(5)
    after = game.state
    assert game.undo().undo().undo().redo().redo().redo().state == after
    assert game.history.redo() == Refusal("nothing_to_redo")


def test_nothing_to_undo_at_the_start():
    assert Table().history.undo() == Refusal("nothing_to_undo")


def test_replace_puts_the_foul_on_the_right_seat_and_decides_the_rest_anew():
    game = Table().dealt().nominates(1, 5).foul(3)
    at = game.history.length
    game.nominates(2, 8).vote({5: range(1, 11)})
    replaced = game.history.replace(at, cmd.Foul(4))
    assert isinstance(replaced, History)
    assert [len(seat.fouls) for seat in replaced.state.seats[:5]] == [0, 0, 0, 1, 0]
    assert replaced.length == game.history.length
    assert [row.seat for row in replaced.state.departures] == [5]


def test_replace_is_all_or_nothing():
    """Had 2 nominated 5, then 3's nomination of 5 could not stand."""
    game = Table().dealt().nominates(2, 8)
    at = game.history.length
    game.nominates(3, 5)
    before = game.history
    refused = game.history.replace(at, cmd.Nominate(2, 5))
    assert isinstance(refused, Refusal)
    assert refused.code == "is_nominated"
    assert game.history is before
    for number in (0, game.history.length + 1, -1):
        refused = game.history.replace(number, cmd.Foul(1))
        assert isinstance(refused, Refusal)
        assert refused.code == "no_such_decision"


def test_undo_takes_back_what_followed_by_itself():
    """The judge opens a window and the table closes it: one undo takes both."""
    game = Table().dealt().nominates(1, 5).nominates(2, 8).ballot()
    before = game.state
    game.plays(cmd.OpenWindow())
    followed = game.history.follow(cmd.CountVote(5, (1, 2)))
    assert isinstance(followed, History)
    game.history = followed
    after = game.state
    assert game.votes == {5: [1, 2]}
    assert game.undo().state == before
    assert game.redo().state == after
