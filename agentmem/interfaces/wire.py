"""What entrances answer, as plain data: the same words for the command line, HTTP and MCP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from agentmem.agents.bundle.importing import Imported
    from agentmem.agents.copying.hire import Hired, HirePreview
    from agentmem.agents.talk.forget_in_talk import Forgetting
    from agentmem.answers.answer import AskReply
    from agentmem.domain.change import Change, LedgerEntry
    from agentmem.domain.memory import MemoryNode
    from agentmem.graph.export import Drawing
    from agentmem.ledger.listing import Page
    from agentmem.ports.ledger import RunSummary
    from agentmem.ports.work_queue import DeadLetter, Depth
    from agentmem.retrieval.context import Context
    from agentmem.retrieval.query import Recalled, Words
    from agentmem.runtime.facade.forget_requests import Forgotten
    from agentmem.runtime.facade.graphs import Community
    from agentmem.runtime.facade.reflections import ReflectionPreview, ReflectionReport

Data = dict[str, object]

CONTEXT_HITS: Final = 40
"""Memories recalled for a block; the budget decides how many of them are shown."""

MAX_SAMPLES: Final = 5
"""Memories of each layer that a hire shows."""


def recalled_data(found: Recalled, spoken: Mapping[str, Sequence[Words]]) -> Data:
    """Hits, best first, each with the words it rests on."""
    hits = [
        {
            "memory": hit.memory.model_dump(mode="json"),
            "score": hit.score,
            "signals": hit.signals,
            "stage": hit.stage,
            "words": [said_data(part) for part in spoken[hit.memory.memory_id]],
        }
        for hit in found.hits
    ]
    return {"hits": hits, "abstained": found.abstained, "confidence": round(found.confidence, 4)}


def context_data(block: Context, budget: int) -> Data:
    """A block for a prompt, and line by line what it was made of."""
    return {
        "text": block.text,
        "tokens": block.tokens,
        "budget": budget,
        "lines": [{"text": line.text, "memoryIds": line.memory_ids, "section": line.section} for line in block.lines],
        "leftOut": block.left_out,
        "abstained": block.abstained,
    }


def reply_data(reply: AskReply, choices: Sequence[str] = ()) -> Data:
    """An answer with its sources and the way to it; with `choices`, which of them is right."""
    return {
        "question": reply.question,
        "mode": reply.mode,
        "answer": reply.text,
        "extractive": reply.extractive,
        "confidence": round(reply.confidence, 4),
        "askedAt": reply.asked_at.isoformat(),
        "sources": [
            {
                "number": source.number,
                "memory": source.memory.model_dump(mode="json"),
                "words": [said_data(part) for part in source.words],
            }
            for source in reply.sources
        ],
        "trace": [
            {
                "kind": step.kind,
                "given": step.given,
                "memoryIds": step.memory_ids,
                "numbers": step.numbers,
                "note": step.note,
            }
            for step in reply.trace
        ],
        "graph": reply.graph,
        "usage": reply.usage.model_dump(mode="json"),
        **({"choice": reply.choice} if choices else {}),
    }


def page_data(page: Page) -> Data:
    """Memories, newest first, and what the next page begins after."""
    return {"memories": [node.model_dump(mode="json") for node in page.memories], "next": page.next}


def memory_data(node: MemoryNode, sources: Mapping[str, MemoryNode]) -> Data:
    """One memory with the words it rests on, as far as their turns are among `sources`; none for what a title tells."""
    from agentmem.domain.episode import title_told

    evidence = [
        {
            "memoryId": item.memory_id,
            "start": item.start,
            "end": item.end,
            "words": sources[item.memory_id].content[item.start : item.end],
            "speaker": sources[item.memory_id].speaker,
            "validAt": sources[item.memory_id].valid_at.isoformat(),
        }
        for item in (node.evidence if title_told(node) is None else ())
        if item.memory_id in sources
    ]
    return {
        "memory": node.model_dump(mode="json"),
        "evidence": evidence,
        "sources": [sources[key].model_dump(mode="json") for key in node.source_ids if key in sources],
    }


def history_data(entries: Sequence[LedgerEntry]) -> Data:
    """Every change of a memory, oldest first."""
    return {"history": [entry.model_dump(mode="json") for entry in entries]}


def forgotten_data(told: Forgotten, *, dry_run: bool) -> Data:
    """What was forgotten, or would be: ids, and contents only of what is still there to be looked at."""
    looked = dry_run or told.run is None

    def entry(node: MemoryNode, after: MemoryNode | None = None) -> Data:
        content = {"content": node.content} if looked or told.erased is None else {}
        return {
            "memoryId": node.memory_id,
            "memoryType": node.memory_type.value,
            "targetId": node.target_id,
            **content,
            **({"becomes": after.content} if after is not None else {}),
        }

    return {
        "run": told.run,
        "done": told.run is not None,
        "erased": told.erased is not None,
        "forgotten": [entry(node) for node in told.gone],
        "edited": [entry(before, after) for before, after in told.edited],
        "receipt": None if told.receipt is None else str(told.receipt),
        "left": list(told.left),
        "copies": [{"tenant": tenant, "agentId": agent, "memories": count} for tenant, agent, count in told.copies],
        **({} if told.erased is None else {"leftIn": list(told.erased.left_in)}),
    }


def change_data(change: Change) -> Data:
    """What becomes of one memory, and why."""
    return {
        "act": change.act,
        "memoryId": change.memory_id,
        "reason": change.reason,
        "before": None if change.before is None else change.before.model_dump(mode="json"),
        "after": None if change.after is None else change.after.model_dump(mode="json"),
    }


def forgettings_data(done: Sequence[Forgetting]) -> list[Data]:
    """What became of each thing that a person asked in a turn to be forgotten."""
    return [
        {
            "run": each.run,
            "memoryIds": list(each.memory_ids),
            "candidates": [{"memoryId": one.memory_id, "content": one.content} for one in each.candidates],
        }
        for each in done
    ]


def depth_data(depth: Depth) -> dict[str, int]:
    """How much work waits."""
    return {"ready": depth.ready, "delayed": depth.delayed, "leased": depth.leased, "dead": depth.dead}


def dead_letter_data(letter: DeadLetter) -> Data:
    """A job that was given up, and why."""
    return {
        "jobId": letter.job_id,
        "worker": letter.worker,
        "tenant": letter.lane.tenant,
        "agentId": letter.lane.agent,
        "targetId": letter.lane.target,
        "eventIds": list(letter.event_ids),
        "memoryId": letter.memory_id,
        "attempts": letter.attempts,
        "reason": letter.reason,
        "diedAt": letter.died_at.isoformat(),
    }


def said_data(part: Words) -> Data:
    """Words that were said: when, and by whom."""
    return {"memoryId": part.memory_id, "speaker": part.speaker, "at": part.at.isoformat(), "text": part.text}


def hire_data(seen: HirePreview) -> Data:
    """What would come along, and what would stay and why."""
    layers: dict[str, list[str]] = {}
    for node in seen.memories:
        layers.setdefault(node.memory_type.value, []).append(node.content)
    return {
        "persona": seen.persona.model_dump(mode="json"),
        "contract": seen.contract.model_dump(mode="json"),
        "goes": {layer: len(contents) for layer, contents in layers.items()},
        "samples": {layer: contents[:MAX_SAMPLES] for layer, contents in layers.items()},
        "stays": {reason.name.lower(): count for reason, count in seen.stays.items()},
        "leftBehind": list(seen.left_behind),
    }


def hired_data(hired: Hired) -> Data:
    """What came along; of an agent that was hired before, only since when."""
    seen = {} if hired.prospect is None else hire_data(hired.prospect)
    return {"new": hired.prospect is not None, "lineage": hired.lineage.model_dump(mode="json"), **seen}


def imported_data(done: Imported) -> Data:
    """Who came out of a file, and what was left behind in it."""
    return {
        "agent": done.persona.model_dump(mode="json"),
        "format": done.format,
        "memories": done.memories,
        "trusted": done.trusted,
        "dropped": [
            {"what": what, "count": count, "names": done.names.get(what, [])} for what, count in done.dropped.items()
        ],
    }


def reflected_data(reports: Sequence[ReflectionReport]) -> list[Data]:
    """The runs of a reflection: how many changes each made, by act."""
    return [{"run": each.run, "targetId": each.target, "acts": dict(each.acts)} for each in reports]


def previewed_data(previews: Sequence[ReflectionPreview]) -> list[Data]:
    """What a reflection would change."""
    return [{"targetId": each.target, **change_data(change)} for each in previews for change in each.changes]


def run_data(run: RunSummary) -> Data:
    """A run of the past."""
    return {"run": run.run, "at": run.at.isoformat(), "targetIds": list(run.targets), "acts": run.acts}


def communities_data(communities: Sequence[Community]) -> list[Data]:
    """Who and what belong together, and what is said of each community."""
    return [
        {
            "id": community.node.memory_id,
            "name": community.node.value,
            "members": list(community.members),
            "summary": community.node.content,
            "sources": list(community.node.source_ids),
        }
        for community in communities
    ]


def drawing_data(drawn: Drawing) -> Data:
    """A graph: entities, and memories that link them."""
    return {
        "entities": [{"id": each.entity, "kind": each.kind, "names": list(each.names)} for each in drawn.vertices],
        "links": [
            {
                "memoryId": edge.memory_id,
                "source": edge.source,
                "target": edge.target,
                "relation": edge.relation,
                "content": edge.content,
                "validAt": edge.since.isoformat(),
                "invalidAt": None if edge.until is None else edge.until.isoformat(),
            }
            for edge in drawn.edges
        ],
        "more": drawn.more,
    }


def document_data(record: MemoryNode) -> Data:
    """A document, by the record that is kept of it."""
    known = record.meta_data
    pieces, facts = (known.get(name) for name in ("pieces", "facts"))
    return {
        "id": record.memory_id,
        "agentId": record.agent_id,
        "name": known.get("assetId"),
        "title": record.content,
        "version": known.get("assetVersion"),
        "at": record.valid_at.isoformat(),
        "trust": record.trust.value,
        "pieces": len(pieces) if isinstance(pieces, list) else 0,
        "facts": len(facts) if isinstance(facts, list) else 0,
    }
