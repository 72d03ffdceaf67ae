"""`agentmem token`: made and shown once, listed without its secret, revoked; and what holds of them in the app."""

from contextlib import nullcontext
from datetime import timedelta
from pathlib import Path

import pytest

from agentmem.domain.bounds import MAX_SPAN
from agentmem.domain.scope import Grant, Principal, Scope
from agentmem.errors import InvalidInput, NotFound
from agentmem.ports.ledger import Selection
from agentmem.runtime.host.clocks import ManualClock
from tests.support.cli import agentmem
from tests.support.nodes import AGENT, TENANT
from tests.support.spine import LATER, spine


def test_a_token_is_shown_once_and_can_be_revoked(tmp_path: Path) -> None:
    data = ("--data", tmp_path)
    made = agentmem("token", "create", "phone", "--agent", "ada=talk,read", "--about", "李雷", *data, "--json")
    assert made.code == 0
    secret = made.json["token"]
    assert made.json == {"name": "phone", "token": secret}
    listed = agentmem("token", "list", *data, "--json")
    assert [(one["name"], one["agents"], one["about"]) for one in listed.json["tokens"]] == [
        ("phone", {"ada": ["read", "talk"]}, "李雷")
    ]
    assert secret not in listed.out
    held = [path for path in tmp_path.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]
    assert held == []
    assert agentmem("token", "revoke", "phone", *data).code == 0
    assert agentmem("token", "list", *data, "--json").json == {"tokens": []}


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--agent", "ada"),
        ("--agent", "ada=fly"),
        ("--owner", "--agent", "ada=read"),
        ("--owner", "--expires", "1y"),
    ],
)
def test_a_token_that_is_not_asked_for_well_is_not_made(options: tuple[str, ...], tmp_path: Path) -> None:
    refused = agentmem("token", "create", "phone", *options, "--data", tmp_path, "--json")
    assert refused.code == 2
    assert len(refused.err.splitlines()) == 1
    assert agentmem("token", "list", "--data", tmp_path, "--json").json == {"tokens": []}


async def test_a_bearer_is_who_his_token_says_until_it_ends(tmp_path: Path) -> None:
    clock = ManualClock(LATER)
    async with spine(tmp_path, clock=clock) as app:
        made = await app.tokens.create("phone", {AGENT: (Grant.READ,)}, lifetime=timedelta(hours=1))
        assert made.secret not in repr(made)
        bearer = await app.tokens.bearer(made.secret)
        assert bearer == made.token
        reading = app.for_principal(bearer.principal)
        assert await reading.memories(Selection(Scope(TENANT, AGENT))) is not None
        assert await app.tokens.end_revoked([bearer]) == []
        clock.advance(timedelta(hours=1))
        assert await app.tokens.end_revoked([bearer]) == [bearer]
        for call in (app.tokens.bearer(made.secret), reading.memories(Selection(Scope(TENANT, AGENT)))):
            with pytest.raises(NotFound):
                await call


@pytest.mark.parametrize(
    ("lifetime", "taken"),
    [(timedelta(0), False), (timedelta.resolution, True), (MAX_SPAN, True), (MAX_SPAN + timedelta.resolution, False)],
)
async def test_a_token_lasts_longer_than_nothing_and_at_most_a_hundred_years(
    tmp_path: Path, lifetime: timedelta, *, taken: bool
) -> None:
    async with spine(tmp_path) as app:
        with nullcontext() if taken else pytest.raises(InvalidInput, match="lifetime"):
            await app.tokens.create("phone", {}, for_owner=True, lifetime=lifetime)
        assert len(await app.tokens.all()) == taken


async def test_a_revoked_token_opens_nothing_though_another_has_its_name(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        first = await app.tokens.create("phone", {}, for_owner=True)
        await app.tokens.revoke("phone")
        second = await app.tokens.create("phone", {}, for_owner=True)
        with pytest.raises(NotFound):
            await app.tokens.bearer(first.secret)
        with pytest.raises(NotFound):
            await app.for_principal(first.token.principal).upkeep.depth()
        await app.for_principal((await app.tokens.bearer(second.secret)).principal).upkeep.depth()


async def test_the_tokens_of_a_tenant_are_its_own(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await app.tokens.create("phone", {}, for_owner=True)
        elsewhere = app.for_principal(Principal.owner("globex"))
        assert await elsewhere.tokens.all() == []
        with pytest.raises(NotFound):
            await elsewhere.tokens.revoke("phone")
