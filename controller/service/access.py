"""Who gets in as what. A link's token and a registered device's cookie are unguessable and belong to one scope; the
desk asks for a PIN besides. Without any of them a client is the hall, and nothing that it says later can change that.
"""

import asyncio
import base64
import hashlib
import hmac
import logging
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hmac import compare_digest
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from controller.game.refusal import Refusal
from controller.service.gate import neighbourhood
from controller.service.pin import Tries, fits, hashed, new_pin
from controller.service.registry import Device, Invitation, Link, Registry, RegistryFile
from controller.service.registry import Scope as Scope

log = logging.getLogger(__name__)

KNOWN_FOR_S: Final = 16 * 3600.0
"""A show's day: so long a device that has given its PIN is not asked again."""
INVITED_FOR_S: Final = 15 * 60.0
CODE_DIGITS: Final = 8
GUESSES: Final = 20
"""So many wrong codes, whoever typed them, end what can be typed; the invitations' links stay good."""
LONGEST_DELAY_S: Final = 900
CONFIRMED_BELOW_S: Final = 120
"""A shorter delay is asked for twice: somebody could whisper it back to the table."""

OPEN: Final = (Scope.HALL, Scope.BREAK)
"""The scopes that ask for nothing."""
LINKED: Final = (Scope.AIR, Scope.PRODUCER, Scope.SPECTATOR)
"""The scopes that a link opens. In a simulation also the judge's and the table's."""
WITH_PIN: Final = (Scope.JUDGE, Scope.OFFICE)
"""The scopes that ask for a registered device and its PIN."""
ONLY_SIMULATED: Final = (Scope.JUDGE, Scope.TABLE)
"""The scopes whose links open nothing at a real table."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Somebody who was let in, and by what."""

    scope: Scope
    by: str = ""
    """The id of the link or the device; empty for a scope that asks for nothing."""
    link: Link | None = None
    """The link as it was then."""


@dataclass(frozen=True, slots=True)
class Entered:
    """A device that is in. `cookie` is new for one that was registered just now."""

    device: Device
    cookie: str | None


class Access:
    """The doors of one table."""

    def __init__(
        self,
        folder: Path,
        *,
        simulated: bool = False,
        clock: Callable[[], float] = time.time,
        tries: Tries | None = None,
    ) -> None:
        """Reads what is registered in `folder`; the usual links are made where they are missing. Raises OSError."""
        self._file = RegistryFile(folder)
        self._simulated = simulated
        self._clock = clock
        self._tries = tries or Tries()
        self._guesses = 0
        self._hashing = asyncio.Lock()
        usual = [Link(id=scope.value, scope=scope) for scope in (Scope.AIR, Scope.PRODUCER)]
        usual += [Link(id=scope.value, scope=scope) for scope in ONLY_SIMULATED if simulated]
        self._registry = self._file.change(lambda registry: _with_links(registry, usual))
        self._stamp: tuple[int, int] = self._file.stamp()

    # --- what is known

    @property
    def registry(self) -> Registry:
        """All that is registered."""
        return self._registry

    def look(self) -> bool:
        """Reads what another process has written; whether there was anything. Raises OSError."""
        stamp = self._file.stamp()
        if stamp == self._stamp:
            return False
        self._registry, self._stamp = self._file.read(), stamp
        return True

    def token(self, link: Link) -> str:
        """What opens `link`."""
        mac = hmac.digest(self._registry.key.encode(), f"link {link.id} {link.generation}".encode(), "sha256")
        return f"{link.id}.{base64.urlsafe_b64encode(mac[:24]).decode()}"

    def path(self, scope: Scope) -> str:
        """The path of the page of `scope`, with the usual link's token in the fragment, which browsers send nobody."""
        link = self._registry.link(scope.value)
        return f"/{scope}" if link is None or not self._opens(link) else link_path(link, self.token(link))

    def __getitem__(self, scope: Scope) -> str:
        """The token of the usual link of `scope`. Raises KeyError where there is none."""
        link = self._registry.link(scope.value)
        if link is None or not self._opens(link):
            raise KeyError(scope)
        return self.token(link)

    # --- who comes

    def holder_of(self, token: str | None, page: str | None = None) -> Holder | None:
        """Who comes with `token`: without one the break's page or else the hall; None for one that opens nothing."""
        if token is None:
            return Holder(Scope.BREAK if page == Scope.BREAK.value else Scope.HALL)
        link = self._registry.link(token.partition(".")[0])
        # Compared also where there is no such link, so that the time taken tells nothing.
        right = self.token(link or Link(id="-", scope=Scope.HALL)).encode()
        if not compare_digest(right, token.encode(errors="replace")) or link is None or not self._opens(link):
            return None
        return Holder(link.scope, link.id, link)

    def scope_of(self, token: str | None) -> Scope | None:
        """The scope that `token` opens; None for one that opens nothing."""
        holder = self.holder_of(token)
        return None if holder is None else holder.scope

    def device_of(self, cookie: str | None) -> Device | None:
        """The registered device that carries `cookie`."""
        name, _, secret = (cookie or "").partition(".")
        device = self._registry.device(name)
        kept = "" if device is None else device.secret
        return device if compare_digest(_digest(secret), kept) else None

    def at_desk(self, cookie: str | None, scope: Scope) -> Holder | Refusal:
        """Who comes to the desk of `scope` with a device's `cookie`, or what is still asked for."""
        device = self.device_of(cookie)
        if device is None or device.scope is not scope:
            return Refusal("not_registered")
        if device.known_until <= self._clock():
            return Refusal("pin_needed")
        return Holder(device.scope, device.id)

    def still_in(self, holder: Holder) -> bool:
        """Whether what let `holder` in still would. A PIN that was given once keeps an open page open."""
        if holder.scope in OPEN:
            return True
        if holder.link is not None:
            return self._registry.link(holder.by) == holder.link and self._opens(holder.link)
        device = self._registry.device(holder.by)
        return device is not None and device.scope is holder.scope

    def _opens(self, link: Link) -> bool:
        if link.scope not in LINKED and not (self._simulated and link.scope in ONLY_SIMULATED):
            return False
        return link.expires is None or link.expires > self._clock()

    # --- the desk's door

    async def enter(
        self, pin: str, *, cookie: str | None = None, invitation: str | None = None, address: str = ""
    ) -> Entered | Refusal:
        """Gives the PIN on a device that is registered, or registers it by `invitation` (a link's secret or a code).

        A wrong try counts against the device, or against the address of one that is not registered: nobody in the hall
        can lock the judge out. Raises OSError."""
        if invitation:
            return await self._register(pin, invitation, neighbourhood(address))
        device = self.device_of(cookie)
        if device is None:
            return Refusal("not_registered")
        refusal = await self._check(pin, device.scope, f"device {device.id}")
        if refusal is not None:
            return refusal
        known = replace(device, known_until=self._clock() + KNOWN_FOR_S)

        def enter(registry: Registry) -> Registry:
            # Only one that is still registered: it may have been revoked while the hash was made.
            return registry.with_device(known) if registry.device(known.id) else registry

        try:
            await self._change(enter)
        except OSError as error:
            # The judge has the right PIN: a full disk keeps nobody from the table.
            log.warning("that the device %s is in could not be written: %s", known.id, error)
            self._registry = enter(self._registry)
        return Entered(known, None)

    async def leave(self, cookie: str | None) -> None:
        """The device is asked for its PIN again. Raises OSError."""
        device = self.device_of(cookie)
        if device is not None:
            gone = replace(device, known_until=0)
            await self._change(lambda registry: registry.with_device(gone) if registry.device(gone.id) else registry)

    async def _register(self, pin: str, said: str, address: str) -> Entered | Refusal:
        who = f"address {address}"
        if (wait := self._tries.wait(who)) > 0:
            return Refusal("pin_locked", {"seconds": _up(wait)})
        self._tries.begin(who)
        found = self._invited(said)
        if found is None:
            await self._guessed()
            return Refusal("code_wrong")
        refusal = await self._check(pin, found.scope, f"invitation {found.id}")
        if refusal is not None:
            return refusal
        secret = secrets.token_urlsafe(24)
        device = Device(
            id=_fresh_id(),
            scope=found.scope,
            name=found.name,
            secret=_digest(secret),
            registered=self._clock(),
            known_until=self._clock() + KNOWN_FOR_S,
        )
        taken = False

        def register(registry: Registry) -> Registry:
            nonlocal taken
            left = tuple(row for row in registry.invitations if row.id != found.id)
            taken = len(left) < len(registry.invitations)
            return replace(registry, invitations=left).with_device(device) if taken else registry

        await self._change(register)
        if not taken:
            return Refusal("code_wrong")  # another device was quicker
        self._tries.right(who)
        return Entered(device, f"{device.id}.{secret}")

    def _invited(self, said: str) -> Invitation | None:
        """The invitation that `said` is the secret or the code of."""
        digits = said.replace(" ", "").replace("-", "")
        typed = len(digits) == CODE_DIGITS and digits.isascii() and digits.isdecimal()
        hash_ = self._hash(digits if typed else said)
        found: Invitation | None = None
        for row in self._registry.invitations:
            if compare_digest(row.code if typed else row.secret, hash_) and row.expires > self._clock():
                found = row
        return found

    async def _guessed(self) -> None:
        """Somebody has typed a code that is none: after some of those no code is good any more. What was typed while
        there was none to be guessed is not held against one that is given out later."""
        if not any(row.code for row in self.invitations()):
            self._guesses = 0
            return
        self._guesses += 1
        if self._guesses >= GUESSES:
            await self._change(
                lambda registry: replace(
                    registry, invitations=tuple(replace(row, code="") for row in registry.invitations)
                )
            )
            self._guesses = 0

    async def _check(self, pin: str, scope: Scope, who: str) -> Refusal | None:
        kept = self._registry.pins.get(scope.value)
        if kept is None:
            return Refusal("pin_not_set")
        if (wait := self._tries.wait(who)) > 0:
            return Refusal("pin_locked", {"seconds": _up(wait)})
        self._tries.begin(who)
        async with self._hashing:  # one at a time: a crowd of tries must not take the table's time and memory
            right = await asyncio.to_thread(fits, pin, kept)
        if not right:
            return Refusal("pin_wrong")
        self._tries.right(who)
        return None

    # --- what is done at the table

    def invite(self, scope: Scope, name: str) -> tuple[str, str]:
        """Leave for one more device: the secret of its link, and the digits that can be typed instead."""
        secret = secrets.token_urlsafe(24)
        code = f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"
        invitation = Invitation(
            id=_fresh_id(),
            scope=scope,
            name=name,
            secret=self._hash(secret),
            code=self._hash(code),
            expires=self._clock() + INVITED_FOR_S,
        )

        def add(registry: Registry) -> Registry:
            alive = tuple(row for row in registry.invitations if row.expires > self._clock())
            return replace(registry, invitations=(*alive, invitation))

        self._changed_now(add)
        return secret, code

    def set_pin(self, scope: Scope, pin: str) -> None:
        """From now on `pin` is the PIN of `scope`; whoever knew the old one is asked again."""
        kept = hashed(pin)

        def change(registry: Registry) -> Registry:
            devices = tuple(replace(row, known_until=0) if row.scope is scope else row for row in registry.devices)
            return replace(registry, pins={**registry.pins, scope.value: kept}, devices=devices)

        self._changed_now(change)

    def fresh_pin(self, scope: Scope) -> str:
        """Makes a PIN for `scope`; it can be read here and nowhere else."""
        pin = new_pin()
        self.set_pin(scope, pin)
        return pin

    def add_link(self, scope: Scope, name: str, *, hours: float | None = None, delay: int | None = None) -> Link:
        """A link more. `hours` until it expires; `delay`, seconds, for spectators that do not follow the table's."""
        expires = None if hours is None else self._clock() + hours * 3600
        link = Link(id=_fresh_id(), scope=scope, name=name, expires=expires, delay=delay)
        self._changed_now(lambda registry: registry.with_link(link))
        return link

    def rotate(self, id: str) -> Link | None:  # noqa: A002 - the field's own word
        """The link opens with another token from now on. None where there is no such link."""
        self._changed_now(
            lambda registry: (
                registry
                if (link := registry.link(id)) is None
                else registry.with_link(replace(link, generation=link.generation + 1))
            )
        )
        return self._registry.link(id)

    def revoke(self, id: str) -> bool:  # noqa: A002 - the field's own word
        """Ends a link, a device or an invitation; whether there was one."""

        def end(registry: Registry) -> Registry:
            usual = {scope.value for scope in Scope}
            link = registry.link(id)
            if link is not None and id in usual:
                # The usual links are made where they are missing: one that was revoked stays, and opens nothing.
                return registry.with_link(replace(link, expires=0, generation=link.generation + 1))
            return replace(
                registry,
                links=tuple(row for row in registry.links if row.id != id),
                devices=tuple(row for row in registry.devices if row.id != id),
                invitations=tuple(row for row in registry.invitations if row.id != id),
            )

        before = self._registry
        self._changed_now(end)
        return self._registry != before

    @property
    def table(self) -> str:
        """What this table is called where there are several: the same for as long as its data folder lives."""
        return hmac.new(self._registry.key.encode(), b"table", "sha256").hexdigest()[:12]

    def open_links(self) -> list[Link]:
        """The links that open something now."""
        return [link for link in self._registry.links if self._opens(link)]

    def watched(self) -> list[tuple[Link, str]]:
        """The spectators' links that open something now, each with its token."""
        return [(link, self.token(link)) for link in self.open_links() if link.scope is Scope.SPECTATOR]

    def own_delays(self) -> list[tuple[str, int]]:
        """Name and seconds of each open spectators' link that has a delay of its own."""
        spectators = [link for link in self.open_links() if link.scope is Scope.SPECTATOR]
        return [(link.name or link.id, link.delay) for link in spectators if link.delay is not None]

    def invitations(self) -> list[Invitation]:
        """The invitations that are still good."""
        return [row for row in self._registry.invitations if row.expires > self._clock()]

    def _changed_now(self, how: Callable[[Registry], Registry]) -> None:
        self._registry = self._file.change(how)
        self._stamp = self._file.stamp()

    async def _change(self, how: Callable[[Registry], Registry]) -> None:
        self._registry = await asyncio.to_thread(self._file.change, how)
        self._stamp = self._file.stamp()

    def _hash(self, said: str) -> str:
        return hmac.new(self._registry.key.encode(), f"invitation {said}".encode(), "sha256").hexdigest()


def link_path(link: Link, token: str) -> str:
    """The path that `link` opens, its token in the fragment."""
    page = "watch" if link.scope is Scope.SPECTATOR else link.scope.value
    return f"/{page}#t={token}"


def invitation_path(scope: Scope, secret: str) -> str:
    """The path that registers a device, the secret in the fragment."""
    return f"/{scope}#e={secret}"


def _with_links(registry: Registry, links: Iterable[Link]) -> Registry:
    for link in links:
        if registry.link(link.id) is None:
            registry = registry.with_link(link)
    return registry


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def _fresh_id() -> str:
    return secrets.token_hex(4)


def _up(seconds: float) -> int:
    return int(seconds) + 1
