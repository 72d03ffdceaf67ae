"""`agentmem chat`: in a pipe line by line, on a terminal with a prompt; and without a model one clear line."""

import io
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from agentmem.ports.models import ChatModel
from agentmem.runtime.composition import wiring
from agentmem.runtime.configuration.settings import Settings
from tests.fixtures.talking_model import Speaker, speaker
from tests.support.cli import ROOT, Ran, agentmem, python

pytestmark = pytest.mark.thorough

NO_MODEL = "agentmem: no chat model is configured; set chat_model in config.yaml, or AGENTMEM_CHAT_MODEL; "

Talk = Callable[..., Ran]


@pytest.fixture
def talk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Talk:
    """Runs `agentmem chat` as 李雷 with these lines typed into a pipe."""

    def run(model: Speaker, *lines: str, options: tuple[str, ...] = ()) -> Ran:
        @asynccontextmanager
        async def chosen(settings: Settings, name: str) -> AsyncGenerator[ChatModel]:
            yield model.chat

        monkeypatch.setattr(wiring, "chat_model", chosen)
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        given = (
            "--config",
            ROOT / "config.yaml",
            "--set",
            f"personas={ROOT / 'personas'}",
            "--data",
            tmp_path / "data",
        )
        return agentmem("chat", "aip_sales", "--as", "李雷", *given, "--set", "chat_model=scripted:x", *options)

    return run


def test_a_talk_in_a_pipe_prints_the_replies_and_nothing_else(talk: Talk) -> None:
    model = speaker("您好,李先生", "预算记下了")

    ran = talk(model, "你好", "", "预算大概30万")

    assert ran.code == 0
    assert ran.out == "AIP导购销售专员: 您好,李先生\nAIP导购销售专员: 预算记下了\n"
    assert "# 界限" in model.seen[0]


def test_the_conversation_goes_on_in_the_next_sitting(talk: Talk) -> None:
    talk(speaker("好"), "我叫李雷,做外贸")
    model = speaker("您做外贸")

    talk(model, "我刚才说什么了")

    assert model.seen[0].endswith("我叫李雷,做外贸\n好\n我刚才说什么了")


def test_commands_show_what_was_used_and_known_and_end_what_is_named(talk: Talk) -> None:
    talk(speaker("好"), "我的电话是13800138000", "/end")
    model = speaker("您的电话是13800138000")

    ran = talk(model, "/why", "/memory", "我的电话是多少?", "/why", "/forget 我的电话", "/memory", "/help", "/nonsense")

    assert "nothing was said yet" in ran.out
    assert ran.out.count("13800138000") >= 4
    assert "search:" in ran.out
    assert "forgotten" in ran.out
    assert "/quit" in ran.out
    assert "there is no /nonsense" in ran.out
    assert ran.code == 0


def test_quit_leaves_the_rest_unread(talk: Talk) -> None:
    model = speaker("好")
    assert talk(model, "/quit", "你好").code == 0
    assert model.seen == []


def test_escapes_of_the_model_do_not_reach_the_terminal(talk: Talk) -> None:
    ran = talk(speaker("\x1b[2J\x1b]0;owned\x07您好\u202e"), "你好")
    assert "\x1b" not in ran.out
    assert "\\x1b[2J" in ran.out
    assert "\u202e" not in ran.out


def test_for_another_program_the_talk_is_one_value(talk: Talk) -> None:
    ran = talk(speaker("您好"), "你好", options=("--json",))

    assert ran.json["person"] == "李雷"
    (turn,) = ran.json["turns"]
    assert (turn["said"], turn["reply"], turn["recalled"], turn["usage"]["calls"]) == ("你好", "您好", True, 1)


def test_a_reply_that_cannot_be_had_is_one_line_and_the_talk_goes_on(talk: Talk) -> None:
    ran = talk(speaker("", "回来了"), "你好", "还在吗")

    assert "no reply: speaker said nothing in 1 requests" in ran.err
    assert "回来了" in ran.out
    assert ran.code == 4


def test_without_a_model_one_line_says_what_is_missing_and_how_to_go_on(tmp_path: Path) -> None:
    options = ("--config", ROOT / "config.yaml", "--set", f"personas={ROOT / 'personas'}", "--data", tmp_path)

    ran = agentmem("chat", "aip_sales", "--as", "李雷", *options)

    assert ran.code == 3
    assert ran.err.startswith(NO_MODEL)
    assert "agentmem run SCENARIO" in ran.err
    assert agentmem("chat", "nobody", *options).code == 5
    assert "the agent itself" in agentmem("chat", "aip_sales", "--as", "AIP导购销售专员", *options).err
    assert agentmem("chat", "aip_sales", "--as", "two\nlines", *options).code == 2


def test_a_key_that_is_not_set_is_named(tmp_path: Path) -> None:
    options = ("--config", ROOT / "config.yaml", "--set", f"personas={ROOT / 'personas'}", "--data", tmp_path)
    chosen = ("--set", "chat_model=openai-chat:x", "--set", "chat.api_key_env=AGENTMEM_NO_SUCH_KEY")
    ran = agentmem("chat", "aip_sales", "--as", "李雷", *options, *chosen)
    assert (ran.code, ran.err) == (
        3,
        "agentmem: chat.api_key_env: the environment variable AGENTMEM_NO_SUCH_KEY is not set\n",
    )


def test_on_a_terminal_there_is_a_prompt_and_ctrl_c_leaves_at_once(tmp_path: Path) -> None:
    outer, inner = pty.openpty()
    line = ["chat", "bike_workshop", "--as", "Ann", "--data", str(tmp_path), "--set", "chat_model=test"]
    # Whoever leads a session and opens a terminal is controlled by it, so that Ctrl-C is a signal.
    opened = ["sh", "-c", 'exec "$@" <"$0" >"$0" 2>&1', os.ttyname(inner)]
    with subprocess.Popen(
        [*opened, sys.executable, "-m", "agentmem", *line], cwd=ROOT, start_new_session=True
    ) as process:
        screen = Screen(outer)
        try:
            screen.until("Ann> ")
            os.write(outer, b"/help\n")
            screen.until("/quit")
            screen.until("Ann> ")
            os.write(outer, b"\x03")
            process.wait(timeout=60)
        finally:
            process.kill()
    os.close(inner)
    os.close(outer)

    assert process.returncode == 0
    assert "Spoke & Chain adviser listens" in screen.shown


class Screen:
    """What a terminal shows. What comes together in one read is looked at in turn: a prompt often comes with the lines
    before it."""

    def __init__(self, terminal: int) -> None:
        self._terminal, self._shown, self._seen = terminal, b"", 0

    @property
    def shown(self) -> str:
        """All of it so far."""
        return self._shown.decode(errors="replace")

    def until(self, words: str) -> None:
        """Wait until these words come after those that were waited for before."""
        patience = time.monotonic() + 60
        while (at := self._shown.find(words.encode(), self._seen)) < 0:
            ready, _, _ = select.select([self._terminal], [], [], max(0.0, patience - time.monotonic()))
            assert ready, f"never shown: {words!r}; shown so far: {self.shown!r}"
            self._shown += os.read(self._terminal, 4_096)
        self._seen = at + len(words.encode())


def test_a_process_of_its_own_talks_with_the_model_of_a_setting(tmp_path: Path) -> None:
    data = ("--data", tmp_path, "--set", "chat_model=test", "--json")
    ran = python("-m", "agentmem", "chat", "bike_workshop", "--as", "Ann", *data)
    assert (ran.code, ran.json["turns"]) == (0, [])
