"""The service tells systemd that it is ready and that it lives. The beat comes from the event loop itself: if that
hangs, it stops, and systemd starts the service anew. Without systemd nothing is told to anybody."""

import asyncio
import logging
import os
import socket
from collections.abc import Mapping
from typing import Final

BEATS_IN_TIME: Final = 3
"""So many beats in the time after which systemd gives up waiting."""

log = logging.getLogger(__name__)


class Heartbeat:
    """What systemd is told."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        limit = environment.get("WATCHDOG_USEC", "")
        own = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self.every_s = int(limit) / 1_000_000 / BEATS_IN_TIME if limit.isdigit() and own else None
        """Seconds between two beats; None: nobody waits for them."""

    async def run(self) -> None:
        """Say that the service is ready, and beat until cancelled; then say that it stops."""
        self.tell("READY=1")
        try:
            while True:
                await asyncio.sleep(3600 if self.every_s is None else self.every_s)
                self.tell("WATCHDOG=1")
        finally:
            self.tell("STOPPING=1")

    def tell(self, message: str) -> None:
        """Tell systemd; nothing if there is none."""
        if not self._address:
            return
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as notify:
                notify.sendto(message.encode(), address)
        except OSError as wrong:
            log.warning("systemd could not be told %s: %s", message, wrong)
