"""An agent's memories as a hire looks at them: documents, people who spoke, and what was made of their words."""

from collections.abc import Iterable
from hashlib import sha256

from agentmem.agents.copying.contract import Choice, Chooser
from agentmem.domain.event import AssetReceived
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryNode, MemoryType, Trust
from agentmem.domain.naming import canonical_name
from agentmem.domain.persona import HirePolicy, MemoryPolicy, Persona
from tests.support.nodes import AGENT, NOON, TENANT, a_memory

SELLER = Persona(id=AGENT, name="小美", memory=MemoryPolicy(attributes={"concern": "multi"}))
OPEN = HirePolicy(
    layers=(MemoryType.LONGTERM, MemoryType.INSIGHT, MemoryType.OBSERVATION), targets=("AIP",), about_customers=True
)
"""As much as a contract can let go."""


def target_of(name: str) -> str:
    return entity_id(TENANT, AGENT, canonical_name(name))


def about(name: str, content: str, **fields: object) -> MemoryNode:
    """An observation about that person or thing."""
    return a_memory(content, target_id=target_of(name), target_name=name, **fields)


def a_piece(content: str, *, asset: str = "manual.md", heading: str = "", **fields: object) -> MemoryNode:
    """A piece of a document."""
    meta = {"assetId": asset, "assetVersion": "0" * 64, "title": "Manual", "heading": heading, "place": 0}
    given: dict[str, object] = {
        "memory_type": MemoryType.LONGTERM,
        "kind": "chunk",
        "speaker": "Manual",
        "run_id": None,
        "meta_data": meta,
    }
    return about("小美", content, **{**given, **fields})


def received(text: str, trust: Trust = Trust.PRINCIPAL) -> AssetReceived:
    """A document of the agent's, called by its text."""
    version = sha256(text.encode()).hexdigest()
    return AssetReceived(
        event_id=version,
        tenant=TENANT,
        agent_id=AGENT,
        agent_name=SELLER.name,
        target_id=target_of(SELLER.name),
        at=NOON,
        asset_id=version[:8],
        title=f"document {version[:8]}",
        version=version,
        media_type="text/markdown",
        trust=trust,
        text=text,
    )


def turn_of(name: str, text: str, **fields: object) -> MemoryNode:
    """What a person said to the agent."""
    given: dict[str, object] = {
        "memory_type": MemoryType.CONVERSATION,
        "kind": "turn",
        "speaker": name,
        "meta_data": {"role": "customer"},
    }
    return about(name, text, **{**given, **fields})


def told_by(name: str, text: str, attribute: str, value: str, **fields: object) -> tuple[MemoryNode, MemoryNode]:
    """A turn, and the observation made of it."""
    turn = turn_of(name, text)
    fact = about(name, f"{name}:{value}", attribute=attribute, value=value, source_ids=(turn.memory_id,), **fields)
    return turn, fact


def chosen(nodes: Iterable[MemoryNode], contract: HirePolicy = OPEN, persona: Persona = SELLER) -> Choice:
    """What the contract lets go of these."""
    chooser = Chooser(persona, contract, NOON)
    for node in nodes:
        chooser.take(node)
    return chooser.choose()


def contents(choice: Choice) -> list[str]:
    return [node.content for node in choice.goes]


def values(choice: Choice) -> list[str]:
    return [item.value for item in choice.general]
