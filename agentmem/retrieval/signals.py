"""The signals a candidate is ranked by: small functions of one shape, each from 0 to 1, and their weights."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from agentmem.domain.memory import MemoryType
from agentmem.domain.value import JsonValue

FIELDS = ("memoryType", "attribute", "modality", "importance", "validAt", "timestamp")
"""Payload fields that ranking reads."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A found memory with its raw scores, scaled to 0 to 1 within this question, and the fields ranking reads."""

    memory_id: str
    dense: float
    keys: float
    lexical: float
    fields: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Question:
    """What signals know of the question."""

    asked: frozenset[str]
    now: datetime


Signal = Callable[[Candidate, Question], float]


def dense(candidate: Candidate, _: Question) -> float:
    """Cosine between question and content."""
    return candidate.dense


def keys(candidate: Candidate, _: Question) -> float:
    """Cosine between the question and the best of the memory's keys."""
    return candidate.keys


def lexical(candidate: Candidate, _: Question) -> float:
    """BM25, as a share of the best candidate's."""
    return candidate.lexical


def asked(candidate: Candidate, question: Question) -> float:
    """Whether the memory fills a slot the question asks for."""
    return float(candidate.fields.get("attribute") in question.asked)


def importance(candidate: Candidate, _: Question) -> float:
    """Importance from 0 to 9, as a share."""
    value = candidate.fields.get("importance")
    return value / 9 if isinstance(value, int) else 0.5


def recency(candidate: Candidate, question: Question) -> float:
    """0.99 to the power of the hours since the memory's event (the decay of generative agents, Park et al. 2023)."""
    moment = candidate.fields.get("validAt")
    if not isinstance(moment, str):
        return 0.0
    hours = (question.now - datetime.fromisoformat(moment)).total_seconds() / 3600
    return math.pow(0.99, max(hours, 0.0))


WEIGHTS: Mapping[Signal, float] = {
    lexical: 1.0,
    dense: 0.5,
    keys: 0.3,
    asked: 0.8,
    importance: 0.1,
    recency: 0.05,
}

TYPE_RATIO: Mapping[str, float] = {
    MemoryType.CONVERSATION: 0.5,
    MemoryType.PERCEPTUAL: 0.8,
    MemoryType.OBSERVATION: 1.0,
    MemoryType.LONGTERM: 1.0,
    MemoryType.INSIGHT: 1.0,
}
"""What a layer's score is multiplied by: what was made of the words before the words themselves."""

HYPOTHESIS_RATIO = 0.6


def shares(candidate: Candidate, question: Question) -> dict[str, float]:
    """Each signal's part of the final score; they add up to it."""
    ratio = TYPE_RATIO.get(str(candidate.fields.get("memoryType")), 1.0)
    if candidate.fields.get("modality") == "hypothesis":
        ratio *= HYPOTHESIS_RATIO
    return {signal.__name__: weight * ratio * signal(candidate, question) for signal, weight in WEIGHTS.items()}
