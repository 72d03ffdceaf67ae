"""`agentmem export` and `import`, with their exit codes."""

import json
from pathlib import Path

import pytest

from tests.support.bundles import key_pair
from tests.support.cli import Ran, agentmem
from tests.support.foreign import agent_file


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory in which a clerk was told something."""
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "clerk.yaml").write_text("id: clerk\nname: Clerk\nlanguage: en\ntools: ['os:system']\n")
    run(tmp_path / "data", "say", "clerk", "--from", "Tom", "My phone is 555-014-2277.", "--end")
    return tmp_path / "data"


def run(data: Path, *arguments: str | Path) -> Ran:
    return agentmem(*arguments, "--data", data, "--set", f"personas={data.parent / 'personas'}", "--json")


def test_an_agent_leaves_and_comes_back_under_another_id(data: Path) -> None:
    file = data.parent / "clerk.zip"
    left = run(data, "export", "clerk", file)
    assert (left.code, left.json["format"], left.json["memories"] > 0) == (0, "bundle", True)
    assert run(data, "import", file).code == 2
    assert run(data, "clone", "clerk", "clerk").code == 2
    came = run(data, "import", file, "--as", "twin")
    assert (came.code, came.json["memories"], came.json["trusted"]) == (0, left.json["memories"], False)
    assert came.json["dropped"] == [{"what": "persona: tools", "count": 1, "names": []}]
    hits = run(data, "recall", "phone", "--agent", "twin").json["hits"]
    assert "2277" in hits[0]["memory"]["content"]


def test_a_signature_is_asked_for_with_a_key(data: Path) -> None:
    secret, public = key_pair(data.parent)
    plain, signed = data.parent / "plain.zip", data.parent / "signed.zip"
    assert run(data, "export", "clerk", plain).code == 0
    assert run(data, "export", "clerk", signed, "--sign", secret).code == 0
    refused = run(data, "import", plain, "--as", "twin", "--signer", public)
    assert (refused.code, refused.err.count("\n")) == (3, 1)
    came = run(data, "import", signed, "--as", "twin", "--signer", public)
    assert (came.code, came.json["trusted"], came.json["dropped"]) == (0, True, [])
    assert run(data, "export", "clerk", data.parent / "x.md", "--sign", secret).code == 2


def test_markdown_and_cards_are_written_for_people(data: Path) -> None:
    page, card = data.parent / "clerk.md", data.parent / "clerk.json"
    assert run(data, "export", "clerk", page).json["format"] == "markdown"
    text = page.read_text("utf-8")
    assert "## Tom" in text
    assert "555-014-2277" in text
    assert "“My phone is 555-014-2277" in text
    assert run(data, "export", "clerk", card, "--format", "card").code == 0
    assert json.loads(card.read_text("utf-8"))["spec"] == "chara_card_v3"
    assert run(data, "export", "clerk", page).code == 2
    assert run(data, "export", "clerk", page, "--force").code == 0
    assert run(data, "export", "nobody", data.parent / "no.zip").code == 5


def test_who_imports_twice_is_told_the_option(data: Path) -> None:
    file = data.parent / "clerk.zip"
    assert run(data, "export", "clerk", file).code == 0
    refused = run(data, "import", file)
    assert "here already: give the new one another id, with --as" in refused.err


def test_what_a_foreign_file_leaves_behind_is_told(data: Path) -> None:
    file = data.parent / "anna.af"
    file.write_text(json.dumps(agent_file(data.parent / "ran")))
    came = run(data, "import", file, "--as", "anna")
    assert came.code == 0
    left = {item["what"]: item for item in came.json["dropped"]}
    assert left["source code of tools"]["names"] == ["cancel_order"]
    assert left["mcp_servers"]["names"] == ["shell"]
    assert not (data.parent / "ran").exists()
    shown = agentmem("import", file, "--as", "anna2", "--data", data)
    assert "left behind" in shown.out
    (data.parent / "x").write_text("{}")
    bad = run(data, "import", data.parent / "x", "--as", "x")
    assert (bad.code, bad.err.count("\n")) == (3, 1)
    assert run(data, "import", data.parent / "absent", "--as", "x").code == 3


def test_a_file_name_says_the_form_or_the_command_asks_for_it(data: Path) -> None:
    assert run(data, "export", "clerk", data.parent / "clerk.json").json["format"] == "card"
    asked = run(data, "export", "clerk", data.parent / "clerk.png")
    assert (asked.code, "--format" in asked.err, (data.parent / "clerk.png").exists()) == (2, True, False)


def test_an_empty_file_is_called_empty(data: Path) -> None:
    (data.parent / "none.zip").touch()
    refused = run(data, "import", data.parent / "none.zip")
    assert (refused.code, refused.err.strip()[-8:]) == (3, "is empty")
