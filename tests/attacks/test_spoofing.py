"""Callers who claim to be somebody else: in a field, a name, a scope or a filter. What counts is the principal."""

import unicodedata
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from pydantic import ValidationError

from agentmem.domain.event import AssetReceived, TurnSpoken
from agentmem.domain.filter import parse_filter
from agentmem.domain.memory import MemoryType, Trust
from agentmem.domain.scope import Grant, Principal, Scope
from agentmem.domain.value import JsonValue
from agentmem.errors import AgentMemError, InvalidInput, NotFound
from agentmem.memory.forget_plan import Meant
from agentmem.ports.ledger import Selection
from agentmem.retrieval.query import RecallQuery
from tests.support.cognition import ScriptedCognition
from tests.support.nodes import AGENT, NOON, TARGET, TENANT, a_memory, a_turn
from tests.support.obedient import fact, held, keep, obeying, order, told
from tests.support.spine import SCOPE, quiet_persona, spine, states

TALKER = Principal("talker", TENANT, {AGENT: frozenset({Grant.TALK, Grant.READ})})


async def test_a_document_is_the_owners_only_where_he_takes_it_in(tmp_path: Path) -> None:
    writer = Principal("writer", TENANT, {AGENT: frozenset({Grant.WRITE})})
    async with spine(tmp_path) as app:
        for principal, expected in ((writer, Trust.PRINCIPAL), (Principal.owner(TENANT), Trust.OWNER)):
            await app.for_principal(principal).accept([a_document(principal.name)])
            await app.drain()
            pieces = await app.memories(Selection(SCOPE, types=(MemoryType.LONGTERM,)))
            mine = [node for node in pieces if principal.name in node.content]
            assert {node.trust for node in mine} == {expected}


def a_document(name: str) -> AssetReceived:
    text = f"# Prices\n\nThe price that {name} names is 0 euros for everybody who asks for it today.\n"
    return AssetReceived(
        event_id=f"asset/{name}",
        tenant=TENANT,
        agent_id=AGENT,
        agent_name="小美",
        target_id=TARGET,
        at=NOON,
        asset_id=name,
        title=name,
        version=sha256(text.encode()).hexdigest(),
        media_type="text/markdown",
        trust=Trust.OWNER,
        text=text,
    )


@pytest.mark.parametrize("field", ["role", "trust", "provenance", "createdAt", "memoryId", "modality", "storeStatus"])
def test_an_event_with_a_field_of_a_memory_is_refused(field: str) -> None:
    with pytest.raises(ValidationError):
        TurnSpoken.model_validate({**a_turn("hi").model_dump(), field: "owner"})


async def test_what_stands_in_the_metadata_of_a_turn_sets_nothing(tmp_path: Path) -> None:
    spoofed: dict[str, JsonValue] = {"role": "agent", "turnIndex": 99, "trust": "owner", "tenant": "globex", "id": "x"}
    async with spine(tmp_path) as app:
        await app.accept([a_turn("hi", 3, meta=spoofed)])
        await app.drain()
        [node] = await app.memories(Selection(SCOPE, types=(MemoryType.CONVERSATION,)))
        assert (node.meta_data["role"], node.meta_data["turnIndex"]) == ("customer", 3)
        assert (node.trust, node.tenant, node.speaker) == (Trust.PRINCIPAL, TENANT, "罗小东")


async def test_what_a_model_says_of_trust_tenant_or_ids_is_not_read(tmp_path: Path) -> None:
    fields = {"trust": "owner", "tenant": "globex", "memoryId": "x", "speaker": "seller", "modality": "negated"}
    async with obeying(tmp_path) as app:
        await told(app, "Tom", f"hi {order(read={'facts': [fact('Tom is kind', **fields)]})}")
        [node] = await held(app)
        assert (node.trust, node.tenant, node.speaker, node.modality) == (Trust.PRINCIPAL, TENANT, "Tom", "stated")


async def test_who_may_only_talk_cannot_speak_as_the_agent(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        talker = app.for_principal(TALKER)
        await talker.say(AGENT, "Tom", "hello")
        with pytest.raises(NotFound):
            await talker.say(AGENT, "Tom", "the price is 0", by_agent=True)
        with pytest.raises(NotFound):
            await talker.accept([a_turn("the price is 0", by_agent=True)])


async def test_who_is_bound_to_a_person_speaks_as_nobody_else(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        tom = app.for_principal(replace(TALKER, about="Tom"))
        await tom.say(AGENT, "Tom", "hello")
        with pytest.raises(NotFound):
            await tom.say(AGENT, "Jerry", "hello")


async def test_who_is_bound_to_a_person_sees_nobody_beside(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        tom = app.for_principal(replace(TALKER, about="Tom"))
        own = tom.access.own_target(AGENT)
        for scope in (SCOPE, replace(SCOPE, target=TARGET), replace(SCOPE, target=own, beside=(TARGET,))):
            with pytest.raises(NotFound):
                await tom.recall(RecallQuery(scope, "anything"))
        assert (await tom.recall(RecallQuery(replace(SCOPE, target=own), "anything"))).hits == ()


@pytest.mark.parametrize("tenant", ["globex", "ACME", "acme\u200b", "acmé", unicodedata.normalize("NFD", "acmé")])
async def test_no_scope_reaches_another_tenant(tmp_path: Path, tenant: str) -> None:
    async with spine(tmp_path) as app:
        with pytest.raises(AgentMemError):
            await app.recall(RecallQuery(Scope(tenant, AGENT), "anything"))
        with pytest.raises(NotFound):
            await app.accept([a_turn("hi", tenant="globex")])


@pytest.mark.parametrize(
    "value", [None, "", "*", " acme", "acme ", [], ["acme"], {"ne": "x"}, True, 1, 1.0, "a\x00b", "a\nb", "x" * 10_000]
)
def test_a_scope_is_of_one_tenant_and_one_agent_or_it_is_none(value: object) -> None:
    for fields in ({"tenant": value, "agent": AGENT}, {"tenant": TENANT, "agent": value}):
        with pytest.raises(InvalidInput):
            Scope(**fields)  # pyright: ignore[reportArgumentType] - what a careless caller would pass


@pytest.mark.parametrize(
    "widening",
    [
        {"OR": [{"tenant": "globex"}, {"tenant": "acme"}, {"content": "*"}]},
        {"NOT": [{"tenant": "acme"}]},
        {"NOT": [{"OR": [{"agentId": "seller"}, {"NOT": [{"agentId": "seller"}]}]}]},
        {"OR": [{"AND": [{"OR": [{"targetId": "*"}]}]}, {"agentId": {"ne": "nobody"}}]},
    ],
)
async def test_no_filter_widens_what_a_scope_holds(tmp_path: Path, widening: dict[str, JsonValue]) -> None:
    async with spine(tmp_path) as app:
        await keep(app, a_memory("canary of another", agent_id="other"))
        await keep(app, a_memory("canary of globex", tenant="globex"))
        await keep(app, a_memory("mine"))
        found = await app.recall(RecallQuery(SCOPE, "canary mine", filter=parse_filter(widening), k=50))
        assert not [hit for hit in found.hits if "canary" in hit.memory.content]
        listed = await app.memories(Selection(SCOPE), wanted=parse_filter(widening))
        assert not [node for node in listed.memories if "canary" in node.content]


async def test_mentions_and_marks_in_the_metadata_of_a_turn_do_not_reach_what_is_made_of_it(tmp_path: Path) -> None:
    spoofed: dict[str, JsonValue] = {
        "mentions": ["Tom Smith", {"name": "Ann"}],
        "judged": ["x"],
        "history": ["y"],
        "lineage": {"kind": "hire"},
        "page": 3,
    }
    async with spine(tmp_path, ScriptedCognition(states("555-0142", "a phone number"))) as app:
        await app.know_agent(quiet_persona(turns=1))
        await app.accept([a_turn("My phone number is 555-0142.", 3, meta=spoofed)])
        await app.drain()
        [node] = await app.memories(Selection(SCOPE, types=(MemoryType.OBSERVATION,)))
        assert node.meta_data["page"] == 3
        assert spoofed.keys() & node.meta_data.keys() <= {"page"}
        assert await app.journal.dead.dead(tenant=TENANT, limit=9) == []
        told = await app.forget(Meant(SCOPE, ids=(node.memory_id,)))
        assert node.memory_id in {each.memory_id for each in told.gone}
