"""Named ways of ranking: which signals count how much, and how that was found."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from agentmem.domain.memory import MemoryType
from agentmem.retrieval.pool import Fusion

ProfileName = Literal["verbatim", "memories", "generative"]


BY_TERMS: Final = ("coverage", "topic", "feedback", "answer", "second", "talk")
"""Signals that read the terms of the candidates."""


@dataclass(frozen=True, slots=True)
class Profile:
    """`weights` by signal; what is absent weighs nothing and is not computed. `types` multiplies the score of a layer,
    `hypothesis` that of a guess, `in_doubt` that of a memory which needs review, `coming` that of what has not begun,
    `agent_says` that of a turn of the agent itself, which thanks or repeats what the person said better, `agent_asks`
    that of its questions. What scores below `floor` is dropped. With `spread`, signals are first stretched over the
    candidates to 0 to 1, to a half where all are equal. `dense_share` and `fusion` are those of `Pool`; `neighbours`
    says whether the turns beside a found turn are candidates too, `merges` whether a turn and a memory that says as
    much of the question are one hit, `looks_again` whether the texts of the best hits are read
    (`retrieval/second_look.py`)."""

    name: ProfileName
    weights: Mapping[str, float]
    types: Mapping[str, float] = field(default_factory=dict[str, float])
    hypothesis: float = 1.0
    in_doubt: float = 1.0
    coming: float = 1.0
    agent_says: float = 1.0
    agent_asks: float = 1.0
    floor: float = float("-inf")
    spread: bool = False
    dense_share: float = 0.0
    fusion: Fusion = "score"
    neighbours: bool = False
    merges: bool = False
    looks_again: bool = False

    def layer(self, memory_type: str, *, of_agent: bool, asks: bool = False) -> float:
        """What a whole score is multiplied by for its layer, and where the agent itself has said it, or asked."""
        by = (self.agent_asks if asks else self.agent_says) if of_agent else 1.0
        return self.types.get(memory_type, 1.0) * by

    @property
    def uses_vectors(self) -> bool:
        """Whether cosines count at all; where they do not, nothing is embedded."""
        return self.dense_share > 0 or any(self.weights.get(name, 0.0) for name in ("dense", "keys"))

    @property
    def uses_terms(self) -> bool:
        """Whether what candidates say term by term counts."""
        return self.merges or any(self.weights.get(name, 0.0) for name in BY_TERMS)


_LAYERS: Final[Mapping[str, float]] = {
    MemoryType.CONVERSATION: 0.85,
    MemoryType.PERCEPTUAL: 0.8,
    MemoryType.OBSERVATION: 1.0,
    MemoryType.LONGTERM: 1.0,
    MemoryType.INSIGHT: 1.0,
}

MEMORIES: Final = Profile(
    name="memories",
    weights={
        "lexical": 1.6,
        "coverage": 4.3,
        "topic": 2.0,
        "feedback": 3.0,
        "answer": 2.2,
        "session": 2.0,
        "talk": 1.5,
        "second": 1.3,
        "opening": 1.5,
        "speaker": 1.5,
        "time": 1.4,
        "dated": 0.9,
        "asked": 3.0,
        "importance": 0.4,
    },
    types=_LAYERS,
    hypothesis=0.6,
    in_doubt=0.5,
    coming=0.9,
    agent_says=0.7,
    agent_asks=0.4,
    floor=0.04,
    dense_share=0.3,
    neighbours=True,
    merges=True,
    looks_again=True,
)
"""Fitted on seven sets of talks in English and Chinese by a prototype of `bench/fit.py`, rounded; what weighs derived
memories is set by hand and held by the scenarios."""

VERBATIM: Final = replace(MEMORIES, name="verbatim", types={}, merges=False)
GENERATIVE: Final = Profile(
    name="generative",
    weights={"recency": 1.0, "importance": 1.0, "relevance": 1.0},
    dense_share=0.5,
    spread=True,
)
"""Recency, importance and relevance alike, as in Park et al. 2023."""

_SPELLING: Final = {each.name: each for each in (MEMORIES, VERBATIM, GENERATIVE)}
SEMANTIC: Final = {name: replace(each, dense_share=1.0) for name, each in _SPELLING.items()}
"""The same, where near vectors mean near in meaning."""


def profile(name: ProfileName, *, semantic: bool = False) -> Profile:
    """The profile of that name, for an embedder that is semantic or not."""
    return (SEMANTIC if semantic else _SPELLING)[name]
