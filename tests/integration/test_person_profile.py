"""What stands at the start of every context: who somebody is, what must not be forgotten, and what is agreed."""

from datetime import timedelta
from pathlib import Path

import pytest

from agentmem.domain.change import Change
from agentmem.domain.memory import MemoryNode, Modality
from agentmem.domain.scope import Scope
from agentmem.ports.ledger import Commit
from agentmem.retrieval.context import PROFILE_BUDGET, Context
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.app import App
from tests.support.nodes import AGENT, NOON, TARGET, TENANT, a_memory, a_turn
from tests.support.spine import LATER, spine

DAY = timedelta(days=1)
ORDINARY = [
    *("it's me again", "book us lunch", "what do you suggest?", "the usual please", "thanks!", "where were we"),
    *("good morning", "I'm hungry", "surprise me", "can you sort out Friday evening?"),
    *("又是我", "帮我们订个午饭", "你有什么建议", "老样子", "谢谢", "接着上次说"),
    *("早上好", "饿了", "你看着办", "周五晚上帮我安排一下"),
]


async def remember(app: App, *nodes: MemoryNode) -> None:
    changes = tuple(Change(act="add", after=node) for node in nodes)
    await app.journal.ledger.commit(Commit(TENANT, f"by hand/{nodes[0].memory_id}", "test", LATER, changes))


async def context(app: App, text: str, *, budget: int = 1_600) -> Context:
    return await app.context(RecallQuery(Scope(TENANT, AGENT, TARGET), text), budget=budget)


def profile(block: Context) -> list[str]:
    return [line.text for line in block.lines if line.section == "profile"]


@pytest.mark.parametrize("message", ORDINARY)
async def test_what_must_not_be_forgotten_is_told_whatever_is_said(tmp_path: Path, message: str) -> None:
    allergy = a_memory("罗小东对花生过敏", importance=8)
    chatter = [a_memory(f"罗小东说第{number}句闲话", valid_at=NOON + number * DAY) for number in range(80)]
    async with spine(tmp_path) as app:
        await remember(app, allergy, *chatter)
        block = await context(app, message)

    first = block.lines[0]
    assert (first.section, first.memory_ids) == ("profile", (allergy.memory_id,))
    assert allergy.content in block.text


async def test_a_name_limits_contacts_and_what_comes_next_stand_in_this_order(tmp_path: Path) -> None:
    name = a_memory("他叫罗小东", attribute="name", value="罗小东")
    limit = a_memory("罗小东不能吃海鲜", attribute="constraint")
    phone = a_memory("罗小东的电话是138", attribute="phone", value="138")
    ahead = a_memory("罗小东约在2026-03-20见面", attribute="appointment")
    past = a_memory("罗小东约在2026-01-20见面", attribute="appointment", valid_at=NOON - 60 * DAY)
    other = a_memory("罗小东喜欢骑车", attribute="preference")
    async with spine(tmp_path) as app:
        await remember(app, other, past, ahead, phone, limit, name)
        block = await context(app, "晴天")

    ids = [line.memory_ids for line in block.lines if line.section == "profile"]
    assert ids == [(node.memory_id,) for node in (name, limit, phone, ahead)]


async def test_nothing_that_ended_is_in_doubt_or_is_a_guess_is_told(tmp_path: Path) -> None:
    over = a_memory("罗小东对花生过敏", invalid_at=NOON + timedelta(minutes=1))
    doubtful = a_memory("罗小东对牛奶过敏", needs_review=(over.memory_id,))
    guess = a_memory("罗小东大概对鱼过敏", modality=Modality.HYPOTHESIS)
    async with spine(tmp_path) as app:
        await remember(app, over, doubtful, guess)
        assert profile(await context(app, "晴天")) == []


async def test_own_words_of_which_nothing_was_made_are_told_and_questions_are_not(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        said = [a_turn("我对花生过敏", 1, extract=False), a_turn("你们有素食吗?", 2, extract=False)]
        await app.accept([*said, a_turn("花生过敏的客人请说", 3, extract=False, by_agent=True)])
        await app.drain()
        told = profile(await context(app, "晴天"))

    assert len(told) == 1
    assert "我对花生过敏" in told[0]


async def test_words_that_were_taken_back_are_not_told_in_place_of_what_ended(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await app.accept([a_turn("我吃素食", 1, extract=False)])
        await app.drain()
        [turn] = [hit.memory for hit in (await app.recall(RecallQuery(Scope(TENANT, AGENT, TARGET), "素食"))).hits]
        over = a_memory("罗小东吃素食", source_ids=(turn.memory_id,), invalid_at=NOON + timedelta(minutes=1))
        await remember(app, over)
        assert profile(await context(app, "晴天")) == []


async def test_the_profile_stays_within_its_budget(tmp_path: Path) -> None:
    many = [a_memory(f"罗小东对第{number}种{'很长的东西' * 9}过敏", importance=number % 9) for number in range(30)]
    async with spine(tmp_path) as app:
        await remember(app, *many)
        block = await context(app, "晴天", budget=1_600)
        tight = await context(app, "晴天", budget=200)

    whole = sum(len(line) for line in profile(block))
    assert 0 < whole <= PROFILE_BUDGET * 4
    assert block.tokens <= 1_600
    assert tight.tokens <= 200


async def test_nobody_is_told_what_others_said_or_what_is_known_of_others(tmp_path: Path) -> None:
    other = a_memory("李四对花生过敏", target_id="5b5a5c9e-6f0e-5c1e-9b54-111111111111", target_name="李四")
    async with spine(tmp_path) as app:
        await remember(app, other)
        assert profile(await context(app, "晴天")) == []


async def test_what_is_written_is_told_at_once_and_looked_up_once(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await remember(app, a_memory("罗小东喜欢骑车"))
        assert profile(await context(app, "晴天")) == []
        await remember(app, a_memory("罗小东对花生过敏"))
        assert len(profile(await context(app, "晴天"))) == 1
