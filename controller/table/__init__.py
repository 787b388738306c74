"""The one live table: the single writer, its windows, timers, journal and board.

    table = await Table.open(folder, SystemClock(), heard_until=..., acknowledge=...)   # raises InUse, NewerVersion
    answer = await table.submit(Wish(id="...", command=Foul(4), revision=17))           # Accepted | Refusal
    table.edge(edge)                        # a hand's or the board's edge; shown at once, committed, acknowledged
    table.link_status("seats", status)      # what a link says of itself
    table.selftest("start")                 # the walk around the table, between games
    stop = table.subscribe(listener)        # listener(snapshot, cause), on the event loop
    table.snapshot                          # what there is to see now: `state.Snapshot`
    await table.close()

`heard_until(seat)` gives the time up to which every edge of a seat has been given to `edge`, nanoseconds, or None for
a seat without a device; `acknowledge(source, device_boot, seq)` is told what is on disk. A wish is a command of
`controller.game.commands` or one of `wishes`. A refusal beside the game's own has one of these codes: `stale`,
`stopped`, `no_window`, `window_open`, `nothing_to_undo`, `nothing_to_redo`, `no_such_decision`, `no_timer`,
`timer_is_over`, `game_not_over`, `no_such_ruleset`, `no_sensors`, `cards_are_dealt`,
`wrong_number_of_names`, `not_for_a_person`, `disk_failing`, `disk_writes`, `fault`, `closing`; from the board
`key_means_nothing`, `before_opening`, `hold_longer`, `no_step_now`, `window_closed`, `not_own_minute`,
`press_too_late`.
"""

from controller.table.clock import Clock, SystemClock
from controller.table.journal_file import InUse, NewerVersion
from controller.table.sensors import Edge, LinkStatus
from controller.table.state import Cause, Snapshot, What
from controller.table.table import Table
from controller.table.wishes import Accepted, Header, TableCommand, Wish

__all__ = [
    "Accepted",
    "Cause",
    "Clock",
    "Edge",
    "Header",
    "InUse",
    "LinkStatus",
    "NewerVersion",
    "Snapshot",
    "SystemClock",
    "Table",
    "TableCommand",
    "What",
    "Wish",
]
