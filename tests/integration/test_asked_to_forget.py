"""What a person asks in a talk to be forgotten goes, whatever the words and the language, and nothing else goes."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path

import pytest

from agentmem.adapters.cognition.rules import RulesCognition
from agentmem.agents.talk.forget_in_talk import Ended, obeyed
from agentmem.agents.talk.talk import Talk
from agentmem.domain.event import Person
from agentmem.domain.memory import GRAPH, MemoryNode, MemoryType, StoreStatus
from agentmem.memory.forget_plan import Meant
from agentmem.memory.request import asked_in
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.app import App
from tests.support.asked_to_forget import FACTS, OTHERS, REQUESTS, UNHEARD
from tests.support.nodes import AGENT, TENANT
from tests.support.spine import SCOPE, quiet_persona, spine

WHO = {"en": Person(name="Nora"), "zh": Person(name="周敏"), "tw": Person(name="周敏")}


def opened(folder: Path) -> AbstractAsyncContextManager[App]:
    return spine(folder, RulesCognition(), persona=quiet_persona())


async def told_all(app: App, language: str) -> tuple[MemoryNode, ...]:
    for text, _ in FACTS[language].values():
        await app.say(AGENT, WHO[language], text, run_id="r")
    await app.talks.end(AGENT, WHO[language], run_id="r")
    await app.drain()
    return await everything(app)


async def everything(app: App) -> tuple[MemoryNode, ...]:
    return (await app.memories(Selection(SCOPE, tuple(MemoryType), tuple(StoreStatus), limit=1_000))).memories


def matters(nodes: Sequence[MemoryNode], language: str) -> set[str]:
    said = "\n".join(f"{node.content}\n{node.value}\n{node.key}" for node in nodes if node.memory_type not in GRAPH)
    return {matter for matter, (_, word) in FACTS[language].items() if word.casefold() in said.casefold()}


def meant_by(language: str, which: str) -> set[str]:
    if which == "all" or which.startswith("all-"):
        return set(FACTS[language]) - set(which.removeprefix("all").split("-"))
    return set(which.split())


async def taken_by(app: App, nodes: Sequence[MemoryNode], language: str, text: str) -> set[str]:
    """The matters that nothing tells any more after somebody has said this."""
    gone, edits = set[str](), dict[str, MemoryNode]()

    async def forget(meant: Meant, *, dry_run: bool = False) -> Ended:
        done = await app.forget(meant, dry_run=True)
        if not dry_run:
            gone.update(node.memory_id for node in done.gone)
            edits.update({before.memory_id: after for before, after in done.edited})
        return replace(done, run="run")

    talk = Talk(TENANT, quiet_persona(), WHO[language], "q")
    await obeyed(forget, app.journal.ledger, talk, asked_in(text).wishes)
    left = [edits.get(node.memory_id, node) for node in nodes if node.memory_id not in gone]
    return matters(nodes, language) - matters(left, language)


@pytest.mark.thorough
@pytest.mark.parametrize("language", FACTS)
async def test_what_is_asked_to_be_forgotten_goes_and_nothing_else(tmp_path: Path, language: str) -> None:
    wrong: list[tuple[str, set[str]]] = []
    async with opened(tmp_path) as app:
        nodes = await told_all(app, language)
        assert matters(nodes, language) == set(FACTS[language])
        for spoken, text, which in REQUESTS:
            if spoken == language:
                gone = await taken_by(app, nodes, language, text)
                meant = meant_by(language, which)
                kept = asked_in(text).kept.casefold()
                said = {matter for matter in meant if FACTS[language][matter][1].casefold() in kept}
                wrong += [(text, gone ^ meant | said)] if gone != meant or said else []
    assert wrong == []


@pytest.mark.parametrize("language", FACTS)
async def test_talk_of_forgetting_takes_nothing(tmp_path: Path, language: str) -> None:
    wrong: list[str] = []
    async with opened(tmp_path) as app:
        nodes = await told_all(app, language)
        others = [*OTHERS, *((spoken, text) for spoken, text, _ in UNHEARD)]
        for spoken, text in others:
            if spoken == language and await taken_by(app, nodes, language, text):
                wrong.append(text)
    assert wrong == []


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "Forget everything about me."), ("zh", "忘掉关于我的一切"), ("tw", "請刪除我的所有資料")],
)
async def test_who_asks_for_it_is_known_no_more(tmp_path: Path, language: str, text: str) -> None:
    async with opened(tmp_path) as app:
        await told_all(app, language)
        said = await app.say(AGENT, WHO[language], text, run_id="q")
        assert said.forgotten[0].run
        await app.drain()
        assert matters(await everything(app), language) == set()
        undone = await app.undo(said.forgotten[0].run)
        assert undone.blocked == ()
        assert matters(await everything(app), language) == set(FACTS[language])


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "Forget everything except my phone number."), ("zh", "忘掉关于我的一切,但保留手机号")],
)
async def test_what_is_kept_of_everything_is_kept_as_it_was(tmp_path: Path, language: str, text: str) -> None:
    async with opened(tmp_path) as app:
        await told_all(app, language)
        kept = [node for node in await everything(app) if node.attribute == "phone"]
        assert kept
        await app.say(AGENT, WHO[language], text, run_id="q")
        after = await everything(app)
        assert [node for node in after if node.attribute is not None] == kept
        assert matters(after, language) == {"phone"}


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["My wife Helen is a nurse.", "She was born in Leeds.", "Helen likes tennis."], "Forget all about my wife."),
        (
            ["My wife Helen is a nurse.", "She was born in Leeds.", "Helen likes tennis."],
            "Forget what I said on Helen.",
        ),
        (["我老婆叫林芳,是护士。", "她出生在苏州。", "林芳喜欢打网球。"], "忘掉我老婆的事"),
        (["我老婆叫林芳,是护士。", "她出生在苏州。", "林芳喜欢打网球。"], "忘掉关于林芳的事"),
    ],
)
async def test_who_belongs_to_somebody_goes_with_all_that_he_said_of_him(
    tmp_path: Path, lines: list[str], text: str
) -> None:
    words = ("Helen", "nurse", "Leeds", "tennis", "林芳", "护士", "苏州", "网球")
    nora = Person(name="Nora" if text.isascii() else "周敏")
    async with opened(tmp_path) as app:
        for line in [*lines, "I have a dog called Rex." if text.isascii() else "我有一只狗叫小黑。"]:
            await app.say(AGENT, nora, line, run_id="r")
        await app.talks.end(AGENT, nora, run_id="r")
        await app.drain()
        await app.reflect(SCOPE)
        await app.say(AGENT, nora, text, run_id="q")
        await app.drain()
        left = repr([(node.content, node.value, node.key, node.target_name) for node in await everything(app)])
        assert [word for word in words if word in left] == []
        assert "Rex" in left or "小黑" in left


@pytest.mark.parametrize(
    "text",
    [
        "Please forget that.",
        "Please forget that thing.",
        "Forget everything.",
        "Can you forget me?",
        "Delete what I said.",
        "忘掉一切",
        "请忘掉那件事吧",
        "請忘掉我",
    ],
)
async def test_where_it_is_not_clear_what_is_meant_nothing_goes_and_that_is_said(tmp_path: Path, text: str) -> None:
    async with opened(tmp_path) as app:
        nodes = await told_all(app, "en")
        said = await app.say(AGENT, WHO["en"], text, run_id="q")
        assert [(one.run, one.memory_ids) for one in said.forgotten] == [(None, ())]
        await app.drain()
        assert {node.memory_id for node in nodes} <= {node.memory_id for node in await everything(app)}


@pytest.mark.parametrize("text", [text for _, text in OTHERS])
def test_talk_of_forgetting_is_not_taken_for_an_unclear_request(text: str) -> None:
    assert not asked_in(text).unclear
    assert text.startswith("算了") or asked_in(text).kept == text


async def test_what_somebody_else_said_of_her_stays(tmp_path: Path) -> None:
    async with opened(tmp_path) as app:
        for name, text in (("Nora", "My wife Helen is a nurse."), ("Ann", "My friend Helen is a nurse.")):
            await app.say(AGENT, Person(name=name), text, run_id=f"with {name}", end=True)
            await app.drain()
        (nora, *_) = await app.targets(SCOPE, "Nora")
        await app.forget(Meant(replace(SCOPE, target=nora), query="my wife"))
        turns = [node for node in await everything(app) if node.memory_type is MemoryType.CONVERSATION]
        assert [node.content for node in turns] == ["My friend Helen is a nurse."]


async def test_a_person_who_is_forgotten_is_told_by_no_name_and_who_still_names_her_is_listed(tmp_path: Path) -> None:
    async with opened(tmp_path) as app:
        for text in ("My sister Mia works at Acme.", "Mia lives in Oslo with Bob.", "I like tea."):
            await app.say(AGENT, WHO["en"], text, run_id="r")
        await app.talks.end(AGENT, WHO["en"], run_id="r")
        await app.drain()
        await app.reflect(SCOPE)
        await app.drain()
        (mia, *_) = await app.targets(SCOPE, "Mia")
        done = await app.forget(Meant(replace(SCOPE, target=mia)))
        for _ in range(2):
            naming = [node for node in await everything(app) if "Mia" in repr(node)]
            assert [(node.memory_type, node.memory_id in done.left) for node in naming] == [
                (MemoryType.CONVERSATION, True)
            ] * len(naming)
            assert "Mia" not in repr(await app.graph.entities(SCOPE))
            assert "Mia" not in repr(await app.graph.communities(AGENT))
            await app.drain()


async def test_who_is_erased_as_an_entity_goes_from_the_communities_that_name_her(tmp_path: Path) -> None:
    async with opened(tmp_path) as app:
        for text in ("My sister Mia works at Acme.", "I like tea."):
            await app.say(AGENT, WHO["en"], text, run_id="r")
        await app.talks.end(AGENT, WHO["en"], run_id="r")
        await app.drain()
        await app.reflect(SCOPE)
        await app.drain()
        graph = [node for node in await everything(app) if node.memory_type in GRAPH and "Mia" in node.content]
        (entity,) = [node for node in graph if node.content.startswith("Mia:")]
        meant = Meant(replace(SCOPE, target=entity.target_id), ids=(entity.memory_id,))
        told = await app.forget(meant, erase=True, dry_run=True)
        communities = {node.memory_id for node in graph if node.memory_type is MemoryType.COMMUNITY}
        assert communities
        assert communities <= {node.memory_id for node in told.gone}


async def test_where_she_was_born_is_not_forgotten_of_who_lives_there(tmp_path: Path) -> None:
    async with opened(tmp_path) as app:
        for text in ("我住在苏州。", "我老婆出生在苏州。", "我妹妹叫小雨。", "小雨在光明公司上班。"):
            await app.say(AGENT, WHO["zh"], text, run_id="r")
        await app.talks.end(AGENT, WHO["zh"], run_id="r")
        await app.drain()
        await app.say(AGENT, WHO["zh"], "忘掉我老婆的事", run_id="q")
        await app.say(AGENT, WHO["zh"], "忘掉我妹妹的事", run_id="q")
        left = "\n".join(node.content for node in await everything(app))
        assert "我住在苏州" in left
        assert [word for word in ("出生", "小雨", "光明") if word in left] == []


async def test_what_happened_to_her_goes_without_the_rest_of_her(tmp_path: Path) -> None:
    async with opened(tmp_path) as app:
        for text in ("My wife Helen is a nurse.", "My wife Helen works at Acme."):
            await app.say(AGENT, WHO["en"], text, run_id="r")
        await app.talks.end(AGENT, WHO["en"], run_id="r")
        await app.drain()
        await app.say(AGENT, WHO["en"], "Forget what I told you about the nurse.", run_id="q")
        left = "\n".join(node.content for node in await everything(app))
        assert "nurse" not in left
        assert "Acme" in left
