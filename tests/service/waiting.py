"""Waiting for what nobody announces: a condition, looked at until it holds or its deadline has passed."""

import asyncio
from collections.abc import Callable

LOOK_EVERY_S = 0.005


async def comes_true(condition: Callable[[], bool], patience: float = 20.0) -> None:
    """Returns once `condition` holds; TimeoutError if it never does."""
    async with asyncio.timeout(patience):
        while not condition():  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(LOOK_EVERY_S)
