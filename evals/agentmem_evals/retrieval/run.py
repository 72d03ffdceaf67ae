"""One measurement from conversations to report: stored in a folder that is thrown away, asked, gathered."""

from collections import Counter
from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from agentmem.errors import InvalidInput
from agentmem.interfaces.python.async_memory import AsyncMemory
from agentmem.retrieval.profiles import ProfileName
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import EdgeIndexSettings, RulesSettings, Settings, SqliteSettings
from agentmem_evals.retrieval.asking import Answered, FreeClock, RetrievalExam
from agentmem_evals.retrieval.dataset import Conversation
from agentmem_evals.retrieval.metrics import ALL
from agentmem_evals.retrieval.report import RetrievalReport, abstention, recall_curves, session_figures, turn_figures
from agentmem_evals.retrieval.through_memory import MemoryExam

Progress = Callable[[int, int], None]


def check(conversations: Sequence[Conversation], *, others: bool) -> None:
    """Raise `InvalidInput` where nothing could be measured."""
    if not any(question.evidence for item in conversations for question in item.questions):
        raise InvalidInput("no question has evidence among the turns, so there is nothing to measure")
    if others and len(conversations) < 2:
        raise InvalidInput("there is one conversation only, so no question can be asked about another one")


async def measure(
    settings: Settings,
    conversations: Sequence[Conversation],
    *,
    also: Collection[int] = (),
    others: bool = False,
    profile: ProfileName | None = None,
    statements: bool = False,
    told: Progress = lambda _done, _total: None,
) -> RetrievalReport:
    """Measure with the configured embedder; nothing of the configured stores is read or written.

    `also`: more k of recall to report, at most `DEPTH`. `others`: ask each question about the next conversation too,
    where it has no answer. `profile`: how what is found is ranked, by default as for every user. `statements`: each
    turn is added to a `Memory`, which reads it with the rules, and that is searched. Raises `InvalidInput`.
    """
    check(conversations, others=others)
    turns = sum(len(item.turns) for item in conversations)
    questions = sum(len(item.questions) for item in conversations) * (2 if others else 1)
    done = 0

    def tell(more: int) -> None:
        nonlocal done
        done += more
        told(done, turns + questions)

    with TemporaryDirectory(prefix="agentmem-eval-") as folder:
        clock = FreeClock(min(item.end for item in conversations))
        async with _examination(_apart(settings, Path(folder)), clock, profile, statements=statements) as examination:
            seconds = await examination.store(conversations, tell)
            asked = await _asked(examination, conversations, others, tell)
            embedder = examination.app.searchable.recall.gather.embedder.fingerprint
    return _report(conversations, asked, embedder, turns / seconds, also, statements=statements)


@asynccontextmanager
async def _examination(
    settings: Settings, clock: FreeClock, profile: ProfileName | None, *, statements: bool
) -> AsyncGenerator[RetrievalExam | MemoryExam]:
    if statements:
        async with AsyncMemory(settings, clock=clock) as memory:
            yield MemoryExam(memory, clock)
    else:
        async with open_app(settings, clock=clock) as app:
            yield RetrievalExam(app, clock, profile)


def _apart(settings: Settings, folder: Path) -> Settings:
    """The same settings with stores of their own in `folder`, and no model: nothing is read out of these turns."""
    stores = {"data": folder, "journal": SqliteSettings(), "index": EdgeIndexSettings(), "cognition": RulesSettings()}
    return settings.model_copy(update=stores)


async def _asked(
    examination: RetrievalExam | MemoryExam,
    conversations: Sequence[Conversation],
    others: bool,
    tell: Callable[[int], None],
) -> list[Answered]:
    answers: list[Answered] = []
    for place, own in enumerate(conversations):
        other = conversations[(place + 1) % len(conversations)]
        for question in own.questions:
            answers.append(await examination.ask(question, own))
            if others:
                answers.append(await examination.ask(question, other, elsewhere=True))
            tell(2 if others else 1)
    return answers


def _report(
    conversations: Sequence[Conversation],
    asked: Sequence[Answered],
    embedder: str,
    turns_per_second: float,
    also: Collection[int],
    *,
    statements: bool,
) -> RetrievalReport:
    measured = [item for item in asked if item.question.evidence and not item.elsewhere]
    categories = Counter(item.question.category for item in measured if item.question.category is not None)
    return RetrievalReport(
        embedder=embedder,
        statements=statements,
        stored=sum(len(item.turns) for item in conversations),
        skipped=sum(item.skipped for item in conversations),
        turns_per_second=turns_per_second,
        seconds=[item.seconds for item in measured],
        turns=turn_figures(measured, also),
        sessions=session_figures(measured, conversations, also) if not statements else {},
        curves=recall_curves(measured),
        counts={ALL: len(measured), **dict(sorted(categories.items()))},
        abstention=abstention(asked),
    )
