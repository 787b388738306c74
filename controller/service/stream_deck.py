"""The producer's commands by plain HTTP, for a Stream Deck and for `curl`: the same orders, the same rights.

The token stands in a header and never in an address, which would be kept in logs; a page of another origin cannot send
that header, because nothing here answers its question whether it may.
"""

import json
from collections.abc import Callable
from typing import Final

from aiohttp import web

from controller.catalogue import sentence
from controller.service.access import Scope
from controller.service.door import json_answer
from controller.service.screens import Allowance
from controller.views import messages
from controller.views.messages import Language, Message, NotDone

DO: Final = "/producer/do"
STATE: Final = "/producer/state"
CHAPTERS: Final = "/producer/chapters"
_BEARER: Final = "bearer "


def add_producer_routes(
    app: web.Application,
    *,
    scope_of: Callable[[str | None], Scope | None],
    produce: Callable[[object, Language], Message],
    state: Callable[[Language], Message],
    chapters: Callable[[Language], list[tuple[str, str]]],
    language: Language,
) -> None:
    """Adds the doors. `scope_of` says what a token opens."""
    allowance = Allowance()

    def shut(request: web.Request) -> web.Response | None:
        """Why the door stays shut; None: it is open."""
        said = request.headers.get("Authorization", "")
        token = said[len(_BEARER) :].strip() if said.lower().startswith(_BEARER) else ""
        if scope_of(token or "-") is not Scope.PRODUCER:
            return _refused("wrong_token", spoken(request), 401)
        if not allowance.take():
            return _refused("too_many_commands", spoken(request), 429)
        return None

    def spoken(request: web.Request) -> Language:
        match request.query.get("lang"):
            case "ru" | "uk" | "en" as asked:
                return asked
            case _:
                return language

    async def do(request: web.Request) -> web.Response:
        if (closed := shut(request)) is not None:
            return closed
        try:
            payload = json.loads(await request.text())
        except (ValueError, LookupError, RecursionError):  # LookupError: an encoding that nobody knows
            payload = None
        answer = produce(payload, spoken(request))
        return json_answer(answer, 409 if isinstance(answer, NotDone) else 200)

    async def show(request: web.Request) -> web.Response:
        return shut(request) or json_answer(state(spoken(request)), 200)

    async def listed(request: web.Request) -> web.Response:
        if (closed := shut(request)) is not None:
            return closed
        text = "".join(f"{at} {title}\n" for at, title in chapters(spoken(request)))
        return web.Response(text=text, headers={"Cache-Control": "no-store"})

    app.router.add_post(DO, do)
    app.router.add_get(STATE, show)
    app.router.add_get(CHAPTERS, listed)


def _refused(code: str, language: Language, status: int) -> web.Response:
    text = sentence(f"refusal.{code}", language)
    refusal = messages.Refusal(code=code, params={}, clause=None, sentence=text, covered=None)
    return json_answer(NotDone(refusal=refusal), status)
