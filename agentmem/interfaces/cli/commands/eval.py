"""eval: the group of measurements, and of them memory: dialogues played in stores of their own; how true, whole and
findable what is remembered of them is. Those of agentmem itself come with the extra `evals` and are looked for by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import ConsoleRenderable

from agentmem.interfaces.cli.command_context import Action, CommandSession
from agentmem.interfaces.cli.exits import USAGE
from agentmem.interfaces.cli.memory_view import columns, validity
from agentmem.interfaces.cli.options import add_command, drawing
from agentmem.interfaces.cli.output import Answer, report_error, words

if TYPE_CHECKING:
    from rich.table import Table

    from agentmem.evals.memory.measures import Measure
    from agentmem.evals.memory.memory_report import Dialogue, MemoryReport

PACKAGE = "agentmem_evals"
NAMES = ("retrieval", "multihop", "time")
HEADS: Final[dict[Measure, str]] = {
    "found": "found",
    "never": "never",
    "ended": "ended",
    "wrong_endings": "wrong",
    "once": "once",
    "repeats": "again",
    "recalls_first": "r@1",
    "recalls": "r@3",
    "as_of_first": "a@1",
    "as_of": "a@3",
    "answers": "ask",
    "wrong_answers": "ask",
}
BESIDE: Final[tuple[Measure, ...]] = ("answers", "wrong_answers")
"""Measures in the summary and not in the table, which has no more room in 80 columns."""


def add_evaluations(program: typer.Typer) -> None:
    """Add the group `eval`. Where the extra is missing, each command that comes with it names it."""
    about = "Measure how true memories are, how well they are found, and how well times are resolved."
    group = typer.Typer(help=about, no_args_is_help=True, rich_markup_mode=None)
    add_command(group, memory)
    if find_spec(PACKAGE) is None:
        anything = {"ignore_unknown_options": True, "allow_extra_args": True}
        for name in NAMES:
            group.command(name, context_settings=anything)(_missing)
    else:
        actions: Sequence[Action] = import_module(f"{PACKAGE}.commands").COMMANDS
        for action in actions:
            add_command(group, action)
    program.add_typer(group, name="eval")


def _missing(context: typer.Context) -> int:
    """Needs the extra `evals`."""
    told = f'`{context.command_path}` needs: pip install "agentmem-framework[evals]"'
    report_error("Usage", told, as_json="--json" in context.args)
    return USAGE


async def memory(
    session: CommandSession,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Dialogues, as in docs/evaluation.md.")],
    listed: Annotated[bool, typer.Option("--list", help="Show every memory and the words it is of.")] = False,
    misses: Annotated[bool, typer.Option("--misses", help="Show what is not as it should be.")] = False,
    judge: Annotated[
        str | None,
        typer.Option("--judge", metavar="MODEL", help="Have this model say of each memory whether it is true."),
    ] = None,
    plot: Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw the figures: .png.")] = None,
) -> Answer:
    """Play dialogues, each in a folder that is thrown away, and see what is remembered, ended and found."""
    from agentmem.evals.memory.memory_run import measure
    from agentmem.runtime.composition.wiring import chat_model

    draw = None if plot is None else drawing(plot, "agentmem.evals.memory.plot")
    async with AsyncExitStack() as stack:
        model = None if judge is None else await stack.enter_async_context(chat_model(session.settings, judge))
        progress = stack.enter_context(session.terminal.counted("playing"))
        report = await measure(session.settings, files, judge=model, told=progress)
    shown = _view(report, listed=listed, misses=misses)
    if draw is not None and plot is not None:
        draw(report, plot)
        shown.append(words(f"\ndrawn into {plot}", "dim"))
    return Answer(report.data(listed=listed), shown)


def _view(report: MemoryReport, *, listed: bool, misses: bool) -> list[ConsoleRenderable]:
    """A row for each dialogue and one for all; `misses`: what was not as it should be; `listed`: every derived memory
    with what it was made of."""
    shown: list[ConsoleRenderable] = [_table(report)] if report.dialogues else []
    for dialogue in report.dialogues:
        if listed:
            shown += _memories(dialogue)
        if misses:
            shown += _misses(dialogue)
        if dialogue.unread is not None:
            shown.append(words(f"{dialogue.name}: {dialogue.unread}", "bold red"))
    if report.controls:
        shown += _controls(report, misses=misses)
    if report.judge is not None:
        shown.append(words(f"\n{_judged(report)}"))
    return [*shown, *([words(f"\n{_summary(report)}", "dim")] if report.dialogues else [])]


def _table(report: MemoryReport) -> Table:
    """Counts by dialogue, then shares and what they are of: so it fits 80 columns."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    table.add_column("dialogue", overflow="fold")
    shown: list[Measure] = [measure for measure in HEADS if measure not in BESIDE]
    for measure in shown:
        table.add_column(HEADS[measure], justify="right", no_wrap=True)
    for dialogue in report.dialogues:
        counts = (dialogue.tallies[measure] for measure in shown)
        table.add_row(words(dialogue.name), *(words(f"{each.count}/{each.of}" if each.of else "") for each in counts))
    table.add_section()
    totals = [report.tallies[measure] for measure in shown]
    shares = ("" if (share := each.share) is None else f"{share:.0%}" for each in totals)
    table.add_row(words("all", "bold"), *(words(share, "bold") for share in shares))
    table.add_row(words("of", "dim"), *(words(each.of or "", "dim") for each in totals))
    return table


def _memories(dialogue: Dialogue) -> list[ConsoleRenderable]:
    table = columns(1)
    for node in dialogue.memories:
        head = words(node.content, "" if node.is_valid(dialogue.now) else "dim strike")
        judged = (dialogue.judgements or {}).get(node.memory_id)
        held = words(f" · {node.memory_type} · {node.modality} · {node.target_name} · ", "dim")
        table.add_row(head.append_text(held).append_text(validity(node)))
        if judged is not None:
            told = f"    {judged.truth}: {judged.why}" if judged.why else f"    {judged.truth}"
            table.add_row(words(told, "green" if judged.truth == "true" else "red"))
        for said in dialogue.words_of(node):
            table.add_row(words(f"    {said}", "italic"))
    return [words(f"\n{dialogue.name}: {len(dialogue.memories)} memories", "bold"), table]


def _misses(dialogue: Dialogue) -> list[ConsoleRenderable]:
    missed = [outcome for outcome in dialogue.outcomes if not outcome.good]
    if not missed:
        return []
    table = columns(3)
    for outcome in missed:
        wanted = ", ".join(item if isinstance(item, str) else " / ".join(item) for item in outcome.expected)
        why = f" ({outcome.why})" if outcome.why else ""
        told = f"{wanted}{why}; found: {outcome.shown or 'nothing'}" if wanted else outcome.shown or ""
        table.add_row(words(HEADS[outcome.measure]), words(outcome.item if wanted else ""), words(told))
    return [words(f"\n{dialogue.name}: not as it should be", "bold"), table]


def _controls(report: MemoryReport, *, misses: bool) -> list[ConsoleRenderable]:
    from agentmem.evals.memory.controls import false_statements, stored

    false, kept = false_statements(report.controls), stored(report.controls)
    table = columns(2)
    for each in report.controls if misses else ():
        for content in each.false:
            table.add_row(words("false"), words(f"{each.control.text}; remembered: {content}"))
        if each.stored is False:
            table.add_row(words("missed"), words(each.control.text))
    told = f"\nfalse statements: {false.count} of {false.of} controls; stored what must be: {kept.count} of {kept.of}"
    return [words(told), *([table] if table.row_count else [])]


def _judged(report: MemoryReport) -> str:
    truths = report.truths
    of = truths["true"].of
    shares = ", ".join(f"{name} {tally.share or 0:.0%}" for name, tally in truths.items())
    cost = f"{report.judging.calls} calls, {report.judging.tokens_in} + {report.judging.tokens_out} tokens"
    return f"judged by {report.judge}: {shares} of {of} of {report.memories} memories; {cost}"


def _summary(report: MemoryReport) -> str:
    usage = report.usage
    cost = f"; {usage.calls} model calls, {usage.tokens_in} + {usage.tokens_out} tokens" if usage.calls else ""
    held = f"{len(report.dialogues)} dialogues, {report.turns} turns, {report.memories} derived memories hold{cost}"
    right, wrong = report.tallies["answers"], report.tallies["wrong_answers"]
    silent = right.of - right.count - wrong.count
    asked = f"ask: of {right.of} questions {right.count} right, {wrong.count} wrong, {silent} not answered\n"
    return f"{asked if right.of else ''}{held}"
