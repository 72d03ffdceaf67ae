"""Named ways of ranking: which signals count how much, and how that was found."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from agentmem.domain.memory import MemoryType
from agentmem.retrieval.pool import Fusion

ProfileName = Literal["verbatim", "memories", "generative"]


@dataclass(frozen=True, slots=True)
class Profile:
    """`weights` by signal; what is absent weighs nothing and is not computed. `types` multiplies the score of a layer,
    `hypothesis` that of a guess, `time_match` that of a memory whose time the question names. What scores below `floor`
    is dropped. With `spread`, signals are first stretched over the candidates to 0 to 1, to a half where all are equal.
    `dense_share` and `fusion` are those of `Pool`; `neighbours` says whether the turns beside a found turn are
    candidates too. `found_by` tells where the numbers come from."""

    name: ProfileName
    found_by: str
    weights: Mapping[str, float]
    types: Mapping[str, float] = field(default_factory=dict[str, float])
    hypothesis: float = 1.0
    time_match: float = 1.0
    floor: float = float("-inf")
    spread: bool = False
    dense_share: float = 0.0
    fusion: Fusion = "score"
    neighbours: bool = False

    @property
    def uses_vectors(self) -> bool:
        """Whether cosines count at all; where they do not, nothing is embedded."""
        return self.dense_share > 0 or any(self.weights.get(name, 0.0) for name in ("dense", "keys"))


_LAYERS: Final[Mapping[str, float]] = {
    MemoryType.CONVERSATION: 0.5,
    MemoryType.PERCEPTUAL: 0.8,
    MemoryType.OBSERVATION: 1.0,
    MemoryType.LONGTERM: 1.0,
    MemoryType.INSIGHT: 1.0,
}

VERBATIM: Final = Profile(
    name="verbatim",
    found_by="`python -m bench.fit` on 997 questions about five conversations of LoCoMo in English, rounded",
    weights={
        "lexical": 4.0,
        "previous": 2.0,
        "following": 0.7,
        "second_previous": 1.3,
        "session": 5.7,
        "speaker": 1.1,
        "time": 1.6,
        "dated": 2.3,
        "statement": 1.3,
    },
    dense_share=0.3,
    neighbours=True,
)
MEMORIES: Final = Profile(
    name="memories",
    found_by="by hand: what was made of words before the words, slots first",
    weights={
        "lexical": 1.0,
        "dense": 0.5,
        "keys": 0.3,
        "asked": 0.8,
        "dated": 0.4,
        "time": 0.4,
        "importance": 0.1,
        "recency": 0.05,
    },
    types=_LAYERS,
    hypothesis=0.6,
    time_match=2.0,
    floor=0.01,
)
GENERATIVE: Final = Profile(
    name="generative",
    found_by="recency, importance and relevance alike, as in Park et al. 2023",
    weights={"recency": 1.0, "importance": 1.0, "relevance": 1.0},
    dense_share=0.5,
    spread=True,
)

SEMANTIC: Final = {
    VERBATIM.name: replace(VERBATIM, dense_share=1.0),
    MEMORIES.name: replace(MEMORIES, weights={**MEMORIES.weights, "dense": 1.0, "keys": 0.5}),
    GENERATIVE.name: replace(GENERATIVE, dense_share=1.0),
}
"""The same, where near vectors mean near in meaning."""

_SPELLING: Final = {each.name: each for each in (VERBATIM, MEMORIES, GENERATIVE)}


def profile(name: ProfileName, *, semantic: bool = False) -> Profile:
    """The profile of that name, for an embedder that is semantic or not."""
    return (SEMANTIC if semantic else _SPELLING)[name]
