"""Tokens that somebody else issues (JWT): who may come in is read from their claims, signed by a key of the issuer.

What a token says about its own key counts for nothing: keys come from the configured address alone, algorithms from
the configuration. Where the keys cannot be had, nobody is let in by one.
"""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, Final, cast
from uuid import UUID

import httpx
import jwt
import structlog

from agentmem.domain.access_token import AccessToken
from agentmem.domain.scope import Grant
from agentmem.errors import BackendUnavailable, InvalidInput, NotFound, without_content
from agentmem.runtime.configuration.settings import IssuerSettings
from agentmem.runtime.host.clocks import Clock

log = structlog.get_logger()

MAX_JWT: Final = 8_192
"""Characters of a token that are looked at."""

MAX_LIFETIME: Final = timedelta(hours=24)
"""A token that is good for longer is none: nobody can take it back."""

KEYS_SECONDS: Final = 300.0
"""Keys are good for so long; then they are asked for anew."""

AGAIN_SECONDS, RETRY_SECONDS = 30.0, 2.0
"""Between two looks for a key that is not there yet, and for keys that could not be had."""

FETCH_SECONDS: Final = 5.0
MAX_KEYS_BYTES: Final = 262_144
MAX_KEYS: Final = 100
MIN_RSA_BITS: Final = 2_048
MAX_SUBJECT: Final = 180

_NONE: Final = "no such token"

KeyName = tuple[str | None, str]
"""The id of a key, None where a token need not name it, and the algorithm it is used with."""

Keys = Mapping[KeyName, jwt.PyJWK]


@dataclass(slots=True)
class Issuer:
    """Recognises the tokens of one issuer. Times are the clock's."""

    settings: IssuerSettings
    tenant: str
    clock: Clock
    _keys: Keys = field(default_factory=dict[KeyName, jwt.PyJWK])
    _asked: datetime | None = None
    _had: datetime | None = None
    _asking: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def token(self, text: str) -> AccessToken:
        """What the token lets. Raises `NotFound` for whatever is wrong with it, and `BackendUnavailable` where the
        issuer's keys cannot be had."""
        key = await self._key(_key_of(text, self.settings.algorithms))
        try:
            claims = jwt.decode(
                text,
                key,
                algorithms=list(self.settings.algorithms),
                audience=self.settings.audience,
                issuer=self.settings.url,
                options={
                    "require": ["exp", "iss", "aud", "sub"],
                    "verify_exp": False,  # times are compared with our own clock, in `_until`
                    "verify_nbf": False,
                    "verify_iat": False,
                },
            )
        except (jwt.PyJWTError, ValueError) as error:
            raise NotFound(_NONE) from error
        return self._let(text, claims)

    def _let(self, text: str, claims: Mapping[str, Any]) -> AccessToken:
        until, subject = self._until(claims), _text(claims, "sub")
        if len(subject) > MAX_SUBJECT:
            raise NotFound(_NONE)
        wanted = self.settings
        agents: dict[str, set[Grant]] = {}
        for role in _roles(claims.get(wanted.roles_claim)):
            for agent, grants in wanted.roles.get(role, {}).items():
                agents.setdefault(agent, set()).update(grants)
        try:
            return AccessToken(
                token_id=str(UUID(bytes=sha256(text.encode()).digest()[:16], version=4)),
                name=subject,
                tenant=self.tenant if wanted.tenant_claim is None else _text(claims, wanted.tenant_claim),
                agents={agent: tuple(sorted(grants)) for agent, grants in agents.items()},
                about=None if wanted.about_claim is None else _text(claims, wanted.about_claim),
                created_at=self.clock.now(),
                expires_at=until,
            )
        except InvalidInput as error:
            raise NotFound(_NONE) from error

    def _until(self, claims: Mapping[str, Any]) -> datetime:
        """Until when it is good, by our clock. Raises `NotFound` where that is over, too far off or still to come."""
        now, leeway = self.clock.now().timestamp(), self.settings.leeway
        ends = _seconds(claims["exp"])
        begins = max(_seconds(claims.get(name, 0)) for name in ("nbf", "iat"))
        if not now < ends + leeway <= now + MAX_LIFETIME.total_seconds() + leeway or begins > now + leeway:
            raise NotFound(_NONE)
        return datetime.fromtimestamp(ends + leeway, UTC)

    async def _key(self, name: KeyName) -> jwt.PyJWK:
        if name in self._keys and not self._older(self._had, KEYS_SECONDS):
            return self._keys[name]  # whoever asks for another key holds nobody up whose key is there
        async with self._asking:
            stale = self._older(self._had, KEYS_SECONDS)
            if (stale or name not in self._keys) and self._older(
                self._asked, RETRY_SECONDS if stale else AGAIN_SECONDS
            ):
                await self._fetch()
            if self._older(self._had, KEYS_SECONDS):
                raise BackendUnavailable("the issuer's keys cannot be had: see server.issuer.keys")
        if (key := self._keys.get(name)) is None:
            raise NotFound(_NONE)
        return key

    def _older(self, moment: datetime | None, seconds: float) -> bool:
        return moment is None or not moment <= self.clock.now() < moment + timedelta(seconds=seconds)

    async def _fetch(self) -> None:
        """Ask for the keys. Old ones are good for `KEYS_SECONDS` whatever comes of it, and no longer."""
        self._asked = self.clock.now()
        try:
            async with asyncio.timeout(FETCH_SECONDS):
                self._keys = _usable(await _read(self.settings.keys), self.settings.algorithms)
        except (httpx.HTTPError, TimeoutError, ValueError, RecursionError) as error:
            log.warning("issuer_keys_not_had", reason=without_content(error))
        else:
            self._had = self._asked


async def _read(url: str) -> bytes:
    async with (
        httpx.AsyncClient(follow_redirects=False, trust_env=False) as client,
        client.stream("GET", url, headers={"Accept": "application/json"}) as answer,
    ):
        if answer.status_code != 200:
            raise ValueError(f"answered with {answer.status_code}")
        read = b""
        async for part in answer.aiter_bytes():
            read += part
            if len(read) > MAX_KEYS_BYTES:
                raise ValueError("too many bytes")
        return read


def _usable(document: bytes, algorithms: tuple[str, ...]) -> Keys:
    """The keys that may sign; one that stands alone also for tokens that name none. Raises `ValueError`."""
    told: Any = json.loads(document)
    given = cast("dict[str, Any]", told).get("keys") if isinstance(told, dict) else None
    if not isinstance(given, list):
        raise ValueError("no set of keys")
    found: dict[KeyName, jwt.PyJWK] = {}
    for each in cast("list[Any]", given)[:MAX_KEYS]:
        found |= _made(each, algorithms)
    if not found:
        log.warning("issuer_keys_unusable", keys=len(cast("list[Any]", given)))
    alone = len({kid for kid, _ in found}) == 1
    return {**found, **{(None, algorithm): key for (_, algorithm), key in found.items()}} if alone else found


def _made(given: Any, algorithms: tuple[str, ...]) -> Keys:
    """A public key for signatures, once for each of the algorithms it may be used with; none for anything else."""
    if not isinstance(given, dict):
        return {}
    named = cast("dict[str, Any]", given)
    if named.get("kty") not in ("RSA", "EC", "OKP") or named.get("use", "sig") != "sig" or "d" in named:
        return {}
    kid = named.get("kid")
    if not isinstance(kid, str | None):
        return {}
    # An RSA key that names no algorithm is good for all of them; of other kinds the curve tells which it is.
    several = named["kty"] == "RSA" and "alg" not in named
    tried = [each for each in algorithms if each.startswith(("RS", "PS"))] if several else [None]
    try:
        made = [jwt.PyJWK(named, algorithm) for algorithm in tried]
    except (jwt.PyJWTError, ValueError, TypeError):
        return {}
    strong = (key for key in made if named["kty"] != "RSA" or key.key.key_size >= MIN_RSA_BITS)
    return {(kid, key.algorithm_name): key for key in strong if key.algorithm_name in algorithms}


def _key_of(text: str, algorithms: tuple[str, ...]) -> KeyName:
    """The key it claims to be signed by, a name to look up and nothing more. Raises `NotFound`."""
    if len(text) > MAX_JWT or not text.isascii():
        raise NotFound(_NONE)
    try:
        header = jwt.get_unverified_header(text)
    except (jwt.PyJWTError, ValueError) as error:
        raise NotFound(_NONE) from error
    kid, algorithm = header.get("kid"), header.get("alg")
    if algorithm not in algorithms or "crit" in header or not isinstance(kid, str | None):
        raise NotFound(_NONE)
    return kid, algorithm


def _roles(claim: object) -> list[str]:
    """What it is entitled to: a list, or words between blanks."""
    if isinstance(claim, str):
        return claim.split()
    return [each for each in cast("list[object]", claim) if isinstance(each, str)] if isinstance(claim, list) else []


def _text(claims: Mapping[str, Any], name: str) -> str:
    value = claims.get(name)
    if not isinstance(value, str):
        raise NotFound(_NONE)
    return value


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e11:
        raise NotFound(_NONE)
    return float(value)
