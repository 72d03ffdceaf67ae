"""From a command to its action: settings, logging, signals, the answer, and the exit code."""

import asyncio
import os
import signal
import sys
import traceback
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from io import TextIOWrapper

from agentmem.domain.access import Principal
from agentmem.errors import AgentMemError, InternalError
from agentmem.interfaces.cli.deferred import deferred
from agentmem.interfaces.cli.exits import BUG, DONE, INTERRUPTED, TERMINATED, exit_code
from agentmem.interfaces.cli.invocation import Invocation
from agentmem.interfaces.cli.output import Answer, Terminal, report_error
from agentmem.runtime.settings import Settings, load_settings
from agentmem.runtime.telemetry import configure_logging


@dataclass(frozen=True, slots=True)
class Session:
    """What an action works with. `principal` is None where the owner asks. `stop` is set by Ctrl-C or SIGTERM where the
    action `stops_itself`."""

    settings: Settings
    terminal: Terminal
    principal: Principal | None = None
    stop: asyncio.Event = field(default_factory=asyncio.Event)


Action = Callable[..., Awaitable[Answer]]


class _Terminated(Exception):
    """SIGTERM ended an action that does not stop by itself."""


def stops_itself(action: Action) -> Action:
    """Mark an action that ends well when `Session.stop` is set; a second signal cancels it."""
    vars(action)["stops_itself"] = True
    return action


def perform(invocation: Invocation, action: str, given: Mapping[str, object]) -> int:
    """Do the action and print its answer; every error becomes one line and its exit code."""
    _write_utf8()
    try:
        return _performed(invocation, action, given)
    except BrokenPipeError:
        return _unheard()


def _performed(invocation: Invocation, action: str, given: Mapping[str, object]) -> int:
    try:
        settings = load_settings(
            invocation.config, overrides=invocation.overrides, data=invocation.data, tenant=invocation.tenant
        )
        configure_logging(settings.log.level, as_json=settings.log.format == "json")
        terminal = Terminal(invocation.as_json)
        principal = None if invocation.principal is None else settings.principal(invocation.principal)
        answer = asyncio.run(_run(deferred(f"actions.{action}"), Session(settings, terminal, principal), given))
        terminal.print(answer)
    except AgentMemError as error:
        if isinstance(error, InternalError):
            traceback.print_exc()
        report_error(type(error).__name__, str(error), as_json=invocation.as_json)
        return exit_code(error)
    except KeyboardInterrupt:
        return INTERRUPTED
    except _Terminated:
        return TERMINATED
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001 - the program ends here; what nobody foresaw is shown whole
        traceback.print_exc()
        report_error(type(error).__name__, f"unexpected: {error}", as_json=invocation.as_json)
        return BUG
    return answer.code


async def _run(action: Action, session: Session, given: Mapping[str, object]) -> Answer:
    task = asyncio.ensure_future(action(session, **given))
    received = _on_signals(session.stop, task, gently=getattr(action, "stops_itself", False))
    try:
        return await task
    except asyncio.CancelledError:
        if signal.SIGTERM in received:
            raise _Terminated from None
        raise KeyboardInterrupt from None


def _on_signals(stop: asyncio.Event, task: asyncio.Future[Answer], *, gently: bool) -> list[signal.Signals]:
    """Ask the task to stop at the first signal if it can, cancel it otherwise; the signals received so far."""
    received: list[signal.Signals] = []

    def take(number: signal.Signals) -> None:
        received.append(number)
        if gently and not stop.is_set():
            stop.set()
        else:
            task.cancel()

    for number in (signal.SIGINT, signal.SIGTERM):
        # Not every platform has signal handlers of an event loop, and only the main thread may set them.
        with suppress(NotImplementedError, RuntimeError, ValueError):
            asyncio.get_running_loop().add_signal_handler(number, take, number)
    return received


def _unheard() -> int:
    """Nobody reads on, as with `| head`; nothing more may be written, not even at the end of the program."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return DONE


def _write_utf8() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
