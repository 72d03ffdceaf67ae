"""What a reading says of the statements it was shown is believed as a verdict, and no call is made to judge them."""

from datetime import timedelta
from pathlib import Path

import pytest

from agentmem.domain.change import Change
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import Ending, MemoryNode, MemoryType, StoreStatus
from agentmem.ports.ledger import Commit, Selection
from agentmem.runtime.facade.app import App
from agentmem.runtime.host.clocks import ManualClock
from tests.support.nodes import NOON, TENANT
from tests.support.obedient import fact, held, obeying, order, told
from tests.support.spine import SCOPE, quiet_persona

OLD, NEW = "罗小东 wants to fly to Lisbon", "罗小东 wants to fly to Porto"


def _judged(prompts: list[str]) -> list[str]:
    return [prompt for prompt in prompts if "| later: " in prompt]


async def _told(app: App, text: str, **compared: object) -> None:
    await told(app, "罗小东", f"{text[-6:]} {order(read={'facts': [fact(text, **compared)]})}")


async def _node(app: App, text: str) -> MemoryNode:
    nodes = await app.memories(Selection(SCOPE, statuses=tuple(StoreStatus)))
    (found,) = (node for node in nodes if node.content == text and node.memory_type != "conversation")
    return found


async def test_what_replaces_a_held_statement_ends_it_without_a_call_to_judge(tmp_path: Path) -> None:
    prompts: list[str] = []
    async with obeying(tmp_path, prompts) as app:
        await _told(app, OLD)
        await _told(app, NEW, replaces=[1])
        assert [node.content for node in await held(app)] == [NEW]
        old, new = await _node(app, OLD), await _node(app, NEW)
        assert (old.superseded_by, old.invalid_at) == (new.memory_id, new.valid_at)
        assert any(f"已记 1 (2026-03-09): {OLD}" in prompt for prompt in prompts)
        assert _judged(prompts) == []


async def test_of_what_it_was_shown_and_said_nothing_nobody_is_asked_again(tmp_path: Path) -> None:
    prompts: list[str] = []
    async with obeying(tmp_path, prompts) as app:
        await _told(app, OLD)
        await _told(app, NEW)
        await app.reflect(SCOPE)
        assert sorted(node.content for node in await held(app)) == sorted((OLD, NEW))
        assert _judged(prompts) == []


@pytest.mark.parametrize("number", [0, -1, 2, 99])
async def test_a_number_that_was_not_shown_ends_nothing(tmp_path: Path, number: int) -> None:
    async with obeying(tmp_path) as app:
        await _told(app, OLD)
        await _told(app, NEW, replaces=[number])
        assert sorted(node.content for node in await held(app)) == sorted((OLD, NEW))


async def test_what_is_said_to_be_over_ends_with_nothing_in_its_place(tmp_path: Path) -> None:
    async with obeying(tmp_path) as app:
        await _told(app, OLD)
        await told(app, "罗小东", f"never mind {order(read={'no_longer_true': [{'held': 1, 'turn': 1}]})}")
        assert await held(app) == []
        old = await _node(app, OLD)
        assert (old.ending, old.superseded_by) == (Ending.ENDED, None)


async def test_what_is_said_to_be_over_is_over_though_a_mere_guess_replaces_it(tmp_path: Path) -> None:
    async with obeying(tmp_path) as app:
        await _told(app, OLD)
        guess = {**fact(NEW, replaces=[1]), "mode": "inferred"}
        said = {"facts": [guess], "no_longer_true": [{"held": 1, "turn": 1}]}
        await told(app, "罗小东", f"{NEW[-6:]} {order(read=said)}")
        assert (await _node(app, OLD)).ending is Ending.ENDED
        assert (await _node(app, NEW)).store_status is StoreStatus.VALID


async def test_what_ends_with_a_later_day_holds_until_then(tmp_path: Path) -> None:
    async with obeying(tmp_path) as app:
        await _told(app, OLD)
        said = {"facts": [fact(NEW, replaces=[1], since="2099-06-01")], "no_longer_true": [{"held": 1, "turn": 1}]}
        await told(app, "罗小东", f"{NEW[-6:]} {order(read=said)}")
        old, new = await _node(app, OLD), await _node(app, NEW)
        assert (old.store_status, old.invalid_at) == (StoreStatus.VALID, new.valid_at)


@pytest.mark.parametrize("ended", [{"held": 2, "turn": 1}, {"held": 0, "turn": 1}, {"held": 1, "turn": 9}, {"held": 1}])
async def test_what_was_not_shown_or_not_said_is_not_over(tmp_path: Path, ended: dict[str, int]) -> None:
    async with obeying(tmp_path) as app:
        await _told(app, OLD)
        await told(app, "罗小东", f"never mind {order(read={'no_longer_true': [ended]})}")
        assert [node.content for node in await held(app)] == [OLD]


async def test_what_somebody_told_of_another_is_shown_to_him_alone_and_may_be_replaced(tmp_path: Path) -> None:
    prompts: list[str] = []
    old, new = "王芳 lives in Lisbon", "王芳 lives in Porto"
    async with obeying(tmp_path, prompts) as app:
        await told(app, "罗小东", f"王芳 {order(read={'facts': [fact(old, about='王芳')]})}")
        await told(app, "李雷", f"hello {order(read={'facts': []})}")
        assert sum(old in prompt and f"已记 1 (2026-03-09): {old}" in prompt for prompt in prompts) == 0
        await told(app, "罗小东", f"王芳 moved {order(read={'facts': [fact(new, about='王芳', replaces=[1])]})}")
        assert any(f"已记 1 (2026-03-09): {old}" in prompt for prompt in prompts)
        assert (await _node(app, old)).superseded_by == (await _node(app, new)).memory_id


async def test_a_plan_that_a_later_word_replaces_never_comes_true(tmp_path: Path) -> None:
    async with obeying(tmp_path) as app:
        await _told(app, OLD, since="2026-06-01")
        await _told(app, NEW, replaces=[1])
        assert [node.content for node in await held(app)] == [NEW]
        old = await _node(app, OLD)
        assert old.store_status is not StoreStatus.VALID


async def test_statements_of_one_reading_are_not_judged_afterwards(tmp_path: Path) -> None:
    prompts: list[str] = []
    async with obeying(tmp_path, prompts) as app:
        await told(app, "罗小东", f"trip {order(read={'facts': [fact(OLD), fact(NEW)]})}")
        assert sorted(node.content for node in await held(app)) == sorted((OLD, NEW))
        assert _judged(prompts) == []


def _reflected(prompts: list[str]) -> list[str]:
    """What was asked besides readings and judgements: here only reflections name no turn."""
    return [prompt for prompt in prompts if "已记" not in prompt and "OBEY" not in prompt and "1 (2026-" in prompt]


async def test_one_talk_is_read_without_a_reflection_by_the_model_and_several_are_reflected_on(tmp_path: Path) -> None:
    prompts: list[str] = []
    facts = [fact(f"罗小东 keeps {number} geese") for number in ("two", "some", "many", "grey", "white", "loud")]
    async with obeying(tmp_path, prompts, persona=quiet_persona(observations=6)) as app:
        await told(app, "罗小东", f"geese {order(read={'facts': facts})}")
        assert _reflected(prompts) == []
        await told(app, "罗小东", f"ducks {order(read={'facts': [fact('罗小东 keeps ducks')]})}")
        assert _reflected(prompts) == []
        await told(app, "罗小东", f"swans {order(read={'facts': [fact('罗小东 keeps swans')]})}")
        assert len(_reflected(prompts)) == 1


async def test_an_insight_of_a_reading_is_shown_to_the_next_which_may_end_it(tmp_path: Path) -> None:
    prompts: list[str] = []
    text = "罗小东 flies to save time"
    async with obeying(tmp_path, prompts) as app:
        await _told(app, text, insight=True)
        assert [(node.content, node.memory_type) for node in await held(app)] == [(text, MemoryType.INSIGHT)]
        await told(app, "罗小东", f"never mind {order(read={'no_longer_true': [{'held': 1, 'turn': 1}]})}")
        assert any(f"已记 1 (2026-03-09): {text}" in prompt for prompt in prompts)
        assert await held(app) == []


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ({"doubts": [{"doubt": 1, "stands": True, "sources": [1]}]}, "罗小东 likes Portugal"),
        ({"doubts": [{"doubt": 1, "stands": False}]}, None),
        (
            {
                "doubts": [{"doubt": 1, "stands": False}],
                "insights": [{"attr": "taste", "value": "Porto", "text": "罗小东 likes Porto", "sources": [1]}],
            },
            "罗小东 likes Porto",
        ),
    ],
    ids=["kept", "withdrawn", "reworded"],
)
async def test_an_insight_that_lost_a_ground_is_put_to_the_model_once_without_other_news(
    tmp_path: Path, answer: dict[str, object], says: str | None
) -> None:
    prompts: list[str] = []
    async with obeying(tmp_path, prompts, persona=quiet_persona()) as app:
        await _told(app, OLD)
        await _told(app, NEW)
        insight = await _insight_on(app, f"罗小东 likes Portugal {order(reflect=answer)}", *await held(app))
        await told(app, "罗小东", f"never mind {order(read={'no_longer_true': [{'held': 1, 'turn': 1}]})}")
        await told(app, "罗小东", "and that is all")
        asked = [
            prompt for prompt in prompts if "存疑 1: 罗小东 likes Portugal" in prompt and "(taste = Portugal)" in prompt
        ]
        assert len(asked) == 1
        now = (await app.journal.ledger.get(TENANT, [insight.memory_id]))[insight.memory_id]
        assert now.needs_review is None
        told_now = now.content.split(" OBEY")[0]
        assert (told_now if now.store_status is StoreStatus.VALID else None) == says


async def _insight_on(app: App, content: str, *grounds: MemoryNode) -> MemoryNode:
    """An insight that a reflection has drawn from these."""
    insight = grounds[-1].revised(
        memory_id=derived_id("an", "insight"),
        memory_type=MemoryType.INSIGHT,
        kind="reflected",
        content=content,
        attribute="taste",
        value="Portugal",
        depends_on=tuple(node.memory_id for node in grounds),
        revision=1,
    )
    commit = Commit(TENANT, "by hand", "reflection", NOON, (Change(act="add", after=insight),))
    await app.journal.ledger.commit(commit)
    return insight


@pytest.mark.parametrize(("over", "left"), [([1, 2], False), ([1], True)])
async def test_an_insight_ends_in_the_same_commit_as_the_last_of_what_it_rested_on(
    tmp_path: Path, over: list[int], *, left: bool
) -> None:
    async with obeying(tmp_path) as app:
        await _told(app, OLD)
        await _told(app, NEW)
        insight = await _insight_on(app, "罗小东 likes Portugal", *await held(app))
        ended = [{"held": number, "turn": 1} for number in over]
        await told(app, "罗小东", f"never mind {order(read={'no_longer_true': ended})}")
        drawn = await _node(app, insight.content)
        assert (drawn.store_status is StoreStatus.VALID) is left
        assert bool(drawn.needs_review) is left
        *_, last = await app.journal.ledger.history(TENANT, insight.memory_id)
        if not left:
            assert last.change.reason == "nothing it was based on still holds"
            await app.undo(last.run)
            assert (await _node(app, insight.content)).store_status is StoreStatus.VALID


async def test_a_fuller_value_of_an_attribute_takes_over_no_statement_that_the_reading_leaves_as_it_is(
    tmp_path: Path,
) -> None:
    old, new, last = "罗小东 nurses at St Mary's", "罗小东 works in the clinic now", "罗小东 has a dog"
    async with obeying(tmp_path) as app:
        await _told(app, old, attr="occupation", value="nurse")
        await _told(app, new, attr="occupation", value="nurse in the clinic")
        await _told(app, last)
        await app.reflect(SCOPE)
        assert sorted(node.content for node in await held(app)) == sorted((old, new, last))


async def test_what_the_reading_says_is_told_in_full_by_a_fuller_value_is_taken_over(tmp_path: Path) -> None:
    old, new = "罗小东 is a nurse", "罗小东 is a nurse in the clinic"
    async with obeying(tmp_path) as app:
        await _told(app, old, attr="occupation", value="nurse")
        await _told(app, new, attr="occupation", value="nurse in the clinic", adds_to=[1])
        assert [node.content for node in await held(app)] == [new]


async def test_no_pair_with_what_time_has_ended_is_judged(tmp_path: Path) -> None:
    prompts: list[str] = []
    clock = ManualClock(NOON)
    async with obeying(tmp_path, prompts, clock=clock) as app:
        await _told(app, OLD, until="2026-03-10")
        clock.advance(timedelta(days=5))
        await _told(app, NEW)
        assert not any("已记 1" in prompt for prompt in prompts)
        assert _judged(prompts) == []


@pytest.mark.parametrize(
    ("held_text", "again", "kept"),
    [
        ("罗小东 keeps two grey geese by the pond", "罗小东 keeps geese", 0),
        ("罗小东 keeps geese", "罗小东 keeps two grey geese by the pond", 1),
        ("罗小东 swims in the river before work", "罗小东 takes a swim in the river before she works", 1),
    ],
)
async def test_what_is_said_again_in_other_words_is_held_once(
    tmp_path: Path, held_text: str, again: str, kept: int
) -> None:
    async with obeying(tmp_path) as app:
        await told(app, "罗小东", f"one {order(read={'facts': [fact(held_text)]})}")
        await told(app, "罗小东", f"two {order(read={'facts': [fact(again, adds_to=[1])], 'still_true': [1]})}")
        assert [node.content for node in await held(app)] == [(held_text, again)[kept]]


async def test_what_adds_a_word_to_a_long_statement_takes_its_place(tmp_path: Path) -> None:
    old = "罗小东 wants the big room on Monday, Tuesday and Wednesday, when he works at the dairy by the river"
    new = old.replace("and Wednesday", "Wednesday and Thursday")
    async with obeying(tmp_path) as app:
        await _told(app, old)
        await _told(app, new, adds_to=[1])
        assert [node.content for node in await held(app)] == [new]
