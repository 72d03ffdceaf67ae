"""One system in a process of its own, measured; prints one line of JSON: `python -m bench.peers.measure TASK`."""

import gc
import json
import os
import random
import resource
import sys
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from time import perf_counter, process_time

from agentmem.errors import InvalidInput
from agentmem_evals.retrieval.dataset import Conversation, DatasetQuestion
from agentmem_evals.retrieval.metrics import RECALLS, recall_at
from bench.machine import peak_rss_mb, percentile
from bench.peers.peer import Peer
from bench.peers.workload import made_up, read

OPENERS = {
    "agentmem": ("bench.peers.agentmem_app", "opened"),
    "mem0-dense": ("bench.peers.mem0_memory", "dense"),
    "mem0-hybrid": ("bench.peers.mem0_memory", "hybrid"),
    "langgraph": ("bench.peers.langgraph_store", "opened"),
}
TIMED, TIMED_K = 200, 10
"""Searches that are timed, and how many hits each asks for."""

WARM_UP = 20

MEMORY = 8 * 2**30
"""Bytes of private memory a system may take."""

Asked = tuple[Conversation, DatasetQuestion]


@dataclass(frozen=True, slots=True)
class Task:
    """`data`: a file or folder to read, or None for `turns` made-up turns."""

    system: str
    embedder: str
    data: str | None
    turns: int

    def conversations(self) -> list[Conversation]:
        """What is kept and asked. Raises `InvalidInput`."""
        return read(Path(self.data)) if self.data else made_up(self.turns)


@dataclass(frozen=True, slots=True)
class Figures:
    """One system's. Times in ms, adding with the embedder, searching without; `recall` by depth, empty if unknown.

    `load`: how many programs wanted to run while searches were timed; above the number of cores, `p50` and `p95` grow
    with it. `processor`: a search's time on all cores, which does not.
    """

    system: str
    embedder: str
    turns: int
    questions: int
    recall: dict[str, float]
    add: float
    p50: float
    p95: float
    processor: float
    load: float
    peak_mib: float


def measure(task: Task) -> Figures:
    """Keep all turns, warm up, then time searches and count what they find."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    conversations = task.conversations()
    turns = sum(len(item.turns) for item in conversations)
    asked = [(item, question) for item in conversations for question in item.questions]
    measured = [(item, question) for item, question in asked if question.evidence]
    module, name = OPENERS[task.system]
    opener: Callable[[str, Path], AbstractContextManager[Peer]] = getattr(import_module(module), name)
    with tempfile.TemporaryDirectory() as folder, opener(task.embedder, Path(folder)) as peer:
        begun = perf_counter()
        for conversation in conversations:
            peer.add(conversation)
        add = (perf_counter() - begun) / turns
        (times, processor), load = _times(peer, measured or asked), os.getloadavg()[0]
        return Figures(
            system=peer.mode,
            embedder=peer.embedder.fingerprint,
            turns=turns,
            questions=len(measured),
            recall=_recall(peer, measured),
            add=add * 1e3,
            p50=percentile(times, 0.5) * 1e3,
            p95=percentile(times, 0.95) * 1e3,
            processor=processor * 1e3,
            load=load,
            peak_mib=peak_rss_mb(),
        )


def _times(peer: Peer, asked: list[Asked]) -> tuple[list[float], float]:
    """Seconds of each search, and the processor's seconds per search; the embedder's own are taken out of both."""
    dice = random.Random(11)
    for conversation, question in dice.choices(asked, k=WARM_UP):
        peer.search(conversation, question, TIMED_K)
    gc.collect()
    gc.freeze()
    begun = process_time() - peer.embedder.processor
    times = [_time(peer, *chosen) for chosen in dice.choices(asked, k=TIMED)]
    return times, (process_time() - peer.embedder.processor - begun) / TIMED


def _time(peer: Peer, conversation: Conversation, question: DatasetQuestion) -> float:
    embedding, begun = peer.embedder.seconds, perf_counter()
    peer.search(conversation, question, TIMED_K)
    return perf_counter() - begun - (peer.embedder.seconds - embedding)


def _recall(peer: Peer, asked: list[Asked]) -> dict[str, float]:
    """The share of a question's evidence among its first k hits, averaged over questions, by k."""
    found = [(peer.search(item, question, max(RECALLS)), question.evidence) for item, question in asked]
    return {str(k): sum(recall_at(k, *pair) for pair in found) / len(found) for k in RECALLS if found}


if __name__ == "__main__":
    try:
        print(json.dumps(asdict(measure(Task(**json.loads(sys.argv[1]))))))
    except InvalidInput as error:
        raise SystemExit(str(error)) from error
