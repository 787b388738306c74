"""The service's log: a line of JSON an event, with the game and the command it belongs to. No card, no shot, no check,
no name and no key is ever in it: a command is told by its kind and its id alone.
"""

import json
import logging
import logging.handlers
import sys
from pathlib import Path
from traceback import walk_tb
from typing import Final

from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.web import RequestPayloadError

FOLDER: Final = "log"
FILE: Final = "table.jsonl"
BYTES: Final = 500_000
FILES: Final = 4
"""The log takes `BYTES` times one more than this of the card at most."""
SPOKEN: Final = ("game", "command", "kind", "outcome", "revision", "origin")
"""What a line may carry beside its text."""


class JsonLines(logging.Formatter):
    """One line of JSON a record."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, object] = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname,
            "room": record.name,
            "text": record.getMessage(),
        }
        line |= {name: value for name in SPOKEN if (value := getattr(record, name, None)) is not None}
        if record.exc_info:
            line["fault"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def log_to_screen(*, verbose: bool, structured: bool) -> None:
    """Log to standard error: warnings, or everything; as JSON for a journal of the system's."""
    level = logging.INFO if verbose else logging.WARNING
    handler = logging.StreamHandler(sys.stderr)
    # On the handler too: the log in the folder takes more of the same loggers than the screen shows.
    handler.setLevel(level)
    if structured:
        handler.setFormatter(JsonLines())
    else:
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level, handlers=[handler])


def log_to_folder(data: Path) -> logging.Handler:
    """Keep the log in `data` too, in few files that are turned over. The answer is for `end`. Raises OSError."""
    folder = data / FOLDER
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    handler = logging.handlers.RotatingFileHandler(
        folder / FILE, maxBytes=BYTES, backupCount=FILES, encoding="utf-8", delay=True
    )
    handler.setFormatter(JsonLines())
    handler.setLevel(logging.INFO)
    logging.getLogger("controller").addHandler(handler)
    if logging.getLogger("controller").level in (logging.NOTSET, logging.WARNING):
        logging.getLogger("controller").setLevel(logging.INFO)
    return handler


class _NoStranger(logging.Filter):
    """What the web server says, without addresses, and nothing of requests that are none or were broken off: it would
    print whatever a client has sent, a cookie among it, as often as the client likes."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is kept."""
        fault = record.exc_info[1] if record.exc_info else None
        if isinstance(fault, HttpProcessingError | RequestPayloadError | ConnectionError):
            return False
        record.msg, record.args = "a request could not be answered", ()
        return True


def web_log() -> logging.Logger:
    """Where the web server logs to."""
    log = logging.getLogger("controller.service.web")
    if not log.filters:
        log.addFilter(_NoStranger())
    return log


class _NoKnock(logging.Filter):
    """What the socket library says, without what a stranger has sent, and nothing of those who may not come in or have
    gone before they were."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is kept."""
        fault = record.exc_info[1] if record.exc_info else None
        if fault is None or (isinstance(fault, KeyError | OSError) and not _is_of_this_house(fault)):
            return False
        record.msg, record.args = "a connection could not be served", ()
        return True


def _is_of_this_house(fault: BaseException) -> bool:
    """Whether `fault` was raised by the service itself, and not by a library that has lost its client."""
    *_, (frame, _) = walk_tb(fault.__traceback__)
    return str(frame.f_globals.get("__name__")).partition(".")[0] == __name__.partition(".")[0]


def sockets_log() -> logging.Logger:
    """Where the socket library logs to."""
    log = logging.getLogger("controller.service.sockets.library")
    if not log.filters:
        log.setLevel(logging.ERROR)
        log.addFilter(_NoKnock())
    return log


def end(handler: logging.Handler) -> None:
    """No more goes to `handler`."""
    logging.getLogger("controller").removeHandler(handler)
    handler.close()
