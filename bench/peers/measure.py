"""One system in a process of its own, measured; prints one line of JSON: `python -m bench.peers.measure TASK`."""

import gc
import json
import random
import resource
import sys
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from time import perf_counter

from agentmem.errors import InvalidInput
from bench.machine import peak_rss_mb, percentile
from bench.peers.peer import Peer
from bench.peers.workload import Question, Workload, locomo, made_up

OPENERS = {
    "agentmem": ("bench.peers.agentmem_app", "opened"),
    "mem0-dense": ("bench.peers.mem0_memory", "dense"),
    "mem0-hybrid": ("bench.peers.mem0_memory", "hybrid"),
    "langgraph": ("bench.peers.langgraph_store", "opened"),
}
DEPTHS = (5, 10, 20, 50)
TIMED, TIMED_K = 200, 10
"""Searches that are timed, and how many hits each asks for."""

WARM_UP = 20
MEMORY = 8 * 2**30
"""Bytes of private memory a system may take."""


@dataclass(frozen=True, slots=True)
class Task:
    """`data`: a file like LoCoMo's, or None for `turns` made-up turns."""

    system: str
    embedder: str
    data: str | None
    turns: int

    def workload(self) -> Workload:
        """The turns and questions."""
        return locomo(Path(self.data)) if self.data else made_up(self.turns)


@dataclass(frozen=True, slots=True)
class Figures:
    """One system's. Times in ms, adding with the embedder, searching without; `recall` by depth, empty if unknown."""

    system: str
    turns: int
    questions: int
    recall: dict[str, float]
    add: float
    p50: float
    p95: float
    peak_mib: float


def measure(task: Task) -> Figures:
    """Keep all turns, warm up, then time searches and count what they find."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    workload = task.workload()
    module, name = OPENERS[task.system]
    opener: Callable[[str, Path], AbstractContextManager[Peer]] = getattr(import_module(module), name)
    with tempfile.TemporaryDirectory() as folder, opener(task.embedder, Path(folder)) as peer:
        begun = perf_counter()
        peer.add(workload.turns)
        add = (perf_counter() - begun) / len(workload.turns)
        times = _times(peer, workload.questions)
        return Figures(
            system=peer.mode,
            turns=len(workload.turns),
            questions=len(workload.questions),
            recall=_recall(peer, [question for question in workload.questions if question.evidence]),
            add=add * 1e3,
            p50=percentile(times, 0.5) * 1e3,
            p95=percentile(times, 0.95) * 1e3,
            peak_mib=peak_rss_mb(),
        )


def _times(peer: Peer, questions: list[Question]) -> list[float]:
    """Seconds per search, the embedder's own taken out."""
    dice = random.Random(11)
    for question in dice.choices(questions, k=WARM_UP):
        peer.search(question, TIMED_K)
    gc.collect()
    gc.freeze()
    return [_time(peer, question) for question in dice.choices(questions, k=TIMED)]


def _time(peer: Peer, question: Question) -> float:
    embedding, begun = peer.timed.seconds, perf_counter()
    peer.search(question, TIMED_K)
    return perf_counter() - begun - (peer.timed.seconds - embedding)


def _recall(peer: Peer, questions: list[Question]) -> dict[str, float]:
    """The share of a question's evidence among its first k hits, averaged over questions, by k."""
    found = [(peer.search(question, max(DEPTHS)), question.evidence) for question in questions]
    return {
        str(k): sum(len(evidence.intersection(hits[:k])) / len(evidence) for hits, evidence in found) / len(found)
        for k in DEPTHS
        if found
    }


if __name__ == "__main__":
    try:
        print(json.dumps(asdict(measure(Task(**json.loads(sys.argv[1]))))))
    except InvalidInput as error:
        raise SystemExit(str(error)) from error
