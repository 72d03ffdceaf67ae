"""Entities joined and parted by hand, and both taken back."""

from pathlib import Path

import pytest

from agentmem.adapters.cognition.rules.engine import RulesCognition
from agentmem.domain.entity import named
from agentmem.domain.memory import StoreStatus
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput, NotFound
from agentmem.memory.forget_plan import Meant
from tests.support.cognition import ScriptedCognition
from tests.support.named import Names, entities, naming, tell
from tests.support.nodes import AGENT, TENANT
from tests.support.spine import SCOPE, spine

NAMES: Names = {"社保管理系统": "product", "SSMS": "thing", "老系统": "product"}


def reads() -> ScriptedCognition:
    return ScriptedCognition(naming(NAMES))


async def test_what_is_joined_by_hand_is_one_with_all_that_is_said_of_both(tmp_path: Path) -> None:
    async with spine(tmp_path, reads()) as app:
        await tell(app, "社保管理系统很慢", run="one")
        await tell(app, "SSMS 昨天停了", run="two")
        settled = await app.graph.merge(SCOPE, "SSMS", "社保管理系统")
        found = await entities(app)
        shown = await app.graph.show(SCOPE, "SSMS")
        history = await app.records.history(settled.one.memory_id)
    assert "社保管理系统" not in found
    assert set(found["SSMS"].key) == {"SSMS", "社保管理系统"}
    assert "很慢" in found["SSMS"].content
    assert "昨天停了" in found["SSMS"].content
    assert any("很慢" in line for line in shown)
    assert history[-1].run == settled.run
    assert history[-1].cause == "merge"


async def test_undo_takes_a_merge_by_hand_back_exactly(tmp_path: Path) -> None:
    async with spine(tmp_path, reads()) as app:
        await tell(app, "社保管理系统很慢", run="one")
        await tell(app, "SSMS 昨天停了", run="two")
        before = await entities(app)
        settled = await app.graph.merge(SCOPE, "SSMS", "社保管理系统")
        await app.undo(settled.run)
        assert await entities(app) == before


async def test_what_is_parted_by_hand_has_its_own_names_summary_and_count_again(tmp_path: Path) -> None:
    async with spine(tmp_path, reads()) as app:
        await tell(app, "社保管理系统很慢", run="one")
        await tell(app, "社保管理系统(SSMS)由我们维护", run="two")
        await tell(app, "SSMS 昨天停了", run="three")
        await app.graph.split(SCOPE, "SSMS")
        found = await entities(app)
    assert found["社保管理系统"].key == ("社保管理系统",)
    assert found["SSMS"].key == ("SSMS",)
    assert "昨天停了" in found["SSMS"].content
    assert "昨天停了" not in found["社保管理系统"].content
    assert "很慢" in found["社保管理系统"].content


async def test_what_is_parted_by_hand_is_not_joined_again_by_what_joined_it_before(tmp_path: Path) -> None:
    async with spine(tmp_path, reads()) as app:
        await tell(app, "社保管理系统很慢", run="one")
        await tell(app, "社保管理系统(SSMS)由我们维护", run="two")
        await app.graph.split(SCOPE, "SSMS")
        await tell(app, "再说一遍,社保管理系统(SSMS)由我们维护", run="three")
        await tell(app, "SSMS(社保管理系统)由他们维护", run="four", person="Tom")
        assert {"SSMS", "社保管理系统"} <= (await entities(app)).keys()


async def test_an_alias_that_was_parted_by_hand_stays_parted_when_it_is_said_again(tmp_path: Path) -> None:
    async with spine(tmp_path, RulesCognition()) as app:
        await tell(app, "这个是我的联系方式 小东 12345678901", person="罗小东", run="one")
        await app.graph.split(SCOPE, "小东")
        await tell(app, "叫我小东就行", person="罗小东", run="two")
        found = await entities(app)
    assert found["罗小东"].key == ("罗小东",)
    assert "小东" in found


async def test_undo_takes_a_split_back_and_joining_by_hand_forgets_it(tmp_path: Path) -> None:
    async with spine(tmp_path, reads()) as app:
        await tell(app, "社保管理系统很慢", run="one")
        await tell(app, "社保管理系统(SSMS)由我们维护", run="two")
        before = await entities(app)
        settled = await app.graph.split(SCOPE, "SSMS")
        await app.undo(settled.run)
        assert await entities(app) == before
        await app.graph.split(SCOPE, "SSMS")
        await app.graph.merge(SCOPE, "社保管理系统", "SSMS")
        whole = (await entities(app))["社保管理系统"]
        assert set(whole.key) == {"社保管理系统", "SSMS"}
        assert "apart" not in whole.meta_data


async def test_the_middle_of_a_chain_takes_its_own_names_along(tmp_path: Path) -> None:
    async with spine(tmp_path, reads()) as app:
        await tell(app, "社保管理系统很慢", run="one")
        await tell(app, "SSMS 昨天停了", run="two")
        await tell(app, "老系统也停了", run="three")
        await app.graph.merge(SCOPE, "SSMS", "老系统")
        await app.graph.merge(SCOPE, "社保管理系统", "SSMS")
        await app.graph.split(SCOPE, "SSMS")
        found, taken = await entities(app), await entities(app, status=StoreStatus.EXPIRED)
    assert set(found["SSMS"].key) == {"SSMS", "老系统"}
    assert found["社保管理系统"].key == ("社保管理系统",)
    assert taken["老系统"].superseded_by == named(TENANT, AGENT, "SSMS")


async def test_names_that_nobody_mentioned_or_that_were_never_joined_are_refused(tmp_path: Path) -> None:
    async with spine(tmp_path, reads()) as app:
        await tell(app, "社保管理系统很慢", run="one")
        with pytest.raises(NotFound, match="nothing of 'SSMS'"):
            await app.graph.merge(SCOPE, "社保管理系统", "SSMS")
        with pytest.raises(InvalidInput, match="one already"):
            await app.graph.merge(SCOPE, "社保管理系统", "社保管理系统")
        with pytest.raises(InvalidInput, match="was not merged"):
            await app.graph.split(SCOPE, "社保管理系统")
        with pytest.raises(NotFound, match="nothing of 'SSMS'"):
            await app.graph.split(SCOPE, "SSMS")


async def test_erasing_what_an_entity_was_merged_by_leaves_the_other_name_usable(tmp_path: Path) -> None:
    async with spine(tmp_path, reads()) as app:
        await tell(app, "社保管理系统很慢", run="one", person="Tom")
        await tell(app, "SSMS 昨天停了", run="two")
        await app.graph.merge(SCOPE, "社保管理系统", "SSMS")
        target = named(TENANT, AGENT, "Tom")
        await app.forget(Meant(Scope(TENANT, AGENT, target)), erase=True)
        await app.drain()
        await tell(app, "SSMS 又停了", run="three")
        assert not await app.upkeep.dead()
        found = await app.graph.entities(SCOPE)
    assert any("SSMS" in (each.name, *each.aliases) for each in found)
    assert all("很慢" not in each.summary for each in found)
