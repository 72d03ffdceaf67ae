"""Answers out of one person's memories are his: a question that names another one finds nothing there."""

from pathlib import Path

import pytest

from agentmem.answers.answer import AskMode, AskQuery
from agentmem.domain.entity import named
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from tests.support.index_kind import an_index

HIS = Scope("default", "clerk", named("default", "clerk", "林涛"))


@pytest.mark.parametrize("mode", ["auto", "traverse", "hybrid", "local"])
async def test_a_slot_is_not_given_to_another_one_however_he_is_called(mode: AskMode, tmp_path: Path) -> None:
    async with open_app(Settings(data=tmp_path, index=an_index())) as app:
        await app.know_agent(Persona(id="clerk", name="Clerk"))
        await app.say("clerk", "林涛", "我的预算是70万。我的电话是13766665555。我老婆的电话是13699998888。", end=True)
        await app.say("clerk", "何田", "你好。", end=True)
        await app.drain()
        others = (
            "何田的预算是多少",
            "何田预算多少",
            "赵敏预算多少",
            "小何的预算是多少",
            "老赵的电话是多少",
            "阿敏电话多少",
        )
        for question in (*others, "What is Ruth's budget?"):
            assert (await app.ask(AskQuery(HIS, question, mode))).text is None, question
        for question in ("林涛预算多少", "预算是多少", "小林的预算是多少", "林涛的预算是多少", "他的预算是多少"):
            assert "70万" in ((await app.ask(AskQuery(HIS, question, mode))).text or ""), question


async def test_what_he_told_of_another_one_is_found_among_his(tmp_path: Path) -> None:
    async with open_app(Settings(data=tmp_path, index=an_index())) as app:
        await app.know_agent(Persona(id="clerk", name="Clerk"))
        await app.say("clerk", "林涛", "我同事何田的电话是13922220000。", end=True)
        await app.drain()
        assert "13922220000" in ((await app.ask(AskQuery(HIS, "何田的电话是多少"))).text or "")


async def test_a_name_beside_his_own_slot_does_not_make_it_that_ones(tmp_path: Path) -> None:
    async with open_app(Settings(data=tmp_path, index=an_index())) as app:
        await app.know_agent(Persona(id="clerk", name="Clerk"))
        await app.say("clerk", "林涛", "何田问过我的预算，我的预算是70万，我跟何田说过。", end=True)
        await app.say("clerk", "Ruth", "I told Paul that my budget is 900 dollars.", end=True)
        await app.drain()
        for scope in (HIS, Scope("default", "clerk")):
            assert (await app.ask(AskQuery(scope, "何田的预算是多少"))).text is None
            assert (await app.ask(AskQuery(scope, "What is Paul's budget?"))).text is None
        assert "70万" in ((await app.ask(AskQuery(HIS, "林涛的预算是多少"))).text or "")


async def test_what_he_was_asked_is_told_by_his_answer(tmp_path: Path) -> None:
    async with open_app(Settings(data=tmp_path, index=an_index())) as app:
        await app.know_agent(Persona(id="clerk", name="Clerk"))
        await app.say("clerk", "林涛", "闺女提前到了。")
        await app.say("clerk", "林涛", "那13号还提车吗？", by_agent=True)
        await app.say("clerk", "林涛", "往后挪，27号吧。", end=True)
        await app.drain()
        assert "27号" in ((await app.ask(AskQuery(HIS, "哪天提车"))).text or "")


@pytest.mark.parametrize(
    ("name", "told", "question", "own"),
    [
        ("Tom", ["I have 3 kids.", "My brother has 2 kids."], "How many kids does Tom have?", "3 kids"),
        ("Tom", ["I weigh 80 kg.", "My dog weighs 12 kg."], "How much does Tom weigh?", "80 kg"),
        ("Tom", ["I am 45 years old.", "My son is 7 years old."], "How old is Tom?", "45"),
        ("陈立", ["我有3个孩子。", "我弟弟有2个孩子。"], "陈立有几个孩子", "3个"),
        ("陈立", ["我身高180厘米。", "我儿子身高120厘米。"], "陈立多高", "180"),
    ],
)
async def test_what_a_relative_or_a_pet_is_or_has_takes_the_place_of_nothing_of_ones_own(
    name: str, told: list[str], question: str, own: str, tmp_path: Path
) -> None:
    async with open_app(Settings(data=tmp_path, index=an_index())) as app:
        await app.know_agent(Persona(id="clerk", name="Clerk"))
        for each in told:
            await app.say("clerk", name, each, end=True)
            await app.drain()
        scope = Scope("default", "clerk", named("default", "clerk", name))
        answer = (await app.ask(AskQuery(scope, question))).text or ""
        assert own in answer
        assert not any(word in answer for word in ("brother", "dog", "son ", "弟弟", "儿子"))


async def test_what_is_counted_is_known_by_whatever_word_counts_it(tmp_path: Path) -> None:
    async with open_app(Settings(data=tmp_path, index=an_index())) as app:
        await app.know_agent(Persona(id="clerk", name="Clerk"))
        await app.say("clerk", "林涛", "我家有三个房间。我开了五间店。我养了四条狗。", end=True)
        await app.drain()
        counts = {"家有几间房": "三个", "开了几家店": "五间", "养了几只狗": "四条"}
        for asked, counted in counts.items():
            question = f"林涛{asked}"
            assert counted in ((await app.ask(AskQuery(HIS, question))).text or ""), question
        for question in ("林涛有几部电影", "林涛养了几只猫"):
            assert (await app.ask(AskQuery(HIS, question))).text is None, question
