"""What docs/graph.md says about its questions is so."""

import re

from agentmem_evals.multihop.world import read_world
from tests.support.cli import ROOT

PAGE = " ".join((ROOT / "docs/graph.md").read_text("utf-8").split())


def test_it_counts_the_world_as_it_is() -> None:
    (folder,) = re.findall(r"agentmem eval multihop (\S+)", PAGE)
    world = read_world(ROOT / folder)
    unanswerable = sum(question.hops == 0 for question in world.questions)
    assert f"{len(world.documents)} documents and {len(world.talks)} conversations" in PAGE
    assert f"{len(world.questions)} questions" in PAGE
    assert f"{unanswerable} questions have no answer" in PAGE
    assert f"{len(world.documents)} documents, {world.turns} turns;" in PAGE
