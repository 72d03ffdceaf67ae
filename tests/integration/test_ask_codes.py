"""Answers without a model tell versions, models and their prices apart."""

from pathlib import Path

import pytest

from agentmem.answers.answer import AskMode, AskQuery
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from tests.support.index_kind import an_index

SCOPE = Scope("default", "clerk")
NOTES = """# Dock manual

## Release v2.2

Release v2.2 supports wireless charging. It adds a quiet mode.

## Release v2.1

Release v2.1 does not support wireless charging. It mends the fan.

## Parts

### K3 hinge

The hinge holds 12 kilograms.

### K5 hinge

The hinge holds 20 kilograms.
"""


async def with_documents(app: App, folder: Path, **documents: str) -> None:
    await app.know_agent(Persona(id="clerk", name="Clerk"))
    for name, text in documents.items():
        path = folder / name.replace("_", ".")
        path.write_text(text)
        await app.library.ingest("clerk", [path])
    await app.drain()


async def answer(app: App, question: str, mode: AskMode = "auto") -> str | None:
    return (await app.ask(AskQuery(SCOPE, question, mode))).text


@pytest.mark.parametrize("mode", ["auto", "vector", "local", "hybrid", "traverse", "temporal"])
async def test_a_version_answers_for_itself_alone(mode: AskMode, tmp_path: Path) -> None:
    async with open_app(Settings(data=tmp_path / "data", index=an_index())) as app:
        await with_documents(app, tmp_path, notes_md=NOTES)
        old = await answer(app, "Does release v2.1 support wireless charging?", mode) or ""
        assert "v2.1 does not support" in old
        assert "v2.2" not in old
        assert "›" not in old
        assert "v2.2 supports" in (await answer(app, "Does release v2.2 support wireless charging?", mode) or "")
        assert await answer(app, "Does release v2.3 support wireless charging?", mode) is None


async def test_what_stands_under_a_model_is_of_that_model(tmp_path: Path) -> None:
    async with open_app(Settings(data=tmp_path / "data", index=an_index())) as app:
        await with_documents(app, tmp_path, notes_md=NOTES)
        assert "20 kilograms" in (await answer(app, "How much does the K5 hinge hold?") or "")
        assert await answer(app, "How much does the K7 hinge hold?") is None


async def test_a_price_is_found_whatever_its_field_is_called_and_never_for_another_model(tmp_path: Path) -> None:
    chairs = '[{"name": "Lumen C4", "retail_price_eur": 420}, {"name": "Lumen C5", "retail_price_eur": 510}]'
    pumps = "型号,售价(元),重量\nPB-20,960,3kg\nPB-30,1280,4kg\n"
    async with open_app(Settings(data=tmp_path / "data", index=an_index())) as app:
        await with_documents(app, tmp_path, chairs_json=chairs, pumps_csv=pumps)
        await app.say("clerk", "何田", "我的预算是5万。", end=True)
        await app.drain()
        assert await answer(app, "How much does the Lumen C4 cost?") == "Lumen C4: retail_price_eur 420 [1]"
        assert await answer(app, "PB-30多少钱？") == "PB-30: 售价(元) 1280 [1]"
        assert await answer(app, "PB-20的价格是多少") == "PB-20: 售价(元) 960 [1]"
        assert await answer(app, "What is the price of the Lumen C9?") is None
        assert await answer(app, "PB-70多少钱") is None


async def test_a_record_is_of_whom_it_names_first(tmp_path: Path) -> None:
    staff = (
        "name,role,manager,phone,email\nRosa Lind,Head of sales,,,rosa@lind.org\n"
        "Paul Marsh,Clerk,Rosa Lind,555-0107,paul@lind.org\nIna Voss,Clerk,Rosa Lind,555-0108,\n"
    )
    async with open_app(Settings(data=tmp_path / "data", index=an_index())) as app:
        await with_documents(app, tmp_path, staff_csv=staff)
        assert await answer(app, "What is Rosa Lind's phone number?") is None
        assert await answer(app, "What is Ina Voss's email?") is None
        assert await answer(app, "What is Rosa Lind's email?") == "Rosa Lind: email rosa@lind.org [1]"
        assert await answer(app, "Who is Paul Marsh's manager?") == "Paul Marsh: manager Rosa Lind [1]"
        assert "Ina Voss" in (await answer(app, "Who has Rosa Lind as manager?") or "")


async def test_nothing_is_told_beside_the_answer_that_is_none_itself(tmp_path: Path) -> None:
    async with open_app(Settings(data=tmp_path, index=an_index())) as app:
        await app.know_agent(Persona(id="clerk", name="Clerk"))
        text = (
            "The ferry to Brenn leaves at 9 in the morning. The ferry to Brenn has a small kitchen on deck. It is blue."
        )
        await with_documents(app, tmp_path, ferry_md=f"# Ferries\n\n## Brenn\n\n{text}\n")
        assert (await answer(app, "When does the ferry to Brenn leave?") or "").count("\n") == 0
        assert "at 9" in (await answer(app, "When does the ferry to Brenn leave?") or "")
        await app.say("clerk", "Ruth", "I like jazz. I like green tea.", end=True)
        await app.drain()
        likes = await answer(app, "What does Ruth like?") or ""
        assert "jazz" in likes
        assert "green tea" in likes
