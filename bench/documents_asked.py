"""Questions that documents alone answer, asked without a model:

    python -m bench.documents_asked [FOLDER]

FOLDER is a world as `agentmem eval multihop` reads one (tests/fixtures/multihop), whose questions avoid the words of
the documents. Printed by the number of pieces that a question needs, none where nothing answers it: how many got an
answer, and how many a right one.
"""

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from agentmem.answers.answer import AskQuery
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.host.clocks import ManualClock
from agentmem_evals.multihop.report import AskedOutcome
from agentmem_evals.multihop.run import MultihopExam
from agentmem_evals.multihop.world import World, read_world

WORLD = Path(__file__).parent.parent / "tests/fixtures/multihop"


@dataclass(frozen=True, slots=True)
class Asked:
    """Questions of one kind: how many, how many were answered, how many of them rightly."""

    of: int
    answered: int
    right: int

    def __str__(self) -> str:
        answered, right = self.answered / (self.of or 1), self.right / (self.of or 1)
        return f"{self.of:5} asked, {answered:4.0%} answered, {right:4.0%} right"


def counted(outcomes: Sequence[AskedOutcome]) -> Asked:
    """What they came to."""
    answered = [one for one in outcomes if one.answer is not None]
    return Asked(len(outcomes), len(answered), sum(one.right for one in answered))


def of_documents(world: World) -> World:
    """The documents, and the questions that these alone answer, or nothing at all."""
    asked = tuple(one for one in world.questions if all(each.source in world.documents for each in one.support))
    return replace(world, talks={}, questions=asked)


async def main(folder: Path) -> None:
    """Ask and print."""
    world = of_documents(read_world(folder))
    with TemporaryDirectory(prefix="agentmem-bench-") as data:
        async with open_app(Settings(data=Path(data)), clock=(clock := ManualClock(datetime.now(UTC)))) as app:
            exam = MultihopExam(app, clock)
            await exam.take_in(world, lambda _: None)
            found = [await exam.ask(each, AskQuery(exam.scope, each.text), {}) for each in world.questions]
    for pieces in sorted({one.question.hops for one in found}):
        print(f"{pieces or 'no'} pieces: {counted([one for one in found if one.question.hops == pieces])}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=WORLD)
    asyncio.run(main(parser.parse_args().folder))
