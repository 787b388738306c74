"""The vote window from the first edge to the count."""

from pathlib import Path

from controller.game.commands import Next
from controller.table.state import Stage
from tests.table.bench import TableBench


async def test_hands_in_a_window_are_counted_by_themselves_when_it_closes(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    await table.second_day(5, 6)
    await table.opens()
    await table.advance(0.4)
    table.hand(4, down=True, at=0.35)
    table.hand(7, down=True, at=0.2)
    assert table.window.hands == (7, 4)
    assert table.stage is Stage.OPEN
    await table.advance(2.0)
    assert table.stage is None
    assert table.hands == {5: [7, 4]}
    await table.opens()
    await table.advance(2.1)
    await table.does(Next())
    assert table.leaves == [6]
    await table.table.close()
