"""Who is who, as a person or a model decided it, goes along into a copy."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from agentmem.domain.entity import named
from agentmem.domain.memory import MemoryNode, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.memory.forget_plan import Meant
from agentmem.runtime.facade.app import App
from tests.support.cognition import ScriptedCognition
from tests.support.named import Names, Resolving, entities, naming, tell
from tests.support.nodes import AGENT, TENANT
from tests.support.spine import SCOPE, spine

NAMES: Names = {"社保管理系统": "product", "SSMS": "thing", "老系统": "product"}


Copy = Callable[[App, Path], Awaitable[None]]


def reads() -> ScriptedCognition:
    return ScriptedCognition(naming(NAMES))


async def cloned(app: App, folder: Path) -> None:
    await app.copies.clone(AGENT, "twin")
    await app.drain()


async def packed(app: App, folder: Path) -> None:
    await app.bundles.export(AGENT, folder / "seller.agent")
    await app.bundles.import_(folder / "seller.agent", agent_id="twin")
    await app.drain()


async def told(app: App) -> None:
    await tell(app, "社保管理系统很慢", run="one")
    await tell(app, "SSMS 昨天停了", run="two")
    await tell(app, "老系统也停了", run="three")


def without_ids(found: dict[str, MemoryNode]) -> dict[str, tuple[object, ...]]:
    return {name: (set(node.key), node.content, node.meta_data.get("mentions")) for name, node in found.items()}


@pytest.mark.parametrize("copy", [cloned, packed])
async def test_what_was_joined_by_hand_is_joined_in_a_copy(tmp_path: Path, copy: Copy) -> None:
    async with spine(tmp_path, reads()) as app:
        await told(app)
        await app.graph.merge(SCOPE, "SSMS", "老系统")
        await app.graph.merge(SCOPE, "社保管理系统", "SSMS")
        await copy(app, tmp_path)
        mine = await entities(app, agent="twin")
        assert without_ids(mine) == without_ids(await entities(app))
        taken = await entities(app, agent="twin", status=StoreStatus.EXPIRED)
        assert taken["老系统"].superseded_by == named(TENANT, "twin", "SSMS")
        assert taken["SSMS"].superseded_by == named(TENANT, "twin", "社保管理系统")
        await app.graph.split(Scope(TENANT, "twin"), "SSMS")
        assert set((await entities(app, agent="twin"))["SSMS"].key) == {"SSMS", "老系统"}
        assert set((await entities(app))["社保管理系统"].key) == {"社保管理系统", "SSMS", "老系统"}


@pytest.mark.parametrize("copy", [cloned, packed])
async def test_what_was_parted_by_hand_stays_parted_in_a_copy(tmp_path: Path, copy: Copy) -> None:
    async with spine(tmp_path, reads()) as app:
        await tell(app, "社保管理系统很慢", run="one")
        await tell(app, "社保管理系统(SSMS)由我们维护", run="two")
        await app.graph.split(SCOPE, "SSMS")
        await copy(app, tmp_path)
        assert {"SSMS", "社保管理系统"} <= (await entities(app, agent="twin")).keys()


async def test_a_model_is_not_asked_again_about_what_it_decided_for_the_original(tmp_path: Path) -> None:
    cognition = Resolving(naming(NAMES), says=lambda doubt: 1)
    async with spine(tmp_path, cognition) as app:
        await told(app)
        asked = len(cognition.asked)
        assert asked
        await cloned(app, tmp_path)
        assert without_ids(await entities(app, agent="twin")) == without_ids(await entities(app))
        assert len(cognition.asked) == asked


async def test_what_was_erased_is_in_no_decision_of_a_copy(tmp_path: Path) -> None:
    async with spine(tmp_path, reads()) as app:
        await tell(app, "SSMS 很慢", run="one", person="Tom")
        await tell(app, "社保管理系统停了", run="two", person="Tom")
        await app.graph.merge(SCOPE, "社保管理系统", "SSMS")
        await app.copies.clone(AGENT, "twin")
        await app.forget(Meant(Scope(TENANT, AGENT, named(TENANT, AGENT, "Tom"))), erase=True)
        await app.drain()
        await app.copies.clone(AGENT, "late")
        await app.drain()
        for agent in ("twin", "late"):
            both = {**await entities(app, agent=agent), **await entities(app, agent=agent, status=StoreStatus.EXPIRED)}
            assert not {"SSMS", "社保管理系统"} & both.keys()
