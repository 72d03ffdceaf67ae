"""What is done with a document before it is journaled: nothing, where it is known already; and what was erased from the
agent's memory is taken out of it, so that no file puts it back."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from agentmem.assets.descent import descent_of, known_as
from agentmem.assets.document import BREAK
from agentmem.assets.pieces import Identified, identified
from agentmem.assets.shelf import card_ids, version_on
from agentmem.domain.event import AssetReceived
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import MemoryNode
from agentmem.ports.erasure import Eraser
from agentmem.ports.ledger import Ledger
from agentmem.ports.lineages import Lineages


@dataclass(frozen=True, slots=True)
class Paper:
    """A file as it was found: `source` is where, `version` the SHA-256 of its bytes."""

    asset_id: str
    source: str
    version: str


@dataclass(frozen=True, slots=True)
class Desk:
    """Looks at papers for one agent."""

    ledger: Ledger
    eraser: Eraser
    lineages: Lineages
    tenant: str
    agent: str

    async def news(self, papers: Sequence[Paper]) -> dict[str, str]:
        """Those whose version is not the one known last: asset ids, with the event id under which it is taken in.

        The same version of a document in the same state of the shelf has the same event id, however often it is met.
        """
        descent = await descent_of(self.lineages, self.tenant, self.agent)
        ids = {paper.asset_id: card_ids(descent, paper.asset_id) for paper in papers}
        cards = await self.ledger.get(self.tenant, list(chain.from_iterable(ids.values())))
        found: dict[str, str] = {}
        for paper in papers:
            card = cards.get(known_as(ids[paper.asset_id], cards))
            if version_on(card) != paper.version:
                state = card.revision if card is not None else 0
                found[paper.asset_id] = f"asset/{derived_id('asset', paper.asset_id, paper.version, state)}"
        return found

    async def admitted(self, asset: AssetReceived) -> AssetReceived:
        """The document without the pieces that were erased, and with those that were edited in that as they are now."""
        descent = await descent_of(self.lineages, self.tenant, self.agent)
        pieces = await asyncio.to_thread(identified, asset, descent)
        ids = list(chain.from_iterable(piece.ids for piece in pieces))
        erased = await self.eraser.buried(self.tenant, ids)
        known = await self.ledger.get(self.tenant, ids)
        instead = dict.fromkeys(erased, "") | _edited(pieces, known)
        if not instead:
            return asset
        text, gap = asset.text, BREAK if asset.media_type == "text/markdown" else "\n\n"
        for piece in reversed(pieces):
            left = next((instead[key] for key in piece.ids if key in instead), None)
            if left is not None:
                end = piece.chunk.start + len(piece.chunk.text)
                text = text[: piece.chunk.start] + (left or gap) + text[end:]
        return asset.revised(text=text)


def _edited(pieces: Iterable[Identified], known: Mapping[str, MemoryNode]) -> dict[str, str]:
    """What is left of the pieces of whose words some were erased, without their headings."""
    found: dict[str, str] = {}
    for memory_id, chunk in ((key, piece.chunk) for piece in pieces for key in piece.ids if key in known):
        node = known[memory_id]
        left = node.content.removeprefix(f"{' › '.join(chunk.path)}\n") if chunk.path else node.content
        if left != chunk.text:
            found[memory_id] = left
    return found
