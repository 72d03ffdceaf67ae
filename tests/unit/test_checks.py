"""The checks of a scenario do what the scenario format says they do."""

from collections.abc import Collection
from datetime import timedelta

import pytest

from agentmem.domain.ids import derived_id
from agentmem.domain.memory import MemoryNode, MemoryType, Modality, StoreStatus
from agentmem.domain.scenario import Expectations, Expected, ExpectedEnd, ExpectedRecall
from agentmem.evals.scenarios.checks import Check, Known, examine, fold, holds, narrowed, recalled, verbatim
from tests.support.nodes import AGENT, NOON, TARGET, a_memory

NOW = NOON + timedelta(days=1)
OTHER = derived_id("other")


def about(name: str | None, agent: str) -> Collection[str]:
    """The customer for None; everybody else is one other person."""
    return {TARGET} if name is None else {OTHER}


def known(*memories: MemoryNode) -> Known:
    return Known(AGENT, memories, NOW, about)


def item(*has: str | tuple[str, ...], **fields: object) -> Expected:
    return Expected.model_validate({"id": "x", "has": list(has), **fields})


def remembered(expected: Expected, *memories: MemoryNode) -> Check:
    return examine(Expectations(memories=(expected,)), known(*memories))[0]


def never(expected: Expected, *memories: MemoryNode) -> Check:
    return examine(Expectations(never=(expected,)), known(*memories))[0]


def once(expected: Expected, *memories: MemoryNode) -> Check:
    return examine(Expectations(once=(expected,)), known(*memories))[0]


def ended(expected: ExpectedEnd, *memories: MemoryNode) -> Check:
    return examine(Expectations(ended=(expected,)), known(*memories))[0]


def over(node: MemoryNode, by: MemoryNode | None = None) -> MemoryNode:
    return node.ended(at=NOON, now=NOW, by=by.memory_id if by else None)


@pytest.mark.parametrize(
    ("content", "has", "expected"),
    [
        ("罗小东的联系方式是12345678901", ("12345678901",), True),
        ("电话 １２３ 4567", ("1234567",), True),
        ("Call ADA  after six", ("call ada", "after6"), False),
        ("Call ADA  after six", ("CALLADA", "aftersix"), True),
        ("每天跑五公里", (("5公里", "五公里"), "每天"), True),
        ("每天跑五公里", (("5公里", "六公里"), "每天"), False),
    ],
)
def test_words_are_found_in_any_width_case_and_spacing(
    content: str, has: tuple[str | tuple[str, ...], ...], expected: bool
) -> None:
    assert holds(content, has) is expected


def test_folding_is_nfkc_case_folding_and_no_white_space() -> None:
    assert fold(" Ａ b\u3000\tß ﬁ\n") == "abssfi"


def test_a_memory_is_found_with_its_content() -> None:
    check = remembered(item("138"), a_memory("罗小东的电话是138"))

    assert check == Check("memories", "x", True, ("138",), "罗小东的电话是138", None)


def test_what_is_spread_over_two_memories_is_not_found() -> None:
    assert not remembered(item("电话", "邮箱"), a_memory("罗小东的电话"), a_memory("罗小东的邮箱")).passed


@pytest.mark.parametrize("layer", [MemoryType.CONVERSATION, MemoryType.PERCEPTUAL])
def test_only_derived_layers_count_as_remembered_unless_the_item_names_another(layer: MemoryType) -> None:
    node = a_memory("温度 21.5", memory_type=layer)

    assert not remembered(item("21.5"), node).passed
    assert remembered(item("21.5", type=layer), node).passed


def test_a_hypothesis_counts_only_where_the_item_asks_for_it() -> None:
    node = a_memory("罗小东希望做数据分析", modality=Modality.HYPOTHESIS)

    assert not remembered(item("数据分析"), node).passed
    assert remembered(item("数据分析", modality="hypothesis"), node).passed


@pytest.mark.parametrize("modality", ["stated", "asserted_by_agent", "inferred", "negated"])
def test_every_other_modality_counts(modality: str) -> None:
    assert remembered(item("x1"), a_memory("has x1", modality=modality)).passed


def test_type_and_modality_narrow() -> None:
    node = a_memory("has x1", modality=Modality.INFERRED)

    assert remembered(item("x1", type="observation", modality="inferred"), node).passed
    assert not remembered(item("x1", type="insight"), node).passed
    assert not remembered(item("x1", modality="stated"), node).passed


def test_kind_and_why_are_labels_and_never_narrow() -> None:
    check = remembered(item("x1", kind="contact", why="he said so"), a_memory("has x1", kind="wish"))

    assert check.passed
    assert check.why == "he said so"


@pytest.mark.parametrize(
    "fields",
    [
        {"store_status": StoreStatus.EXPIRED},
        {"store_status": StoreStatus.DELETED},
        {"invalid_at": NOW},
        {"invalid_at": NOW - timedelta(seconds=1)},
    ],
)
def test_what_is_no_longer_valid_is_not_remembered(fields: dict[str, object]) -> None:
    assert not remembered(item("x1"), a_memory("has x1", **fields)).passed


def test_what_ends_after_the_scenarios_clock_is_still_remembered() -> None:
    assert remembered(item("x1"), a_memory("has x1", invalid_at=NOW + timedelta(seconds=1))).passed


def test_items_are_about_the_customer_unless_they_name_somebody() -> None:
    third = a_memory("has x1", target_id=OTHER, target_name="王芳")

    assert not remembered(item("x1"), third).passed
    assert remembered(item("x1", about="王芳"), third).passed


def test_knowledge_from_documents_is_about_no_customer() -> None:
    node = a_memory("年卡最长停九十天", target_id=OTHER, memory_type=MemoryType.LONGTERM)
    asked = ExpectedRecall(id="x", ask="?", has=("九十天",))

    assert remembered(item("九十天", type="longterm"), node).passed
    assert not remembered(item("九十天"), node).passed
    assert never(item("九十天"), node).passed
    assert narrowed(asked, [node], {TARGET}) == [node]


def test_items_are_about_the_scenarios_agent_unless_they_name_another() -> None:
    node = a_memory("has x1", agent_id="clone")

    assert not remembered(item("x1"), node).passed
    assert remembered(item("x1", agent="clone"), node).passed


def test_never_looks_at_what_is_held_as_stated() -> None:
    assert not never(item("x1"), a_memory("has x1")).passed
    assert never(item("x1"), a_memory("has x1", modality=Modality.ASSERTED_BY_AGENT)).passed
    assert never(item("x1"), a_memory("has x1", modality=Modality.HYPOTHESIS)).passed


def test_never_does_not_mind_a_third_person_a_turn_or_what_is_over() -> None:
    node = a_memory("has x1")
    turn = a_memory("has x1", memory_type=MemoryType.CONVERSATION)

    assert never(item("x1"), a_memory("has x1", target_id=OTHER), turn, over(node)).passed


def test_never_shows_what_should_not_be_there() -> None:
    assert never(item("x1", why="a third person's"), a_memory("has x1")).found == "has x1"


def test_once_wants_exactly_one_valid_observation() -> None:
    one, two = a_memory("每天跑五公里"), a_memory("每天 五公里")

    assert not once(item("五公里")).passed
    assert once(item("五公里"), one).passed
    assert not once(item("五公里"), one, two).passed
    assert once(item("五公里"), one, over(two)).passed


def test_once_does_not_count_insights() -> None:
    insight = a_memory("爱跑步,每天五公里", memory_type=MemoryType.INSIGHT)

    assert not once(item("五公里"), insight).passed
    assert once(item("五公里"), insight, a_memory("每天跑五公里")).passed


OLD, NEW = a_memory("电话是13800138000"), a_memory("电话是13900139000")
CHANGED = ExpectedEnd(id="x", has=("138",), replaced_by=("139",))


def test_an_ended_memory_names_the_valid_one_that_took_over() -> None:
    assert ended(CHANGED, over(OLD, NEW), NEW).passed
    assert ended(CHANGED, over(OLD), NEW.revised(supersedes=(OLD.memory_id,))).passed


def test_an_ended_memory_may_have_been_taken_over_from_in_turn() -> None:
    between = a_memory("电话是 139 0013")

    assert ended(CHANGED, over(OLD, between), over(between, NEW), NEW).passed


@pytest.mark.parametrize(
    "memories",
    [
        (OLD, NEW),
        (over(OLD), NEW),
        (over(OLD, NEW), over(NEW)),
        (over(OLD, NEW), NEW.revised(modality=Modality.HYPOTHESIS)),
        (over(OLD, a_memory("别的事")), NEW),
        (NEW,),
    ],
    ids=["still valid", "no link", "successor is over too", "successor is a guess", "another took over", "never there"],
)
def test_an_ending_without_its_successor_is_none(memories: tuple[MemoryNode, ...]) -> None:
    assert not ended(CHANGED, *memories).passed


def test_an_ending_that_names_no_successor_needs_none() -> None:
    assert ended(ExpectedEnd(id="x", has=("138",)), over(OLD)).passed


def test_supersession_in_a_circle_comes_to_an_end() -> None:
    first = over(OLD, NEW)

    assert not ended(CHANGED, first, over(NEW, OLD)).passed


def test_words_must_stand_among_the_first_hits() -> None:
    asked = ExpectedRecall(id="x", ask="?", has=("138",), within=2)
    hits = [a_memory("a"), a_memory("b"), a_memory("c 138")]

    assert not recalled("recalls", asked, hits).passed
    assert recalled("recalls", asked, hits[1:]).found == "c 138"


def test_hits_are_narrowed_before_they_are_counted() -> None:
    asked = ExpectedRecall.model_validate({"id": "x", "ask": "?", "has": ["x"], "type": "observation"})
    turn, third, own = (
        a_memory("x", memory_type=MemoryType.CONVERSATION),
        a_memory("x", target_id=OTHER),
        a_memory("x"),
    )

    assert narrowed(asked, [turn, third, own], {TARGET}) == [own]


def said(text: str, **fields: object) -> MemoryNode:
    return a_memory(text, memory_type=MemoryType.CONVERSATION, speaker="罗小东", **fields)


@pytest.mark.parametrize(
    ("turn", "content"),
    [
        ("我是做社保系统的。", "我是做社保系统的"),
        ("罗小东", "罗小东"),
        ("I live in Leeds", "罗小东: I live in Leeds."),
        ("我要两辆自行车", "罗小东说:我要两辆自行车"),
    ],
)
def test_a_turn_stored_as_it_was_said_is_a_defect(turn: str, content: str) -> None:
    check = verbatim([said(turn), a_memory(content)])

    assert not check.passed
    assert check.found == content


@pytest.mark.parametrize(
    ("turn", "content"),
    [
        ("我是做社保系统的", "罗小东的业务是做社保系统"),
        ("喜欢喝茶", "罗小东喜欢喝茶"),
        ("罗小东的电话是138", "罗小东的电话是138"),
    ],
)
def test_a_sentence_of_its_own_is_none(turn: str, content: str) -> None:
    assert verbatim([said(turn), a_memory(content)]).passed


def test_the_same_words_in_another_agents_conversation_are_none() -> None:
    assert verbatim([said("我是做社保系统的", agent_id="clone"), a_memory("我是做社保系统的")]).passed


def test_the_check_for_copied_turns_always_runs() -> None:
    assert [check.kind for check in examine(Expectations(), known())] == ["verbatim"]
