"""Where the pages are found by another machine, and under which names this one may be called."""

import re
import socket
from collections.abc import Iterable
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

ANY: Final = ("0.0.0.0", "::", "")
_ELSEWHERE: Final = (("192.0.2.1", socket.AF_INET), ("2001:db8::1", socket.AF_INET6))
"""Addresses of nobody: asked which way a packet there would go; none is sent."""


def reachable(host: str) -> str:
    """The address by which others find what listens on `host`: the machine's own where that is any of them."""
    if host not in ANY:
        return host
    for address, family in _ELSEWHERE:
        if family == socket.AF_INET6 and host == ANY[0]:
            continue
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((address, 9))
                return str(probe.getsockname()[0])
        except OSError:
            continue
    return "127.0.0.1"


def base(host: str, port: int, *, secure: bool) -> str:
    """`http://host:port` as others open it, without a slash at the end."""
    found = reachable(host)
    shown = f"[{found}]" if ":" in found else found
    return f"{'https' if secure else 'http'}://{shown}:{port}"


def is_ours(host: str, names: Iterable[str]) -> bool:
    """Whether a request's `Host` may mean this service: an address, `localhost`, a `.local` name, this machine's name
    or one of `names`. Any other name is somebody's who has pointed it here to speak with the table from his page."""
    name = re.sub(r":\d{1,5}$", "", host).strip("[]").lower().rstrip(".")
    try:
        ip_address(name.partition("%")[0])
    except ValueError:
        own = socket.gethostname().lower()
        return name in {"localhost", own, *(word.lower() for word in names)} or name.endswith(".local")
    return True


def same_site(origin: str | None, host: str) -> bool:
    """Whether a page from `origin` is one of the service that is called `host`; also where no page asks at all."""
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc.lower() == host.lower()
    except ValueError:
        return False


def redis_place(address: str) -> str:
    """Where a Redis' `address` points to, without the password in it. Raises ValueError for one that is no Redis'."""
    parts = urlsplit(address)
    if parts.scheme not in ("redis", "rediss", "unix"):
        raise ValueError("no address of a Redis")
    return parts.path if parts.scheme == "unix" else f"{parts.hostname or 'localhost'}:{parts.port or 6379}"
