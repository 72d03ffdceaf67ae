"""The command line over a played scenario: asking, looking, saying, changing."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from subprocess import Popen
from typing import Any

import pytest

from agentmem.interfaces.web.wording import words_of
from tests.support.cli import Ran, agentmem, python, started

HOSTILE = "\x1b[2J\u202eevil\x9b31m"
STORY = f"""\
scenario: visit
persona: {{id: clerk, name: 前台}}
customer: {{name: 王芳, title: 会计}}
sessions:
  - id: one
    at: 2026-03-09T10:00:00+08:00
    turns:
      - agent: 您好
      - customer: 我的电话是13800138000
      - agent: "好的 {HOSTILE.encode("unicode_escape").decode().replace("x9b", "u009b")}"
  - id: two
    at: 2026-04-01T10:00:00+08:00
    turns:
      - customer: 我换号了,新号码13900139000
expect:
  memories: [{{id: new, has: [13900139000]}}]
  ended: [{{id: old, has: [13800138000], replaced_by: [13900139000]}}]
  recalls: [{{id: phone, ask: 王芳的电话, has: [13900139000], within: 2}}]
  as_of: [{{id: then, ask: 王芳的电话, at: 2026-03-15T00:00:00+08:00, has: [13800138000]}}]
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played")
    (folder / "visit.yaml").write_text(STORY, encoding="utf-8")
    ran = agentmem("run", folder / "visit.yaml", "--data", folder / "data", "--json")
    assert (ran.code, ran.err) == (0, ""), ran.out
    return folder


@pytest.fixture
def data(played: Path, tmp_path: Path) -> Path:
    return copytree(played / "data", tmp_path / "data")


def seen(ran: Ran) -> Ran:
    """What a terminal may be shown: no control but line ends, no direction marks."""
    assert not {ch for ch in ran.out + ran.err if ch != "\n" and not ch.isprintable()}
    return ran


def observations(data: Path, *options: str) -> list[dict[str, object]]:
    listed = agentmem("memories", "--agent", "clerk", "--type", "observation", "--data", data, "--json", *options)
    return listed.json["memories"]


def test_a_played_scenario_is_told_whole(played: Path) -> None:
    told = seen(agentmem("run", played / "visit.yaml", "--data", played / "data"))

    assert told.code == 0
    for words in ("前台", "13900139000", "checks passed", "where to look next", "agentmem recall"):
        assert words in told.out


def test_a_scenario_as_json_has_what_the_contract_says(played: Path) -> None:
    [report] = agentmem("run", played / "visit.yaml", "--data", played / "data", "--json").json["scenarios"]

    assert list(report) == ["scenario", "passed", "checks", "memories", "stats"]
    assert (report["scenario"], report["passed"]) == ("visit", True)
    assert report["checks"][0] == {
        "kind": "memories",
        "id": "new",
        "passed": True,
        "expected": ["13900139000"],
        "found": report["checks"][0]["found"],
    }
    assert list(report["stats"]) == ["turns", "llmCalls", "tokensIn", "tokensOut", "seconds"]
    assert report["stats"]["turns"] == 4
    assert {"memoryId", "memoryType", "userName", "targetName", "key", "storeStatus", "validAt", "invalidAt"} <= set(
        report["memories"][0]
    )


def test_a_failed_check_is_exit_code_one(played: Path, tmp_path: Path) -> None:
    failing = tmp_path / "failing.yaml"
    failing.write_text(STORY.replace("{id: new, has: [13900139000]}", "{id: new, has: [555]}"), encoding="utf-8")

    ran = agentmem("run", failing, "--data", tmp_path / "data", "--json")

    assert ran.code == 1
    assert ran.json["scenarios"][0]["passed"] is False
    assert ran.json["scenarios"][0]["checks"][0]["found"] is None


def test_fresh_playing_forgets_what_the_agent_knew(data: Path, played: Path) -> None:
    agentmem("say", "clerk", "我的邮箱是wang@example.com", "--from", "王芳", "--end", "--data", data)
    assert any("wang@example.com" in str(item["content"]) for item in observations(data))

    agentmem("run", played / "visit.yaml", "--fresh", "--data", data)

    assert not any("wang@example.com" in str(item["content"]) for item in observations(data, "--all"))


@pytest.mark.parametrize(
    ("given", "layers"),
    [
        ('{"memoryType": "observation", "attribute": "phone"}', ["observation"]),
        ('{"NOT": [{"memoryType": ["observation", "insight"]}]}', ["conversation"]),
        ('{"key": "*", "role": {"exists": true}}', []),
        ('{"tenant": "globex"}', []),
    ],
)
def test_recall_keeps_to_a_filter(data: Path, given: str, layers: list[str]) -> None:
    found = agentmem("recall", "王芳的电话", "--agent", "clerk", "--data", data, "--json", "--filter", given).json

    assert sorted({hit["memory"]["memoryType"] for hit in found["hits"]}) == layers
    assert found["abstained"] is (not layers)


@pytest.mark.parametrize("command", [["recall", "王芳的电话"], ["memories"]])
def test_a_filter_that_finds_nothing_tells_which_of_its_names_are_no_fields(data: Path, command: list[str]) -> None:
    line = [*command, "--agent", "clerk", "--data", data, "--json", "--filter"]
    told = agentmem(*line, '{"typ": "observation", "attribute": "phone"}')
    assert "--filter: 'typ': no field of a memory, looked for in metaData; fields: agentId, attribute" in told.err
    assert len(told.err.splitlines()) == 1
    assert agentmem(*line, '{"tenant": "globex"}').err == ""


def test_recall_finds_and_explains(data: Path) -> None:
    found = agentmem("recall", "王芳的电话", "--agent", "clerk", "--data", data, "--json")

    assert list(found.json) == ["hits", "abstained", "confidence"]
    assert list(found.json["hits"][0]) == ["memory", "score", "signals", "stage", "words"]
    assert "13900139000" in found.json["hits"][0]["memory"]["content"]
    explained = seen(agentmem("recall", "王芳的电话", "--agent", "clerk", "--data", data, "--explain"))
    assert "lexical" in explained.out


def test_a_context_is_the_block_and_nothing_else(data: Path) -> None:
    line = ("context", "王芳的电话", "--agent", "clerk", "--data", data)
    shown, told = seen(agentmem(*line)), agentmem(*line, "--json").json

    lines = shown.out.splitlines()
    assert (shown.code, shown.err) == (0, "")
    assert lines[0].startswith("<memory ")
    assert lines[-1] == lines[0].replace("<", "</")
    assert "- 「会计王芳的电话是13900139000」（2026-04-01 至今）" in lines
    assert lines[2:-1] == told["text"].splitlines()[2:-1]
    assert list(told) == ["text", "tokens", "budget", "lines", "leftOut", "abstained"]
    assert list(told["lines"][0]) == ["text", "memoryIds", "section"]
    assert (told["budget"], told["abstained"]) == (1_600, False)
    assert told["tokens"] <= 1_600
    memories = agentmem("memories", "--all", "--agent", "clerk", "--data", data, "--json").json["memories"]
    said = [item for item in told["lines"] if item["section"] != "communities"]
    assert {key for item in said for key in item["memoryIds"]} <= {node["memoryId"] for node in memories}


def test_a_context_keeps_to_its_options(data: Path) -> None:
    options = ("--agent", "clerk", "--data", data, "--language", "en", "--budget", "250", "--json")
    told = agentmem("context", "王芳的电话", *options, "--as-of", "2026-03-15").json

    assert "as of 2026-03-15 Sun" in told["text"]
    assert "13800138000" in told["text"]
    assert "13900139000" not in told["text"]
    assert told["tokens"] <= told["budget"] == 250
    assert told["leftOut"] > 0


def test_a_context_of_nothing_says_so(data: Path) -> None:
    told = agentmem("context", "电话", "--agent", "clerk", "--data", data, "--known-at", "2020-01-01", "--json").json

    assert told["abstained"] is True
    assert told["lines"] == []
    assert "关于这个问题，没有任何记忆。" in told["text"]


def test_a_memory_is_told_in_the_words_of_the_page(data: Path) -> None:
    ended = next(item for item in observations(data, "--all") if "13800138000" in str(item["content"]))
    shown, history = (agentmem(told, str(ended["memoryId"]), "--data", data).out for told in ("show", "history"))
    page = words_of("en")
    assert f"({page('base.ending_superseded')})" in shown
    for word, kept in (("replaced by", "superseded"), ("holds", "true "), ("modality", "held"), ("believed", "known")):
        assert any(line.startswith(word) for line in shown.splitlines())
        assert not any(line.startswith(kept) for line in shown.splitlines())
    for word in ("memory.act_add", "memory.field_store_status", "memory.field_superseded_by"):
        assert page(word) in history
    assert f"{page('base.status_valid')} → {page('base.status_expired')}" in history
    assert not any(word in shown + history for word in ("superseded", "expired", "store_status"))


@pytest.mark.parametrize("name", ["王芳", "会计王芳", " 王芳 "])
def test_a_person_is_found_by_name_and_by_label(data: Path, name: str) -> None:
    found = agentmem("recall", "电话", "--agent", "clerk", "--about", name, "--data", data, "--json")

    assert found.code == 0
    assert found.json["hits"]


def test_a_person_nobody_knows_is_not_found(data: Path) -> None:
    ran = agentmem("memories", "--agent", "clerk", "--about", "李四", "--data", data)

    assert ran.code == 5
    assert "knows nobody called '李四'; it knows: 王芳" in ran.err


def test_recall_as_of_an_earlier_day_knows_the_old_number(data: Path) -> None:
    then = agentmem(
        "recall", "王芳的电话", "--agent", "clerk", "--as-of", "2026-03-15", "--type", "observation", "--data", data,
        "--json",
    )  # fmt: skip

    assert any("13800138000" in hit["memory"]["content"] for hit in then.json["hits"])
    assert not any("13900139000" in hit["memory"]["content"] for hit in then.json["hits"])


def test_ended_memories_are_listed_only_on_request(data: Path) -> None:
    valid, everything = observations(data), observations(data, "--all")

    assert not any("13800138000" in str(item["content"]) for item in valid)
    assert any("13800138000" in str(item["content"]) for item in everything)


def test_a_memory_is_shown_with_its_words_by_whole_and_short_id(data: Path) -> None:
    node = next(item for item in observations(data) if "13900139000" in str(item["content"]))
    whole = agentmem("show", str(node["memoryId"]), "--data", data, "--json").json
    short = agentmem("show", str(node["memoryId"])[:8], "--data", data, "--json").json

    assert whole == short
    assert whole["memory"] == node
    assert any("13900139000" in item["words"] for item in whole["evidence"])
    assert "13900139000" in seen(agentmem("show", str(node["memoryId"]), "--data", data)).out


def test_what_is_remembered_is_put_right_on_the_command_line_and_that_is_taken_back(data: Path) -> None:
    def phones(*options: str) -> dict[str, str]:
        found = (each for each in observations(data, *options) if each["attribute"] == "phone")
        return {str(each["memoryId"]): str(each["content"]) for each in found}

    [old] = [key for key, content in phones("--all").items() if "13800138000" in content]
    [new] = phones()

    def done(*line: str) -> Any:
        return agentmem(*line, "--data", data, "--json").json

    back = done("bring-back", old)
    assert (back["memory"]["ending"], back["memory"]["conflictsWith"]) == (None, [new])
    ran = seen(agentmem("settle", old, new[:8], "--wrong", new, "--data", data))
    assert f"{new[:8]} was never true" in ran.out
    done("undo", done("history", old)["history"][-1]["run"])
    assert "both stand" in (apart := seen(agentmem("settle", old, new, "--data", data)).out)
    assert "agentmem end" in apart
    done("undo", done("history", old)["history"][-1]["run"])
    settled = done("settle", old, new[:8], "--wrong", new)
    assert settled["memory"]["conflictsWith"] == []
    assert list(phones()) == [old]
    over = done("end", old, "--since", "2026-05-01")
    assert (over["memory"]["ending"], over["memory"]["invalidAt"][:10]) == ("ended", "2026-05-01")
    assert phones() == {}
    done("undo", over["run"])
    corrected = done("edit", old, "王芳的电话是13700137000")
    assert phones() == {old: corrected["memory"]["content"]}
    by_hand = seen(agentmem("show", old, "--data", data)).out
    assert "stated, corrected by hand" in by_hand
    assert "before it was corrected" in by_hand.partition("13800138000")[0]
    began = corrected["memory"]["validAt"][:10]
    early = agentmem("end", old, "--since", "2001-01-01", "--data", data)
    assert (early.code, f"holds only from {began}" in early.err) == (3, True)
    over = done("end", old, "--since", began)
    assert over["memory"]["invalidAt"] > over["memory"]["validAt"]
    done("undo", over["run"])
    moved = done("edit", old, "王芳的电话是13600136000", "--since", began)
    assert moved["memory"]["validAt"][:10] == began
    assert "undo" in seen(agentmem("end", moved["memory"]["memoryId"], "--data", data)).out
    assert agentmem("end", old, "--since", "soon", "--data", data).code == 2


def test_history_tells_how_a_memory_ended(data: Path) -> None:
    old = next(item for item in observations(data, "--all") if "13800138000" in str(item["content"]))
    history = agentmem("history", str(old["memoryId"]), "--data", data, "--json").json["history"]

    assert len(history) >= 2
    assert history[0]["change"]["before"] is None
    assert history[-1]["change"]["after"]["storeStatus"] == "expired"
    assert "Status: holds → ended" in seen(agentmem("history", str(old["memoryId"]), "--data", data)).out


@pytest.mark.parametrize(
    "line",
    [
        ["memories", "--agent", "clerk", "--all"],
        ["recall", "您好 evil", "--agent", "clerk"],
        ["context", "您好 evil", "--agent", "clerk"],
        ["doctor"],
        ["queue"],
        ["agents"],
        ["dead", "list"],
    ],
)
def test_no_answer_steers_the_terminal(data: Path, line: list[str]) -> None:
    assert seen(agentmem(*line, "--data", data)).code == 0
    printed = agentmem(*line, "--data", data, "--json")
    assert isinstance(printed.json, dict)
    seen(Ran(printed.code, printed.out, ""))


def test_hostile_words_are_kept_as_they_were_said(data: Path) -> None:
    listed = agentmem("memories", "--agent", "clerk", "--data", data, "--json").json["memories"]

    assert any(HOSTILE in item["content"] for item in listed)
    assert "\\x1b[2J\\u202eevil\\x9b31m" in agentmem("memories", "--agent", "clerk", "--data", data).out


def test_said_words_are_found_at_once_and_read_at_the_end(data: Path) -> None:
    said = agentmem("say", "clerk", "我的邮箱是wang@example.com", "--from", "王芳", "--data", data, "--json")
    assert said.json["processed"] is True
    found = agentmem("recall", "邮箱", "--agent", "clerk", "--data", data, "--json").json["hits"]
    assert "wang@example.com" in found[0]["memory"]["content"]

    agentmem("say", "clerk", "就这些", "--from", "王芳", "--end", "--data", data)

    assert any("wang@example.com" in str(item["content"]) for item in observations(data))


def test_the_title_of_a_speaker_is_kept_through_a_conversation(data: Path) -> None:
    agentmem("say", "clerk", "你好", "--from", "李雷", "--title", "厨师", "--data", data)
    agentmem("say", "clerk", "我的电话是13711112222", "--from", "李雷", "--end", "--data", data)

    assert any(str(item["content"]).startswith("厨师李雷") for item in observations(data))


def test_an_occupation_that_nobody_said_shows_the_title_it_is_from(data: Path) -> None:
    agentmem("say", "clerk", "我住在杭州", "--from", "赵敏", "--title", "律师", "--end", "--data", data)
    known = {item["value"]: str(item["memoryId"]) for item in observations(data)}
    assert "the title 律师, with which 赵敏 was introduced" in agentmem("show", known["律师"], "--data", data).out
    assert "was introduced" not in agentmem("show", known["杭州"], "--data", data).out


def test_nothing_that_was_said_is_shown_as_the_words_of_what_a_title_tells(data: Path) -> None:
    agentmem("say", "clerk", "我住在杭州", "--from", "赵敏", "--title", "律师", "--end", "--data", data)
    known = {item["value"]: str(item["memoryId"]) for item in observations(data)}
    assert agentmem("show", known["律师"], "--data", data, "--json").json["evidence"] == []
    assert agentmem("show", known["杭州"], "--data", data, "--json").json["evidence"]
    hits = agentmem("recall", "赵敏的职业", "--agent", "clerk", "--data", data, "--json").json["hits"]
    assert [hit["words"] for hit in hits if hit["memory"]["value"] == "律师"] == [[]]


def test_a_run_is_taken_back_whole_once_later_ones_are_given_up_too(data: Path) -> None:
    new = next(item for item in observations(data) if "13900139000" in str(item["content"]))
    run = agentmem("history", str(new["memoryId"]), "--data", data, "--json").json["history"][0]["run"]
    agentmem("say", "clerk", "我又换号了,现在是13700137000", "--from", "王芳", "--end", "--data", data)

    blocked = agentmem("undo", run, "--data", data)
    assert blocked.code == 5
    assert "--cascade takes them back all the same" in blocked.err
    assert new["memoryId"] in [item["memoryId"] for item in observations(data, "--all")]

    undone = agentmem("undo", run, "--cascade", "--data", data, "--json").json

    assert new["memoryId"] in undone["restored"]
    assert new["memoryId"] not in [item["memoryId"] for item in observations(data, "--all")]
    assert any("13800138000" in str(item["content"]) for item in observations(data))


def test_an_edited_scenario_asks_for_a_fresh_playing(played: Path, data: Path, tmp_path: Path) -> None:
    edited = tmp_path / "visit.yaml"
    edited.write_text((played / "visit.yaml").read_text(encoding="utf-8").replace("您好", "你好"), encoding="utf-8")

    refused = agentmem("run", edited, "--data", data)

    assert refused.code == 3
    assert f"{edited}: event 'visit/one/1' is known with other content" in refused.err
    assert "play it with --fresh" in refused.err


def test_a_dry_run_shows_what_would_change_and_changes_nothing(data: Path) -> None:
    def seen() -> object:
        return agentmem("memories", "--agent", "clerk", "--data", data, "--all", "--json").json

    agentmem("say", "clerk", "--from", "Bo", "I need a new warehouse system.", "--end", "--data", data)
    before = seen()
    dry = agentmem("reflect", "--agent", "clerk", "--data", data, "--dry-run", "--json").json
    assert dry["dryRun"] is True
    assert {change["act"] for change in dry["changes"]} >= {"reflect"}
    assert all(change["memoryId"] and change["reason"] and change["after"] for change in dry["changes"])
    shown = agentmem("reflect", "--agent", "clerk", "--data", data, "--dry-run").out
    assert "nothing was changed" in shown
    assert seen() == before


def test_reflection_without_news_changes_nothing(data: Path) -> None:
    agentmem("reflect", "--agent", "clerk", "--data", data)

    assert agentmem("reflect", "--agent", "clerk", "--data", data, "--json").json == {"runs": []}


def test_the_index_agrees_with_the_journal_and_can_be_rebuilt(data: Path) -> None:
    before = agentmem("index", "verify", "--data", data, "--json").json
    rebuilt = agentmem("index", "rebuild", "--data", data, "--json").json

    assert (before["ok"], before["missing"], before["extra"], before["different"]) == (True, [], [], [])
    assert rebuilt["memories"] == before["checked"]
    assert agentmem("index", "verify", "--data", data, "--json").json == before


@pytest.mark.thorough
@pytest.mark.usefixtures("embedded_index")
def test_graphs_are_built_where_the_configuration_asks_for_them_and_are_exact_for_small_scopes(data: Path) -> None:
    exact = agentmem("recall", "电话", "--agent", "clerk", "--data", data, "--json").json["hits"]
    assert not agentmem("index", "optimise", "--data", data, "--json").json["built"]

    graph = ("--set", "index.graph=true", "--data", data)
    held = agentmem("index", "verify", "--data", data, "--json").json["checked"]
    assert agentmem("index", "optimise", *graph, "--json").json == {"memories": held, "built": True}
    found = agentmem("recall", "电话", "--agent", "clerk", *graph, "--json").json["hits"]
    assert [hit["memory"]["memoryId"] for hit in found] == [hit["memory"]["memoryId"] for hit in exact]


def test_another_embedder_names_the_command_that_changes_it(data: Path) -> None:
    other = ("--set", "embedder=hash-64", "--data", data)
    ran = agentmem("recall", "电话", "--agent", "clerk", *other)
    assert ran.code == 4
    assert "agentmem embedder migrate" in ran.err

    assert agentmem("embedder", "migrate", *other, "--json").json["memories"] > 0

    assert agentmem("recall", "电话", "--agent", "clerk", *other, "--json").json["hits"]


def test_the_doctor_finds_a_sound_store_sound(data: Path) -> None:
    report = agentmem("doctor", "--data", data, "--json").json

    assert report["problems"] == []
    assert report["cognition"] == "rules"
    assert report["chatModel"] is None
    assert report["journal"]["dead"] == 0
    assert report["index"]["memories"] > 0


def test_the_doctor_names_an_embedder_that_was_changed(data: Path) -> None:
    report = agentmem("doctor", "--data", data, "--set", "embedder=hash-64", "--json").json

    assert any("agentmem embedder migrate" in problem for problem in report["problems"])


def test_agents_are_listed(data: Path) -> None:
    assert [agent["id"] for agent in agentmem("agents", "--data", data, "--json").json["agents"]] == ["clerk"]


def test_another_tenant_sees_nothing(data: Path) -> None:
    assert agentmem("agents", "--tenant", "acme", "--data", data, "--json").json == {"agents": []}
    assert agentmem("recall", "电话", "--agent", "clerk", "--tenant", "acme", "--data", data).code == 5


@pytest.mark.thorough
def test_a_process_of_its_own_prints_json_and_nothing_else(played: Path) -> None:
    result = python("-m", "agentmem", "run", played / "visit.yaml", "--data", played / "data", "--json")

    assert (result.code, result.err) == (0, "")
    assert result.json["scenarios"][0]["passed"] is True


@pytest.mark.thorough
def test_an_unknown_agent_is_exit_code_five_in_a_process_of_its_own(played: Path) -> None:
    result = python("-m", "agentmem", "recall", "x", "--agent", "nobody", "--data", played / "data")

    assert (result.code, result.out) == (5, "")
    assert result.err == "agentmem: no agent 'nobody' in tenant 'default'; there are: clerk\n"


@pytest.mark.thorough
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_an_answer_nobody_reads_to_its_end_is_no_error(played: Path, options: list[str]) -> None:
    with started("-m", "agentmem", "memories", "--agent", "clerk", "--data", played / "data", *options) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()

        assert process.stderr.read() == ""
        assert process.wait(timeout=60) == 0


@pytest.fixture
def working(data: Path) -> Iterator[Popen[str]]:
    with started("-m", "agentmem", "worker", "--data", data, "--json") as process:
        try:
            assert process.stderr is not None
            assert "0 ready" in process.stderr.readline()
            yield process
        finally:
            process.kill()


@pytest.mark.thorough
@pytest.mark.usefixtures("embedded_index")
def test_a_turn_said_beside_a_worker_is_read_by_it(data: Path, working: Popen[str]) -> None:
    said = agentmem("say", "clerk", "我的邮箱是wang@example.com", "--from", "王芳", "--end", "--data", data, "--json")
    assert said.json["processed"] is False

    deadline = time.monotonic() + 20
    while not any("wang@example.com" in str(item["content"]) for item in observations(data)):
        assert time.monotonic() < deadline, "the worker did not read the turn"

    found = agentmem("recall", "邮箱", "--agent", "clerk", "--data", data, "--json")
    assert found.code == 0
    assert "wang@example.com" in found.out


@pytest.mark.thorough
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_worker_told_to_stop_ends_well(working: Popen[str], number: signal.Signals) -> None:
    os.kill(working.pid, number)

    out, _ = working.communicate(timeout=20)

    assert working.returncode == 0
    assert out == '{"queue": {"ready": 0, "delayed": 0, "leased": 0, "dead": 0}}\n'
