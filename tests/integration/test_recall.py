"""Recall through the whole system: what enters besides what words find, and what is told of it."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from agentmem.domain.change import Change
from agentmem.domain.episode import episode_id
from agentmem.domain.memory import MemoryNode
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput
from agentmem.ports.ledger import Commit
from agentmem.retrieval.pool import Stage
from agentmem.retrieval.query import Recalled, RecallQuery
from agentmem.runtime.facade.app import App
from tests.support.nodes import AGENT, NOON, TARGET, TENANT, a_memory, a_turn
from tests.support.spine import SCOPE, spine

ABOUT_HIM = Scope(TENANT, AGENT, TARGET)


async def remember(app: App, *nodes: MemoryNode) -> None:
    changes = tuple(Change(act="add", after=node) for node in nodes)
    await app.journal.ledger.commit(Commit(TENANT, "by hand", "test", NOON, changes))


def contents(found: Recalled) -> list[str]:
    return [hit.memory.content for hit in found.hits]


async def test_the_answer_beside_the_question_is_found_though_it_shares_no_word(tmp_path: Path) -> None:
    talk = ["你好", "您的仓库在哪个城市?", "苏州", "好的,我记下了", "再见"]
    async with spine(tmp_path) as app:
        await app.accept(
            [a_turn(text, number, by_agent=number % 2 == 1, extract=False) for number, text in enumerate(talk)]
        )
        await app.drain()
        found = await app.recall(RecallQuery(ABOUT_HIM, "仓库在哪个城市", k=2, profile="verbatim"))
    assert contents(found) == ["苏州", "您的仓库在哪个城市?"]
    assert found.hits[0].signals["answer"] > 0


async def test_a_memory_is_found_by_the_words_it_would_be_asked_with(tmp_path: Path) -> None:
    kept = a_memory("letters go to 8 Mill Lane", meta_data={"askedWith": ["post", "correspondence", 7]})
    others = [a_memory(f"the {what} is blue") for what in ("door", "gate", "roof", "fence", "shed")]
    async with spine(tmp_path) as app:
        await remember(app, kept, *others)
        found = await app.recall(RecallQuery(ABOUT_HIM, "where does his correspondence go?", k=1))
    assert contents(found) == [kept.content]


async def test_turns_of_another_talk_with_the_same_numbers_are_no_neighbours(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await app.accept([a_turn("您的仓库在哪个城市?", 1, run="one", extract=False)])
        await app.accept([a_turn("晴天", 2, run="two", extract=False)])
        await app.drain()
        found = await app.recall(RecallQuery(ABOUT_HIM, "仓库在哪个城市", profile="verbatim"))
    assert all(hit.stage is not Stage.NEIGHBOUR for hit in found.hits)
    assert all(hit.signals["answer"] == 0 for hit in found.hits)


async def test_a_day_in_the_question_finds_what_was_said_or_happens_then(tmp_path: Path) -> None:
    said = a_memory("他要值夜班", valid_at=NOON - timedelta(days=3))
    told = a_memory("下周四(2026-03-12)下午三点体测", valid_at=NOON - timedelta(days=4))
    others = [a_memory(f"第{number}件别的事", valid_at=NOON - timedelta(days=30)) for number in range(80)]
    async with spine(tmp_path) as app:
        await remember(app, said, told, *others)
        then = await app.recall(RecallQuery(ABOUT_HIM, "3月6号有什么安排", k=1))
        ahead = await app.recall(RecallQuery(ABOUT_HIM, "3月12号有什么", k=1))
    assert contents(then) == [said.content]
    assert contents(ahead) == [told.content]


async def test_what_shares_a_key_joins_at_the_hop_it_is_away_and_not_before(tmp_path: Path) -> None:
    near = a_memory("罗小东在做社保系统", key=("罗小东", "社保系统"))
    far = a_memory("项目月底验收", key=("社保系统", "验收"))
    farther = a_memory("总监签字", key=("验收",))
    async with spine(tmp_path) as app:
        await remember(app, near, far, farther)
        found = [contents(await app.recall(RecallQuery(SCOPE, "小东在忙什么", hops=hops, k=9))) for hops in range(4)]
        reached = await app.recall(RecallQuery(SCOPE, "小东在忙什么", hops=1, k=9))
    assert near.content in found[0]
    assert {far.content} <= set(found[1])
    assert farther.content in found[2]
    assert set(found[2]) <= set(found[3])
    assert {hit.stage for hit in reached.hits if hit.memory.content == far.content} <= {Stage.EXPANSION, Stage.SEARCH}


async def test_a_question_about_somebody_unknown_is_not_answered_for_sure(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await remember(app, a_memory("罗小东的电话是13800138000", attribute="phone", value="13800138000"))
        known = await app.recall(RecallQuery(SCOPE, "罗小东的电话"))
        unknown = await app.recall(RecallQuery(SCOPE, "Which museum did Beatrix visit in Lisbon?"))
    assert not known.abstained
    assert unknown.abstained
    assert known.confidence > unknown.confidence


async def test_an_empty_store_abstains(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        found = await app.recall(RecallQuery(SCOPE, "电话"))
    assert found == Recalled((), abstained=True, confidence=0.0)


@pytest.mark.parametrize("profile", ["memories", "verbatim", "generative"])
@pytest.mark.parametrize("fusion", ["score", "rank"])
async def test_every_profile_explains_its_scores(tmp_path: Path, profile: str, fusion: str) -> None:
    async with spine(tmp_path) as app:
        await remember(app, *(a_memory(f"第{number}台电脑", importance=number) for number in range(5)))
        query = RecallQuery(ABOUT_HIM, "第3台电脑", k=3)
        query = replace(query, profile=profile, fusion=fusion)  # pyright: ignore[reportArgumentType] - from the table
        found = await app.recall(query)
    assert len(found.hits) == 3
    for hit in found.hits:
        assert sum(hit.signals.values()) == pytest.approx(hit.score)
        assert hit.stage is Stage.SEARCH


async def test_a_persona_chooses_the_profile(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        persona = await app.journal.registry.agent(TENANT, AGENT)
        assert persona is not None
        await remember(app, a_memory("第3台电脑"))
        plain = await app.recall(RecallQuery(ABOUT_HIM, "电脑"))
        policy = persona.memory.model_copy(
            update={"recall": persona.memory.recall.model_copy(update={"profile": "verbatim"})}
        )
        await app.know_agent(persona.model_copy(update={"memory": policy}))
        verbatim = await app.recall(RecallQuery(ABOUT_HIM, "电脑"))
    assert "importance" in plain.hits[0].signals
    assert "session" in verbatim.hits[0].signals


@pytest.mark.parametrize("hops", [-1, 4])
def test_only_so_many_hops_are_walked(hops: int) -> None:
    with pytest.raises(InvalidInput, match=r"allowed: 0 to 3"):
        RecallQuery(SCOPE, "x", hops=hops)


async def test_within_a_run_its_last_turns_lead_along_their_memories(tmp_path: Path) -> None:
    turn = a_turn("就是那个项目", 0, extract=False)
    made = a_memory("那个项目缺一个人", source_ids=(episode_id(turn),))
    scope = Scope(TENANT, AGENT, TARGET, "talk")
    async with spine(tmp_path) as app:
        await app.accept([turn])
        await app.drain()
        await remember(app, made, *(a_memory(f"rumour {number} of {number * 7919}") for number in range(90)))
        apart = await app.recall(RecallQuery(scope, "Anything else?", k=50))
        led = await app.recall(RecallQuery(scope, "Anything else?", k=50, hops=1))
    assert made.content not in contents(apart)
    assert [hit.stage for hit in led.hits if hit.memory.content == made.content] == [Stage.EXPANSION]
