"""Who was let in: how a token is shown, for how long its holder is remembered, and how he goes when another process
took it away.
"""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from agentmem.domain.access_token import PREFIX, AccessToken
from agentmem.errors import BackendUnavailable
from agentmem.interfaces.http import callers as callers_module
from agentmem.interfaces.http.callers import Bearer, Bucket, Callers, RefusedRequest, Share
from agentmem.interfaces.http.issued import KEYS_SECONDS
from agentmem.runtime.configuration.settings import ServerSettings
from agentmem.runtime.facade.access_tokens import Tokens
from agentmem.runtime.host.clocks import ManualClock
from tests.attacks.test_issued_tokens import Passing, claims, issuing, token
from tests.support.nodes import TENANT
from tests.support.served import Served, served

HERE = "127.0.0.1"


async def status_of(server: Served, authorization: str, address: str = HERE) -> int:
    """How somebody is refused who shows this; 200 where he is let in."""
    try:
        await server.callers.of(authorization, address)
    except RefusedRequest as refusal:
        return refusal.status_code
    return 200


async def test_a_token_is_shown_as_a_bearers_and_not_otherwise(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        for authorization in ("Bearer", "bearer", "BEARER"):
            assert await status_of(server, f"{authorization} {server.owner}") == 200
        for authorization in (f"Basic {server.owner}", server.owner, f" {server.owner}", "Bearer", "Bearer  ", ""):
            assert await status_of(server, authorization) == 401


async def test_who_shows_a_token_is_told_that_it_is_none_and_not_whether_it_was_one(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        revoked = await server.token(name="revoked")
        brief = await server.token(name="brief", lifetime=timedelta(seconds=1))
        await server.app.tokens.revoke("revoked")
        assert isinstance(server.app.clock, ManualClock)
        server.app.clock.advance(timedelta(seconds=2))
        said: list[tuple[str, str]] = []
        for secret in ("", revoked, brief, f"{PREFIX}{'A' * 43}", "no token"):
            async with server.client(secret) as client:
                answer = await client.get("/v1/agents")
                assert answer.status_code == 401
                said.append((answer.json()["detail"], answer.headers["WWW-Authenticate"]))
        none, *wrong = said
        assert none[0].startswith("a token is needed")
        assert "error" not in none[1]
        assert len(set(wrong)) == 1
        assert "expired or was revoked" in wrong[0][0]
        assert 'error="invalid_token"' in wrong[0][1]


async def test_whose_token_another_process_took_away_is_put_out_and_nobody_else(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        gone, stays = [
            await server.callers.of(f"Bearer {await server.token(name=name)}", HERE) for name in ("gone", "stays")
        ]
        await server.app.journal.tokens.remove(TENANT, "gone")
        await server.callers.look()
        assert (gone.ended.is_set(), stays.ended.is_set()) == (True, False)
        assert gone not in server.callers.known
        assert stays in server.callers.known


async def test_whoever_comes_is_looked_up_anew_after_a_look_that_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = asyncio.Event()

    async def failing(_: Tokens, letting_in: Sequence[AccessToken]) -> list[AccessToken]:
        failed.set()
        raise BackendUnavailable("the journal is away")

    monkeypatch.setattr(callers_module, "LOOK_SECONDS", 0)
    monkeypatch.setattr(Tokens, "end_revoked", failing)
    async with served(tmp_path) as server:
        shown = f"Bearer {await server.token(name='brief')}"
        await server.callers.of(shown, HERE)
        watching = asyncio.ensure_future(server.callers.watch())
        async with asyncio.timeout(60):
            await failed.wait()
        await asyncio.sleep(0)
        watching.cancel()
        await server.app.journal.tokens.remove(TENANT, "brief")
        assert await status_of(server, shown) == 401


@pytest.mark.parametrize("ours", [True, False], ids=["our tokens", "tokens of an issuer"])
async def test_who_has_not_called_for_longest_is_forgotten_and_nobody_with_a_stream(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, ours: bool
) -> None:
    monkeypatch.setattr(callers_module, "MAX_CALLERS", 2)
    async with issuing(tmp_path) as server:
        secrets = [await server.token(name=name) if ours else token(claims(sub=name)) for name in "abcde"]

        async def calls(who: int) -> Bearer:
            return await server.callers.of(f"Bearer {secrets[who]}", HERE)

        first, second = await calls(0), await calls(1)
        assert await calls(0) is first
        assert list(server.callers.known) == [second, first]
        third = await calls(2)
        assert list(server.callers.known) == [first, third]
        with first.streams.taken():
            fourth = await calls(3)
            assert list(server.callers.known) == [first, fourth]
            with fourth.streams.taken():
                fifth = await calls(4)
                assert list(server.callers.known) == [first, fourth, fifth]


async def test_of_addresses_that_try_tokens_the_last_ones_are_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(callers_module, "MAX_CALLERS", 2)
    async with served(tmp_path) as server:
        while await status_of(server, "Bearer agm_wrong", "10.0.0.1") == 401:
            pass
        assert await status_of(server, "Bearer agm_wrong", "10.0.0.2") == 401
        assert await status_of(server, "Bearer agm_wrong", "10.0.0.1") == 429
        assert await status_of(server, "Bearer agm_wrong", "10.0.0.3") == 401
        assert await status_of(server, "Bearer agm_wrong", "10.0.0.1") == 401


async def test_a_look_at_keys_is_at_tokens_of_the_issuer_that_are_old_enough(tmp_path: Path) -> None:
    async with issuing(tmp_path) as program:
        passing = Passing()
        options = ServerSettings.model_validate({"issuer": program.program.options.issuer})
        callers = Callers(program.app, options, asyncio.Event(), clock=passing)
        own = await callers.of(f"Bearer {program.owner}", HERE)
        issued = await callers.of(f"Bearer {token()}", HERE)
        with own.streams.taken():
            passing.seconds = KEYS_SECONDS
            await callers.look_at_keys()
            assert list(callers.known) == [own, issued]
            passing.seconds += 1
            await callers.look_at_keys()
            assert list(callers.known) == [own]
            assert not own.ended.is_set()


def test_what_one_may_do_by_and_by_fills_by_its_rate_up_to_its_size() -> None:
    passing = Passing()
    bucket = Bucket(rate=2, size=3, clock=passing)
    for seconds, waits in ((0, [0, 0, 0, 0.5]), (0.5, [0, 0.5]), (60, [0, 0, 0, 0.5])):
        passing.seconds = seconds
        assert [bucket.wait() for _ in waits] == waits


def test_as_many_requests_are_under_way_as_one_may_have() -> None:
    share = Share(2, Bucket(rate=1, size=10))
    for _ in range(2):
        with share.taken(), share.taken(), pytest.raises(RefusedRequest, match="under way"), share.taken():
            pass


@pytest.mark.parametrize("by", ["ended", "stopping"])
async def test_who_waits_for_an_end_gets_it_and_leaves_nothing_waiting(tmp_path: Path, by: str) -> None:
    async with served(tmp_path) as server:
        caller = await server.callers.of(f"Bearer {server.owner}", HERE)
        before = asyncio.all_tasks()
        waiting = asyncio.ensure_future(caller.over())
        await asyncio.sleep(0)
        assert not waiting.done()
        getattr(caller, by).set()
        await waiting
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == before
