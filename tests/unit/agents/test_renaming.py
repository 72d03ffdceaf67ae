"""A memory of one agent as another's: the same in words and times, its own in ids and owner."""

from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from agentmem.adapters.journal.writable import node_body, read_wire, wire_body
from agentmem.agents.copying.renaming import Renaming, wire_of
from agentmem.domain.ids import derived_id, entity_id
from agentmem.domain.lineage import Lineage, copied_id, origin_of
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.memory.relation import JUDGED, judged_before
from agentmem.ports.agent_records import CopiedRow
from tests.support.nodes import AGENT, NOON, TARGET, TENANT, a_memory

COPY = Lineage(kind="clone", source_tenant=TENANT, source_agent=AGENT, tenant=TENANT, agent_id="twin", began_at=NOON)
TO = Renaming.of(COPY, "小丽", source_name="小美", about=["罗小东", "王芳"])
CITY = derived_id("a thing")
FULL = a_memory(
    "罗小东住在巴黎",
    memory_type=MemoryType.INSIGHT,
    entity_ids=(TARGET, entity_id(TENANT, AGENT, "王芳"), CITY),
    source_ids=(derived_id("s", 1), derived_id("s", 2)),
    depends_on=(derived_id("d"),),
    supersedes=(derived_id("u"),),
    superseded_by=derived_id("v"),
    conflicts_with=(derived_id("c"),),
    needs_review=(derived_id("r"),),
    evidence=({"memoryId": derived_id("s", 1), "start": 0, "end": 3},),
    meta_data={"title": "软件工程师", "history": ["伦敦"]},
)


def mine(*parts: str | int) -> str:
    return copied_id(TENANT, "twin", derived_id(*parts))


def test_every_link_leads_to_the_copy_s_own() -> None:
    node = TO.node(FULL)
    assert node.memory_id == copied_id(TENANT, "twin", FULL.memory_id)
    assert (node.agent_id, node.user_name) == ("twin", "小丽")
    assert node.source_ids == (mine("s", 1), mine("s", 2))
    assert node.depends_on == (mine("d"),)
    assert (node.supersedes, node.superseded_by) == ((mine("u"),), mine("v"))
    assert (node.conflicts_with, node.needs_review) == ((mine("c"),), (mine("r"),))
    assert [part.memory_id for part in node.evidence] == [mine("s", 1)]


def test_whom_it_is_about_is_found_by_name() -> None:
    node = TO.node(FULL)
    assert node.target_id == entity_id(TENANT, "twin", "罗小东")
    known, also, thing = node.entity_ids
    assert (known, also) == (node.target_id, entity_id(TENANT, "twin", "王芳"))
    assert thing not in (CITY, *FULL.entity_ids)
    elsewhere = a_memory("er", target_id=CITY, target_name="罗小东")
    assert TO.node(elsewhere).target_id == thing
    unheard = a_memory("er", target_id=entity_id(TENANT, AGENT, "赵敏"), target_name="赵敏")
    assert TO.node(unheard).target_id == entity_id(TENANT, "twin", "赵敏")


def test_what_is_about_the_agent_itself_is_about_the_copy() -> None:
    own = a_memory("小美卖软件", target_id=entity_id(TENANT, AGENT, "小美"), target_name="小美", speaker="小美")
    node = TO.node(own)
    assert (node.target_id, node.target_name) == (entity_id(TENANT, "twin", "小丽"), "小丽")
    assert node.speaker == "小丽"
    assert node.content == "小美卖软件"


def test_where_it_comes_from_is_told() -> None:
    node = TO.node(FULL)
    origin = {"agent": AGENT, "memoryId": FULL.memory_id, "tenant": TENANT}
    assert node.meta_data == {"title": "软件工程师", "history": ["伦敦"], "lineage": origin}
    assert origin_of(node) == FULL.memory_id
    elsewhere = Renaming.of(COPY.revised(tenant="other"), "小丽", source_name="小美", about=[]).node(FULL)
    assert elsewhere.meta_data["lineage"] == {"agent": AGENT, "memoryId": FULL.memory_id}
    assert origin_of(FULL) is None
    assert origin_of(a_memory("forged", meta_data={"lineage": {"memoryId": "none of ours"}})) is None


def test_everything_else_stays() -> None:
    changed = {
        *("memory_id", "agent_id", "user_name", "target_id", "entity_ids", "source_ids", "depends_on", "supersedes"),
        *("superseded_by", "conflicts_with", "needs_review", "evidence", "meta_data"),
    }
    kept = set(MemoryNode.model_fields) - changed
    assert TO.node(FULL).model_dump(include=kept) == FULL.model_dump(include=kept)


def test_an_undo_names_the_copy_s_own_run() -> None:
    row = CopiedRow(
        7, FULL.memory_id, TARGET, "undo-run", "undo", NOON.isoformat(), "undo", "takes back window-1", None
    )
    renamed = TO.row(row)
    assert renamed.run == TO.run("undo-run") != "undo-run"
    assert renamed.reason == f"takes back {TO.run('window-1')}"
    assert (renamed.target_id, renamed.at, renamed.seq) == (entity_id(TENANT, "twin", "罗小东"), row.at, 7)


WRITTEN = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
FINITE = st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | FINITE | WRITTEN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WRITTEN, inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=60, deadline=None)
@given(
    text=WRITTEN.filter(bool),
    meta=st.dictionaries(WRITTEN, JSON, max_size=3),
    place=st.none() | st.tuples(st.floats(-90, 90), st.floats(-180, 180)),
    hours=st.none() | st.integers(0, 99),
)
def test_renaming_what_is_stored_is_storing_what_is_renamed(
    text: str, meta: dict[str, object], place: tuple[float, float] | None, hours: int | None
) -> None:
    node = FULL.revised(
        content=text,
        meta_data=meta,
        latitude=place and place[0],
        longitude=place and place[1],
        invalid_at=None if hours is None else NOON + timedelta(hours=hours),
    )
    body = node_body(node)
    assert wire_body(wire_of(node), "it") == body
    assert wire_body(TO.wire(read_wire(body)), "it") == node_body(TO.node(node))


def test_what_was_told_apart_is_told_apart_in_the_copy_too() -> None:
    node = a_memory("他要分体空调", meta_data={JUDGED: [derived_id("one"), derived_id("other")]})
    assert judged_before(TO.node(node)) == [mine("one"), mine("other")]
