"""Answers without a model tell versions, models and their prices apart."""

from pathlib import Path

import pytest

from agentmem.answers.question import AskQuery, Mode
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.runtime.app import App, open_app
from agentmem.runtime.settings import Settings

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


async def answer(app: App, question: str, mode: Mode = "auto") -> str | None:
    return (await app.library.ask(AskQuery(SCOPE, question, mode))).text


@pytest.mark.parametrize("mode", ["auto", "vector", "local", "hybrid", "traverse", "temporal"])
async def test_a_version_answers_for_itself_alone(mode: Mode, tmp_path: Path) -> None:
    async with open_app(Settings(data=tmp_path / "data")) as app:
        await with_documents(app, tmp_path, notes_md=NOTES)
        old = await answer(app, "Does release v2.1 support wireless charging?", mode) or ""
        assert "v2.1 does not support" in old
        assert "v2.2" not in old
        assert "›" not in old
        assert "v2.2 supports" in (await answer(app, "Does release v2.2 support wireless charging?", mode) or "")
        assert await answer(app, "Does release v2.3 support wireless charging?", mode) is None


async def test_what_stands_under_a_model_is_of_that_model(tmp_path: Path) -> None:
    async with open_app(Settings(data=tmp_path / "data")) as app:
        await with_documents(app, tmp_path, notes_md=NOTES)
        assert "20 kilograms" in (await answer(app, "How much does the K5 hinge hold?") or "")
        assert await answer(app, "How much does the K7 hinge hold?") is None
