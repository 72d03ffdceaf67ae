"""The rerankers that need no model, each against figures worked out by hand."""

import math

import numpy as np
import pytest

from agentmem.domain.ids import derived_id, entity_id
from agentmem.domain.memory import Evidence, MemoryNode, MemoryType
from agentmem.errors import InvalidInput
from agentmem.ports.models import Inquiry, Rankable
from agentmem.retrieval.rerank import (
    OUT_OF_REACH,
    EpisodeMentions,
    LexicalOverlap,
    MarginalRelevance,
    NodeDistance,
    RankFusion,
    distances,
    reranked,
)
from tests.support.nodes import AGENT, TARGET, TENANT, a_memory
from tests.support.ranking import a_row, found

ASKED = Inquiry("怎么联系小东")


async def test_reciprocal_ranks_add_up_over_the_channels() -> None:
    # lexical: b, a, c - dense: c, b, and a not at all.
    items = found("a", "b", "c", lexical=(7.0, 9.0, 2.0), dense=(None, 0.4, 0.9))

    fused = await RankFusion().rerank(ASKED, items)

    assert fused == pytest.approx([1 / 62, 1 / 61 + 1 / 62, 1 / 63 + 1 / 61])
    assert (await reranked(RankFusion(), ASKED, items, seconds=5)).order == (1, 2, 0)


async def test_the_constant_and_the_weights_of_rank_fusion_count() -> None:
    items = found("a", "b", lexical=(2.0, 1.0), dense=(1.0, 2.0))

    fused = await RankFusion(k=1, weights={"dense": 3.0}).rerank(ASKED, items)

    assert fused == pytest.approx([1 / 2 + 3 / 3, 1 / 3 + 3 / 2])


async def test_equal_scores_of_a_channel_take_their_places_in_order() -> None:
    fused = await RankFusion().rerank(ASKED, found("a", "b", "c", lexical=(1.0, 1.0, 5.0)))

    assert fused == pytest.approx([1 / 62, 1 / 63, 1 / 61])


@pytest.mark.parametrize(("k", "weights"), [(-1.0, {}), (math.nan, {}), (60.0, {"dense": -0.5})])
def test_rank_fusion_refuses_constants_that_make_no_sense(k: float, weights: dict[str, float]) -> None:
    with pytest.raises(InvalidInput, match="allowed: 0 or more"):
        RankFusion(k, weights)


def with_vectors(*vectors: tuple[float, ...] | None) -> list[Rankable]:
    rows = [None if vector is None else a_row(*vector) for vector in vectors]
    return [Rankable(a_memory(f"memory {n}"), score=1 / (1 + n), vector=row) for n, row in enumerate(rows)]


async def test_what_has_been_said_already_comes_after_something_else() -> None:
    # a is likest to the question, a2 nearly repeats it, b says something else.
    items = with_vectors((2.0, 0.2), (4.0, 0.5), (1.0, -1.0))
    asked = Inquiry("?", vector=a_row(3.0, 0.0))

    values = await MarginalRelevance().rerank(asked, items)

    a, a2, b = ((np.array(v) / np.linalg.norm(v)) for v in ((2.0, 0.2), (4.0, 0.5), (1.0, -1.0)))
    by_hand = [0.5 * a[0], 0.5 * a2[0] - 0.5 * float(a @ a2), 0.5 * b[0] - 0.5 * float(a @ b)]
    assert values == pytest.approx(by_hand, abs=1e-6)
    assert (await reranked(MarginalRelevance(), asked, items, seconds=5)).order == (0, 2, 1)
    assert (await reranked(MarginalRelevance(balance=1), asked, items, seconds=5)).order == (0, 1, 2)


async def test_each_pick_looks_at_all_picks_before_it() -> None:
    # Two pairs of twins: a pass that penalised once, by the best memory alone, would put b2 before a2.
    items = with_vectors((1.0, 0.0, 0.1), (0.1, 1.0, 0.0), (0.1, 0.99, 0.0), (0.99, 0.0, 0.1))
    asked = Inquiry("?", vector=a_row(1.0, 0.9, 0.0))

    order = (await reranked(MarginalRelevance(), asked, items, seconds=5)).order

    assert order == tuple(picked_one_by_one(items, asked))


def picked_one_by_one(items: list[Rankable], asked: Inquiry) -> list[int]:
    """The definition, word for word, pair by pair."""

    def cosine(one: Rankable | Inquiry, other: Rankable) -> float:
        assert one.vector is not None
        assert other.vector is not None
        lengths = float(np.linalg.norm(one.vector)) * float(np.linalg.norm(other.vector))
        return float(one.vector[0] @ other.vector[0]) / lengths

    picked: list[int] = []
    while len(picked) < len(items):
        left = [place for place in range(len(items)) if place not in picked]
        values = {
            place: 0.5 * cosine(asked, items[place])
            - 0.5 * max((cosine(items[other], items[place]) for other in picked), default=0.0)
            for place in left
        }
        picked.append(max(left, key=lambda place: (values[place], -place)))
    return picked


async def test_marginal_relevance_is_what_its_definition_says_for_many_memories() -> None:
    random = np.random.default_rng(7)
    items = with_vectors(*(tuple(random.normal(size=6)) for _ in range(30)))
    asked = Inquiry("?", vector=a_row(*random.normal(size=6)))

    order = (await reranked(MarginalRelevance(), asked, items, seconds=5)).order

    assert order == tuple(picked_one_by_one(items, asked))


async def test_without_a_vector_of_the_question_the_score_so_far_is_its_relevance() -> None:
    items = with_vectors((1.0, 0.0), (1.0, 0.0), (0.0, 1.0))

    order = (await reranked(MarginalRelevance(), Inquiry("?"), items, seconds=5)).order

    assert order == (0, 2, 1)


async def test_memories_without_vectors_keep_their_order() -> None:
    items = with_vectors(None, None, None)

    assert (await reranked(MarginalRelevance(), ASKED, items, seconds=5)).order == (0, 1, 2)


async def test_vectors_of_different_spaces_are_refused() -> None:
    with pytest.raises(InvalidInput, match="2 and 3 numbers cannot be compared"):
        await MarginalRelevance().rerank(ASKED, with_vectors((1.0, 0.0), (1.0, 0.0, 0.0)))


def test_marginal_relevance_refuses_a_balance_outside_its_range() -> None:
    with pytest.raises(InvalidInput, match="allowed: 0 to 1"):
        MarginalRelevance(balance=1.5)


def turn_ids(*numbers: int) -> tuple[str, ...]:
    return tuple(derived_id("turn", number) for number in numbers)


def words_of(*numbers: int) -> tuple[Evidence, ...]:
    return tuple(Evidence(memory_id=turn_id, start=0, end=2) for turn_id in turn_ids(*numbers))


async def test_what_was_said_in_more_turns_comes_first() -> None:
    items = found(
        a_memory("once", source_ids=turn_ids(1), evidence=words_of(1, 1)),
        a_memory("never"),
        a_memory("thrice", source_ids=turn_ids(1, 2, 3)),
        a_memory("once too", source_ids=turn_ids(4)),
        a_memory("a turn", memory_type=MemoryType.CONVERSATION),
    )

    assert await EpisodeMentions().rerank(ASKED, items) == [1, 0, 3, 1, 1]
    assert (await reranked(EpisodeMentions(), ASKED, items, seconds=5)).order == (2, 0, 3, 4, 1)


async def test_an_insight_counts_the_turns_of_its_observations_once_each() -> None:
    one = a_memory("one", source_ids=turn_ids(1, 2), evidence=words_of(1, 2))
    other = a_memory("other", source_ids=turn_ids(2, 3), evidence=words_of(2, 3))
    elsewhere = derived_id("observation", "elsewhere")
    insight = a_memory(
        "insight", memory_type=MemoryType.INSIGHT, source_ids=(one.memory_id, other.memory_id, elsewhere)
    )

    assert await EpisodeMentions().rerank(ASKED, found(insight, one, other)) == [4, 2, 2]


def chain() -> list[MemoryNode]:
    """centre - shared key - shared entity - its own source, and one that nothing leads to."""
    shared = entity_id(TENANT, AGENT, "王芳")
    third = a_memory("third", entity_ids=(shared,))
    return [
        a_memory("far away", key=("咖啡",)),
        a_memory("fourth", source_ids=(third.memory_id,)),
        third,
        a_memory("second", key=("社保 系统",), entity_ids=(shared,)),
        a_memory("centre", key=("社保系统",)),
    ]


async def test_distance_counts_every_hop_and_ends_at_infinity() -> None:
    memories = chain()

    assert distances(memories, [memories[4].memory_id]) == [None, 3, 2, 1, 0]
    relevance = await NodeDistance().rerank(Inquiry("?", centres=(memories[4].memory_id,)), found(*memories))
    assert relevance == pytest.approx([OUT_OF_REACH, 1 / 4, 1 / 3, 1 / 2, 1])


async def test_memories_at_the_same_distance_keep_their_order() -> None:
    memories = [a_memory("x", key=("社保系统",)), a_memory("elsewhere"), a_memory("y", key=("社保系统",))]
    items = found(*memories)

    order = (await reranked(NodeDistance(), Inquiry("?", centres=("社保系统",)), items, seconds=5)).order

    assert order == (0, 2, 1)


def test_an_entity_or_a_key_is_one_hop_from_the_memories_that_have_it() -> None:
    memories = chain()

    assert distances(memories, [entity_id(TENANT, AGENT, "王芳")]) == [None, 2, 1, 1, 2]
    assert distances(memories, ["社保系统"]) == [None, 3, 2, 1, 1]


def test_the_nearest_of_several_centres_counts() -> None:
    memories = chain()

    assert distances(memories, [memories[4].memory_id, memories[1].memory_id, "咖啡"]) == [1, 0, 1, 1, 0]


def test_without_a_centre_nothing_is_near() -> None:
    assert distances(chain(), []) == [None] * 5


def test_a_ring_of_memories_is_walked_once() -> None:
    ring = [a_memory(f"{n}", key=(f"k{n}", f"k{(n + 1) % 6}")) for n in range(6)]

    assert distances(ring, [ring[0].memory_id]) == [0, 1, 2, 3, 2, 1]


def test_the_person_links_memories_only_where_there_are_several_persons() -> None:
    someone_else = entity_id(TENANT, AGENT, "王芳")
    one, same, other = a_memory("one"), a_memory("same"), a_memory("other", target_id=someone_else)

    assert distances([one, same], [one.memory_id]) == [0, None]
    assert distances([one, same, other], [one.memory_id]) == [0, 1, None]
    assert distances([one, same, other], [TARGET]) == [1, 1, None]


async def test_overlap_is_the_share_of_the_question_that_a_memory_says() -> None:
    items = found("red apples and red pears", "red", "green", "blue")
    red, apples = math.log(1 + 2.5 / 2.5), math.log(1 + 3.5 / 1.5)  # said by two of four, and by one of four

    relevance = await LexicalOverlap().rerank(Inquiry("red apples, red apples?"), items)

    assert relevance == pytest.approx([1.0, red / (red + apples), 0.0, 0.0])


async def test_a_rare_word_weighs_more_than_one_that_all_say() -> None:
    items = found("他的电话", "他的邮箱", "他的电话号码是12345678901", "他的电话本")

    relevance = await LexicalOverlap().rerank(Inquiry("电话 邮箱"), items)

    assert relevance[1] > relevance[0] > 0


async def test_chinese_and_english_overlap_in_stems_and_words() -> None:
    relevance = await LexicalOverlap().rerank(Inquiry("he wants systems"), found("He wanted a system", "你好"))

    assert relevance == pytest.approx([1.0, 0.0])


async def test_a_question_without_words_prefers_nothing() -> None:
    assert await LexicalOverlap().rerank(Inquiry("?!"), found("a phone", "一个电话")) == [0.0, 0.0]
