"""Forgetting in a talk: what the person names of himself is forgotten, nothing is erased, and nothing of others is
touched."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Protocol

from agentmem.agents.talk.recollection import own_words, sources_of, told_here
from agentmem.agents.talk.talk import Talk
from agentmem.domain.event import TurnSpoken
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.errors import InvalidInput
from agentmem.ledger.listing import every
from agentmem.memory.fitting import fitting
from agentmem.memory.forget_plan import Meant
from agentmem.memory.repeated import values_gone
from agentmem.memory.request import Asked
from agentmem.memory.request_named import names_held
from agentmem.memory.sought import MAX_NEAR, near
from agentmem.memory.wish import read_wish
from agentmem.ports.journal import Journal
from agentmem.ports.ledger import Ledger, Selection
from agentmem.questions.question import asked_for

_TOLD: Final = (MemoryType.OBSERVATION, MemoryType.INSIGHT, MemoryType.CONVERSATION)
MAX_CONTENT: Final = 120
"""Characters that are told of what may have been meant."""


class Ended(Protocol):
    """What was forgotten, or would be."""

    @property
    def run(self) -> str | None:
        """What takes it back; None where nothing was done."""
        ...

    @property
    def gone(self) -> tuple[MemoryNode, ...]:
        """As they were."""
        ...

    @property
    def edited(self) -> tuple[tuple[MemoryNode, MemoryNode], ...]:
        """Before and after."""
        ...


@dataclass(frozen=True, slots=True)
class ForgetCandidate:
    """A memory that may have been meant, with the beginning of what it says. `forget` takes it by its id."""

    memory_id: str
    content: str


@dataclass(frozen=True, slots=True)
class Unmet:
    """A request that took nothing, and what it may have meant."""

    candidates: tuple[ForgetCandidate, ...] = ()
    run: None = None
    gone: tuple[MemoryNode, ...] = ()
    edited: tuple[tuple[MemoryNode, MemoryNode], ...] = ()


@dataclass(frozen=True, slots=True)
class Met:
    """A request that took something, and what still tells a value of that."""

    run: str | None
    gone: tuple[MemoryNode, ...]
    edited: tuple[tuple[MemoryNode, MemoryNode], ...]
    candidates: tuple[ForgetCandidate, ...] = ()


@dataclass(frozen=True, slots=True)
class Forgetting:
    """What one request to forget came to: the memories that went or lost words, by id, and the `run` that `undo` takes
    back; None where nothing was forgotten, as nothing like it is remembered or it is not clear what is meant. Then
    `candidates` are what may have been meant, nearest first; else what stays and still tells a value that went."""

    run: str | None = None
    memory_ids: tuple[str, ...] = ()
    candidates: tuple[ForgetCandidate, ...] = ()


class Forget(Protocol):
    """Has what is meant forgotten."""

    async def __call__(self, meant: Meant, *, dry_run: bool = False) -> Ended:
        """See `App.forget`."""
        ...


async def forget_own(forget: Forget, ledger: Ledger, talk: Talk, query: str) -> Ended | None:
    """Forget what the query names of the person; what became of it, None where nothing did. Where others said it of him
    too, their words stay. Raises `InvalidInput` for a query that names nothing."""
    meant = Meant(replace(talk.scope, beside=()), query=query, own=True)
    would = await forget(meant, dry_run=True)
    nodes = touched(would)
    if not nodes:
        return None
    sources = await sources_of(ledger, talk.tenant, nodes)
    own = _ids(node for node in would.gone if _own(node, talk, sources))
    if all(_own(node, talk, sources) for node in nodes):
        return await forget(meant)
    return await forget(replace(meant, query=None, ids=own)) if own else None


async def known_names(
    forget: Forget, journal: Journal, talk: Talk, asked: Asked, event_id: str | None
) -> tuple[str, ...]:
    """Of the words that a turn of the person may mean by name, those that name what he told of; of its doubtful wishes,
    those that mean something he told. A turn that was taken in before is understood as it was then."""
    if not (asked.unsure or asked.doubtful):
        return ()
    before = await journal.events.find(talk.tenant, talk.persona.id, event_id) if event_id is not None else None
    if before is None:
        held = [wish for wish in asked.doubtful if await _holds(forget, talk, wish)]
        return (*held, *await _known(journal.ledger, talk, asked))
    return (
        (*asked.unsure, *asked.doubtful)
        if isinstance(before.event, TurnSpoken) and before.event.text != asked.kept
        else ()
    )


async def _holds(forget: Forget, talk: Talk, wish: str) -> bool:
    """Whether something the person told would go by a wish."""
    meant = Meant(replace(talk.scope, beside=()), query=wish, own=True)
    try:
        return bool(touched(await forget(meant, dry_run=True)))
    except InvalidInput:
        return False


async def _known(ledger: Ledger, talk: Talk, asked: Asked) -> tuple[str, ...]:
    scope = replace(talk.scope, beside=())
    held = [node async for node in every(ledger, Selection(scope))]
    turns = [node for node in held if node.memory_type is MemoryType.CONVERSATION]
    made = await ledger.get(talk.tenant, await ledger.naming(scope, {node.memory_id for node in turns}))
    facts = [node for node in (*held, *made.values()) if node.memory_type is not MemoryType.CONVERSATION]
    return names_held(asked.unsure, facts, turns, begged=asked.begged)


async def obeyed(forget: Forget, ledger: Ledger, talk: Talk, wishes: Iterable[str]) -> list[Ended]:
    """Forget what a person asks for; what became of each wish, `Unmet` where nothing was found."""
    return [await _obeyed(forget, ledger, talk, wish) for wish in wishes]


async def _obeyed(forget: Forget, ledger: Ledger, talk: Talk, wish: str) -> Ended:
    try:
        done = await forget_own(forget, ledger, talk, wish)
    except InvalidInput:
        done = None
    return await unmet(ledger, talk, wish) if done is None else await _met(ledger, talk, done)


async def _met(ledger: Ledger, talk: Talk, done: Ended) -> Met:
    """The same with what stays of this person's and says a value that went."""
    gone = values_gone((*((node, None) for node in done.gone), *done.edited))
    left = [node for node in await _told_by(ledger, talk) if any(value in node.content for value in gone)]
    return Met(done.run, done.gone, done.edited, _offered(left[:MAX_NEAR]))


async def unmet(ledger: Ledger, talk: Talk, wish: str) -> Unmet:
    """What a wish that took nothing may have meant, of what this person told."""
    try:
        sought = read_wish(wish, asked_for, (talk.person.known_as,), own=True).forget
    except InvalidInput:
        return Unmet()
    return Unmet(_offered(near(sought, await _told_by(ledger, talk))))


async def offered(ledger: Ledger, talk: Talk, asked: Asked, text: str) -> list[Unmet]:
    """What a turn that no rule understands may have asked to be forgotten: what is held of that; nothing where it asks
    for nothing, or for nothing that is held and not plainly of the memory. Nothing goes."""
    pleading = asked.pleading
    if pleading is None:
        return [await unmet(ledger, talk, text)] if asked.unclear else []
    try:
        sought = read_wish(f"forget {pleading.words}", asked_for, (talk.person.known_as,), own=True).forget
    except InvalidInput:
        return [Unmet()] if asked.unclear or pleading.of_memory else []
    found = fitting(pleading, sought, await _told_by(ledger, talk))
    return [Unmet(_offered(found))] if found or asked.unclear or pleading.of_memory else []


async def _told_by(ledger: Ledger, talk: Talk) -> list[MemoryNode]:
    """What holds of what this person told."""
    wanted = Selection(replace(talk.scope, beside=()), types=_TOLD, statuses=(StoreStatus.VALID,))
    held = [node async for node in every(ledger, wanted)]
    sources = await sources_of(ledger, talk.tenant, held)
    return [node for node in held if _own(node, talk, sources)]


def _offered(nodes: Iterable[MemoryNode]) -> tuple[ForgetCandidate, ...]:
    return tuple(ForgetCandidate(node.memory_id, node.content[:MAX_CONTENT]) for node in nodes)


def forgettings(done: Iterable[Ended]) -> tuple[Forgetting, ...]:
    """What each came to, for those who asked."""
    return tuple(
        Forgetting(candidates=ended.candidates)
        if isinstance(ended, Unmet)
        else Forgetting(ended.run, _ids(touched(ended)), ended.candidates if isinstance(ended, Met) else ())
        for ended in done
    )


def touched(ended: Ended) -> tuple[MemoryNode, ...]:
    """The memories that went, and those that stay with less, as they were."""
    return (*ended.gone, *(before for before, _ in ended.edited))


def told_in(ended: Ended | None) -> tuple[MemoryNode, ...]:
    """The memories that were forgotten, as they were; where nobody has made any yet, the turns that lost words."""
    if ended is None:
        return ()
    return ended.gone or tuple(before for before, _ in ended.edited)


def _own(node: MemoryNode, talk: Talk, sources: Mapping[str, MemoryNode]) -> bool:
    return not talk.is_own(node) and (own_words(node, talk, sources) or told_here(node, talk, sources))


def _ids(nodes: Iterable[MemoryNode]) -> tuple[str, ...]:
    return tuple(node.memory_id for node in nodes)
