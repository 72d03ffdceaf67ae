"""Talks in which things are named, and what becomes of the names."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from agentmem.domain.entity import EntityKind, Mention
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.domain.statement import Quote, Reading, Statement, Usage, Window
from agentmem.ports.cognition import Doubt, Resolved
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.app import App
from tests.support.cognition import ScriptedCognition
from tests.support.nodes import AGENT, TENANT

Names = Mapping[str, EntityKind]


def naming(names: Names) -> Callable[[Window], Reading]:
    """Each customer's turn under his name, with those of these names that stand in it, the longer ones first."""

    def read(window: Window) -> Reading:
        return Reading(
            statements=tuple(
                Statement(
                    content=f"{window.person.name}: {turn.text}",
                    mentions=tuple(Mention(name=name, kind=names[name]) for name in _in(turn.text, names)),
                    quotes=(Quote(turn_id=turn.turn_id, start=0, end=len(turn.text)),),
                )
                for turn in window.turns
                if not turn.by_agent
            )
        )

    return read


@dataclass
class Resolving(ScriptedCognition):
    """Answers each doubt by what `says` makes of it; `errors` are raised first, `asked` is what it was shown."""

    says: Callable[[Doubt], int | None] = lambda doubt: None
    errors: list[Exception] = field(default_factory=list[Exception])
    asked: list[Sequence[Doubt]] = field(default_factory=list[Sequence[Doubt]])

    async def resolve(self, doubts: Sequence[Doubt]) -> Resolved:
        self.asked.append(doubts)
        if self.errors:
            raise self.errors.pop(0)
        said = {doubt.number: self.says(doubt) for doubt in doubts}
        return Resolved({number: other for number, other in said.items() if other is not None}, Usage(calls=1))


async def tell(app: App, text: str, *, person: str = "王芳", run: str = "talk", agent: str = AGENT) -> None:
    """Let a person say it, and read it."""
    await app.say(agent, person, text, run_id=run, end=True)
    await app.drain()


async def entities(
    app: App, *, status: StoreStatus = StoreStatus.VALID, agent: str = AGENT, tenant: str = TENANT
) -> dict[str, MemoryNode]:
    """The agent's entities by their fullest names."""
    wanted = Selection(Scope(tenant, agent), types=(MemoryType.ENTITY,), statuses=(status,))
    return {str(node.value): node for node in await app.memories(wanted)}


def _in(text: str, names: Names) -> list[str]:
    found = [(text.index(name), -len(name), name) for name in names if name in text]
    covered: list[tuple[int, int]] = []
    kept: list[str] = []
    for start, size, name in sorted(found, key=lambda item: item[1]):
        if not any(a <= start and start - size <= b for a, b in covered):
            covered.append((start, start - size))
            kept.append(name)
    return sorted(kept, key=text.index)
