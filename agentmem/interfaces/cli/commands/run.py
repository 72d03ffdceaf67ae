"""run: scenarios played one after another; the dialogue, what was remembered, the checks, and where to look next.

A mistake in any of the files is found before the first is played.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import ConsoleRenderable, Group
from rich.rule import Rule

from agentmem.interfaces.cli.command_context import CommandSession
from agentmem.interfaces.cli.exits import DONE, FAILED, Misuse
from agentmem.interfaces.cli.memory_view import columns, moment, validity
from agentmem.interfaces.cli.output import Answer, words

if TYPE_CHECKING:
    from agentmem.domain.memory import MemoryNode
    from agentmem.evals.scenarios.checks import Check
    from agentmem.evals.scenarios.player import Line
    from agentmem.evals.scenarios.scenario_report import ScenarioReport
    from agentmem.runtime.configuration.settings import Settings

DEMO, DEMO_NAME = "aip_sales.yaml", Path("demo")
SCENARIOS = Path("scenarios")
"""Where a project keeps its own."""
_LAYERS = ("observation", "insight", "perceptual", "longterm")
"""Shown as remembered; what was said stands in the dialogue already."""


async def run(
    session: CommandSession,
    scenarios: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[SCENARIO]...", help="Scenario files, or `demo`; if none is named, the project's own, or the demo."
        ),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Forget the scenario's agent first.")] = False,
) -> Answer:
    """Play scenarios and check what is remembered afterwards."""
    from agentmem.evals.scenarios.player import read_script
    from agentmem.evals.scenarios.scenario_run import run_scenario
    from agentmem.runtime.composition.embedder_choice import chosen_embedder

    session.owner_only()
    files, settings = _meant(scenarios, session.settings)
    for path in files:
        read_script(path, settings)
    reports: list[ScenarioReport] = []
    on_outage = session.terminal.note
    with session.terminal.busy("scenarios") as told:
        for path in files:
            reports.append(await run_scenario(path, settings, fresh=fresh, told=told, on_outage=on_outage))
    options = _differing(session.settings)
    shown = [item for report in reports for item in _view(report, options=options)]
    if len(reports) > 1:
        failed = [report.scenario.scenario for report in reports if not report.passed]
        told_all = f"{len(failed)} of {len(reports)} failed: {', '.join(failed)}" if failed else "all scenarios passed"
        shown.append(words(f"\n{told_all}", "bold red" if failed else "bold green"))
    choice = chosen_embedder(session.settings)
    shown.append(words(f"\nembedder {choice.name}: {choice.why}", "dim"))
    passed = all(report.passed for report in reports)
    return Answer({"scenarios": [report.data() for report in reports]}, shown, DONE if passed else FAILED)


def demo_folder() -> Path:
    """Where the personas and scenarios of the demo are: `agentmem/demo` in a wheel; in a checkout the top of the
    repository, whose folders `personas` and `scenarios` are their one source."""
    from importlib.resources import files

    package = Path(str(files("agentmem")))
    shipped = package / "demo"
    return shipped if shipped.is_dir() else package.parent


def _meant(named: Sequence[Path] | None, settings: Settings) -> tuple[Sequence[Path], Settings]:
    """The scenarios that are meant, and the settings with the personas that belong to them. Where none is named, that
    of the project here; no demo is played into a project's store unless somebody says so. Raises `Misuse`."""
    from agentmem.runtime.configuration.settings import DEFAULT_FILE

    if named == [DEMO_NAME] and not DEMO_NAME.exists():
        return _demo(settings)
    if named:
        return named, settings
    own = sorted([*SCENARIOS.glob("*.yaml"), *SCENARIOS.glob("*.yml")])
    if SCENARIOS / DEMO in own or len(own) == 1:
        return [SCENARIOS / DEMO] if SCENARIOS / DEMO in own else own, settings
    if own:
        raise Misuse(f"name what to play: {', '.join(map(str, own))}; or play the demo: agentmem run {DEMO_NAME}")
    if DEFAULT_FILE.exists() or settings.personas.exists():
        raise Misuse(f"this project has no {SCENARIOS}/*.yaml to play; play the demo in it: agentmem run {DEMO_NAME}")
    return _demo(settings)


def _demo(settings: Settings) -> tuple[list[Path], Settings]:
    """The scenario that shows what agentmem does, with the personas that belong to it."""
    folder = demo_folder()
    return [folder / "scenarios" / DEMO], settings.model_copy(update={"personas": folder / "personas"})


def _differing(settings: Settings) -> list[str]:
    """The common options under which the same data is found again."""
    from agentmem.runtime.configuration.settings import Settings

    plain = Settings()
    data = ["--data", str(settings.data)] if settings.data != plain.data else []
    tenant = ["--tenant", settings.tenant] if settings.tenant != plain.tenant else []
    return [*data, *tenant]


def _view(report: ScenarioReport, *, options: Sequence[str] = ()) -> list[ConsoleRenderable]:
    """One scenario, whole. `options` are the common ones that the commands named at the end need."""
    return [
        Rule(words(f"{report.scenario.scenario}: {report.persona.name}", "bold")),
        *([words(report.scenario.description, "dim")] if report.scenario.description else []),
        *_dialogue(report.lines, report.persona.name),
        *remembered(report.memories, [person.name for person in report.scenario.people]),
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


def _of_scenario(memories: Sequence[MemoryNode], people: Collection[str]) -> list[MemoryNode]:
    """What is remembered of these people, or was made of their words; and what no talk told, such as documents. The
    agent may know others, from other scenarios."""
    theirs: dict[str, MemoryNode] = {}
    for node in memories:
        if (
            node.memory_type == "longterm"
            or node.target_name in people
            or not theirs.keys().isdisjoint(node.source_ids)
        ):
            theirs[node.memory_id] = node
    return list(theirs.values())


def remembered(memories: Sequence[MemoryNode], people: Collection[str]) -> list[ConsoleRenderable]:
    """What is remembered of these people by layer, and how much else of others."""
    theirs = _of_scenario(memories, people)
    shown: list[ConsoleRenderable] = []
    for layer in _LAYERS:
        nodes = [node for node in theirs if node.memory_type == layer]
        if not nodes:
            continue
        table = columns(2)
        for node in nodes:
            dim = "" if node.store_status == "valid" else "dim strike"
            held = words(f"{node.modality} · {node.target_name} · ", "dim").append_text(validity(node))
            table.add_row(words("·", "dim"), Group(words(node.content, dim), held))
        shown += [words(f"\n{layer} ({len(nodes)})", "bold"), table]
    said = sum(node.memory_type == "conversation" for node in theirs)
    shown.append(words(f"\nconversation ({said}): every turn above, word for word", "bold"))
    others = len(memories) - len(theirs)
    return [*shown, *([words(f"not shown: {others} of other people", "dim")] if others else [])]


def _checks(checks: Sequence[Check]) -> list[ConsoleRenderable]:
    table = columns(4)
    for check in checks:
        mark = words("ok", "green") if check.passed else words("FAILED", "bold red")
        table.add_row(mark, words(check.kind), words(check.id), words(_told(check), "dim" if check.passed else ""))
    return [words("\nchecks", "bold"), table] if checks else []


def _told(check: Check) -> str:
    wanted = ", ".join(item if isinstance(item, str) else " / ".join(item) for item in check.expected) or "nothing"
    why = f" ({check.why})" if check.why else ""
    if check.kind == "never":
        done = "no valid stated memory says" if check.passed else "a valid memory must not state"
        return f"{done}: {wanted}{why}" + (f"; found: {check.found}" if check.found else "")
    return (check.found or "") if check.passed else f"wanted: {wanted}{why}; found: {check.found or 'nothing'}"


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
