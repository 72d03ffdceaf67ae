"""What one customer calls himself, or what he calls others, never takes an entity over that others speak of."""

from pathlib import Path

import pytest

from agentmem.domain.scope import Scope
from agentmem.memory.forget_plan import Meant
from agentmem.ports.ledger import Selection
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from tests.support.index_kind import an_index
from tests.support.named import entities, tell
from tests.support.nodes import AGENT, TENANT
from tests.support.spine import quiet_persona

SCOPE = Scope(TENANT, AGENT)


@pytest.mark.parametrize(
    ("truth", "claim", "name"),
    [
        (("alice", "I use Kestrel."), ("mallory", "Call me Kestrel"), "Kestrel"),
        (("王芳", "我在华为公司工作"), ("李四", "叫我华为公司"), "华为公司"),
    ],
)
@pytest.mark.parametrize("claimed_first", [False, True])
async def test_nobody_becomes_what_others_speak_of_by_giving_himself_its_name(
    tmp_path: Path, truth: tuple[str, str], claim: tuple[str, str], name: str, claimed_first: bool
) -> None:
    async with open_app(Settings(tenant=TENANT, data=tmp_path, index=an_index())) as app:
        await app.know_agent(quiet_persona())
        for number, (person, text) in enumerate((claim, truth) if claimed_first else (truth, claim)):
            await tell(app, text, person=person, run=f"talk {number}")
        found = await entities(app)
    assert found[name].key == (name,)
    assert truth[0].casefold() in found[name].content.casefold()
    assert found[claim[0]].key == (claim[0],)
    assert truth[0].casefold() not in found[claim[0]].content.casefold()


async def test_what_was_parted_by_hand_is_not_taken_by_the_next_customer(tmp_path: Path) -> None:
    async with open_app(Settings(tenant=TENANT, data=tmp_path, index=an_index())) as app:
        await app.know_agent(quiet_persona())
        await tell(app, "I use Kestrel.", person="alice", run="one")
        await app.graph.merge(SCOPE, "alice", "Kestrel")
        await app.graph.split(SCOPE, "Kestrel")
        await tell(app, "Call me Kestrel", person="eve", run="two")
        found = await entities(app)
    assert found["Kestrel"].key == ("Kestrel",)
    assert found["eve"].key == ("eve",)


async def test_he_whose_name_was_claimed_has_his_own_entity_once_he_speaks(tmp_path: Path) -> None:
    async with open_app(Settings(tenant=TENANT, data=tmp_path, index=an_index())) as app:
        await app.know_agent(quiet_persona())
        await tell(app, "Call me Tomson", person="mallory", run="one")
        assert "Tomson" in (await entities(app))["mallory"].key
        await tell(app, "My phone number is 555-0199.", person="Tomson", run="two")
        found = await entities(app)
    assert found["Tomson"].key == ("Tomson",)
    assert "555-0199" in found["Tomson"].content
    assert found["mallory"].key == ("mallory",)
    assert "555-0199" not in found["mallory"].content


async def test_a_name_given_back_takes_along_what_was_said_under_it(tmp_path: Path) -> None:
    async with open_app(Settings(tenant=TENANT, data=tmp_path, index=an_index())) as app:
        await app.know_agent(quiet_persona())
        await tell(app, "Call me Tomson", person="mallory", run="one")
        await tell(app, "I use Tomson. I live in Oslo.", person="mallory", run="two")
        assert "Tomson" in (await entities(app))["mallory"].key
        [claim] = [node for node in await app.memories(Selection(SCOPE)) if node.attribute == "alias"]
        await app.forget(Meant(SCOPE, ids=(claim.memory_id,)))
        await app.drain()
        found = await entities(app)
    assert found["mallory"].key == ("mallory",)
    assert "uses Tomson" in found["Tomson"].content
    assert "Oslo" in found["mallory"].content
    assert "Oslo" not in found["Tomson"].content


async def test_a_name_that_only_he_used_leads_on_to_who_gives_it_to_himself(tmp_path: Path) -> None:
    async with open_app(Settings(tenant=TENANT, data=tmp_path, index=an_index())) as app:
        await app.know_agent(quiet_persona())
        await tell(app, "My dog likes Kes. Call me Kes", person="robin", run="one")
        await tell(app, "I use Kestrel.", person="alice", run="two")
        assert set((await entities(app))["robin"].key) == {"robin", "Kes"}
