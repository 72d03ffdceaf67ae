"""Which terms find Chinese text: BM25 over several ways of cutting it, printed as a table:

    python -m bench.tokenisation DATA [--format madial]

Each way is plain BM25 (k1 1.2, b 0.75) within one conversation: no vectors, no neighbours, no times. Words
of a question count by the square root of their number, as in search.
"""

import argparse
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
import rjieba

from agentmem.characters import is_han
from agentmem.language.tokens import tokens, with_characters
from agentmem_evals.retrieval.dataset import Conversation
from agentmem_evals.retrieval.datasets import read_dataset
from agentmem_evals.retrieval.metrics import recall_at

K1, B = 1.2, 0.75
Cut = Callable[[str], list[str]]
_PIECE = re.compile(r"[a-z0-9]+|[\u4e00-\u9fff]+")


def _runs(text: str) -> list[str]:
    return _PIECE.findall(text.lower())


def _bigrams(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def _cut(text: str, han: Callable[[str], Iterable[str]]) -> list[str]:
    return [term for run in _runs(text) for term in (han(run) if is_han(run[0]) else (run,))]


WAYS: dict[str, Cut] = {
    "whole runs of Chinese characters": _runs,
    "single characters": lambda text: _cut(text, list),
    "character bigrams": lambda text: _cut(text, _bigrams),
    "bigrams and characters": lambda text: _cut(text, lambda run: [*_bigrams(run), *run]),
    "dictionary words": lambda text: _cut(text, rjieba.cut),
    "words, without stop words, with parts of longer ones": tokens,
    "the same and characters, as in search": lambda text: with_characters(tokens(text), text),
}


def scores(cut: Cut, texts: Sequence[str], question: str) -> np.ndarray:
    """BM25 of every text."""
    bags = [Counter(cut(text)) for text in texts]
    spread = Counter(term for bag in bags for term in bag)
    lengths = np.array([bag.total() for bag in bags], dtype=np.float64)
    norms = K1 * (1 - B + B * lengths / lengths.mean())
    found = np.zeros(len(texts))
    for term, times in Counter(cut(question)).items():
        rarity = math.log(1 + (len(bags) - spread[term] + 0.5) / (spread[term] + 0.5))
        for place, bag in enumerate(bags):
            if term in bag:
                found[place] += math.sqrt(times) * rarity * bag[term] * (K1 + 1) / (bag[term] + norms[place])
    return found


def measured(cut: Cut, conversations: Sequence[Conversation]) -> tuple[float, float]:
    """R@5 and R@10 over all questions with evidence."""
    rows: list[tuple[float, float]] = []
    for conversation in conversations:
        ids, texts = [turn.id for turn in conversation.turns], [turn.text for turn in conversation.turns]
        for question in conversation.questions:
            if question.evidence:
                order = np.argsort(-scores(cut, texts, question.text), kind="stable")
                ranked = [ids[place] for place in order.tolist()]
                rows.append((recall_at(5, ranked, question.evidence), recall_at(10, ranked, question.evidence)))
    five, ten = np.mean(rows, axis=0).tolist()
    return five, ten


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--format", choices=("locomo", "madial", "jsonl"))
    options = parser.parse_args()
    conversations = read_dataset(options.data, options.format)
    print("| terms | R@5 | R@10 |\n|---|---|---|")
    for name, cut in WAYS.items():
        five, ten = measured(cut, conversations)
        print(f"| {name} | {five:.3f} | {ten:.3f} |", flush=True)


if __name__ == "__main__":
    main()
