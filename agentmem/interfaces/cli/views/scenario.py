"""A played scenario on a terminal: the dialogue, what was remembered, the checks, and where to look next."""

import shlex
from collections.abc import Sequence
from itertools import groupby

from rich.console import ConsoleRenderable, Group
from rich.rule import Rule

from agentmem.assets.shelf import KIND as CARD
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.evals.scenarios.checks import Check
from agentmem.evals.scenarios.player import Line
from agentmem.evals.scenarios.report import ScenarioReport
from agentmem.interfaces.cli.output import words
from agentmem.interfaces.cli.views.memory import columns, moment, validity

# What was said stands in the dialogue already.
_LAYERS = (MemoryType.OBSERVATION, MemoryType.INSIGHT, MemoryType.PERCEPTUAL, MemoryType.LONGTERM)


def scenario_view(report: ScenarioReport, *, options: Sequence[str] = ()) -> list[ConsoleRenderable]:
    """One scenario, whole. `options` are the common ones that the commands named at the end need."""
    return [
        Rule(words(f"{report.scenario.scenario}: {report.persona.name}", "bold")),
        *([words(report.scenario.description, "dim")] if report.scenario.description else []),
        *_dialogue(report.lines, report.persona.name),
        *_remembered(report.memories),
        *_checks(report.checks),
        _summary(report),
        *_next(report, options),
    ]


def _dialogue(lines: Sequence[Line], agent: str) -> list[ConsoleRenderable]:
    shown: list[ConsoleRenderable] = []
    for session, group in groupby(lines, key=lambda line: line.session):
        spoken = list(group)
        table = columns(2)
        for line in spoken:
            if line.speaker is None:
                table.add_row(words("·", "dim"), words(line.text, "dim italic"))
            else:
                name, style = (agent, "cyan") if line.by_agent else (line.speaker, "green")
                table.add_row(words(name, style), words(line.text))
        shown += [words(f"\n{session}, {moment(spoken[0].at)}", "bold"), table]
    return shown


def _remembered(memories: Sequence[MemoryNode]) -> list[ConsoleRenderable]:
    shown: list[ConsoleRenderable] = []
    for layer in _LAYERS:
        nodes = [node for node in memories if node.memory_type is layer and node.kind != CARD]
        if not nodes:
            continue
        table = columns(2)
        for node in nodes:
            dim = "" if node.store_status is StoreStatus.VALID else "dim strike"
            held = words(f"{node.modality} · {node.target_name} · ", "dim").append_text(validity(node))
            table.add_row(words("·", "dim"), Group(words(node.content, dim), held))
        shown += [words(f"\n{layer} ({len(nodes)})", "bold"), table]
    said = sum(node.memory_type is MemoryType.CONVERSATION for node in memories)
    return [*shown, words(f"\nconversation ({said}): every turn above, word for word", "bold")]


def _checks(checks: Sequence[Check]) -> list[ConsoleRenderable]:
    table = columns(4)
    for check in checks:
        mark = words("ok", "green") if check.passed else words("FAILED", "bold red")
        table.add_row(mark, words(check.kind), words(check.id), words(_told(check), "dim" if check.passed else ""))
    return [words("\nchecks", "bold"), table] if checks else []


def _told(check: Check) -> str:
    wanted = ", ".join(item if isinstance(item, str) else " / ".join(item) for item in check.expected)
    if check.passed:
        return check.found or (f"nothing with: {wanted}" if wanted else "")
    why = f" ({check.why})" if check.why else ""
    return f"wanted: {wanted or 'nothing'}{why}; found: {check.found or 'nothing'}"


def _summary(report: ScenarioReport) -> ConsoleRenderable:
    good = sum(check.passed for check in report.checks)
    usage = report.usage
    cost = f", {usage.calls} model calls, {usage.tokens_in} + {usage.tokens_out} tokens" if usage.calls else ""
    text = f"\n{good} of {len(report.checks)} checks passed; {report.turns} turns in {report.seconds:.1f} s{cost}"
    return words(text, "bold green" if report.passed else "bold red")


def _next(report: ScenarioReport, options: Sequence[str]) -> list[ConsoleRenderable]:
    agent, tail = report.persona.id, shlex.join(options)
    asked = next((item.ask for item in report.scenario.expect.recalls), report.scenario.people[0].name)
    about = report.scenario.people[0].name
    commands = (
        f"recall {_quoted(asked)} --agent {agent}",
        f"memories --agent {agent} --about {_quoted(about)}",
        "show ID",
    )
    return [words("\nwhere to look next", "bold"), *(words(f"  agentmem {line} {tail}".rstrip()) for line in commands)]


def _quoted(text: str) -> str:
    """For a shell, but without quotes around a single word that needs none, in any script."""
    return text if text.isalnum() else shlex.quote(text)
