"""What was made at the start is out of the collector's way while the service runs, and only then."""

import gc
from pathlib import Path

from controller.service.running import running
from controller.service.settings import Settings


async def test_what_was_made_at_the_start_is_not_looked_through_again_while_the_service_runs(
    chosen: Settings, pages: Path
) -> None:
    assert gc.get_freeze_count() == 0
    async with running(chosen, pages=pages):
        assert gc.get_freeze_count() > 10_000
    assert gc.get_freeze_count() == 0
