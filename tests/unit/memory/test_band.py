"""Pairs by meaning, where an embedder knows meaning."""

from collections.abc import Sequence

import numpy as np

from agentmem.adapters.embedder.hashed import HashedEmbedder
from agentmem.memory.candidates import drafted_pairs, nearness, open_pairs
from agentmem.memory.relation import Relations
from agentmem.ports.embedder import Matrix, Purpose
from tests.support.nodes import a_memory

RELATIONS = Relations({})


class Topics:
    """A small semantic embedder: texts that share a topic's word are near, whatever else they say."""

    fingerprint = "topics-2"
    size = 2
    semantic = True

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Matrix:
        """One axis for sport, one for all else."""
        return np.array([(1, 0) if "跑" in text or "晨练" in text else (0, 1) for text in texts], dtype=np.float32)


async def test_pairs_near_in_meaning_are_judged_though_their_words_differ() -> None:
    pairs = list(drafted_pairs([a_memory("他的晨练是五公里")], [a_memory("罗小东每天早起跑步")]))
    assert open_pairs(pairs, RELATIONS) == []
    assert len(open_pairs(pairs, RELATIONS, await nearness(pairs, RELATIONS, Topics()))) == 1


async def test_pairs_far_in_meaning_are_not_judged_though_they_share_words() -> None:
    pairs = list(drafted_pairs([a_memory("罗小东每天早上在公园读书")], [a_memory("罗小东每天早上在公园跑步")]))
    assert len(open_pairs(pairs, RELATIONS)) == 1
    assert open_pairs(pairs, RELATIONS, await nearness(pairs, RELATIONS, Topics())) == []


async def test_an_embedder_of_spelling_is_not_asked() -> None:
    pairs = list(drafted_pairs([a_memory("罗小东晨练")], [a_memory("罗小东跑步")]))
    assert await nearness(pairs, RELATIONS, HashedEmbedder()) is None
