"""Tokens of an issuer (JWT): who is let in by one, as whom, and what a forged one comes to."""

import asyncio
import hmac
import itertools
import json
from base64 import urlsafe_b64encode
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, RSAAlgorithm
from structlog.testing import capture_logs

from agentmem.errors import BackendUnavailable, InvalidInput, NotFound
from agentmem.interfaces.http import issued
from agentmem.interfaces.http.callers import WRONG_AT_ONCE, Callers
from agentmem.interfaces.http.issued import (
    AGAIN_SECONDS,
    KEYS_SECONDS,
    MAX_JWT,
    MAX_KEYS_BYTES,
    MAX_SUBJECT,
    RETRY_SECONDS,
)
from agentmem.runtime.configuration.settings import IssuerSettings, ServerSettings
from agentmem.runtime.host.clocks import ManualClock
from tests.support.nodes import AGENT, TENANT
from tests.support.served import Served, served
from tests.support.spine import LATER

URL, AUDIENCE = "https://login.example.org/", "https://memory.example.org/mcp"
NOW = int(LATER.timestamp())
RSA_KEY = rsa.generate_private_key(65_537, 2_048)
FOREIGN_KEY = rsa.generate_private_key(65_537, 2_048)
EC_KEY = ec.generate_private_key(ec.SECP256R1())
PUBLIC_PEM = RSA_KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
ROLES = {"sales": {AGENT: ["talk", "read"]}, "looks": {"*": ["read"]}}


@dataclass
class KeyServer:
    """Answers with a set of keys over a real socket; `asked` are the paths that were asked for."""

    keys: list[dict[str, Any]]
    status: int = 200
    more: bytes = b""
    asked: list[str] = field(default_factory=list[str])
    port: int = 0

    @asynccontextmanager
    async def running(self) -> AsyncGenerator["KeyServer"]:
        server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        async with server:
            yield self

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        self.asked.append(head.split()[1].decode())
        body = json.dumps({"keys": self.keys}).encode() + self.more
        beginning = f"HTTP/1.1 {self.status} .\r\nContent-Length: {len(body)}\r\nConnection: close\r\n"
        writer.write(f"{beginning}Location: http://127.0.0.1:{self.port}/elsewhere\r\n\r\n".encode() + body)
        await writer.drain()
        writer.close()


def public(key: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey, kid: str) -> dict[str, Any]:
    """The key as it stands in a set of keys."""
    if isinstance(key, rsa.RSAPrivateKey):
        made: dict[str, Any] = RSAAlgorithm.to_jwk(key.public_key(), as_dict=True)
    else:
        made = ECAlgorithm.to_jwk(key.public_key(), as_dict=True)
    return {**made, "kid": kid, "use": "sig"}


def claims(**more: object) -> dict[str, Any]:
    """What an honest token says."""
    return {"iss": URL, "aud": AUDIENCE, "sub": "anna", "exp": NOW + 600, "iat": NOW, "scope": "openid sales", **more}


def token(said: Mapping[str, Any] | None = None, *, key: Any = RSA_KEY, alg: str = "RS256", **header: Any) -> str:
    """A signed token."""
    return jwt.encode(dict(said or claims()), key, algorithm=alg, headers={"kid": "one", **header})


def by_hand(header: Mapping[str, Any], said: Mapping[str, Any], signature: bytes = b"") -> str:
    """A token of any parts."""
    parts = (json.dumps(header).encode(), json.dumps(said).encode(), signature)
    return ".".join(urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)


@asynccontextmanager
async def issuing(folder: Path, server: KeyServer | None = None, **more: object) -> AsyncGenerator[Served]:
    """A server that takes tokens of the issuer."""
    async with (server or KeyServer([public(RSA_KEY, "one"), public(EC_KEY, "two")])).running() as keys:
        issuer = {
            "url": URL,
            "audience": AUDIENCE,
            "keys": f"http://127.0.0.1:{keys.port}/jwks",
            "roles": ROLES,
            **more,
        }
        async with served(folder, issuer=issuer) as program:
            yield program


async def status(program: Served, secret: str, path: str = "/v1/agents") -> int:
    """How a request with this token is answered."""
    async with program.client(secret) as client:
        return (await client.get(path)).status_code


async def test_a_token_of_the_issuer_lets_what_its_roles_let(tmp_path: Path) -> None:
    async with issuing(tmp_path) as program, program.client(token()) as client:
        said = await client.post(f"/v1/agents/{AGENT}/turns", json={"person": "Tom", "text": "Hello."})
        assert said.status_code == 202
        assert (await client.post(f"/v1/agents/{AGENT}/reflect", json={})).status_code == 404
        assert (await client.get("/metrics")).status_code == 404
        assert await status(program, token(key=EC_KEY, alg="ES256", kid="two")) == 200
        assert await status(program, token(claims(scope=["sales"]))) == 200
        assert await status(program, program.owner) == 200


async def test_claims_name_the_tenant_and_whom_it_is_about(tmp_path: Path) -> None:
    async with issuing(tmp_path, tenant_claim="org", about_claim="person") as program:
        assert await status(program, token()) == 401
        own = token(claims(org=TENANT, person="Tom"))
        async with program.client(own) as client:
            turn = {"text": "Hello."}
            assert (await client.post(f"/v1/agents/{AGENT}/turns", json={"person": "Tom", **turn})).status_code == 202
            assert (await client.post(f"/v1/agents/{AGENT}/turns", json={"person": "Ann", **turn})).status_code == 404
        async with program.client(token(claims(org="elsewhere", person="Tom"))) as client:
            assert (await client.get("/v1/agents")).json()["agents"] == []


FORGED = {
    "none": by_hand({"alg": "none", "kid": "one"}, claims()),
    "None": by_hand({"alg": "NonE", "kid": "one"}, claims()),
    "unsigned": by_hand({"alg": "RS256", "kid": "one"}, claims()),
    "another key": token(key=FOREIGN_KEY),
    "another audience": token(claims(aud="https://elsewhere.example.org")),
    "no audience": token({name: value for name, value in claims().items() if name != "aud"}),
    "another issuer": token(claims(iss="https://login.example.org")),
    "expired": token(claims(exp=NOW - 60)),
    "for ever": token(claims(exp=NOW + 86_400 * 30)),
    "no end": token({name: value for name, value in claims().items() if name != "exp"}),
    "the end a text": token(claims(exp="9999999999")),
    "not yet": token(claims(nbf=NOW + 120)),
    "nobody": token(claims(sub="")),
    "without a role": token(claims(scope="openid")),
    "another algorithm": token(alg="RS512"),
    "the key of another kind": token(key=RSA_KEY, kid="two"),
    "an unknown key": token(kid="../../etc/passwd"),
    "an algorithm that is no text": by_hand({"alg": ["RS256"], "kid": "one"}, claims()),
    "a key that is no text": by_hand({"alg": "RS256", "kid": ["one"]}, claims()),
    "a demand": token(crit=["exp"]),
    "its own key": token(key=FOREIGN_KEY, jwk=public(FOREIGN_KEY, "one")),
    "too long": token(claims(more="x" * MAX_JWT)),
    "no token": "a.b.c",
    "no base64": "é.b.c".encode().decode("latin-1"),
}


@pytest.mark.parametrize("kind", FORGED)
async def test_a_forged_token_lets_nobody_in(tmp_path: Path, kind: str) -> None:
    async with issuing(tmp_path) as program:
        headers = {"Authorization": f"Bearer {FORGED[kind]}".encode("latin-1")}
        async with program.client("") as client:
            answer = await client.get("/v1/agents", headers=cast("Any", headers))
        assert (answer.status_code, answer.json()["code"]) == (401, "NoToken")


LEEWAY = 30
DAY = 86_400
AT_BOUNDS: list[tuple[dict[str, Any], bool]] = [
    ({"exp": NOW - LEEWAY}, False),
    ({"exp": NOW - LEEWAY + 1}, True),
    ({"exp": NOW + DAY}, True),
    ({"exp": NOW + DAY + 1}, False),
    *(({name: NOW + LEEWAY}, True) for name in ("nbf", "iat")),
    *(({name: NOW + LEEWAY + 1}, False) for name in ("nbf", "iat")),
    ({"nbf": 0}, True),
    ({"nbf": -1}, False),
    ({"nbf": True}, False),
    ({"nbf": 10**400}, False),
    ({"sub": "x" * MAX_SUBJECT}, True),
    ({"sub": "x" * (MAX_SUBJECT + 1)}, False),
    ({"scope": ["sales", 1]}, True),
    ({"scope": 1}, False),
    ({"scope": {"sales": 1}}, False),
]


@asynccontextmanager
async def an_issuer(server: KeyServer) -> AsyncGenerator[issued.Issuer]:
    """What recognises the issuer's tokens, by the keys of this server."""
    async with server.running() as keys:
        settings = IssuerSettings.model_validate(
            {"url": URL, "audience": AUDIENCE, "keys": f"http://127.0.0.1:{keys.port}/jwks", "roles": ROLES}
        )
        assert settings.leeway == LEEWAY
        yield issued.Issuer(settings, TENANT, ManualClock(LATER))


async def test_claims_are_taken_to_their_bounds_and_not_beyond() -> None:
    async with an_issuer(KeyServer([public(RSA_KEY, "one")])) as issuer:
        for said, good in AT_BOUNDS:
            with nullcontext() if good else pytest.raises(NotFound):
                assert (await issuer.token(token(claims(**said)))).agents, said


async def test_a_token_has_so_many_characters_and_no_more() -> None:
    async with an_issuer(KeyServer([public(RSA_KEY, "one")])) as issuer:
        for length, good in ((MAX_JWT, True), (MAX_JWT + 1, False)):
            sizes = itertools.product(range(length * 3 // 4 - 500, length * 3 // 4 - 400), ("", "x", "xx"))
            made = (token(claims(more="x" * size), more=more) for size, more in sizes)
            text = next(each for each in made if len(each) == length)
            with nullcontext() if good else pytest.raises(NotFound):
                await issuer.token(text)


async def test_keys_have_so_many_bytes_and_no_more() -> None:
    keys = [public(RSA_KEY, "one")]
    room = MAX_KEYS_BYTES - len(json.dumps({"keys": keys}))
    for more, good in ((room, True), (room + 1, False)):
        async with an_issuer(KeyServer(keys, more=b" " * more)) as issuer:
            with nullcontext() if good else pytest.raises(BackendUnavailable):
                await issuer.token(token())


ASKING = [
    (0, 500, "one", 1),
    (RETRY_SECONDS - 1, 500, "one", 1),
    (1, 200, "one", 2),
    (AGAIN_SECONDS - 1, 200, "unknown", 2),
    (1, 200, "unknown", 3),
    (1, 200, "unknown", 3),
    (KEYS_SECONDS - 2, 200, "one", 3),
    (1, 200, "one", 4),
]
"""Seconds later, how it is answered who asks for keys, the key of a token, and how often keys have been asked for."""


async def test_keys_are_asked_for_when_it_is_time() -> None:
    server = KeyServer([public(RSA_KEY, "one")])
    async with an_issuer(server) as issuer:
        for seconds, server.status, key, asked in ASKING:
            cast(ManualClock, issuer.clock).advance(timedelta(seconds=seconds))
            with suppress(NotFound, BackendUnavailable):
                await issuer.token(token(kid=key))
            assert len(server.asked) == asked


@pytest.mark.parametrize(("names", "good"), [(["one"], True), (["one", "two"], False)])
async def test_a_token_names_its_key_unless_there_is_but_one(names: list[str], *, good: bool) -> None:
    async with an_issuer(KeyServer([public(RSA_KEY, name) for name in names])) as issuer:
        with nullcontext() if good else pytest.raises(NotFound):
            await issuer.token(jwt.encode(claims(), RSA_KEY, "RS256"))


async def test_the_public_key_is_no_secret_to_sign_with(tmp_path: Path) -> None:
    head, body = by_hand({"alg": "HS256", "kid": "one", "typ": "JWT"}, claims()).split(".")[:2]
    async with issuing(tmp_path) as program:
        for secret in (PUBLIC_PEM, json.dumps(public(RSA_KEY, "one")).encode()):
            signature = urlsafe_b64encode(hmac.digest(secret, f"{head}.{body}".encode(), "sha256")).rstrip(b"=")
            assert await status(program, f"{head}.{body}.{signature.decode()}") == 401
    with pytest.raises(InvalidInput, match="algorithms"):
        IssuerSettings(url=URL, audience=AUDIENCE, keys="https://a.example", algorithms=("HS256",))  # pyright: ignore[reportArgumentType] - refused


async def test_keys_come_from_the_configured_address_alone(tmp_path: Path) -> None:
    async with KeyServer([public(FOREIGN_KEY, "one")]).running() as foreign:
        keys = KeyServer([public(RSA_KEY, "one")])
        async with issuing(tmp_path, keys) as program:
            away = f"http://127.0.0.1:{foreign.port}/jwks"
            assert await status(program, token(key=FOREIGN_KEY, jku=away, x5u=away)) == 401
            for number in range(20):
                assert await status(program, token(kid=f"unknown-{number}")) in (401, 429)
        assert (foreign.asked, keys.asked) == ([], ["/jwks"])


async def test_a_right_token_is_let_in_while_its_address_sends_wrong_ones(tmp_path: Path) -> None:
    async with issuing(tmp_path) as program:
        wrong = (token(key=FOREIGN_KEY), token(kid="unknown"), "a.b.c")
        answers = [await status(program, wrong[number % 3]) for number in range(int(WRONG_AT_ONCE) + 10)]
        assert (answers[0], answers[-1]) == (401, 429)
        assert await status(program, token()) == 200
        assert await status(program, program.owner) == 200


async def test_two_first_requests_of_one_token_are_one_caller(tmp_path: Path) -> None:
    async with issuing(tmp_path) as program:
        shown = [program.callers.of(f"Bearer {token()}", "127.0.0.1") for _ in range(2)]
        one, other = await asyncio.gather(*shown)
        assert one is other


async def test_who_asks_for_a_key_there_is_not_holds_nobody_else_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with issuing(tmp_path) as program:
        assert await status(program, token()) == 200
        cast(ManualClock, program.app.clock).advance(timedelta(seconds=AGAIN_SECONDS))
        asked, free = asyncio.Event(), asyncio.Event()

        async def slow(_: str) -> bytes:
            asked.set()
            await free.wait()
            return b"{}"

        monkeypatch.setattr(issued, "_read", slow)
        looking = asyncio.ensure_future(status(program, token(kid="unknown")))
        await asyncio.wait_for(asked.wait(), 10)
        assert await asyncio.wait_for(status(program, token(claims(sub="ben"))), 10) == 200
        free.set()
        assert await looking == 401


class Passing:
    """A clock of the server that is set by hand."""

    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.mark.parametrize(("withdrawn", "status"), [(True, 200), (False, 500), (False, 200)])
async def test_a_stream_ends_with_the_key_that_its_token_was_signed_by(
    tmp_path: Path, *, withdrawn: bool, status: int
) -> None:
    keys = KeyServer([public(RSA_KEY, "one"), public(EC_KEY, "two")])
    async with issuing(tmp_path, keys) as program:
        passing = Passing()
        options = ServerSettings.model_validate({"issuer": program.program.options.issuer})
        callers = Callers(program.app, options, asyncio.Event(), clock=passing)
        caller = await callers.of(f"Bearer {token()}", "127.0.0.1")
        with caller.streams.taken():
            passing.seconds += KEYS_SECONDS + 1
            cast(ManualClock, program.app.clock).advance(timedelta(seconds=KEYS_SECONDS + 1))
            keys.status = status
            if withdrawn:
                keys.keys = [public(EC_KEY, "two")]
            await callers.look_at_keys()
        assert caller.ended.is_set() == (withdrawn or status == 500)


@pytest.mark.parametrize("algorithm", ["RS256", "RS512", "PS256"])
async def test_a_key_that_names_no_algorithm_is_used_with_those_that_are_allowed(
    tmp_path: Path, algorithm: str
) -> None:
    keys = KeyServer([public(RSA_KEY, "one"), {**public(EC_KEY, "two"), "kid": ["two"]}])
    async with issuing(tmp_path, keys, algorithms=["RS512", "PS256"]) as program:
        allowed = algorithm != "RS256"
        assert await status(program, token(alg=algorithm)) == (200 if allowed else 401)


async def test_keys_of_which_none_is_usable_are_told(tmp_path: Path) -> None:
    with capture_logs() as logs:
        async with issuing(tmp_path, KeyServer([{"kty": "oct", "kid": "one"}])) as program:
            assert await status(program, token()) == 401
    assert ("issuer_keys_unusable", 1) in [(each["event"], each.get("keys")) for each in logs]


@pytest.mark.parametrize(
    "keys",
    [
        KeyServer([public(RSA_KEY, "one")], status=500),
        KeyServer([public(RSA_KEY, "one")], status=302),
        KeyServer([public(RSA_KEY, "one")], more=b" " * MAX_KEYS_BYTES),
        KeyServer([public(RSA_KEY, "one")], more=b"{"),
    ],
    ids=["fault", "elsewhere", "oversized", "no JSON"],
)
async def test_where_the_keys_cannot_be_had_nobody_is_let_in(tmp_path: Path, keys: KeyServer) -> None:
    async with issuing(tmp_path, keys) as program:
        assert [await status(program, token()) for _ in range(3)] == [503] * 3
        assert keys.asked == ["/jwks"]
        assert await status(program, program.owner) == 200


async def test_weak_private_and_shared_keys_sign_nothing(tmp_path: Path) -> None:
    weak = rsa.generate_private_key(65_537, 1_024)
    shared = {"kty": "oct", "kid": "shared", "k": urlsafe_b64encode(b"s" * 32).decode()}
    encrypting = {**public(RSA_KEY, "enc"), "use": "enc"}
    async with issuing(tmp_path, KeyServer([public(weak, "one"), shared, encrypting])) as program:
        assert await status(program, jwt.encode(claims(), "s" * 32, "HS256", headers={"kid": "shared"})) == 401
        assert await status(program, token(kid="enc")) == 401
        assert await status(program, token(kid="one")) == 401


async def test_a_stream_ends_with_the_token_it_was_opened_by(tmp_path: Path) -> None:
    async with issuing(tmp_path) as program:
        caller = await program.callers.of(f"Bearer {token()}", "127.0.0.1")
        clock = cast(ManualClock, program.app.clock)
        for seconds, over in ((600, False), (60, True)):
            clock.advance(timedelta(seconds=seconds))
            await program.callers.look()
            assert caller.ended.is_set() == over


async def test_a_new_token_of_the_same_subject_shares_what_he_may_have_under_way(tmp_path: Path) -> None:
    async with issuing(tmp_path) as program:
        first, second, other = [
            await program.callers.of(f"Bearer {token(claims(sub=name, jti=str(number)))}", "127.0.0.1")
            for number, name in enumerate(("anna", "anna", "bert"))
        ]
        assert first is not second
        assert first.requests is second.requests
        assert other.requests is not first.requests


async def test_programs_that_speak_mcp_are_told_who_issues_tokens(tmp_path: Path) -> None:
    async with issuing(tmp_path, resource=AUDIENCE) as program, program.client("") as client:
        refused = await client.post("/mcp", json={})
        place = refused.headers["www-authenticate"].split('resource_metadata="')[1].rstrip('"')
        assert (refused.status_code, place) == (
            401,
            "https://memory.example.org/.well-known/oauth-protected-resource/mcp",
        )
        told = (await client.get("/.well-known/oauth-protected-resource/mcp")).json()
        assert (told["resource"], told["authorization_servers"]) == (AUDIENCE, [URL])
    async with served(tmp_path / "without") as program, program.client("") as client:
        assert (await client.get("/.well-known/oauth-protected-resource/mcp")).status_code == 404


@pytest.mark.parametrize("keys", ["http://keys.example.org/", "file:///etc/passwd", "https:///x"])
def test_keys_are_had_over_tls_alone(keys: str) -> None:
    with pytest.raises(InvalidInput, match="https://"):
        IssuerSettings(url=URL, audience=AUDIENCE, keys=keys)
