"""What every HTTP answer carries, also one to what was no request at all: headers that say what a page may do, the
service's name without its parts' versions, and of an error its name and nothing that was sent."""

import re
from http import HTTPStatus
from typing import Final

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

_HOST: Final = re.compile(r"[A-Za-z0-9.\-:\[\]]{1,255}")


def headers_for(host: str) -> dict[str, str]:
    """Headers of every answer to whoever calls the service `host`. It stands beside 'self' because older browsers do
    not count sockets to that."""
    sockets = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    return {
        "Content-Security-Policy": (
            "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
            f"img-src 'self' data:; manifest-src 'self'; connect-src 'self'{sockets}; "
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        "Server": "mafia-table",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "no-referrer",
        "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
    }


async def dress(request: web.Request, response: web.StreamResponse) -> None:
    """Gives `response` those headers. For an application's `on_response_prepare`: a socket's greeting passes there too,
    and what the framework answers by itself."""
    response.headers.update(headers_for(request.headers.get("Host", "")))


def plainly(status: int) -> web.Response:
    """An error: its number and its name."""
    return web.Response(status=status, text=HTTPStatus(status).phrase)


class Answering(web.RequestHandler):
    """The server's end of one connection."""

    __slots__ = ()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """The answer to what was no request, or where there is none: the library's own would repeat what was sent."""
        if not isinstance(exc, HttpProcessingError):
            self.log_exception("a request could not be answered", exc_info=exc)
        if request.writer.output_size > 0:
            raise ConnectionError("an answer was begun already")
        response = plainly(status)
        response.headers.update(headers_for(""))
        response.force_close()
        return response
