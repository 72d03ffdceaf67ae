"""The command line over work: waiting, given up, tried again, done by a worker."""

import asyncio
import os
import socket
import time
from io import StringIO
from pathlib import Path
from uuid import uuid4

import pytest

from agentmem import open_app
from agentmem.domain.scope import Lane
from agentmem.ports.work_queue import SetAside
from agentmem.runtime.configuration.settings import Settings
from tests.support.cli import PATH, ROOT, agentmem, python

REFUSE = ("--set", "worker_modules=[tests.support.refusing]", "--set", "workers.attempts=1")
PERSONA = "id: clerk\nname: 前台\n"


@pytest.fixture
def common(tmp_path: Path) -> tuple[str, ...]:
    """Options with a data directory and a persona of their own."""
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "clerk.yaml").write_text(PERSONA, encoding="utf-8")
    return ("--data", str(tmp_path / "data"), "--set", f"personas={tmp_path / 'personas'}", "--json")


@pytest.fixture
def refused(common: tuple[str, ...]) -> str:
    """The id of the one job that was given up."""
    said = agentmem("say", "clerk", "我的电话是13800138000", "--from", "王芳", "--end", *common, *REFUSE)
    assert said.code == 0
    [letter] = agentmem("dead", "list", *common).json["dead"]
    return letter["jobId"]


def test_a_persona_file_introduces_its_agent_at_the_first_word(common: tuple[str, ...]) -> None:
    assert agentmem("say", "clerk", "你好", "--from", "王芳", *common).code == 0
    assert [agent["name"] for agent in agentmem("agents", *common).json["agents"]] == ["前台"]


def test_what_was_given_up_is_listed_with_its_reason(common: tuple[str, ...], refused: str) -> None:
    [letter] = agentmem("dead", "list", *common).json["dead"]
    shown = agentmem("dead", "list", *[option for option in common if option != "--json"]).out

    assert letter["reason"] == "ValueError: refused \x1b[31mobservation"
    assert (letter["worker"], letter["agentId"], letter["attempts"]) == ("observation", "clerk", 1)
    assert refused in shown
    assert "refused \\x1b[31mobservation" in shown


def test_queue_and_doctor_tell_of_what_was_given_up(common: tuple[str, ...], refused: str) -> None:
    assert refused
    assert agentmem("queue", *common).json["queue"]["dead"] == 1
    assert any("agentmem dead list" in problem for problem in agentmem("doctor", *common).json["problems"])


@pytest.mark.parametrize("everything", [True, False])
def test_what_is_tried_again_is_remembered(common: tuple[str, ...], refused: str, everything: bool) -> None:
    assert agentmem("dead", "retry", "--all" if everything else refused, *common).json == {"retried": 1}
    assert agentmem("queue", *common).json["queue"]["ready"] >= 1

    done = agentmem("worker", "--once", *common)

    assert done.json == {"queue": {"ready": 0, "delayed": 0, "leased": 0, "dead": 0}}
    remembered = agentmem("memories", "--agent", "clerk", "--type", "observation", *common).json["memories"]
    assert any("13800138000" in node["content"] for node in remembered)


def test_what_is_dropped_is_gone_but_what_was_said_stays(common: tuple[str, ...], refused: str) -> None:
    assert agentmem("dead", "drop", refused, *common).json == {"dropped": 1}

    assert agentmem("dead", "list", *common).json["dead"] == []
    assert agentmem("dead", "drop", refused, *common).code == 5
    [turn] = agentmem("memories", "--agent", "clerk", *common).json["memories"]
    assert turn["content"] == "我的电话是13800138000"


def test_jobs_are_named_or_all_of_them_but_not_both(common: tuple[str, ...], refused: str) -> None:
    assert agentmem("dead", "retry", refused, "--all", *common).code == 2
    assert agentmem("dead", "retry", *common).code == 2


def test_however_many_were_given_up_they_are_listed_page_by_page_and_all_are_dropped(tmp_path: Path) -> None:
    async def give_up(count: int) -> None:
        async with open_app(Settings(data=tmp_path), index=False) as app:
            lane = Lane(app.tenant, "clerk", new_target())
            rows = [SetAside(new_target(), number, lane, "no vector") for number in range(count)]
            await app.journal.set_asides.add(rows)

    asyncio.run(give_up(1_203))
    listed: list[str] = []
    more: tuple[str, ...] = ()
    for expected in (100, 1_000, 103):
        page = agentmem("dead", "list", "--data", tmp_path, "--json", "--limit", "100" if not more else "1000", *more)
        assert len(page.json["dead"]) == expected
        listed += [letter["jobId"] for letter in page.json["dead"]]
        more = ("--after", str(page.json["next"]))
    assert (len(set(listed)), page.json["next"]) == (1_203, None)
    assert "more: --after " in agentmem("dead", "list", "--data", tmp_path).out
    assert agentmem("dead", "drop", "--all", "--data", tmp_path, "--json").json == {"dropped": 1_203}
    assert agentmem("dead", "list", "--data", tmp_path, "--json").json == {"dead": [], "next": None}


def new_target() -> str:
    return str(uuid4())


def test_one_tenant_does_not_see_what_another_ones_was_given_up(common: tuple[str, ...], refused: str) -> None:
    assert refused
    assert agentmem("dead", "list", *common, "--tenant", "acme").json["dead"] == []
    assert agentmem("dead", "drop", refused, *common, "--tenant", "acme").code == 5


@pytest.mark.parametrize("data", ["/proc/nowhere", "/dev/null/x"])
def test_a_data_directory_that_cannot_be_is_unavailable(data: str) -> None:
    result = agentmem("queue", "--data", data, "--json")

    assert (result.code, result.err.count("\n")) == (4, 1)


def test_a_worker_module_that_is_not_there_is_an_invalid_setting(common: tuple[str, ...]) -> None:
    result = agentmem("queue", *common, "--set", "worker_modules=[nowhere]")

    assert result.code == 3
    assert "worker_modules: 'nowhere' is no module with WORKERS" in result.err


@pytest.mark.thorough
def test_a_project_may_have_a_package_called_workers(tmp_path: Path) -> None:
    (tmp_path / "workers").mkdir()
    (tmp_path / "workers" / "__init__.py").write_text("raise AssertionError('loaded')")
    command = ("-P", "-m", "agentmem", "worker", "--once", "--data", tmp_path / "data")
    ran = python(*command, PYTHONPATH=f"{tmp_path}{os.pathsep}{PATH}")
    assert (ran.code, ran.err) == (0, "")


def unreachable(kind: str) -> tuple[str, ...]:
    """A model whose server was never started."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    if kind == "talks":
        return ("--set", "chat_model=ollama:llama3", "--set", f"chat.base_url={address}")
    given = ("cognition.engine=llm", "cognition.model=ollama:llama3", f"cognition.base_url={address}")
    return tuple(word for each in given for word in ("--set", each))


CANNOT_BE_REACHED = "the model llama3 cannot be reached: nothing answers at its server's address"


@pytest.mark.thorough
def test_who_waits_for_a_model_that_cannot_be_reached_is_told_so_and_where_the_work_is(
    common: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    *plain, _ = common
    said = agentmem("say", "clerk", "我的电话是13800138000", "--from", "王芳", "--end", *plain, *unreachable("reads"))
    assert said.code == 0
    assert f"{CANNOT_BE_REACHED}; what waits for it is kept, and tried again" in said.err.splitlines()
    assert said.out == "recorded and ended; it is not read yet: `agentmem queue` shows what waits\n"
    waits = agentmem("queue", *common).json
    assert waits["setback"] == f"Unreachable: {CANNOT_BE_REACHED}"
    assert (waits["queue"]["ready"] + waits["queue"]["delayed"], waits["queue"]["dead"]) == (1, 0)
    assert CANNOT_BE_REACHED in " ".join(agentmem("queue", *plain).out.split())
    monkeypatch.setattr("sys.stdin", StringIO("你好\n"))
    talked = agentmem("chat", "clerk", "--as", "王芳", *plain, *unreachable("talks"))
    assert (talked.code, f"no reply: {CANNOT_BE_REACHED}" in talked.err) == (4, True)
    asked = agentmem("ask", "王芳的电话", "--agent", "clerk", *plain, *unreachable("reads"))
    assert (asked.code, asked.err.splitlines()[-1]) == (4, f"agentmem: {CANNOT_BE_REACHED}")


@pytest.mark.thorough
def test_a_scenario_waits_only_seconds_for_a_model_that_cannot_be_reached(tmp_path: Path) -> None:
    begun = time.monotonic()
    played = agentmem("run", ROOT / "scenarios" / "aip_sales.yaml", "--data", tmp_path, *unreachable("reads"))
    assert time.monotonic() - begun < 45
    assert played.code == 1
    assert CANNOT_BE_REACHED in played.err
    assert "see `agentmem queue`" in " ".join(played.out.split())
    assert "dead list" not in played.out
