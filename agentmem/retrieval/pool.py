"""The candidates of one question, as columns: what the index found, with the few fields that ranking reads."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from agentmem.domain.memory import MemoryType, place_of
from agentmem.domain.value import JsonValue
from agentmem.language.tokens import query_sparse
from agentmem.ports.memory_index import CUES, PLACE, Found, Sparse
from agentmem.questions.question import Question
from agentmem.retrieval.term_weights import Column, TermWeights

Fusion = Literal["score", "rank"]

FIELDS = (
    *("memoryType", "attribute", "modality", "importance", "validAt", "timestamp", "speaker", "targetName", "key"),
    *("userName", "sourceIds", "trust", "needsReview", "storeStatus", "invalidAt", "supersededBy", PLACE, CUES),
)
"""Payload fields that ranking reads."""

SAID = (MemoryType.CONVERSATION, MemoryType.OBSERVATION, MemoryType.INSIGHT)
"""Layers of what was said by people, or understood of them."""

RANK_CONSTANT = 60
"""Of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009)."""


NO_TERMS = Sparse((), ())


class Stage(StrEnum):
    """Where a candidate entered: found by the index, just said and not indexed yet, beside a turn that was found, or
    along the keys of a memory that was found."""

    SEARCH = "search"
    UNREAD = "unread"
    NEIGHBOUR = "neighbour"
    EXPANSION = "expansion"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory with its raw scores: cosines of content and best key, BM25; 0 where a channel did not find it. `terms`
    are those it is searched by. `over`: at the time that is asked about it had ended."""

    memory_id: str
    fields: Mapping[str, JsonValue]
    stage: Stage = Stage.SEARCH
    dense: float = 0.0
    keys: float = 0.0
    lexical: float = 0.0
    terms: Sparse = NO_TERMS
    over: bool = False

    @property
    def channels(self) -> dict[str, float]:
        """The raw scores by channel, of those that found it."""
        raw = {"lexical": self.lexical, "content": self.dense, "keys": self.keys}
        return {channel: score for channel, score in raw.items() if score > 0}


def candidates_of(found: Found, fields: Mapping[str, Mapping[str, JsonValue]]) -> list[Candidate]:
    """What the index found, each memory once, with its fields."""
    dense, keys, lexical = dict(found.content), dict(found.keys), dict(found.lexical)
    return [
        Candidate(key, known, Stage.SEARCH, dense.get(key, 0.0), keys.get(key, 0.0), lexical.get(key, 0.0))
        for key, known in fields.items()
    ]


def people_of(candidates: Iterable[Candidate]) -> set[str]:
    """The names of those about whom or with whom something was said, which is a candidate; no agent's."""
    found: set[str] = set()
    for fields in (item.fields for item in candidates if item.fields.get("memoryType") in SAID):
        speaker = fields.get("speaker")
        names = (fields.get("targetName"), None if speaker == fields.get("userName") else speaker)
        found.update(name for name in names if isinstance(name, str) and name)
    return found


class Pool:
    """Candidates and question, ready for the signals; every column is in the order of `candidates`.

    `fusion` says how a channel's scores become comparable: `score` takes each as a share of the channel's range, `rank`
    its place, (60 + 1) / (60 + place). `dense_share` is the cosine's weight beside BM25 in `match`.
    """

    def __init__(
        self,
        question: Question,
        candidates: Sequence[Candidate],
        *,
        fusion: Fusion = "score",
        dense_share: float = 0.0,
    ) -> None:
        scale = _by_score if fusion == "score" else _by_rank
        self.question = question
        self.candidates = tuple(candidates)
        self.lexical = scale(self.read(lambda item: item.lexical), 0.0)
        self.dense = scale(self.read(lambda item: item.dense), None)
        self.keys = scale(self.read(lambda item: item.keys), None)
        self.match = (self.lexical + dense_share * self.dense) / (1 + dense_share)
        self._talks: dict[str, dict[int, int]] = {}
        for row, item in enumerate(self.candidates):
            if (at := place_in(item.fields)) is not None:
                self._talks.setdefault(at[0], {})[at[1]] = row

    def __len__(self) -> int:
        return len(self.candidates)

    @cached_property
    def terms(self) -> TermWeights:
        """What the candidates say of the question's terms, and of each other's."""
        asked = Sparse(*query_sparse(self.question.sought, self.question.time_terms))
        return TermWeights([item.terms for item in self.candidates], asked)

    def read(self, value: Callable[[Candidate], float]) -> Column:
        """A column by what it holds for each candidate."""
        return np.array([value(item) for item in self.candidates], dtype=np.float64)

    @property
    def talks(self) -> list[list[int]]:
        """The rows of each talk; what is no turn is a talk by itself."""
        turns = [list(rows.values()) for rows in self._talks.values()]
        within = {row for rows in turns for row in rows}
        return [*turns, *([row] for row in range(len(self)) if row not in within)]

    def rows_beside(self, step: int) -> NDArray[np.int64]:
        """For each candidate, the row of the turn `step` places later in its talk; -1 where that one is none."""
        rows = np.full(len(self), -1)
        for turns in self._talks.values():
            for turn, row in turns.items():
                rows[row] = turns.get(turn + step, -1)
        return rows

    def beside(self, column: Column, step: int) -> Column:
        """For each turn, the value of the turn `step` places later in its talk; 0 where that one is no candidate."""
        rows = self.rows_beside(step)
        return np.where(rows < 0, 0.0, column[rows])

    def best_of_talk(self, column: Column) -> Column:
        """For each candidate, the greatest value in its talk."""
        values = column.copy()
        for rows in self._talks.values():
            held = list(rows.values())
            values[held] = column[held].max()
        return values

    @cached_property
    def by_match(self) -> NDArray[np.int64]:
        """Rows by their match, the best first; of equal ones the newest, whatever their ids: a copy's are others."""
        said = self.read(lambda item: float(str(item.fields.get("timestamp", 0))))
        return np.lexsort((-said, -self.match))

    def missing_beside(self, best: int, reach: int) -> list[str]:
        """Places up to `reach` turns before and after the `best` matching turns that hold no candidate."""
        wanted: dict[str, None] = {}
        for row in map(int, self.by_match[:best]):
            at = place_in(self.candidates[row].fields)
            if at is None:
                continue
            talk, turn = at
            held = self._talks[talk]
            near = (turn + step for step in range(-reach, reach + 1))
            wanted.update((place_of(talk, number), None) for number in near if number >= 0 and number not in held)
        return list(wanted)


def place_in(fields: Mapping[str, JsonValue]) -> tuple[str, int] | None:
    """Talk and number of a turn; None for what is no turn."""
    place = fields.get(PLACE)
    if not isinstance(place, str) or fields.get("memoryType") != MemoryType.CONVERSATION:
        return None
    talk, _, turn = place.rpartition("/")
    return talk, int(turn)


def _by_score(raw: Column, floor: float | None) -> Column:
    """Shares of the range from `floor`, or from the lowest score that was found, to the highest."""
    found = raw[raw > 0]
    if not len(found):
        return np.zeros(len(raw))
    low = min(float(found.min()), float(found.max()) * 0.999) if floor is None else floor
    return np.clip((raw - low) / (float(found.max()) - low), 0.0, 1.0)


def _by_rank(raw: Column, floor: float | None) -> Column:
    """Reciprocal ranks, the first being 1, equal scores in the same place; 0 for what was not found."""
    ranks = 1 + len(raw) - np.searchsorted(np.sort(raw), raw, side="right")
    return np.where(raw > 0, (RANK_CONSTANT + 1) / (RANK_CONSTANT + ranks), 0.0)
