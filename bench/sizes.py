"""What recall keeps and refuses in memories of different sizes, at every threshold of confidence:

    python -m bench.sizes DATA... [--size 1 --size 7 …] [--asked 150]

A memory of one size is cut out of a conversation around the words that answer a question; a larger one than there is
holds all conversations, those of further data too. The question answered there is to be kept, and one of the last
conversation, whose words are in none of them, refused. Several DATA are asked about one by one.
"""

import argparse
import asyncio
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from agentmem.retrieval.confidence import THRESHOLD
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem_evals.retrieval.asking import FreeClock, RetrievalExam
from agentmem_evals.retrieval.dataset import Conversation, DatasetQuestion
from agentmem_evals.retrieval.datasets import read_dataset

SIZES = (1, 7, 200, 10_000)
THRESHOLDS = (0.1, 0.15, 0.2, THRESHOLD, 0.3, 0.4)
Asked = tuple[Conversation, DatasetQuestion]
Case = tuple[Conversation, DatasetQuestion, DatasetQuestion | None]
"""A memory, the question that it answers, and one that it does not."""


def cut(conversation: Conversation, question: DatasetQuestion, size: int) -> Conversation | None:
    """So many turns around what answers the question; None where they do not hold all of it."""
    places = [place for place, turn in enumerate(conversation.turns) if turn.id in question.evidence]
    if not places or max(places) - min(places) >= size:
        return None
    begin = max(0, min((max(places) + min(places) - size) // 2 + 1, len(conversation.turns) - size))
    turns = conversation.turns[begin : begin + size]
    return Conversation(f"{conversation.scope}/{question.id}/{size}", turns, (question,))


def together(talks: Sequence[Conversation], chosen: Sequence[Asked], size: int) -> Conversation:
    """So many turns of all talks, among them what answers the questions that were chosen."""
    answers = {(talk.scope, each) for talk, question in chosen for each in question.evidence}
    turns = [(talk.scope, turn) for talk in talks for turn in talk.turns]
    needed = [each for each in turns if (each[0], each[1].id) in answers]
    rest = [each for each in turns if (each[0], each[1].id) not in answers]
    held = [
        replace(turn, id=f"{scope}/{turn.id}", session=turn.session and f"{scope}/{turn.session}")
        for scope, turn in (*needed, *rest)[:size]
    ]
    return Conversation(f"all/{size}", tuple(sorted(held, key=lambda turn: turn.at)), tuple(one for _, one in chosen))


def cases(talks: Sequence[Conversation], beside: Sequence[Conversation], size: int, most: int) -> list[Case]:
    """At most so many memories of a size, with their questions; the last of several talks lends its questions."""
    held, strange = (talks[:-1], list(talks[-1].questions)) if len(talks) > 1 else (talks, [])
    answerable = [(talk, each) for talk in held for each in talk.questions if each.answerable]
    rng = random.Random(size)
    rng.shuffle(answerable)
    rng.shuffle(strange)
    others = [each for each in strange if each.answerable][:most]
    found: list[tuple[Conversation, DatasetQuestion]] = []
    if size > max(len(talk.turns) for talk in held):
        whole = together((*held, *beside), answerable[:most], size)
        found = [(whole, question) for question in whole.questions]
    else:
        parts = ((cut(talk, question, size), question) for talk, question in answerable)
        found = [(part, question) for part, question in parts if part is not None][:most]
    return [
        (memory, question, others[place % len(others)] if others else None)
        for place, (memory, question) in enumerate(found)
    ]


async def asked(chosen: Sequence[Case]) -> tuple[list[float], list[float]]:
    """How sure recall is of what it answers, and of what is about something else."""
    clock = FreeClock(min(memory.end for memory, _, _ in chosen))
    with TemporaryDirectory() as folder:
        async with open_app(Settings(data=Path(folder)), clock=clock) as app:
            exam = RetrievalExam(app, clock)
            await exam.store(list({memory.scope: memory for memory, _, _ in chosen}.values()), lambda _: None)
            own = [await exam.ask(question, memory) for memory, question, _ in chosen]
            other = [
                await exam.ask(replace(strange, at=None), memory, elsewhere=True)
                for memory, _, strange in chosen
                if strange
            ]
    return [each.confidence for each in own], [each.confidence for each in other]


def _share(values: Sequence[float]) -> str:
    return f"{sum(values) / len(values):.3f}" if values else "-"


async def main() -> None:
    """A line for each size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--size", type=int, action="append", help="Turns; may be repeated.")
    parser.add_argument("--asked", type=int, default=150, help="Questions for each size.")
    options = parser.parse_args()
    data = [
        [replace(talk, scope=f"{place}/{talk.scope}") for talk in read_dataset(path)]
        for place, path in enumerate(options.data)
    ]
    print("| data | turns | questions | " + " | ".join(f"{each:.2f}" for each in THRESHOLDS) + " |")
    for place, (path, talks) in enumerate(zip(options.data, data, strict=True)):
        beside = [talk for number, each in enumerate(data) if number != place for talk in each]
        for size in options.size or SIZES:
            if chosen := cases(talks, beside, size, options.asked):
                own, other = await asked(chosen)
                shown = (
                    f"{_share([each >= at for each in own])} / {_share([each < at for each in other])}"
                    for at in THRESHOLDS
                )
                print(f"| {path.stem} | {size} | {len(chosen)} | " + " | ".join(shown) + " |", flush=True)


if __name__ == "__main__":
    asyncio.run(main())
