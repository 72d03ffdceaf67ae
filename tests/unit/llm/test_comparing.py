"""A reading says how its statements stand to those held: to what it was shown, and to nothing else."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from agentmem.adapters.cognition.llm.comparing import beside
from agentmem.adapters.cognition.llm.spoken_of import MAX_HELD
from agentmem.domain.ids import derived_id
from agentmem.domain.statement import Held, Pair, Statement, Window
from tests.fixtures.scripted_model import scripted
from tests.fixtures.windows import START, window
from tests.unit.llm.test_reading import answering

FACT: Mapping[str, Any] = {
    "text": "软件工程师罗小东的预算大概50万",
    "turn": 4,
    "quote": "预算大概50万",
    "mode": "stated",
}
HELD = ("软件工程师罗小东有预算", "软件工程师罗小东希望改进社保系统")


def a_window() -> Window:
    held = (
        Held(memory_id=derived_id("held", number), content=text, since=START - timedelta(days=30))
        for number, text in enumerate(HELD, start=1)
    )
    return window().revised(held=tuple(held))


async def read(**fields: object) -> tuple[Statement, str]:
    """The one statement, and the prompt."""
    model, prompts = answering({"facts": [{**FACT, **fields}], "names": [], "rejected": []})
    (statement,) = (await scripted(model).read(a_window())).reading.statements
    return statement, prompts[0]


async def test_what_is_held_is_shown_with_its_day() -> None:
    _, prompt = await read()
    assert all(f"已记 {number} (2026-" in prompt and text in prompt for number, text in enumerate(HELD, start=1))


@pytest.mark.parametrize(("field", "relation"), [("replaces", "replaces"), ("adds_to", "adds")])
async def test_a_statement_is_compared_with_what_it_names(field: str, relation: str) -> None:
    statement, _ = await read(**{field: [1]})
    assert [(item.held, item.relation) for item in statement.compared] == [(derived_id("held", 1), relation)]


@pytest.mark.parametrize(
    ("held", "said", "relation"),
    [
        ("软件工程师罗小东养了两只灰鹦鹉", "软件工程师罗小东养了鹦鹉", "says_less"),
        ("软件工程师罗小东每周二晚上八点练琴", "软件工程师罗小东每周二练琴", "says_less"),
        ("软件工程师罗小东喝不加糖的乌龙茶", "软件工程师罗小东喝乌龙茶", "says_less"),
        ("软件工程师罗小东养了鹦鹉", "软件工程师罗小东养了两只灰鹦鹉", "adds"),
        ("软件工程师罗小东喝乌龙茶", "软件工程师罗小东爱喝乌龙", "adds"),
        ("软件工程师罗小东练琴", "软件工程师罗小东每周二练琴", "adds"),
        ("软件工程师罗小东的车停在后院", "软件工程师罗小东的车停在后院", "adds"),
        ("软件工程师罗小东不骑马", "软件工程师罗小东不骑马,别再给他订马场", "adds"),
        ("软件工程师罗小东周二练琴", "软件工程师罗小东周二练琴,不在家练", "adds"),
        ("软件工程师罗小东的箱子要防水,因为走海运", "软件工程师罗小东的箱子要防水,淋了雨不能散,因为走海运", "adds"),
        ("软件工程师罗小东不喝酒,喝了头疼", "软件工程师罗小东不喝酒,胃也受不住,一喝头就疼,别再劝", "adds"),
    ],
)
async def test_what_says_again_and_less_takes_no_fuller_statements_place(held: str, said: str, relation: str) -> None:
    fact = {**FACT, "text": said, "adds_to": [1]}
    model, _ = answering({"facts": [fact], "names": [], "rejected": []})
    line = Held(memory_id=derived_id("held"), content=held, since=START - timedelta(days=30))
    (statement,) = (await scripted(model).read(window().revised(held=(line,)))).reading.statements
    assert [item.relation for item in statement.compared] == [relation]


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("软件工程师罗小东想减10斤", "软件工程师罗小东减了6斤"),
        ("软件工程师罗小东数学里最弱的是几何", "软件工程师罗小东证明题做不快"),
        ("软件工程师罗小东工作日中午有空", "软件工程师罗小东每周一、周三上课"),
        ("软件工程师罗小东想去莫干山或者千岛湖", "软件工程师罗小东订了千岛湖的房间"),
        ("软件工程师罗小东不吃辣", "软件工程师罗小东吃辣"),
        ("软件工程师罗小东吃鱼", "软件工程师罗小东吃肉,不吃鱼"),
        ("软件工程师罗小东骑马", "软件工程师罗小东不骑马了,改骑车"),
        ("软件工程师罗小东骑马", "软件工程师罗小东以前骑马,现在不骑"),
        ("软件工程师罗小东吃鱼", "软件工程师罗小东的儿子吃鱼,罗小东不吃"),
        ("软件工程师罗小东开店,店里有两名学徒", "软件工程师罗小东开店,店里没有两名学徒"),
        ("软件工程师罗小东的箱子要防水,因为走海运", "软件工程师罗小东的箱子要防水,不走海运"),
    ],
)
async def test_what_leaves_out_what_is_held_takes_the_place_of_nothing(held: str, said: str) -> None:
    model, _ = answering({"facts": [{**FACT, "text": said, "adds_to": [1]}], "names": [], "rejected": []})
    line = Held(memory_id=derived_id("held"), content=held, since=START - timedelta(days=30))
    (statement,) = (await scripted(model).read(window().revised(held=(line,)))).reading.statements
    assert statement.compared == ()


async def test_what_joins_two_held_statements_takes_the_place_of_neither() -> None:
    fact = {**FACT, "text": "软件工程师罗小东的车停在后院,钥匙在门卫那里", "adds_to": [1, 2]}
    model, _ = answering({"facts": [fact], "names": [], "rejected": []})
    lines = tuple(
        Held(memory_id=derived_id("held", number), content=content, since=START - timedelta(days=30))
        for number, content in enumerate(("软件工程师罗小东的车停在后院", "软件工程师罗小东的钥匙在门卫那里"))
    )
    reading = (await scripted(model).read(window().revised(held=lines))).reading
    assert [item.compared for item in reading.statements] == [()]
    assert reading.withdrawn == ()


@pytest.mark.parametrize("numbers", [[1, 1], [1, 99]])
async def test_a_number_said_twice_or_not_offered_is_no_other_statement(numbers: list[int]) -> None:
    statement, _ = await read(adds_to=numbers)
    assert [item.relation for item in statement.compared] == ["adds"]


async def test_what_it_replaces_it_does_not_repeat_too() -> None:
    statement, _ = await read(replaces=[1], adds_to=[1])
    assert [item.relation for item in statement.compared] == ["replaces"]


@pytest.mark.parametrize(("attr", "kept"), [("quantity", True), ("appointment", False), (None, True)])
async def test_a_change_to_come_holds_from_its_day_and_an_appointment_from_when_it_is_made(
    attr: str | None, *, kept: bool
) -> None:
    statement, _ = await read(attr=attr, value="50万", since="2026-05-01", replaces=[1])
    assert (statement.valid_at is not None) is kept
    alone, _ = await read(attr=attr, value="50万", since="2026-05-01")
    assert (alone.valid_at is not None) is (attr is None)


async def test_an_appointment_that_recurs_is_at_the_new_time_from_the_day_up_to_which_the_old_one_holds() -> None:
    fact = {**FACT, "attr": "appointment", "value": "50万", "since": "2026-05-01", "replaces": [1]}
    model, _ = answering({"facts": [fact], "no_longer_true": [{"held": 1, "turn": 4, "until": "2026-05-01"}]})
    (statement,) = (await scripted(model).read(a_window())).reading.statements
    assert statement.valid_at is not None


@pytest.mark.parametrize("offered", [[0], [-1], [3], [99], [True], ["1"], "1", {"1": 1}, [1.5], 7, None])
async def test_what_was_not_offered_is_compared_with_nothing(offered: object) -> None:
    statement, _ = await read(replaces=offered)
    assert statement.compared == ()


async def test_a_fact_that_is_changed_in_the_same_talk_ends_with_the_turn_that_changes_it() -> None:
    talk = a_window()
    statement, _ = await read(until_turn=6)
    assert statement.invalid_at == talk.turns[5].at


@pytest.mark.parametrize("until_turn", [4, 1, -1, 0, 99, "6", None])
async def test_no_earlier_turn_ends_a_fact(until_turn: object) -> None:
    statement, _ = await read(until_turn=until_turn)
    assert statement.invalid_at is None


async def test_what_a_later_turn_says_in_its_place_replaces_it() -> None:
    later = {"text": "软件工程师罗小东常驻上海", "turn": 6, "quote": "不在北京", "mode": "stated"}
    model, _ = answering({"facts": [{**FACT, "until_turn": 6}, later]})
    first, second = (await scripted(model).read(a_window())).reading.statements
    assert (first.invalid_at, second.replaces) == (None, (first.content,))


async def test_what_is_over_names_the_held_statement_and_the_turn() -> None:
    model, _ = answering({"facts": [], "no_longer_true": [{"held": 2, "turn": 6}, {"held": 2, "turn": 4}]})
    (found,) = (await scripted(model).read(a_window())).reading.withdrawn
    assert (found.memory_id, found.at) == (derived_id("held", 2), a_window().turns[5].at)


@pytest.mark.parametrize(
    ("ended", "over"),
    [
        ({"held": 1, "says": "改进社保系统"}, [2]),
        ({"held": 2, "says": "改进社保系统"}, [2]),
        ({"held": 9, "says": "希望改进"}, [2]),
        ({"held": 2, "says": "社保的系统"}, [2]),
        ({"held": 2, "says": "已经办完"}, [2]),
        ({"held": 2, "says": "软件工程师罗小东"}, [2]),
        ({"held": 2}, [2]),
        ({"held": 9, "says": "软件工程师罗小东"}, []),
    ],
)
async def test_words_of_a_held_statement_put_a_slip_in_its_number_right(
    ended: dict[str, object], over: list[int]
) -> None:
    model, _ = answering({"facts": [], "no_longer_true": [{**ended, "turn": 6}]})
    withdrawn = (await scripted(model).read(a_window())).reading.withdrawn
    assert [each.memory_id for each in withdrawn] == [derived_id("held", number) for number in over]


async def test_of_two_endings_with_one_number_each_ends_what_its_own_words_say() -> None:
    ended = [{"held": 2, "says": words, "turn": 6} for words in ("改进社保系统", "有预算")]
    model, _ = answering({"facts": [{**FACT, "replaces": [2]}], "no_longer_true": ended, "still_true": []})
    reading = (await scripted(model).read(a_window())).reading
    assert {each.memory_id for each in reading.withdrawn} == {derived_id("held", 1), derived_id("held", 2)}
    assert [each.held for each in reading.statements[0].compared] == [derived_id("held", 2)]


async def test_what_is_replaced_is_what_the_words_of_its_ending_say() -> None:
    ended = {"held": 2, "says": "有预算", "turn": 4}
    model, _ = answering({"facts": [{**FACT, "replaces": [2]}], "no_longer_true": [ended], "still_true": []})
    reading = (await scripted(model).read(a_window())).reading
    (statement,) = reading.statements
    assert [(each.held, each.relation) for each in statement.compared] == [(derived_id("held", 1), "replaces")]
    assert [each.memory_id for each in reading.withdrawn] == [derived_id("held", 1)]


async def test_words_that_several_held_statements_have_end_none_of_another_number() -> None:
    lines = ("软件工程师罗小东周一学琴", "软件工程师罗小东周二学琴", "软件工程师罗小东养猫")
    held = tuple(
        Held(memory_id=derived_id("held", number), content=text, since=START - timedelta(days=30))
        for number, text in enumerate(lines, start=1)
    )
    model, _ = answering({"facts": [], "no_longer_true": [{"held": 3, "says": "学琴", "turn": 6}]})
    assert (await scripted(model).read(window().revised(held=held))).reading.withdrawn == ()


@pytest.mark.parametrize(
    ("until", "at"),
    [("2026-04-06", "2026-04-07T00:00:00+08:00"), ("2026-01-06", None), ("soon", None), (7, None)],
)
async def test_what_is_over_from_a_day_to_come_holds_until_then(until: object, at: str | None) -> None:
    model, _ = answering({"facts": [], "no_longer_true": [{"held": 2, "turn": 6, "until": until}]})
    withdrawn = (await scripted(model).read(a_window())).reading.withdrawn
    told = [each.at.isoformat() for each in withdrawn]
    assert told == ([] if until == 7 else [at or a_window().turns[5].at.isoformat()])


@pytest.mark.parametrize("ended", [{"held": 2, "turn": 7}, {"held": 3, "turn": 6}, {"held": 2, "turn": -1}, "2", 2])
async def test_only_the_person_says_that_something_shown_is_over(ended: object) -> None:
    model, _ = answering({"facts": [FACT], "no_longer_true": [ended]})
    talk = a_window()
    last = talk.turns[4].revised(turn_id=derived_id("last"), at=START + timedelta(minutes=5))
    assert (await scripted(model).read(talk.revised(turns=(*talk.turns, last)))).reading.withdrawn == ()


@pytest.mark.parametrize(("rejected", "over"), [([], True), ([5], False)])
async def test_what_the_agent_says_is_over_is_so_once_the_person_has_heard_it_and_does_not_reject_it(
    rejected: list[int], *, over: bool
) -> None:
    model, _ = answering({"facts": [FACT], "no_longer_true": [{"held": 2, "turn": 5}], "rejected": rejected})
    withdrawn = (await scripted(model).read(a_window())).reading.withdrawn
    assert [each.at for each in withdrawn] == ([a_window().turns[5].at] if over else [])


@pytest.mark.parametrize(
    ("fact", "over"),
    [
        ({"text": "软件工程师罗小东的预算大概88888元"}, True),
        ({"mode": "inferred"}, True),
        ({"mode": "maybe"}, False),
        ({"turn": 5, "quote": "社保管理系统"}, False),
        ({"quote": "预算七十万"}, False),
    ],
    ids=["a number of its own", "concluded", "a guess", "the agent's", "nobody's words"],
)
async def test_what_the_person_said_takes_the_place_of_another_though_the_sentence_about_it_may_not_stand(
    fact: dict[str, object], *, over: bool
) -> None:
    model, _ = answering({"facts": [FACT, {**FACT, **fact, "replaces": [2]}]})
    withdrawn = (await scripted(model).read(a_window())).reading.withdrawn
    assert [(each.memory_id, each.at) for each in withdrawn] == (
        [(derived_id("held", 2), a_window().turns[3].at)] if over else []
    )


async def test_what_is_said_to_be_still_true_is_not_withdrawn_by_what_replaces_it() -> None:
    model, _ = answering({"facts": [{**FACT, "replaces": [2]}], "still_true": [2]})
    assert (await scripted(model).read(a_window())).reading.withdrawn == ()


@pytest.mark.parametrize(
    ("answer", "numbers"),
    [
        ({"facts": [FACT]}, [1, 2]),
        ({"facts": [FACT], "still_true": [2]}, [2]),
        ({"facts": [{**FACT, "replaces": [1]}]}, [1]),
        ({"facts": [FACT], "no_longer_true": [{"held": 1, "turn": 4}], "still_true": [2]}, [1, 2]),
    ],
    ids=["nothing of any", "one left out", "one named", "all"],
)
async def test_a_held_statement_that_an_answer_leaves_out_is_not_compared(
    answer: dict[str, object], numbers: list[int]
) -> None:
    model, _ = answering(answer)
    looked_at = (await scripted(model).read(a_window())).reading.looked_at
    assert looked_at == tuple(derived_id("held", number) for number in numbers)


@pytest.mark.parametrize(("compared", "over"), [("replaces", [derived_id("held", 1)]), ("adds_to", [])])
async def test_what_is_said_to_be_over_is_whatever_replaces_it_but_not_what_is_said_in_full(
    compared: str, over: list[str]
) -> None:
    model, _ = answering({"facts": [{**FACT, compared: [1]}], "no_longer_true": [{"held": 1, "turn": 6}]})
    withdrawn = (await scripted(model).read(a_window())).reading.withdrawn
    assert [each.memory_id for each in withdrawn] == over


async def test_a_number_that_is_held_may_be_told_again() -> None:
    held = Held(memory_id=derived_id("held", 9), content="软件工程师罗小东的工号是778899", since=START)
    fact = {**FACT, "text": "软件工程师罗小东的工号还是778899"}
    model, _ = answering({"facts": [fact]})
    (found,) = (await scripted(model).read(window().revised(others=(held,)))).reading.statements
    assert found.content == fact["text"]


async def test_a_number_of_what_was_held_before_may_be_told_again_where_it_is_shown() -> None:
    now, before = (
        Held(memory_id=derived_id("held", n), content=f"软件工程师罗小东的预算是{n}万", since=START) for n in (70, 35)
    )
    talk = window(((False, "预算还是回到最初那个数吧"),), context=()).revised(
        held=(before.revised(by=now.content), now)
    )
    model, _ = answering({"facts": [{"text": before.content, "turn": 1, "quote": "回到最初那个数", "replaces": [1]}]})
    (found,) = (await scripted(model).read(talk)).reading.statements
    assert found.content == before.content


async def test_of_many_held_the_ones_that_the_talk_concerns_are_shown() -> None:
    many = [f"软件工程师罗小东读过第{number}本小说" for number in range(40)]
    texts = [*many[:20], "软件工程师罗小东的预算是30万", *many[20:]]
    held = tuple(
        Held(memory_id=derived_id("held", number), content=text, since=START - timedelta(days=90 - number))
        for number, text in enumerate(texts)
    )
    model, prompts = answering({"facts": []})
    await scripted(model).read(window().revised(held=held))
    assert "软件工程师罗小东的预算是30万" in prompts[0]
    assert prompts[0].count("已记") == MAX_HELD


async def test_a_relative_day_is_resolved_beside_its_turn() -> None:
    model, prompts = answering({"facts": []})
    await scripted(model).read(window())
    assert "(2026-03-05 Thu 10:01; 下周四下午三点 = 2026-03-12T15:00): 我想给社保系统加AI能力" in prompts[0]


@pytest.mark.parametrize(
    ("content", "over"),
    [
        ("软件工程师罗小东周二(2026-02-24)来公司", "2026-02-25T00:00:00+08:00"),
        ("软件工程师罗小东周五(2026-03-06)来公司", None),
        ("软件工程师罗小东每周二来公司", None),
        ("软件工程师罗小东周二(2026-02-24)到周五(2026-03-06)在公司", None),
        ("软件工程师罗小东周二来公司", None),
        ("软件工程师罗小东2月24号(2026-02-24)周二下午三点来公司", "2026-02-25T00:00:00+08:00"),
        ("软件工程师罗小东2月24号(2026-02-24)来公司,周四再来", None),
        ("软件工程师罗小东2月24日(2026-02-24)至2月26日(2026-02-26)在公司", "2026-02-27T00:00:00+08:00"),
        ("软件工程师罗小东2026年2月来公司", "2026-03-01T00:00:00+08:00"),
        ("软件工程师罗小东2026年3月来公司", None),
        ("软件工程师罗小东从2月24号(2026-02-24)起每周二来公司", None),
        ("软件工程师罗小东希望改进社保系统", None),
    ],
)
async def test_what_nobody_speaks_of_is_over_only_where_its_day_has_passed(content: str, over: str | None) -> None:
    said_at = START - timedelta(days=14)
    visit = Held(memory_id=derived_id("held", 1), content=content, since=said_at, said_at=said_at)
    model, _ = answering({"facts": [], "no_longer_true": [{"held": 1}]})
    withdrawn = (await scripted(model).read(window().revised(held=(visit,)))).reading.withdrawn
    assert [each.at.isoformat() for each in withdrawn] == ([over] if over else [])


async def test_what_is_said_to_be_true_and_not_true_is_left_as_it_is() -> None:
    model, _ = answering({"facts": [], "no_longer_true": [{"held": 2, "turn": 6}], "still_true": [1, 2]})
    assert (await scripted(model).read(a_window())).reading.withdrawn == ()


async def test_pairs_are_shown_without_gaps_and_answered_under_their_own_numbers() -> None:
    pairs = [Pair(number=number, new=f"他养了{number}只狗", old="他养猫") for number in (4, 5)]
    model, prompts = answering({"verdicts": [{"pair": 2, "verdict": "replaces"}]})
    judged = await scripted(model).judge(pairs)
    assert [(each.number, each.relation) for each in judged.verdicts] == [(5, "replaces")]
    assert "\n1. 先: 他养猫 | 后: 他养了4只狗\n2. " in prompts[0]


def test_what_is_held_without_a_word_is_no_clause_that_is_turned() -> None:
    assert beside("软件工程师罗小东不吃肉", "！", "软件工程师罗小东") is None
