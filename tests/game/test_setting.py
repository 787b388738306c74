"""Setting the table by hand."""

from controller.game import RULESETS, begin, new_game
from controller.game import commands as cmd
from controller.game.history import History
from controller.game.moment import Moment
from controller.game.position import Position
from controller.game.refusal import Refusal
from controller.game.roles import Role


def _dealt() -> History:
    game = begin(new_game(RULESETS["fiim"]))
    roles = [Role.DON, Role.MAFIA, Role.MAFIA, Role.SHERIFF, *[Role.CIVILIAN] * 6]
    for command in (*(cmd.Deal(seat, role) for seat, role in enumerate(roles, 1)), cmd.Next()):
        played = game.play(command)
        assert isinstance(played, History)
        game = played
    return game


def test_nominees_are_set_with_the_speaker_whose_minute_it_is() -> None:
    position = Position(Moment.day_of(2), nominated=((1, 5), (0, 8)), speaker=3)
    game = _dealt().play(cmd.SetPosition(position))
    assert isinstance(game, History)
    assert [nomination.seat for nomination in game.state.nominations] == [5, 8]
    assert game.state.minute_of == 3


def test_nominees_without_a_speaker_are_refused_and_never_silently_lost() -> None:
    refused = _dealt().play(cmd.SetPosition(Position(Moment.day_of(2), nominated=((1, 5),))))
    assert isinstance(refused, Refusal)
    assert refused.code == "position_nominees_without_speaker"
