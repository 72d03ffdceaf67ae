"""What is to be kept of somebody, or of everything, stays, and tells nothing more than that; who is forgotten goes by
the name that the talk gave him."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from agentmem.adapters.cognition.rules import RulesCognition
from agentmem.domain.event import Person
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryType, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput
from agentmem.memory.forget_plan import Meant
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.app import App
from tests.support.nodes import AGENT, TENANT
from tests.support.spine import SCOPE, quiet_persona, spine


class Case(NamedTuple):
    """What was said, what is asked for, what nobody tells any more, and what stays."""

    lines: tuple[str, ...]
    request: str
    gone: tuple[str, ...]
    kept: tuple[str, ...]


HERS: Final = ("My sister Mia lives in Rome.", "My sister is called Mia.", "Mia has two cats.", "I live in Oslo.")
HERS_ZH: Final = ("我妹妹小米住在成都。", "小米今年三十岁。", "我妹妹在读大学。", "我住在杭州。")
MINE: Final = ("I live in Oslo and my phone number is 555-0142.", "My sister Mia's number is 555-0199.", "I like tea.")
MINE_ZH: Final = ("我住在杭州。", "我手机号是13800138000。", "我在华为上班。")

OF_SOMEBODY: Final = (
    Case(HERS, "Forget my sister but keep her city.", ("sister", "cats", "called"), ("Mia lives in Rome", "Oslo")),
    Case(HERS, "Forget Mia, but keep where she lives.", ("sister", "cats", "called"), ("Mia lives in Rome", "Oslo")),
    Case(
        ("My sister Mia is 34. She lives in Rome and works as a nurse.",),
        "Forget my sister but keep her city.",
        ("34", "nurse", "sister"),
        ("Mia lives in Rome",),
    ),
    Case(HERS_ZH, "忘掉我妹妹,但保留她住的城市", ("妹妹", "三十", "大学"), ("小米住在成都", "我住在杭州")),
    Case(HERS_ZH, "忘掉我妹妹,但是她的年龄留着", ("妹妹", "成都", "大学"), ("小米今年", "三十", "我住在杭州")),
)
OF_EVERYTHING: Final = (
    Case(MINE, "forget everything but my number", ("Oslo", "0199", "Mia", "tea"), ("555-0142",)),
    Case(MINE, "Forget everything except Mia's number.", ("Oslo", "0142", "tea"), ("555-0199",)),
    Case(
        ("My sister Mia's number is 555-0199. She lives in Rome and works as a nurse.", "I like tea."),
        "Forget everything but where Mia lives.",
        ("0199", "nurse", "tea"),
        ("Mia lives in Rome",),
    ),
    Case(MINE, "Forget everything but my name.", ("Oslo", "0142", "Mia", "tea"), ()),
    Case(MINE_ZH, "忘掉一切,但保留我的名字", ("13800138000", "华为", "杭州"), ()),
    Case(MINE_ZH, "忘掉一切,但保留我住的地方", ("13800138000", "华为"), ("杭州",)),
    Case(MINE_ZH, "除了手机号都忘掉", ("杭州", "华为"), ("13800138000",)),
    Case(MINE_ZH, "所有的都删掉,除了我的工作", ("杭州", "13800138000"), ("华为",)),
)
BY_NAME: Final = (
    Case(("I have a dog, Rex.", "Walk with Rex at six.", "I live in Oslo."), "forget my dog", ("Rex",), ("Oslo",)),
    Case(
        ("We got a puppy and named her Bella.", "Bella chewed the sofa.", "I live in Oslo."),
        "Forget my dog.",
        ("Bella", "puppy"),
        ("Oslo",),
    ),
    Case(
        ("We have a cat whose name is Misty.", "Misty sleeps on my bed.", "I live in Oslo."),
        "Please forget our cat.",
        ("Misty",),
        ("Oslo",),
    ),
    Case(
        ("I've got two dogs, Rex and Bella.", "Bella chewed the sofa. Rex is calm.", "I live in Oslo."),
        "Forget my dogs.",
        ("Rex", "Bella"),
        ("Oslo",),
    ),
    Case(
        ("I have two cats, Misty and Fluff, and live in Oslo.", "Fluff is old."),
        "Forget my cats.",
        ("Misty", "Fluff", "cats"),
        ("live in Oslo", "Nora lives in Oslo"),
    ),
    Case(
        ("I live in Oslo. I used to live in Bergen.",),
        "Forget where I used to live.",
        ("Bergen",),
        ("I live in Oslo", "Nora lives in Oslo"),
    ),
    Case(
        ("This is Rex, my dog.", "Rex hates trains.", "I live in Oslo."), "Please forget my dog.", ("Rex",), ("Oslo",)
    ),
    Case(("I have a sister, Mia.", "Mia plays chess.", "I live in Oslo."), "Forget my sister.", ("Mia",), ("Oslo",)),
    Case(
        ("My therapist is Dr. Hale.", "I see Dr. Hale on Thursdays.", "I live in Oslo."),
        "Forget my therapist.",
        ("Hale",),
        ("Oslo",),
    ),
    Case(
        ("My son Leo has a cello and my daughter Mia plays chess.",),
        "Forget what I said about my son.",
        ("Leo", "cello"),
        ("my daughter Mia plays chess",),
    ),
    Case(("我有只猫,名字叫团团。", "团团爱吃鱼。", "我住在杭州。"), "把我的猫忘了吧", ("团团", "猫"), ("杭州",)),
)


async def told(app: App) -> str:
    found = await app.memories(Selection(SCOPE, tuple(MemoryType), tuple(StoreStatus), limit=1_000))
    return "\n".join(f"{node.content} {node.value}" for node in found.memories)


def _who(lines: Sequence[str]) -> Person:
    return Person(name="Nora" if lines[0].isascii() else "周敏")


@asynccontextmanager
async def having_heard(folder: Path, lines: Sequence[str]) -> AsyncGenerator[App]:
    async with spine(folder, RulesCognition(), persona=quiet_persona()) as app:
        for line in lines:
            await app.say(AGENT, _who(lines), line, run_id="r")
        await app.talks.end(AGENT, _who(lines), run_id="r")
        await app.drain()
        yield app


@pytest.mark.parametrize("case", [*OF_SOMEBODY, *OF_EVERYTHING, *BY_NAME], ids=lambda case: case.request)
async def test_what_is_asked_for_goes_what_is_to_be_kept_stays_and_undo_brings_all_back(
    tmp_path: Path, case: Case
) -> None:
    async with having_heard(tmp_path, case.lines) as app:
        before = await told(app)
        said = await app.say(AGENT, _who(case.lines), case.request, run_id="q")
        after = await told(app)
        assert [word for word in case.gone if word in after] == []
        assert [word for word in case.kept if word not in after] == []
        (done,) = said.forgotten
        assert done.run
        await app.undo(done.run)
        await app.drain()
        assert set(before.split("\n")) <= set((await told(app)).split("\n"))


@pytest.mark.parametrize("case", OF_EVERYTHING[:2] + OF_EVERYTHING[3:], ids=lambda case: case.request)
async def test_the_owner_has_everything_of_one_person_forgotten_but_what_he_names(tmp_path: Path, case: Case) -> None:
    async with having_heard(tmp_path, case.lines) as app:
        target = entity_id(TENANT, AGENT, _who(case.lines).name.casefold())
        await app.forget(Meant(Scope(TENANT, AGENT, target), query=case.request))
        after = await told(app)
    assert [word for word in case.gone if word in after] == []
    assert [word for word in case.kept if word not in after] == []


@pytest.mark.parametrize("query", ["forget everything", "forget everything about me"])
async def test_what_names_nothing_is_refused_with_the_words_that_were_given(tmp_path: Path, query: str) -> None:
    async with having_heard(tmp_path, MINE) as app:
        with pytest.raises(InvalidInput, match=f"^'{query}' names nothing to forget"):
            await app.forget(Meant(SCOPE, query=query))


async def test_where_what_is_to_be_kept_of_everything_is_not_held_nothing_goes(tmp_path: Path) -> None:
    async with having_heard(tmp_path, MINE) as app:
        before = await told(app)
        said = await app.say(AGENT, _who(MINE), "Forget everything except my passport.", run_id="q")
        assert [one.run for one in said.forgotten] == [None]
        assert await told(app) == before
