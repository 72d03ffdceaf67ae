"""`agentmem ingest`: what it prints and how it ends; the documents of a persona come with it."""

from pathlib import Path

from tests.support.cli import Ran, agentmem


def ran(folder: Path, command: str, *arguments: str | Path) -> Ran:
    return agentmem(
        command, *arguments, "--set", f"personas={folder / 'personas'}", "--data", folder / "data", "--json"
    )


def house(folder: Path) -> Path:
    (folder / "personas" / "assets").mkdir(parents=True)
    (folder / "personas" / "ada.yaml").write_text("id: ada\nname: Ada\nlanguage: en\nknowledge: [assets/rules.md]\n")
    (folder / "personas" / "assets" / "rules.md").write_text("# Rules\n\nNo smoking in the workshop.\n")
    (folder / "docs").mkdir()
    (folder / "docs" / "prices.md").write_text("# Prices\n\nA seat costs 99 euros.\n")
    return folder


def contents(folder: Path) -> set[str]:
    listed = ran(folder, "memories", "--agent", "ada", "--type", "longterm").json["memories"]
    return {node["content"] for node in listed}


def test_documents_are_taken_in_once_and_the_persona_brings_its_own(tmp_path: Path) -> None:
    folder = house(tmp_path)

    first, second = (ran(folder, "ingest", folder / "docs", "--agent", "ada") for _ in range(2))

    assert (first.code, second.code) == (0, 0)
    assert first.json["received"] == second.json["unchanged"] == [str(folder / "docs" / "prices.md")]
    assert (first.json["processed"], first.json["waiting"], second.json["received"]) == (True, 0, [])
    assert contents(folder) == {"Rules\nNo smoking in the workshop.", "Prices\nA seat costs 99 euros."}


def test_a_persona_is_introduced_with_its_documents(tmp_path: Path) -> None:
    folder = house(tmp_path)

    assert ran(folder, "say", "ada", "Hello.", "--from", "Bo").code == 0

    assert contents(folder) == {"Rules\nNo smoking in the workshop."}


def test_a_refused_file_makes_the_command_fail_after_the_others(tmp_path: Path) -> None:
    folder = house(tmp_path)
    (folder / "docs" / "bad.pdf").write_bytes(b"nothing of the kind")
    (folder / "docs" / "notes.bin").write_bytes(b"\0")

    ended = ran(folder, "ingest", folder / "docs", "--agent", "ada")

    assert ended.code == 3
    assert ended.json["refused"] == [
        {"path": str(folder / "docs" / "bad.pdf"), "reason": f"{folder / 'docs' / 'bad.pdf'}: is no PDF"}
    ]
    assert ended.json["leftOut"] == [{"path": str(folder / "docs" / "notes.bin"), "reason": "no reader for .bin"}]
    assert "Prices\nA seat costs 99 euros." in contents(folder)


def test_an_emptied_file_is_refused_and_ends_no_document(tmp_path: Path) -> None:
    folder = house(tmp_path)
    prices = folder / "docs" / "prices.md"
    ran(folder, "ingest", prices, "--agent", "ada")
    prices.write_text("")

    ended = ran(folder, "ingest", prices, "--agent", "ada")

    assert (ended.code, ended.json["refused"]) == (
        3,
        [{"path": str(prices), "reason": f"{prices}: holds no text"}],
    )
    assert "Prices\nA seat costs 99 euros." in contents(folder)


def test_documents_end_with_their_files(tmp_path: Path) -> None:
    folder = house(tmp_path)
    ran(folder, "ingest", folder / "docs", "--agent", "ada")
    (folder / "docs" / "prices.md").unlink()

    pruned = ran(folder, "ingest", folder / "docs", "--agent", "ada", "--prune")

    assert pruned.json["ended"] == [(folder / "docs" / "prices.md").as_posix()]
    assert contents(folder) == {"Rules\nNo smoking in the workshop."}


def test_what_is_not_there_is_one_line(tmp_path: Path) -> None:
    folder = house(tmp_path)

    assert ran(folder, "ingest", folder / "nothing", "--agent", "ada").code == 3
    assert ran(folder, "ingest", folder / "docs", "--agent", "nobody").code == 5
    (folder / "personas" / "assets" / "rules.md").unlink()
    missing = ran(folder, "say", "ada", "Hello.", "--from", "Bo")
    assert missing.code == 3
    assert "knowledge: no such file" in missing.err
