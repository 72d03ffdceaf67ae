"""What kind of thing an entity is, whoever guessed first."""

from pathlib import Path

from agentmem.domain.entity import EntityKind, Mention, with_mentions
from agentmem.domain.memory import MemoryNode, Trust
from tests.support.circles import add, fact
from tests.support.named import entities
from tests.support.nodes import AGENT
from tests.support.spine import spine


def told(number: int, name: str, kind: EntityKind, **fields: object) -> MemoryNode:
    mention = Mention(name=name, kind=kind)
    content = f"{name} came up, number {number}."
    return fact(
        content, f"Person {number}", name, **{"meta_data": with_mentions((mention,)), **fields}, timestamp=number
    )


async def test_the_first_guess_of_a_kind_gives_way_to_what_most_say(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await add(app, told(1, "Kestrel", "person"))
        assert (await entities(app))["Kestrel"].kind == "person"
        await add(app, told(2, "Kestrel", "product"), told(3, "Kestrel", "product"))
        assert (await entities(app))["Kestrel"].kind == "product"


async def test_what_is_told_of_others_weighs_less_for_a_kind(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await add(app, told(1, "Kestrel", "product"))
        await add(app, *(told(number, "Kestrel", "person", trust=Trust.UNTRUSTED) for number in (2, 3)))
        assert (await entities(app))["Kestrel"].kind == "product"


async def test_what_bears_a_legal_form_is_an_organisation_whatever_is_guessed(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await add(app, told(1, "Harker Ltd", "person"), told(2, "恒远有限公司", "product"))
        found = await entities(app)
    assert {found[name].kind for name in ("Harker Ltd", "恒远有限公司")} == {"organisation"}


async def test_who_speaks_is_a_person_whatever_others_take_his_name_for(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await add(app, fact("Kestrel lives in Oslo.", "Kestrel", "Oslo", timestamp=1))
        await add(app, *(told(number, "Kestrel", "product") for number in (2, 3, 4)))
        assert (await entities(app))["Kestrel"].kind == "person"


async def test_a_document_does_not_mention_the_agent_that_has_it(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Kestrel\n\nKestrel is made by Harker Corp. Kestrel uses Redis.\n", encoding="utf-8")
    async with spine(tmp_path) as app:
        await app.library.ingest(AGENT, [page])
        await app.drain()
        found = await entities(app)
    assert "Kestrel" in found
    assert "小美" not in found
