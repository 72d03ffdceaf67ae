"""Runs one command: settings, logging, signals, the answer, and the exit code."""

import os
import sys
import traceback
from collections.abc import Mapping
from io import TextIOWrapper

from agentmem.domain.bounds import check_argument
from agentmem.errors import AgentMemError, InternalError, in_tree
from agentmem.interfaces.cli.command_context import Action, Invocation, is_handed_over
from agentmem.interfaces.cli.exits import BUG, DONE, INTERRUPTED, TERMINATED, Terminated, exit_code, usage
from agentmem.interfaces.cli.output import Terminal, report_error
from agentmem.interfaces.cli.through import through
from agentmem.runtime.configuration.settings import load_settings


def perform(invocation: Invocation, action: Action, given: Mapping[str, object]) -> int:
    """Do the action and print its answer; every error becomes one line and its exit code."""
    _write_utf8()
    try:
        return _performed(invocation, action, given)
    except BrokenPipeError:
        return _unheard()


def _performed(invocation: Invocation, action: Action, given: Mapping[str, object]) -> int:
    try:
        settings = load_settings(
            invocation.config, overrides=invocation.overrides, data=invocation.data, tenant=invocation.tenant
        )
        if is_handed_over(action, given) and (code := through(settings, invocation, action, given)) is not None:
            return code
        from agentmem.interfaces.cli.interruption import run
        from agentmem.runtime.composition.telemetry import configure_logging

        configure_logging(settings.log.level, as_json=settings.log.format == "json")
        with usage():
            for name, value in given.items():
                check_argument(name, value, object)
        terminal = Terminal(invocation.as_json)
        principal = None if invocation.principal is None else settings.principal(invocation.principal)
        answer = run(action, settings, terminal, principal, given)
        terminal.print(answer)
    except AgentMemError as error:
        if isinstance(error, InternalError):
            return _bug(error, exit_code(error), as_json=invocation.as_json)
        report_error(type(error).__name__, str(error), as_json=invocation.as_json)
        return exit_code(error)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Terminated:
        return TERMINATED
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001 - the program ends here; what nobody foresaw is shown whole
        ours = in_tree(error)
        if isinstance(ours, InternalError):
            return _bug(error, BUG, as_json=invocation.as_json)
        report_error(type(ours).__name__, str(ours), as_json=invocation.as_json)
        return exit_code(ours)
    return answer.code


def _bug(error: Exception, code: int, *, as_json: bool) -> int:
    """Tell of what nobody foresaw where it happened and what kind of error it is: the words of an error may repeat
    somebody's, and reports are passed on."""
    chain: list[BaseException] = [error]
    while (before := chain[-1].__cause__ or chain[-1].__context__) is not None and before not in chain:
        chain.append(before)
    for each in reversed(chain):
        sys.stderr.write("".join(traceback.format_tb(each.__traceback__)) + f"{type(each).__name__}\n")
    told = f"a fault of agentmem, please report it: {type(chain[-1]).__name__}"
    report_error(type(error).__name__, told, as_json=as_json)
    return code


def _unheard() -> int:
    """Nobody reads on, as with `| head`; nothing more may be written, not even at the end of the program."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return DONE


def _write_utf8() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
