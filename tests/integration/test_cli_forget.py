"""`agentmem forget`: shown before it is done, undone, erased, checked."""

import asyncio
import re
from pathlib import Path

import pytest

from agentmem.domain.episode import BLOT
from tests.support.cli import Ran, agentmem
from tests.support.planted import places_with
from tests.support.worker_process import said, worker

TOLD = "Hello, my phone is 555-014-2277 and I live at 12 Oak Street, Berlin."


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory in which Tom told two things and Ann one."""
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "clerk.yaml").write_text("id: clerk\nname: Clerk\nlanguage: en\n")
    data = tmp_path / "data"
    for name, text in (("Tom", TOLD), ("Ann", "My phone is 555-999-1234.")):
        options = ("--data", data, "--set", f"personas={tmp_path / 'personas'}", "--end")
        assert agentmem("say", "clerk", "--from", name, text, *options).code == 0
    return data


def contents(data: Path, *options: str) -> set[str]:
    listed = agentmem("memories", "--agent", "clerk", "--data", data, "--json", *options)
    return {node["content"] for node in listed.json["memories"]}


def forget(data: Path, *options: str | Path) -> tuple[str | Path, ...]:
    return ("forget", "--agent", "clerk", "--data", data, "--json", *options)


def test_a_question_is_shown_first_and_done_with_yes(data: Path) -> None:
    before = contents(data)
    asked = agentmem(*forget(data, "--about", "Tom", "--query", "my phone but keep my address"))
    assert (asked.code, asked.json["done"]) == (2, False)
    assert "--yes" in asked.err
    assert any("2277" in entry["content"] for entry in asked.json["forgotten"])
    assert contents(data) == before
    done = agentmem(*forget(data, "--about", "Tom", "--query", "my phone but keep my address", "--yes"))
    assert (done.code, done.json["done"]) == (0, True)
    after = contents(data)
    assert not any("2277" in content for content in after)
    kept = "Hello, " + BLOT * len("my phone is 555-014-2277") + " and I live at 12 Oak Street, Berlin."
    assert {kept, "My phone is 555-999-1234."} <= after
    assert agentmem("undo", done.json["run"], "--data", data).code == 0
    assert contents(data) == before


@pytest.mark.thorough
@pytest.mark.usefixtures("embedded_index")
def test_an_erased_person_is_in_no_file_and_the_receipt_says_so(data: Path) -> None:
    asked = agentmem(*forget(data, "--about", "Tom", "--erase"))
    assert (asked.code, "nothing was forgotten; --yes" in asked.err) == (2, True), "nothing undoes an erasure"
    done = agentmem(*forget(data, "--about", "Tom", "--erase", "--yes"))
    assert done.code == 0
    assert not any("content" in entry for entry in done.json["forgotten"])
    # Not the last four digits alone: they stand in some id or time of every store that is large enough.
    assert [places_with(data, words) for words in ("014-2277", "5550142277", "Oak Street")] == [[], [], []]
    checked = agentmem("doctor", "--receipt", done.json["receipt"], "--canary", "Oak Street", "--data", data, "--json")
    assert (checked.code, checked.json["problems"]) == (0, [])
    assert any("1234" in content for content in contents(data))


def test_what_is_forgotten_is_told_line_by_line_with_what_takes_it_back(data: Path) -> None:
    asked = ("forget", "--agent", "clerk", "--about", "Tom", "--query", "my phone but keep my address", "--data", data)
    would, becomes = rows(agentmem(*asked, "--dry-run"))
    assert would.startswith("would be forgotten Tom's phone number is 555-014-2277")
    assert becomes == f"blacked out in {TOLD} → {TOLD.replace('my phone is 555-014-2277', BLOT * 24)}"
    done, same, undo = rows(agentmem(*asked, "--yes"))
    assert (done, same) == (would.removeprefix("would be "), becomes)
    assert re.fullmatch("`agentmem undo [0-9a-f-]{36}` takes it back", undo)
    assert rows(agentmem(*asked, "--yes")) == ["there is nothing to forget"]


@pytest.mark.usefixtures("embedded_index")
def test_what_is_erased_is_counted_and_its_receipt_can_be_checked_as_it_says(data: Path) -> None:
    asked = ("forget", "--agent", "clerk", "--about", "Tom", "--erase", "--data", data)
    assert all(row.startswith("would be erased ") for row in rows(agentmem(*asked, "--dry-run")))
    counts, receipt = rows(agentmem(*asked, "--yes"))
    assert re.fullmatch(r"erased memories: \d+, events: 2; others with words blacked out: 0", counts)
    named = re.fullmatch("`agentmem doctor --receipt (.+)` checks it", receipt)
    assert named is not None
    gone, searched = rows(agentmem("doctor", "--receipt", named[1], "--data", data))
    assert gone == "what was erased is gone"
    assert re.fullmatch(r"searched \d+ files, \d+ bytes", searched)
    file = Path(named[1])
    file.write_text(file.read_text().replace('"events"', '"event"'))
    doubt = "the receipt cannot be believed: it is no receipt, or was changed;"
    assert rows(agentmem("doctor", "--receipt", file, "--data", data))[0].startswith(doubt)


def rows(ran: Ran) -> list[str]:
    """What people are told: each row of a table, and each line that is none, on one line."""
    told: list[str] = []
    for line in ran.out.splitlines():
        if line.startswith(" ") and told:
            told[-1] += f" {line.strip()}"
        elif line.strip() and not line.startswith((" ", "─")):
            told.append(re.sub(" {2,}", " ", line.strip()))
    return told


def test_a_memory_is_forgotten_by_the_beginning_of_its_id(data: Path) -> None:
    (phone,) = [
        node
        for node in agentmem("memories", "--agent", "clerk", "--about", "Ann", "--data", data, "--json").json[
            "memories"
        ]
        if node["attribute"] == "phone"
    ]
    looked = agentmem(*forget(data, "--id", phone["memoryId"][:8], "--dry-run"))
    assert [entry["memoryId"] for entry in looked.json["forgotten"]] == [phone["memoryId"], phone["sourceIds"][0]]
    assert looked.json["done"] is False
    assert agentmem(*forget(data, "--source", phone["sourceIds"][0])).code == 0
    assert not any("1234" in content for content in contents(data))


@pytest.mark.parametrize(
    "options",
    [(), ("--id", "abcdefgh", "--about", "Tom"), ("--source", "x", "--query", "y"), ("--query", "everything")],
)
def test_what_is_to_be_forgotten_is_named_in_one_way(data: Path, options: tuple[str, ...]) -> None:
    before = contents(data, "--all")
    assert agentmem(*forget(data, *options, "--yes")).code == 2
    assert agentmem(*forget(data, "--about", "Nobody")).code == 5
    assert contents(data, "--all") == before


def test_a_name_means_who_bears_it_before_whom_others_speak_of(tmp_path: Path) -> None:
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "clerk.yaml").write_text("id: clerk\nname: 前台\nlanguage: zh\n")
    common = ("--data", tmp_path / "data", "--set", f"personas={tmp_path / 'personas'}")
    assert agentmem("say", "clerk", "--from", "小东", "我叫罗小东。我的预算是40万。", "--end", *common).code == 0
    assert agentmem("say", "clerk", "--from", "张伟", "罗小东是我同事。", "--end", *common).code == 0

    erased = agentmem("forget", "--agent", "clerk", "--about", "罗小东", "--erase", "--yes", "--json", *common)
    assert erased.code == 0, erased.err
    answer = agentmem("ask", "罗小东的预算是多少", "--agent", "clerk", "--json", *common)
    assert "40万" not in answer.out


@pytest.mark.thorough
@pytest.mark.usefixtures("embedded_index")
async def test_forgetting_and_taking_it_back_wait_for_no_worker(data: Path) -> None:
    async def run(*arguments: str | Path) -> Ran:
        return await asyncio.to_thread(agentmem, *arguments)

    async with worker("--data", data) as process:
        await said(process, "0 ready")
        asked = forget(data, "--about", "Tom", "--query", "my phone")
        assert (await run(*asked, "--dry-run")).json["forgotten"]
        done = await run(*asked, "--yes")
        assert (done.code, done.json["done"]) == (0, True)
        assert (await run(*asked, "--dry-run")).json["forgotten"] == []
        assert (await run("undo", done.json["run"], "--data", data)).code == 0
        assert (await run(*asked, "--yes")).code == 0
        assert (await run(*forget(data, "--about", "Tom", "--erase", "--yes"))).code == 0, "erased by the worker"
    found = await run("recall", "Tom's phone", "--agent", "clerk", "--data", data, "--json")
    assert "2277" not in found.out
    assert (await run("index", "verify", "--data", data)).code == 0


def test_who_asks_in_a_turn_is_told_what_went_and_how_to_take_it_back(data: Path) -> None:
    say = ("say", "clerk", "--from", "Tom", "--data", data)
    before = contents(data)
    heard = agentmem(*say, "Please forget my phone number.", "--json").json["forgotten"]
    assert [bool(each["run"] and each["memoryIds"]) for each in heard] == [True]
    assert not any("2277" in content for content in contents(data))
    assert agentmem("undo", heard[0]["run"], "--data", data).code == 0
    assert contents(data) >= before
    assert "`agentmem undo" in agentmem(*say, "Please forget my phone number.").out
    assert "nothing was forgotten" in agentmem(*say, "Please forget my birthday.").out
    nothing: dict[str, object] = {"run": None, "memoryIds": [], "candidates": []}
    assert agentmem(*say, "Please forget my birthday.", "--json").json["forgotten"] == [nothing]
    assert agentmem(*say, "It rains.", "--json").json["forgotten"] == []
