"""What dialogues that were played came to, as values and as JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from pathlib import Path

from agentmem.domain.memory import MemoryNode
from agentmem.domain.statement import Usage
from agentmem.evals.memory.controls import Controlled, false_statements, stored
from agentmem.evals.memory.measures import Outcome, Tallies, Tally, tallied
from agentmem.evals.memory.memory_judge import TRUTHS, Judgement, Truth


@dataclass(frozen=True, slots=True)
class Dialogue:
    """One dialogue, played. `memories` are the derived ones, ended or not; `said` are its turns by their id; `now` is
    when it was over; `unread` tells what the workers left undone. `judgements` are those of the memories that hold, by
    their id; None without a judge."""

    name: str
    file: Path
    turns: int
    outcomes: tuple[Outcome, ...]
    memories: tuple[MemoryNode, ...]
    said: Mapping[str, MemoryNode]
    now: datetime
    usage: Usage
    unread: str | None
    judgements: Mapping[str, Judgement] | None = None

    @property
    def held(self) -> Sequence[MemoryNode]:
        """The derived memories that hold when it is over."""
        return [node for node in self.memories if node.is_valid(self.now)]

    @property
    def tallies(self) -> Tallies:
        """Every measure over this dialogue."""
        return tallied(self.outcomes)

    def words_of(self, node: MemoryNode) -> list[str]:
        """What was said that the memory rests on, each turn whole and with who said it, in the order it was said."""
        turns = {part.memory_id for part in node.evidence} | set(node.source_ids)
        said = sorted((self.said[each] for each in turns if each in self.said), key=lambda turn: turn.timestamp)
        return [f"{turn.speaker}: {turn.content}" for turn in said]

    def data(self, *, listed: bool) -> dict[str, object]:
        """As JSON; `listed`: with every derived memory."""
        data: dict[str, object] = {
            "dialogue": self.name,
            "file": str(self.file),
            "turns": self.turns,
            "memories": len(self.held),
            "measures": {name: tally.data() for name, tally in self.tallies.items()},
            "missed": [_outcome(outcome) for outcome in self.outcomes if not outcome.good],
            "unread": self.unread,
        }
        return data | ({"list": [self._listed(node) for node in self.memories]} if listed else {})

    def _listed(self, node: MemoryNode) -> dict[str, object]:
        data: dict[str, object] = {
            "memory": node.model_dump(mode="json"),
            "holds": node.is_valid(self.now),
            "said": self.words_of(node),
        }
        if self.judgements is None:
            return data
        judged = self.judgements.get(node.memory_id)
        return data | {"judged": judged.truth if judged else None, "why": judged.why if judged else None}


@dataclass(frozen=True, slots=True)
class MemoryReport:
    """One measurement. `judge` is the model that judged; `judging` is what that cost."""

    dialogues: tuple[Dialogue, ...] = ()
    controls: tuple[Controlled, ...] = ()
    judge: str | None = None
    judging: Usage = Usage()

    @property
    def tallies(self) -> Tallies:
        """Every measure over all items of all dialogues."""
        return tallied(outcome for dialogue in self.dialogues for outcome in dialogue.outcomes)

    @property
    def truths(self) -> Mapping[Truth, Tally]:
        """How many of the memories that were judged are true, stale and false."""
        given = [each.truth for dialogue in self.dialogues for each in (dialogue.judgements or {}).values()]
        return {truth: Tally(given.count(truth), len(given)) for truth in TRUTHS}

    @property
    def turns(self) -> int:
        """How many turns of dialogues were spoken."""
        return sum(dialogue.turns for dialogue in self.dialogues)

    @property
    def memories(self) -> int:
        """How many derived memories hold."""
        return sum(len(dialogue.held) for dialogue in self.dialogues)

    @property
    def usage(self) -> Usage:
        """What remembering the dialogues has cost."""
        return reduce(Usage.plus, (dialogue.usage for dialogue in self.dialogues), Usage())

    def data(self, *, listed: bool = False) -> dict[str, object]:
        """As JSON; `listed`: with every derived memory and the words it came from."""
        data: dict[str, object] = {
            "dialogues": [dialogue.data(listed=listed) for dialogue in self.dialogues],
            "all": {name: tally.data() for name, tally in self.tallies.items()},
            "turns": self.turns,
            "memories": self.memories,
            "usage": _usage(self.usage),
        }
        if self.controls:
            data["controls"] = {
                "false": false_statements(self.controls).data(),
                "stored": stored(self.controls).data(),
                "list": [each.data() for each in self.controls],
            }
        if self.judge is not None:
            truths = {truth: tally.data() for truth, tally in self.truths.items()}
            data["judge"] = {"model": self.judge, **truths, "usage": _usage(self.judging)}
        return data


def _usage(usage: Usage) -> dict[str, int]:
    return {"llmCalls": usage.calls, "tokensIn": usage.tokens_in, "tokensOut": usage.tokens_out}


def _outcome(outcome: Outcome) -> dict[str, object]:
    data: dict[str, object] = {
        "measure": outcome.measure,
        "id": outcome.item,
        "expected": [item if isinstance(item, str) else list(item) for item in outcome.expected],
        "found": outcome.shown,
    }
    return data | ({"why": outcome.why} if outcome.why else {})
