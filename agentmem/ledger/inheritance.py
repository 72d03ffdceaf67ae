"""What finds an original finds its copy: vectors and terms of a copied memory are taken over, not made again."""

from collections.abc import Sequence
from hashlib import blake2b

from agentmem.domain.ids import SEPARATOR
from agentmem.domain.lineage import origin_of
from agentmem.domain.memory import MemoryNode
from agentmem.ports.memory_index import Copied, PointSource


async def taken_over(nodes: Sequence[MemoryNode], index: PointSource) -> set[str]:
    """Write those memories that are copies of others which the index has in the same words; the ids of those."""
    origins = ((node, origin_of(node)) for node in nodes)
    copies = [Copied(node, origin, made_from(node)) for node, origin in origins if origin is not None]
    return await index.repeat(copies) if copies else set()


def made_from(node: MemoryNode) -> int:
    """A number that stands for all that vectors, terms and cues of a memory are made from."""
    caption = node.meta_data.get("caption")
    parts = (
        node.content,
        node.attribute or "",
        caption if isinstance(caption, str) else "",
        node.valid_at.isoformat(),
        *node.key,
    )
    text = SEPARATOR.join(f"{len(part)}{SEPARATOR}{part}" for part in parts)
    return int.from_bytes(blake2b(text.encode(errors="surrogatepass"), digest_size=8).digest(), "big") >> 1
