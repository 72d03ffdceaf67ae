"""Logs, tracebacks and error reports hold no word of anybody's, at the most talkative level and whatever goes wrong."""

import ast
import json
import logging
from collections.abc import Generator, Iterator
from io import StringIO
from pathlib import Path

import pytest
import structlog

from agentmem.answers.answer import AskQuery
from agentmem.domain.memory import MemoryType
from agentmem.domain.scope import Scope
from agentmem.errors import AgentMemError
from agentmem.interfaces.cli.commands import say
from agentmem.memory.forget import Meant
from agentmem.ports.ledger import Selection
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.composition.telemetry import configure_logging
from tests.attacks.test_returns import OPERATIONS, outcome
from tests.fixtures.openai_server import Reply, completion, prose, serving
from tests.fixtures.talking_model import Says, speaker
from tests.integration.test_llm_over_http import engine
from tests.support.cli import agentmem
from tests.support.cognition import ScriptedCognition
from tests.support.homes import BEN, homes_in, plant_homes
from tests.support.nodes import AGENT, TARGET, TENANT
from tests.support.poisons import POISONS, BackDoor
from tests.support.served import served
from tests.support.speaking import called, connected
from tests.support.spine import SCOPE, Failing, quiet_persona, spine

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]
CANARY = "zaunkoenigin"
WORDS = f"my {CANARY} phone is 13800138000 and my {CANARY}@{CANARY}.cn costs 5 {CANARY}"


class Heard:
    """Everything that is logged, by us or by whom we use."""

    def __init__(self) -> None:
        self.out = StringIO()

    def lines(self) -> list[str]:
        return self.out.getvalue().splitlines()

    def told(self) -> list[str]:
        """The lines that hold a canary."""
        return [line for line in self.lines() if CANARY in line.casefold() or "13800138000" in line]


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Generator[Heard]:
    """At level debug, from our own log, from those of the libraries, and from what is written to stderr."""
    ears, root = Heard(), logging.getLogger()
    handler, level = logging.StreamHandler(ears.out), root.level
    monkeypatch.setattr("sys.stderr", ears.out)
    configure_logging("debug")
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield ears
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
        structlog.reset_defaults()


async def everything_said(folder: Path, cognition: ScriptedCognition) -> None:
    """What is said fails to be read, is read, asked for, reflected on and forgotten."""
    async with spine(folder, cognition) as app:
        await app.say(AGENT, "罗小东", WORDS, run_id=f"{CANARY}-run", end=True)
        await app.drain(patience=5)
        await app.recall(RecallQuery(SCOPE, WORDS))
        await app.context(RecallQuery(SCOPE, WORDS))
        await app.ask(AskQuery(SCOPE, f"What is {WORDS}?"))
        await app.reflect(SCOPE)
        for meant in (
            Meant(Scope(TENANT, AGENT, TARGET), query=f"{CANARY} phone"),
            Meant(Scope(TENANT, AGENT, TARGET)),
        ):
            await app.forget(meant, erase=True)


FAULTS = (
    ValueError(WORDS),
    KeyError(WORDS),
    RuntimeError(WORDS, {"text": WORDS}),
    RecursionError(WORDS),
    OSError(5, WORDS, WORDS),
    AgentMemError(WORDS),
)


async def test_whatever_fails_in_a_worker_no_word_is_logged(tmp_path: Path, heard: Heard) -> None:
    for number, fault in enumerate(FAULTS):
        await everything_said(tmp_path / str(number), Failing([fault] * 3))
    assert sum("job_failed" in line for line in heard.lines()) >= len(FAULTS)
    assert heard.told() == []


async def test_a_fault_of_our_own_is_logged_under_its_request_and_without_its_words(
    tmp_path: Path, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object, **__: object) -> None:
        raise RuntimeError(WORDS)

    async with served(tmp_path) as server, server.client() as client, connected(server, server.owner) as tools:
        monkeypatch.setattr(type(server.app.journal.events), "append", fails)
        for way in ("turns", "turns?wait=read"):
            answer = await client.post(f"/v1/agents/{AGENT}/{way}", json={"person": "Tom", "text": "I like tea."})
            assert answer.status_code == 500
            named = [line for line in heard.lines() if answer.headers["X-Request-Id"] in line]
            assert len(named) == 1, "its log says more"
            assert "from RuntimeError" in named[0]
        told = await called(tools, "add_memory", text="I like tea.", user_id="Tom", agent_id=AGENT)
        assert "a fault of agentmem" in str(told)
    assert sum("tool_failed" in line and "from RuntimeError" in line for line in heard.lines()) == 1
    assert heard.told() == []


ANSWERS = {
    "an error that repeats the request": Reply(400, json.dumps({"error": {"message": WORDS, "code": "x"}}).encode()),
    "an outage": Reply(503, WORDS.encode(), {"Retry-After": "0"}),
    "a page": Reply(200, f"<html>{WORDS}</html>".encode(), {"Content-Type": "text/html"}),
    "prose": prose(WORDS),
    "a quote of nothing": completion({"facts": [{"text": WORDS, "turn": 1, "quote": f"{WORDS}!"}], "names": [WORDS]}),
    "another shape": completion({WORDS: [WORDS]}),
}


@pytest.mark.parametrize("name", ANSWERS)
async def test_whatever_a_model_answers_no_word_is_logged(tmp_path: Path, heard: Heard, name: str) -> None:
    async with (
        serving(ANSWERS[name]) as server,
        engine(server.base_url) as cognition,
        spine(tmp_path, cognition) as app,
    ):
        await app.say(AGENT, "罗小东", WORDS, end=True)
        await app.drain(patience=2)
    assert server.requests
    assert len(heard.lines()) > 0
    assert heard.told() == []


def test_whatever_fails_in_a_command_no_word_is_printed_but_as_its_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object, **__: object) -> None:
        try:
            raise KeyError(WORDS)
        except KeyError as error:
            raise ValueError(WORDS) from error

    monkeypatch.setattr(say, "introduced_agent", fails)
    ran = agentmem("say", "aip_sales", "hello", "--from", "Tom", "--data", tmp_path, "--set", "log.level=debug")
    assert (ran.code, ran.out) == (70, "")
    assert "ValueError" in ran.err
    assert "KeyError" in ran.err
    assert CANARY not in ran.err


async def test_what_an_agent_that_talks_calls_and_says_is_not_logged(tmp_path: Path, heard: Heard) -> None:
    for number, says in enumerate((Says("", ((f"{CANARY}_tool", {CANARY: WORDS}),)), Says("", (("recall", WORDS),)))):
        async with (
            spine(tmp_path / str(number), speaks=speaker(says, WORDS).chat) as app,
            app.talks.reply(AGENT, "罗小东", WORDS) as reply,
        ):
            await reply.whole()
    assert any("tool_call_refused" in line for line in heard.lines())
    assert heard.told() == []


async def test_no_operation_logs_a_word_of_what_it_is_asked_or_answers(tmp_path: Path, heard: Heard) -> None:
    async with spine(tmp_path, speaks=speaker("a reply").chat) as app:
        await plant_homes(app)
        for calls in OPERATIONS.values():
            for call in calls:
                await outcome(call, app, BEN, tmp_path)
    assert len(heard.lines()) > 0
    assert homes_in("\n".join(heard.lines())) == {}


async def test_no_row_that_cannot_be_read_is_logged(tmp_path: Path, heard: Heard) -> None:
    door = BackDoor(tmp_path / "data")
    async with spine(tmp_path, persona=quiet_persona(turns=1)) as app:
        for number, poison in enumerate(POISONS.values()):
            said = await app.say(AGENT, f"customer {number}", WORDS, end=True)
            door.poison_event(said.turn.seq, poison)
        await app.drain(patience=5)
        for number in range(len(POISONS)):
            await app.say(AGENT, f"other {number}", WORDS, end=True)
        await app.drain(patience=5)
        held = await app.memories(Selection(SCOPE, types=(MemoryType.CONVERSATION,)))
        for node, poison in zip(held, POISONS.values(), strict=False):
            door.poison_memory(node.memory_id, poison)
    async with spine(tmp_path) as app:
        await app.index.rebuild(lambda done, of: None)
        await app.recall(RecallQuery(SCOPE, WORDS))
        await app.reflect(SCOPE)
    assert any("unreadable" in line for line in heard.lines())
    assert heard.told() == []


SPOKEN = {"text", "content", "question", "query", "quote", "words", "prompt", "message"}


def test_no_log_line_is_given_what_may_hold_words() -> None:
    """The words of an error may repeat somebody's: `without_content` tells what it is."""
    found: list[str] = []
    for path in sorted((ROOT / "agentmem").rglob("*.py")):
        for call in _log_calls(ast.parse(path.read_text())):
            for given in call.keywords:
                if not _harmless(given.value):
                    found.append(f"{path.relative_to(ROOT)}:{call.lineno}: {ast.unparse(given)}")
    assert found == []


def _log_calls(tree: ast.AST) -> Iterator[ast.Call]:
    levels = {"debug", "info", "warning", "error", "critical", "exception"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in levels:
            owner = ast.unparse(node.func.value)
            if owner in ("log", "_log", "self._log", "logger"):
                assert node.func.attr != "exception"
                yield node


def _harmless(value: ast.expr) -> bool:
    for node in ast.walk(value):
        if (
            isinstance(node, ast.Call)
            and ast.unparse(node.func) in ("str", "repr")
            and "folder" not in ast.unparse(node)
        ):
            return False
        if isinstance(node, ast.Name) and node.id in ("error", "reason") and not _is_told(value):
            return False
        if isinstance(node, ast.Attribute) and node.attr in SPOKEN:
            return False
    return True


def _is_told(value: ast.expr) -> bool:
    told = ("without_content(", "type(error).__name__")
    return any(each in ast.unparse(value) for each in told) or ast.unparse(value) == "logged or reason"
