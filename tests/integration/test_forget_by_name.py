"""A request that names somebody or something, and says nothing else of it, means who or what the memory knows by it."""

from pathlib import Path
from typing import Final

import pytest

from agentmem.adapters.cognition.rules import RulesCognition
from agentmem.domain.event import Person
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import GRAPH, MemoryType, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.ledger.listing import ALL
from agentmem.memory.forget import Meant
from agentmem.memory.request import asked_in
from agentmem.memory.request_named import is_name
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.app import App
from agentmem.runtime.facade.speech import Utterance
from tests.support.nodes import AGENT, TENANT
from tests.support.spine import SCOPE, quiet_persona, spine

WHO: Final = {"en": Person(name="Nora"), "zh": Person(name="周敏")}
TOLD: Final = {
    "en": ("My dog is called Rex.", "Rex is afraid of thunder.", "My sister Anna is a nurse.", "I work at Globex."),
    "zh": ("我的狗叫旺财。", "旺财怕打雷。", "我的同事叫王强。", "王强喜欢钓鱼。", "我住在上海。"),
}
KNOWN: Final = (
    ("en", "Forget about Rex.", "Rex"),
    ("en", "forget about rex", "Rex"),
    ("en", "Can you forget about Anna?", "Anna"),
    ("en", "Forget Anna, please.", "Anna"),
    ("en", "Please forget about my sister Anna.", "Anna"),
    ("en", "I'd like you to forget about Globex.", "Globex"),
    ("en", "Forget about the dog Rex.", "Rex"),
    ("en", "Forget about Rex the dog.", "Rex"),
    ("en", "Forget about a nurse called Anna.", "Anna"),
    ("en", "Stop remembering Anna.", "Anna"),
    ("en", "Please don't remember Anna.", "Anna"),
    ("zh", "拜托忘掉王强这个人", "王强"),
    ("zh", "王强这个人,麻烦你忘掉。", "王强"),
    ("zh", "忘掉那只叫旺财的狗。", "旺财"),
    ("zh", "求你忘了王强吧。", "王强"),
    ("zh", "忘掉王强。", "王强"),
    ("zh", "把王强忘了吧。", "王强"),
    ("zh", "别再记着王强了。", "王强"),
    ("zh", "请把旺财忘掉。", "旺财"),
    ("zh", "能不能忘掉旺财?", "旺财"),
)
UNKNOWN: Final = (
    ("en", "Forget about Mr. Poe."),
    ("en", "Can you forget about Dr. Krüger?"),
    ("en", "Please forget about Oakridge Ltd."),
    ("en", "Forget about Tobias."),
    ("zh", "忘掉李雪梅。"),
    ("zh", "请忘掉陈先生。"),
    ("zh", "忘掉张总。"),
    ("zh", "把腾飞科技忘了吧。"),
)
NO_REQUEST: Final = (
    ("en", "Forget about it."),
    ("en", "Oh, forget it."),
    ("en", "Forget about the weather."),
    ("en", "Forget about Rex, he's fine."),
    ("en", "Let's forget about Rex."),
    ("en", "I'll never forget about Anna."),
    ("en", "Don't forget about Rex!"),
    ("en", "Did you forget about Anna?"),
    ("en", "Anna told me to forget about Globex."),
    ("en", "Don't forget my allergy!"),
    ("en", "Don't remember Anna."),
    ("en", "I can't stop remembering Anna."),
    ("en", "Stop reminding me of Anna."),
    ("en", "Forget about the rain and the wind."),
    ("en", "Forget about salt and Rex."),
    ("en", "Anna and Rex forget everything."),
    ("zh", "王强应该忘掉。"),
    ("zh", "忘掉烦恼和王强吧。"),
    ("zh", "别忘了王强和旺财。"),
    ("zh", "算了忘了吧。"),
    ("zh", "忘掉烦恼吧!"),
    ("zh", "我忘了带伞。"),
    ("zh", "我永远忘不了王强。"),
    ("zh", "别忘了旺财!"),
    ("zh", "你忘了王强吗?"),
    ("zh", "王强让我忘掉旺财。"),
    ("zh", "忘了问你,王强来了吗?"),
    ("zh", "别忘了我对花生过敏!"),
)


async def told(app: App, language: str) -> str:
    for text in TOLD[language]:
        await app.say(AGENT, WHO[language], text, run_id="r")
    await app.talks.end(AGENT, WHO[language], run_id="r")
    await app.drain()
    return await left(app)


async def left(app: App) -> str:
    found = (await app.memories(Selection(SCOPE, tuple(MemoryType), tuple(StoreStatus), limit=1_000))).memories
    return "\n".join(f"{node.content} {node.value} {node.key}" for node in found if node.memory_type not in GRAPH)


@pytest.mark.sweep
@pytest.mark.parametrize(("language", "text", "name"), KNOWN)
async def test_who_or_what_is_known_by_the_name_goes_and_nothing_else(
    tmp_path: Path, language: str, text: str, name: str
) -> None:
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        before = await told(app, language)
        said = await app.say(AGENT, WHO[language], [Utterance(text, key="k")], run_id="q")
        again = await app.say(AGENT, WHO[language], [Utterance(text, key="k")], run_id="q")
        await app.drain()
        after = await left(app)
        others = [word for word in ("Rex", "Anna", "Globex", "王强", "旺财", "上海") if word in before and word != name]
        assert name.casefold() not in after.casefold()
        assert [word for word in others if word not in after] == []
        assert [bool(one.run) for one in said.forgotten] == [True]
        assert again.turn.duplicate


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [("en", "Forget about Rex and Anna.", ("Rex", "Anna")), ("zh", "忘掉旺财和王强。", ("旺财", "王强"))],
)
async def test_of_several_that_are_named_each_goes(
    tmp_path: Path, language: str, text: str, names: tuple[str, ...]
) -> None:
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        await told(app, language)
        said = await app.say(AGENT, WHO[language], [Utterance(text, key="k")], run_id="q")
        again = await app.say(AGENT, WHO[language], [Utterance(text, key="k")], run_id="q")
        await app.drain()
        after = await left(app)
        assert [name for name in names if name in after] == []
        assert ("Globex" if language == "en" else "上海") in after
        assert [bool(one.run) for one in said.forgotten] == [True, True]
        assert again.turn.duplicate


def test_several_words_may_be_one_name() -> None:
    text = "Please forget about Marks and Spencer."
    assert asked_in(text, ["Marks and Spencer"]).wishes == ("forget Marks and Spencer",)
    assert asked_in(text, ["Marks", "Spencer"]).wishes == ("forget Marks", "forget Spencer")
    assert asked_in("Forget about sam and the wind.", ["Sam"]).wishes == ()
    assert asked_in("Forget about " + " and ".join("abcdefg")).unsure == ()


@pytest.mark.parametrize(("language", "text"), UNKNOWN)
async def test_of_a_name_that_is_not_known_it_is_told_that_nothing_went(
    tmp_path: Path, language: str, text: str
) -> None:
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        before = await told(app, language)
        said = await app.say(AGENT, WHO[language], text, run_id="q")
        assert [(one.run, one.memory_ids) for one in said.forgotten] == [(None, ())]
        assert await left(app) == before


@pytest.mark.parametrize("language", WHO)
async def test_what_asks_for_nothing_takes_and_tells_nothing(tmp_path: Path, language: str) -> None:
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        await told(app, language)
        for spoken, text in NO_REQUEST:
            if spoken == language:
                said = await app.say(AGENT, WHO[language], text, run_id="q")
                assert (text, said.forgotten) == (text, ())
        await app.talks.end(AGENT, WHO[language], run_id="q")
        await app.drain()
        after = await left(app)
        assert [line for line in TOLD[language] if line not in after] == []


@pytest.mark.parametrize(("language", "text"), [("en", "Don't forget my allergy!"), ("zh", "别忘了我的生日!")])
async def test_a_reminder_to_keep_something_is_kept_as_it_was_said_and_nothing_is_made_of_it(
    tmp_path: Path, language: str, text: str
) -> None:
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        await app.say(AGENT, WHO[language], text, run_id="q", end=True)
        await app.drain()
        found = (await app.memories(Selection(SCOPE, tuple(MemoryType)))).memories
        assert [(node.memory_type, node.content) for node in found] == [(MemoryType.CONVERSATION, text)]


def test_what_may_be_a_name_is_asked_of_the_memory_and_what_has_the_form_of_one_is_not() -> None:
    assert asked_in("请把旺财忘掉。").unsure == ("旺财",)
    assert asked_in("请把旺财忘掉。").requests == ()
    assert asked_in("请把旺财忘掉。", ["旺财"]).wishes == ("forget 旺财",)
    assert asked_in("Forget about Mr. Poe.").wishes == ("forget Poe",)
    assert [name for name in ("the weather", "Monday", "天气", "烦恼") if is_name(name)] == []


async def test_only_who_is_forgotten_as_a_whole_is_looked_for_in_the_words_of_others(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        for name, text in (("Tom", "I live in Oslo."), ("Alice", "Tom called. I like coffee.")):
            await app.say(AGENT, name, text)
        await app.drain()
        tom = Scope(TENANT, AGENT, entity_id(TENANT, AGENT, "tom"))
        own = await app.memories(Selection(tom, limit=ALL))
        for erase in (False, True):
            told = await app.forget(Meant(tom, ids=tuple(node.memory_id for node in own)), erase=erase, dry_run=True)
            assert {node.memory_id for node in told.gone} >= {node.memory_id for node in own}
            assert told.left == ()
            assert (await app.forget(Meant(tom), erase=erase, dry_run=True)).left
