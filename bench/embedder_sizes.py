"""Which size of hashed vectors is worth its memory: recall alone and beside BM25, bytes, and memory at 100 k.

    python bench/embedder_sizes.py [--locomo FILE] [--madial FOLDER]

LoCoMo: evidence turns among all turns of the conversation. MADial (Chinese): the memories a dialogue should bring up,
asked with the words of the three turns before. `fused` adds the vectors' cosine to BM25's score, both scaled to 1.
"""

import argparse
import json
import math
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agentmem.adapters.embedder.hashed import HashedEmbedder
from agentmem.language.tokens import tokens

SIZES = (128, 256, 384, 512, 768, 1024)
GRAMS = {"Han 1-2, word 3-4": ((1, 2), (3, 4)), "Han 1-3, word 3-5": ((1, 2, 3), (3, 4, 5))}
WEIGHT = 0.25
"""Of the cosine beside BM25; 0.25 and 0.5 rank the sizes alike."""

SHARED_PER_MEMORY = 5_000
VECTORS_PER_MEMORY = 5
"""Bytes and vectors per memory in the embedded index; they meet two measured sizes, 0.75 GB and 2.5 GB at 100 k."""

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Task:
    """Texts of one collection and questions with the places of their evidence."""

    documents: list[str]
    questions: list[tuple[str, frozenset[int]]]


def locomo(path: Path) -> Iterator[Task]:
    """One task per conversation."""
    for sample in json.loads(path.read_text("utf-8")):
        turns = [
            turn for key, value in sample["conversation"].items() if re.fullmatch(r"session_\d+", key) for turn in value
        ]
        place = {turn["dia_id"]: number for number, turn in enumerate(turns)}
        questions: list[tuple[str, frozenset[int]]] = []
        for question in sample["qa"]:
            ids = re.findall(r"D\d+:\d+", " ".join(question.get("evidence", [])))
            if found := frozenset(place[name] for name in ids if name in place):
                questions.append((question["question"], found))
        yield Task([turn_text(turn) for turn in turns], questions)


def turn_text(turn: dict[str, Any]) -> str:
    """Speaker, words and the caption of a shared image."""
    return " ".join(part for part in (turn["speaker"], turn["text"], turn.get("blip_caption")) if part)


def madial(folder: Path) -> Iterator[Task]:
    """One task: all memories, and one question per marked turn."""
    memories: dict[str, str] = {}
    for line in (folder / "MADial-Bench-zh-memory.json").read_text("utf-8").splitlines():
        if line.strip():
            memories |= {key: value["event"] for key, value in json.loads(line).items()}
    place = {key: number for number, key in enumerate(memories)}
    questions: list[tuple[str, frozenset[int]]] = []
    for line in (folder / "MADial-Bench-zh-dialogue.json").read_text("utf-8").splitlines():
        if not line.strip():
            continue
        dialogue = json.loads(line)
        relevant = frozenset(place[str(key)] for key in dialogue["relevant-id"] if str(key) in place)
        for turn in dialogue["test-turn"]:
            words = [re.sub(r"^<\w+>:", "", text).strip() for text in dialogue["dialogue"][max(1, turn - 3) : turn]]
            if relevant and words:
                questions.append((" ".join(words), relevant))
    yield Task(list(memories.values()), questions)


def bm25(task: Task) -> list[Scores]:
    """Scores of all documents for each question."""
    counts = [Counter(tokens(text)) for text in task.documents]
    lengths = np.array([sum(count.values()) for count in counts], dtype=np.float64)
    norm = 1.2 * (0.25 + 0.75 * lengths / lengths.mean())
    postings: dict[str, list[tuple[int, int]]] = {}
    for number, count in enumerate(counts):
        for token, times in count.items():
            postings.setdefault(token, []).append((number, times))
    return [_bm25_scores(set(tokens(question)), postings, norm) for question, _ in task.questions]


def _bm25_scores(query: set[str], postings: dict[str, list[tuple[int, int]]], norm: Scores) -> Scores:
    scores = np.zeros(len(norm))
    for token in query:
        found = postings.get(token, [])
        idf = math.log(1 + (len(norm) - len(found) + 0.5) / (len(found) + 0.5))
        for number, times in found:
            scores[number] += idf * times * 2.2 / (times + norm[number])
    return scores


def recall_at_10(tasks: Sequence[Task], scores: Sequence[Sequence[Scores]]) -> float:
    """Share of the evidence among the first ten, averaged over all questions."""
    shares = [
        len(evidence.intersection(np.argsort(-score, kind="stable")[:10].tolist())) / len(evidence)
        for task, found in zip(tasks, scores, strict=True)
        for (_, evidence), score in zip(task.questions, found, strict=True)
    ]
    return sum(shares) / len(shares)


def cosines(embedder: HashedEmbedder, task: Task) -> list[Scores]:
    """Of every document with each question."""
    documents = embedder.vectors(task.documents)
    questions = embedder.vectors([question for question, _ in task.questions])
    return list((questions @ documents.T).astype(np.float64))


def fused(lexical: Sequence[Scores], dense: Sequence[Scores]) -> list[Scores]:
    """Both scaled so that the best is 1, then added."""

    def scaled(scores: Scores) -> Scores:
        return scores / max(float(scores.max()), 1e-9)

    return [scaled(words) + WEIGHT * scaled(cosine) for words, cosine in zip(lexical, dense, strict=True)]


def milliseconds(embedder: HashedEmbedder, texts: Sequence[str]) -> float:
    """Per text, embedded one by one."""
    started = time.perf_counter()
    for text in texts:
        embedder.vectors([text])
    return (time.perf_counter() - started) / len(texts) * 1_000


def table(name: str, tasks: Sequence[Task]) -> None:
    """Print what each size and choice of n-grams reaches on one data set."""
    lexical = [bm25(task) for task in tasks]
    questions = sum(len(task.questions) for task in tasks)
    print(f"\n{name}: {questions} questions, BM25 alone R@10 {recall_at_10(tasks, lexical):.3f}\n")
    print("| n-grams | size | R@10 alone | R@10 fused | ms/text | bytes/vector | MB at 100 k |")
    print("|---|---|---|---|---|---|---|")
    for label, (han, word) in GRAMS.items():
        for size in SIZES:
            embedder = HashedEmbedder(size, han=han, word=word)
            dense = [cosines(embedder, task) for task in tasks]
            both = [fused(words, vectors) for words, vectors in zip(lexical, dense, strict=True)]
            memory = (SHARED_PER_MEMORY + VECTORS_PER_MEMORY * 2 * size) / 10
            figures = (
                f"{recall_at_10(tasks, dense):.3f} | {recall_at_10(tasks, both):.3f} | "
                f"{milliseconds(embedder, tasks[0].documents[:300]):.2f} | {2 * size} | {memory:.0f}"
            )
            print(f"| {label} | {size} | {figures} |")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--locomo", type=Path)
    parser.add_argument("--madial", type=Path)
    options = parser.parse_args()
    if options.locomo is not None:
        table("LoCoMo", list(locomo(options.locomo)))
    if options.madial is not None:
        table("MADial", list(madial(options.madial)))


if __name__ == "__main__":
    main()
