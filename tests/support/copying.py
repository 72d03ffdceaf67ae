"""Agents made from others in tests: a source with a past, and copies made of it page by page."""

import os
import signal
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, cast

from agentmem.adapters.journal import SqlJournal
from agentmem.adapters.journal import journal as journals
from agentmem.agents.copying import clone, hire
from agentmem.agents.copying.renaming import Renaming
from agentmem.domain.change import Act, Change
from agentmem.domain.lineage import Lineage
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.ledger.undo import undo
from agentmem.ports.agent_records import CopyDraft
from agentmem.ports.journal import Journal
from agentmem.ports.ledger import Commit
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.host.clocks import ManualClock
from tests.support.canaries import HIRED, HIRER
from tests.support.cognition import ScriptedCognition
from tests.support.nodes import AGENT, NOON, TENANT, a_memory
from tests.support.spine import quick_settings

SOURCE = Scope(TENANT, AGENT)
SELLER = Persona(id=AGENT, name="小美")
TWIN = Persona(id="twin", name="小丽")
LATER = NOON + timedelta(days=1)


def clone_of_seller(persona: Persona = TWIN) -> CopyDraft:
    """The twin of the seller, to be made."""
    return CopyDraft("clone", TENANT, AGENT, TENANT, persona)


async def lived(journal: SqlJournal) -> list[MemoryNode]:
    """A seller who was told two things, concluded one, saw one end, and was made to take one back; its memories as they
    are now, the one that was taken out left out."""
    await journal.registry.save_agent(TENANT, SELLER, now=NOON)
    turn = a_memory("我住在巴黎,喜欢跑步", memory_type=MemoryType.CONVERSATION, meta_data={"turnIndex": 1})
    home = a_memory("住在巴黎", source_ids=(turn.memory_id,), attribute="home", value="巴黎", obs_reflected=1)
    likes = a_memory("喜欢跑步", source_ids=(turn.memory_id,))
    insight = a_memory("喜欢法国", memory_type=MemoryType.INSIGHT, depends_on=(home.memory_id,))
    wrong = a_memory("不喜欢猫", importance=1)
    await _commit(journal, "told", *(Change(act="add", after=node) for node in (turn, home, likes, insight)))
    await _commit(journal, "misheard", Change(act="add", after=wrong))
    await undo(journal.ledger, TENANT, "misheard", now=NOON)
    await _commit(journal, "moved", _step("end", home, home.ended(at=LATER, now=LATER)))
    return list((await journal.ledger.get(TENANT, [node.memory_id for node in (turn, home, likes, insight)])).values())


async def copied(journal: Journal, copy: Lineage, *, page: int = 2, pages: int | None = None) -> Lineage:
    """Write the source's rows into the copy, so many pages of them."""
    persona_name = TWIN.name
    source = Scope(copy.source_tenant, copy.source_agent)
    renaming = Renaming.of(copy, persona_name, source_name=SELLER.name, about=await journal.copies.names(source))
    while pages is None or pages > 0:
        rows = await journal.copies.rows(source, after=copy.reached, through=copy.head, limit=page)
        if not rows:
            break
        copy = await journal.copies.write(copy, [renaming.row(row) for row in rows], reached=rows[-1].seq)
        pages = None if pages is None else pages - 1
    return copy


async def die_while_cloning(folder: Path, step: str, at_time: int) -> None:
    """Clone the seller in small pages, and be killed at the commit of a step, before or after it."""
    _die_at(step, at_time)
    clone.PAGE = 20
    async with open_app(quick_settings(folder), clock=ManualClock(LATER), cognition=ScriptedCognition()) as app:
        await app.copies.clone(AGENT, "twin")


async def die_while_hiring(folder: Path, step: str, at_time: int) -> None:
    """Hire the seller row by row, and be killed at the commit of a step, before or after it."""
    _die_at(step, at_time)
    hire.PAGE = 1
    async with open_app(quick_settings(folder), clock=ManualClock(LATER), cognition=ScriptedCognition()) as app:
        await app.copies.hire(AGENT, HIRED, tenant=HIRER, from_tenant=TENANT)


def _die_at(step: str, at_time: int) -> None:
    left = at_time

    def hear(heard: str) -> None:
        nonlocal left
        left -= heard == step
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    journals.SqlJournal = cast(Any, partial(SqlJournal, on_commit=hear))


async def _commit(journal: SqlJournal, run: str, *changes: Change) -> None:
    await journal.ledger.commit(Commit(TENANT, run, "test", LATER, changes))


def _step(act: Act, before: MemoryNode, after: MemoryNode) -> Change:
    return Change(act=act, before=before, after=after)
