"""What is asked to be forgotten in words that no rule understands takes nothing: what it may mean is offered, and goes
by its id. A remark offers nothing."""

from pathlib import Path
from typing import Final

import pytest

from agentmem.domain.event import Person
from agentmem.memory.forget_plan import Meant
from tests.integration.test_forget_but_keep import having_heard, told
from tests.support.nodes import AGENT
from tests.support.spine import SCOPE

TOM: Final = (
    "My budget for the kitchen is 12,000 euros.",
    "I'm allergic to peanuts.",
    "My dog is called Rex.",
    "Every morning I go for a walk with Rex at six.",
    "I live in Oslo.",
    "I'm planning to quit my job in March.",
)
LEI: Final = (
    "我的预算大概30万。",
    "我养了一只猫叫团团。",
    "团团每天晚上八点吃饭。",
    "我住在杭州。",
    "我打算年底辞职。",
)

OFFERED: Final = (
    (TOM, "Delete the kitchen money stuff", {"12,000"}),
    (TOM, "Can you lose the peanut thing from my file", {"peanuts"}),
    (TOM, "Rex died. Please get rid of everything about him.", {"called Rex", "at six"}),
    (TOM, "My resignation plans: delete those, please.", {"March"}),
    (LEI, "预算那事儿翻篇吧,帮我删了", {"30万"}),
    (LEI, "团团的事全给我清了", {"猫", "八点"}),
    (LEI, "辞职计划取消记录", {"辞职"}),
)
REMARKS: Final = (
    (TOM, "Remove the peanuts from the recipe, please."),
    (TOM, "Please wipe the kitchen counter."),
    (TOM, "Rex forgot to eat his dinner."),
    (TOM, "My wife told me to forget about the kitchen."),
    (LEI, "我想把团团送走"),
    (LEI, "我忘了预算是多少"),
    (LEI, "怎么删除预算表?"),
)


def _who(lines: tuple[str, ...]) -> Person:
    return Person(name="Nora" if lines[0].isascii() else "周敏")


@pytest.mark.parametrize(("lines", "request_", "meant"), OFFERED)
async def test_what_may_be_meant_is_offered_and_goes_by_its_id(
    tmp_path: Path, lines: tuple[str, ...], request_: str, meant: set[str]
) -> None:
    async with having_heard(tmp_path, lines) as app:
        before = await told(app)
        (offered,) = (await app.say(AGENT, _who(lines), request_, run_id="q")).forgotten
        assert (offered.run, offered.memory_ids) == (None, ())
        contents = [one.content for one in offered.candidates]
        assert len(contents) == len(meant)
        assert all(any(word in content for content in contents) for word in meant)
        assert set(before.split("\n")) <= set((await told(app)).split("\n"))
        await app.forget(Meant(SCOPE, ids=tuple(one.memory_id for one in offered.candidates)))
        after = await told(app)
        assert [content for content in contents if content in after] == []
        assert request_ not in after


@pytest.mark.parametrize(("lines", "remark"), REMARKS)
async def test_a_remark_offers_nothing(tmp_path: Path, lines: tuple[str, ...], remark: str) -> None:
    async with having_heard(tmp_path, lines) as app:
        assert (await app.say(AGENT, _who(lines), remark, run_id="q")).forgotten == ()
