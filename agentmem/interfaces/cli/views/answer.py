"""An answer on a terminal."""

from collections.abc import Sequence

from rich.console import ConsoleRenderable

from agentmem.answers.question import Reply, Source
from agentmem.interfaces.cli.output import words
from agentmem.interfaces.cli.views.memory import SHORT_ID, columns, moment


def answer_view(reply: Reply, choices: Sequence[str] = (), *, explain: bool) -> list[ConsoleRenderable]:
    """The answer, what it rests on, and where that was asked the steps on the way."""
    if reply.text is None:
        shown: list[ConsoleRenderable] = [words("nothing that is remembered answers this")]
    else:
        made_of = "in the words of its sources" if reply.extractive else "in a model's words"
        shown = [words(reply.text), words(f"\n{made_of}; {reply.mode}, confidence {reply.confidence:.2f}", "dim")]
    if choices:
        right = f"({reply.choice}) {choices[reply.choice - 1]}" if reply.choice else "none of the choices"
        shown.insert(0, words(right, "bold"))
    table = columns(2)
    for source in reply.sources:
        table.add_row(words(f"[{source.number}]"), words(_line(source), "dim"))
    if reply.sources:
        shown.append(table)
    if explain:
        shown += [
            words(f"{step.kind}: {step.given} → {len(step.memory_ids)} memories {step.note}".rstrip(), "dim")
            for step in reply.trace
        ]
        shown += [words(line, "dim") for line in reply.graph]
    return shown


def _line(source: Source) -> str:
    node = source.memory
    title = node.meta_data.get("title")
    told = str(title) if isinstance(title, str) else f"{node.memory_type} about {node.target_name}"
    said = "; ".join(f"{part.speaker}, {moment(part.at)}: {part.text}" for part in source.words)
    return f"{node.memory_id[:SHORT_ID]} {told}{f', {said}' if said else ''}"
