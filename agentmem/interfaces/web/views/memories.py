"""One memory: what it says, why it is believed, what became of it; corrected, forgotten, taken back."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from starlette.responses import RedirectResponse, Response

from agentmem.domain.change import Change, LedgerEntry
from agentmem.domain.episode import title_told
from agentmem.domain.memory import GRAPH, Ending, MemoryNode, MemoryType, Modality
from agentmem.domain.scope import Grant, Scope
from agentmem.errors import Conflict, InvalidInput, NotFound
from agentmem.interfaces.lookup import changed_on
from agentmem.interfaces.web.differences import FieldChange, MarkedPart, field_changes, is_told, marked
from agentmem.interfaces.web.page import FormFault, Page, get, own_path, post, text_of
from agentmem.interfaces.web.question_page import moment_of
from agentmem.interfaces.web.sign_in import Notice
from agentmem.language.lengths import estimated_tokens
from agentmem.ledger.undo import run_taken_back, runs_taken_back
from agentmem.memory.edit import act_of, can_come_back, can_end, is_correction
from agentmem.memory.forget_plan import Meant
from agentmem.retrieval.context import BUDGET, build_context
from agentmem.retrieval.query import Hit, Recalled
from agentmem.runtime.facade.forget_requests import Forgotten

_DRAWN: Final = (Modality.INFERRED, Modality.HYPOTHESIS)
_UNCORRECTED: Final = (*GRAPH, MemoryType.CONVERSATION)
SHOWN: Final = 50
"""Changes, sources, and memories that rest on it, of which a page tells."""


@dataclass(frozen=True, slots=True)
class MarkedSource:
    """What a memory was made from, with the words that it rests on marked, and the `turns` that this rests on."""

    memory: MemoryNode
    parts: Sequence[MarkedPart]
    turns: Sequence["MarkedSource"] = ()


@dataclass(frozen=True, slots=True)
class PastChange:
    """A change with what it did, field by field, whether that was taken back since, and what it took back itself."""

    entry: LedgerEntry
    fields: Sequence[FieldChange]
    undone: bool
    takes_back: LedgerEntry | None


async def memory(page: Page) -> Response:
    """All there is to know about it; of one that is forgotten that it is, for the owner, who can bring it back."""
    node = await _node(page, forgotten=True)
    return await (_forgotten(page, node) if node.is_forgotten else _memory(page, node))


async def _forgotten(page: Page, node: MemoryNode) -> Response:
    history = await page.app.records.history(node.memory_id)
    return page.show(
        "forgotten.html",
        agent=await page.app.records.agent(node.agent_id),
        node=node,
        last=history[-1],
    )


async def _memory(
    page: Page,
    node: MemoryNode,
    told: Forgotten | None = None,
    *,
    erase: bool = False,
    fault: FormFault | None = None,
) -> Response:
    app, scope = page.app, Scope(page.app.tenant, node.agent_id, node.target_id)
    live = await page.live(f"/agents/{node.agent_id}/live", replace(scope, target=app.access.own_target(node.agent_id)))
    near = await app.records.get(_named(node))
    history = await app.records.history(node.memory_id)
    resting = (await app.records.inspecting.resting_on([node.memory_id])).get(node.memory_id, ())
    undone = runs_taken_back(history)
    return page.show(
        "memory.html",
        200 if fault is None else fault.status,
        fault=fault,
        agent=await app.records.agent(node.agent_id),
        live=live,
        node=node,
        is_known=node.memory_type not in GRAPH,
        is_drawn=_is_drawn(node),
        title=title_told(node),
        sources=await _sources(page, node, near),
        in_prompt=await _in_prompt(page, node),
        corrected=next((each for each in history[::-1] if is_correction(each.change) and each.run not in undone), None),
        today=app.clock.now(),
        hidden=len({*node.source_ids} - near.keys()),
        replaces=_there(node.supersedes, near),
        successor=near.get(node.superseded_by or ""),
        conflicts=_there(node.conflicts_with, near),
        doubts=_there(node.needs_review or (), near),
        resting=resting[:SHOWN],
        more_resting=max(0, len(resting) - SHOWN),
        history=_past_changes(page, history, undone),
        ended_by=await _ended_by(page, node, history),
        sizes=await app.records.inspecting.changed_by({entry.run for entry in history[-SHOWN:]}),
        act=act_of,
        successors=await successors(page, [entry.change for entry in history]),
        may_write=app.access.may(Grant.WRITE, scope),
        may_come_back=can_come_back(node),
        may_correct=node.is_valid(app.clock.now()) and node.memory_type not in _UNCORRECTED,
        may_end=can_end(node),
        told=told,
        erase=erase,
    )


async def _ended_by(page: Page, node: MemoryNode, history: Sequence[LedgerEntry]) -> list[MarkedSource]:
    """The words that brought the memory to an end: those of what took its place, or the turn that called it over."""
    if node.ending is None or node.is_forgotten:
        return []
    if node.superseded_by is not None:
        after = (await page.app.records.get([node.superseded_by])).get(node.superseded_by)
        said = {} if after is None else await page.app.records.get(_named(after))
        return [] if after is None else [each for each in _marked_sources(after, said) if _is_turn(each.memory)]
    ends = (entry for entry in history[::-1] if entry.change.act in ("end", "retire"))
    if (entry := next(ends, None)) is None:
        return []
    turns = await page.app.records.inspecting.ended_by(node.memory_id, entry.run)
    return [MarkedSource(turn, marked(turn.content, [])) for turn in turns]


def _is_turn(node: MemoryNode) -> bool:
    return node.memory_type is MemoryType.CONVERSATION


def _past_changes(page: Page, history: Sequence[LedgerEntry], undone: Collection[str]) -> list[PastChange]:
    """The last changes, the latest first."""
    of_run = {entry.run: entry for entry in history}
    return [
        PastChange(
            entry,
            field_changes(entry.change, page.words, page.zone),
            entry.run in undone,
            of_run.get(run_taken_back(entry.change) or ""),
        )
        for entry in history[-SHOWN:][::-1]
    ]


async def successors(page: Page, changes: Iterable[Change]) -> Mapping[str, MemoryNode]:
    """By id what took the place of a memory by these changes, as far as it is still there to be looked at."""
    after = (change.after for change in changes)
    return await page.app.records.get({node.superseded_by for node in after if node and node.superseded_by})


async def edited(page: Page) -> Response:
    """Other words, by hand: it was wrong all along, or has changed, and then a memory of its own says since when."""
    form = await page.form()
    node = await _node(page)
    try:
        if text_of(form, "revision") != str(node.revision):
            raise Conflict("the memory has changed since the page was loaded")
        since = _since(page, node, text_of(form, "since")) if text_of(form, "how") == "changed" else None
        now = await page.app.editing.edit(node.memory_id, text_of(form, "content"), since=since)
    except (InvalidInput, Conflict) as error:
        return await _memory(page, node, fault=page.fault("edit", ("content", "since", "how"), form, error))
    history = await page.app.records.history(now.memory_id)
    word = "memory.edited" if since is None else "memory.replaced"
    return page.go(f"/memories/{now.memory_id}", Notice(word, {}, history[-1].run, "memory.undo_edit"))


async def ended(page: Page) -> Response:
    """What a memory says is true no more, since a day or since now."""
    form = await page.form()
    node, day = await _node(page), text_of(form, "since")
    try:
        await page.app.editing.end(node.memory_id, since=_since(page, node, day) if day else None)
    except InvalidInput as error:
        return await _memory(page, node, fault=page.fault("end", ("since",), form, error))
    history = await page.app.records.history(node.memory_id)
    return page.go(f"/memories/{node.memory_id}", Notice("memory.is_over", {}, history[-1].run, "memory.undo_end"))


async def brought_back(page: Page) -> Response:
    """A memory that has ended holds again, it alone; what was read along with its ending stays."""
    await page.form()
    node = await page.app.editing.bring_back((await _node(page)).memory_id)
    history = await page.app.records.history(node.memory_id)
    return page.go(f"/memories/{node.memory_id}", Notice("memory.brought_back", {}, history[-1].run))


async def settled(page: Page) -> Response:
    """A dispute is decided: this memory is right or the other, or they have nothing to do with each other."""
    form = await page.form()
    node, other, how = await _node(page), text_of(form, "other"), text_of(form, "how")
    if how not in ("apart", "right", "wrong"):
        raise InvalidInput("how: must say what is right")
    wrong = {"right": other, "wrong": node.memory_id}.get(how)
    await page.app.editing.settle(node.memory_id, other, wrong=wrong)
    history = await page.app.records.history(node.memory_id)
    return page.go(f"/memories/{node.memory_id}", Notice("memory.settled", {}, history[-1].run))


def _since(page: Page, node: MemoryNode, day: str) -> datetime:
    """When the memory changed, by a day of the reader; now, where no day is named. Raises `InvalidInput`."""
    now = page.app.clock.now().astimezone(page.zone)
    try:
        chosen = changed_on(day, node.valid_at, now, page.app.settings.zone) or moment_of(day, page.app)
    except InvalidInput as error:
        raise InvalidInput(f"since: {error}") from error
    return chosen or now


async def forgotten(page: Page) -> Response:
    """First what would go along, then it is forgotten; erased for good where that is asked for."""
    form = await page.form()
    node, erase = await _node(page), bool(form.get("erase"))
    own = page.app.access.own_target(node.agent_id)
    meant = Meant(Scope(page.app.tenant, node.agent_id, own), (node.memory_id,))
    done = text_of(form, "step") == "done"
    told = await page.app.forget(meant, erase=erase, dry_run=not done)
    if not done:
        return await _memory(page, node, told, erase=erase)
    word = "memory.erased" if erase else "memory.forgotten"
    counts = {"count": len(told.gone), "changed": len(told.edited)}
    notice = Notice(word, counts, None if erase else told.run, "memory.undo_forget")
    stays = page.app.access.principal.operator and not erase
    return page.go(f"/memories/{node.memory_id}" if stays else f"/agents/{node.agent_id}", notice)


async def undone(page: Page) -> Response:
    """A run taken back, or what was undone done again; where later runs changed the same, that is told first."""
    form = await page.form()
    run = text_of(form, "run")
    entries = (await page.app.records.of_run(run)).entries
    redone = await _redoes(page, entries)
    report = await page.app.undo(run, cascade=bool(form.get("cascade")))
    back = await _still_there(page, own_path(text_of(form, "back")), entries)
    if report.run is None and report.blocked:
        blocked = _there(report.blocked[:SHOWN], await page.app.records.get(report.blocked[:SHOWN]))
        before = {entry.memory_id: entry.change.before for entry in reversed(entries)}
        told = [(node, before.get(node.memory_id)) for node in blocked]
        return page.show("undo.html", 409, run=run, back=back, blocked=told, count=len(report.blocked))
    if report.run is None:
        return page.go(back, Notice("memory.redone_before" if redone else "memory.undone_before"))
    count = _memories_told_of((*entries, *(await page.app.records.of_run(report.run)).entries))
    word, undoes = ("memory.redone", "base.undo") if redone else ("memory.undone", "memory.undo_undo")
    return page.go(back, Notice(word, {"count": count}, report.run, undoes))


async def _still_there(page: Page, back: str, entries: Sequence[LedgerEntry]) -> str:
    """This path, or where it leads to a memory that is gone with the run that had added it, that of the earlier memory
    that the run had replaced by it; where none was, that of the agent."""
    told = {f"/memories/{entry.memory_id}": entry.change.states[-1] for entry in entries}
    if (node := told.get(back)) is None or await page.app.records.get([node.memory_id], forgotten=True):
        return back
    earlier = await page.app.records.get(node.supersedes)
    return next((f"/memories/{key}" for key in node.supersedes if key in earlier), f"/agents/{node.agent_id}")


async def _redoes(page: Page, entries: Sequence[LedgerEntry]) -> bool:
    """Whether to take this run back is to do again what was undone."""
    redone = False
    while (taken := next(filter(None, (run_taken_back(entry.change) for entry in entries)), None)) is not None:
        redone, entries = not redone, (await page.app.records.of_run(taken)).entries
    return redone


def _memories_told_of(entries: Sequence[LedgerEntry]) -> int:
    """Of how many memories these changes tell anything. They are of a run and of the one that took it back: what a run
    added is gone after the second, what it removed was gone before."""
    told = {entry.memory_id: entry.change.states[-1] for entry in entries if is_told(entry.change)}
    return sum(node.memory_type not in GRAPH and node.ending is not Ending.RECORD for node in told.values())


async def _undo_seen(page: Page) -> Response:
    """Where a browser lands that loads the answer to a form again."""
    return RedirectResponse("/", 303)


async def _node(page: Page, *, forgotten: bool = False) -> MemoryNode:
    memory_id = page.of_path("memory")
    node = (await page.app.records.get([memory_id], forgotten=forgotten)).get(memory_id)
    if node is None:
        raise NotFound("there is no such memory")
    return node


def _is_drawn(node: MemoryNode) -> bool:
    """Whether nobody said it in so many words; what the agent claims of a person is an insight that it said."""
    told = node.modality is not Modality.ASSERTED_BY_AGENT
    return node.modality in _DRAWN or (told and node.memory_type in (MemoryType.INSIGHT, *GRAPH))


def _named(node: MemoryNode) -> set[str]:
    """Every memory that this one names."""
    after = () if node.superseded_by is None else (node.superseded_by,)
    said = (part.memory_id for part in node.evidence)
    doubts = node.needs_review or ()
    return {*node.source_ids, *said, *node.depends_on, *node.supersedes, *after, *node.conflicts_with, *doubts}


async def _sources(page: Page, node: MemoryNode, near: Mapping[str, MemoryNode]) -> list[MarkedSource]:
    """What it was made from, in the order in which it was said; of what nobody said, the turns that itself rests on."""
    first = _marked_sources(node, near)
    drawn = [source.memory for source in first if not _is_turn(source.memory)]
    below = await page.app.records.get({key for each in drawn for key in _named(each)})
    return [
        replace(source, turns=_marked_sources(source.memory, below)) if source.memory in drawn else source
        for source in first
    ]


async def _in_prompt(page: Page, node: MemoryNode) -> str | None:
    """How it stands in a prompt, with the words it rests on; None for what no prompt is shown."""
    if not node.is_searchable or node.memory_type in GRAPH:
        return None
    persona = await page.app.records.agent(node.agent_id)
    return build_context(
        Recalled((Hit(node, 1.0),), confidence=1.0),
        await page.app.words([node]),
        language=persona.language,
        budget=BUDGET,
        count=estimated_tokens,
        nonce=node.memory_id[-12:],
        now=page.app.clock.now().astimezone(page.zone),
    ).text


def _marked_sources(node: MemoryNode, near: Mapping[str, MemoryNode]) -> list[MarkedSource]:
    ids = dict.fromkeys((*node.source_ids, *(part.memory_id for part in node.evidence), *node.depends_on))
    there = sorted(_there(tuple(ids), near), key=lambda source: source.valid_at)
    spans = {source.memory_id: list[tuple[int, int]]() for source in there}
    for part in node.evidence if title_told(node) is None else ():
        if part.memory_id in spans:
            spans[part.memory_id].append((part.start, part.end))
    return [MarkedSource(each, marked(each.content, spans[each.memory_id])) for each in there[:SHOWN]]


def _there(ids: Sequence[str], near: Mapping[str, MemoryNode]) -> list[MemoryNode]:
    return [near[key] for key in ids if key in near]


ROUTES: Final = (
    get("/memories/{memory}", memory),
    post("/memories/{memory}/edit", edited),
    post("/memories/{memory}/end", ended),
    post("/memories/{memory}/back", brought_back),
    post("/memories/{memory}/settle", settled),
    post("/memories/{memory}/forget", forgotten),
    post("/undo", undone),
    get("/undo", _undo_seen),
)
