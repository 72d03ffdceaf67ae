"""Forgetting in a talk: what the person names of himself is forgotten, nothing is erased, and nothing of others is
touched."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from agentmem.agents.talk.recollection import own_words, sources_of, told_here
from agentmem.agents.talk.talk import Talk
from agentmem.domain.event import TurnSpoken
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.errors import InvalidInput
from agentmem.language.tokens import terms
from agentmem.ledger.listing import every
from agentmem.memory.forget_plan import Meant
from agentmem.memory.request import Asked
from agentmem.memory.request_named import bears, is_value
from agentmem.ports.journal import Journal
from agentmem.ports.ledger import Ledger, Selection


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
class Forgetting:
    """What one request to forget came to: the memories that went or lost words, by id, and the `run` that `undo` takes
    back; None where nothing was forgotten, as nothing like it is remembered or it is not clear what is meant."""

    run: str | None = None
    memory_ids: tuple[str, ...] = ()


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


async def known_names(journal: Journal, talk: Talk, asked: Asked, event_id: str | None) -> tuple[str, ...]:
    """Of the words that a turn of the person may mean by name, those that name what he told of. A turn that was taken
    in before is understood as it was then."""
    if not asked.unsure:
        return ()
    before = await journal.events.find(talk.tenant, talk.persona.id, event_id) if event_id is not None else None
    if before is None:
        return await _known(journal.ledger, talk, asked)
    return asked.unsure if isinstance(before.event, TurnSpoken) and before.event.text != asked.kept else ()


async def _known(ledger: Ledger, talk: Talk, asked: Asked) -> tuple[str, ...]:
    scope = replace(talk.scope, beside=())
    held = [node async for node in every(ledger, Selection(scope))]
    turns = [node for node in held if node.memory_type is MemoryType.CONVERSATION]
    made = await ledger.get(talk.tenant, await ledger.naming(scope, {node.memory_id for node in turns}))
    facts = [node for node in (*held, *made.values()) if node.memory_type is not MemoryType.CONVERSATION]
    told = [terms(node.content) for node in turns]
    return tuple(
        name
        for name in asked.unsure
        if any(bears(node, name) for node in facts)
        or ((asked.begged or is_value(name)) and any(terms(name) <= each for each in told))
    )


async def obeyed(forget: Forget, ledger: Ledger, talk: Talk, wishes: Iterable[str]) -> list[Ended | None]:
    """Forget what a person asks for; what became of each wish, None where nothing was found."""
    done: list[Ended | None] = []
    for wish in wishes:
        try:
            done.append(await forget_own(forget, ledger, talk, wish))
        except InvalidInput:
            done.append(None)
    return done


def forgettings(done: Iterable[Ended | None]) -> tuple[Forgetting, ...]:
    """What each came to, for those who asked."""
    return tuple(Forgetting() if ended is None else Forgetting(ended.run, _ids(touched(ended))) for ended in done)


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
