"""Tokens are found by their digest until they are removed, and no backup brings one back."""

from datetime import timedelta
from pathlib import Path

import pytest

from agentmem.adapters.journal import SqlJournal
from agentmem.domain.access_token import MAX_SECRET, AccessToken, digest_of, new_secret
from agentmem.domain.ids import derived_id
from agentmem.domain.scope import Grant
from agentmem.errors import Conflict, InvalidInput, NotFound
from tests.support.journals import Place
from tests.support.nodes import AGENT, NOON, TENANT


def token(name: str = "phone", tenant: str = TENANT) -> AccessToken:
    return AccessToken(
        token_id=derived_id(tenant, name), name=name, tenant=tenant, agents={AGENT: (Grant.READ,)}, created_at=NOON
    )


async def test_a_token_is_found_by_its_digest_alone(journal: SqlJournal) -> None:
    mine, theirs = new_secret(), new_secret()
    await journal.tokens.add(token(), digest_of(mine))
    await journal.tokens.add(token(tenant="globex"), digest_of(theirs))
    found = await journal.tokens.held([digest_of(mine), digest_of(new_secret())])
    assert found == {digest_of(mine): token()}
    assert await journal.tokens.all(TENANT) == [token()]


async def test_a_removed_token_opens_nothing_and_its_name_is_free(journal: SqlJournal) -> None:
    secret = new_secret()
    await journal.tokens.add(token(), digest_of(secret))
    with pytest.raises(Conflict, match="phone"):
        await journal.tokens.add(token(), digest_of(new_secret()))
    await journal.tokens.remove(TENANT, "phone")
    assert await journal.tokens.held([digest_of(secret)]) == {}
    with pytest.raises(NotFound):
        await journal.tokens.remove(TENANT, "phone")
    await journal.tokens.add(token(), digest_of(new_secret()))


async def test_nobody_removes_the_token_of_another_tenant(journal: SqlJournal) -> None:
    await journal.tokens.add(token(), digest_of(new_secret()))
    with pytest.raises(NotFound):
        await journal.tokens.remove("globex", "phone")
    assert await journal.tokens.all(TENANT) == [token()]


async def test_a_backup_brings_no_revoked_token_back_and_takes_none_away(place: Place, tmp_path: Path) -> None:
    revoked, kept = new_secret(), new_secret()
    async with place.journal(backups=tmp_path / "backups") as journal:
        await journal.tokens.add(token("revoked"), digest_of(revoked))
        await journal.backups.write(tmp_path / "a.backup", now=NOON)
        await journal.tokens.remove(TENANT, "revoked")
        await journal.tokens.add(token("kept"), digest_of(kept))
        await journal.backups.restore(tmp_path / "a.backup")
        assert await journal.tokens.held([digest_of(revoked), digest_of(kept)]) == {digest_of(kept): token("kept")}


@pytest.mark.parametrize(
    ("field", "value"), [("agents", {}), ("agents", {AGENT: ()}), ("owner", True), ("agents", {AGENT: ("fly",)})]
)
def test_a_token_that_lets_nothing_or_everything_and_something_is_none(field: str, value: object) -> None:
    with pytest.raises(InvalidInput):
        token().revised(**{field: value})


def test_a_token_says_what_it_lets() -> None:
    principal = token().revised(about="Ben").principal
    assert (principal.tenant, principal.about, principal.operator) == (TENANT, "Ben", False)
    assert principal.grants(AGENT) == {Grant.READ}
    assert token().revised(agents={}, owner=True).principal.operator


def test_two_tokens_of_one_name_are_two_principals() -> None:
    assert token().principal.name != token().revised(token_id=derived_id("another")).principal.name


def test_a_token_ends_at_the_moment_it_expires() -> None:
    brief = token().revised(expires_at=NOON + timedelta(hours=1))
    assert brief.is_valid(NOON)
    assert not brief.is_valid(NOON + timedelta(hours=1))


@pytest.mark.parametrize("secret", ["", "x" * (MAX_SECRET + 1), "agm_é"])
def test_what_no_token_can_be_is_refused_before_it_is_looked_for(secret: str) -> None:
    with pytest.raises(InvalidInput):
        digest_of(secret)
    assert digest_of("x" * MAX_SECRET)
