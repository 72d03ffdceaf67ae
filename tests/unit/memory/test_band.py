"""Pairs by meaning, where an embedder knows meaning."""

from collections.abc import Sequence

import numpy as np

from agentmem.adapters.embedder.hashed import HashedEmbedder
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import Evidence
from agentmem.memory.candidates import COMPARED, Undecided, drafted_pairs, nearness, open_pairs, undecided_pairs
from agentmem.memory.relation import JUDGED, Relations
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
    pairs = undecided_pairs(drafted_pairs([a_memory("他的晨练是五公里")], [a_memory("罗小东每天早起跑步")]), RELATIONS)
    assert open_pairs(pairs) == []
    assert len(open_pairs(pairs, await nearness(pairs, Topics()))) == 1


async def test_pairs_far_in_meaning_are_not_judged_though_they_share_words() -> None:
    pairs = undecided_pairs(
        drafted_pairs([a_memory("罗小东每天早上在公园读书")], [a_memory("罗小东每天早上在公园跑步")]), RELATIONS
    )
    assert len(open_pairs(pairs)) == 1
    assert open_pairs(pairs, await nearness(pairs, Topics())) == []


async def test_an_embedder_of_spelling_is_not_asked() -> None:
    pairs = undecided_pairs(drafted_pairs([a_memory("罗小东晨练")], [a_memory("罗小东跑步")]), RELATIONS)
    assert await nearness(pairs, HashedEmbedder()) is None


class Counted(Topics):
    """Notes what it is asked for."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Matrix:
        """As before."""
        self.texts += texts
        return await super().embed(texts, purpose=purpose)


async def test_the_likeliest_pairs_alone_are_embedded() -> None:
    held = a_memory("罗小东跑步")
    pairs = [Undecided(a_memory(f"罗小东住{place}号"), held, place / 100) for place in range(COMPARED + 8)]
    near = await nearness(pairs, embedder := Counted())
    assert near is not None
    assert set(near) == {(pair.new.memory_id, held.memory_id) for pair in pairs[8:]}
    assert len(embedder.texts) == COMPARED + 1


async def test_what_was_said_in_one_breath_or_told_apart_before_is_not_embedded() -> None:
    words = Evidence(memory_id=derived_id("turn"), start=0, end=4)
    one, two = (a_memory(text, evidence=(words,)) for text in ("罗小东的聚会在周三", "罗小东的聚会改到周五"))
    old = a_memory("罗小东的聚会在公园")
    new = a_memory("罗小东的聚会改到河边", meta_data={JUDGED: [old.memory_id]})
    pairs = undecided_pairs([(two, one), (new, old)], RELATIONS)
    assert await nearness(pairs, embedder := Counted()) == {}
    assert embedder.texts == []
