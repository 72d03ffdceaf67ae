"""Who an agent is, as written in `personas/*.yaml`."""

from datetime import timedelta
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    Field,
    StringConstraints,
    WithJsonSchema,
)

from agentmem import patterns as re
from agentmem.domain.ids import Name
from agentmem.domain.memory import MemoryType
from agentmem.domain.naming import canonical_name
from agentmem.domain.value import Duration, Value

_AGENT_ID = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$"
AgentId = Annotated[str, StringConstraints(pattern=_AGENT_ID)]
"""An agent's id: letters, digits, `_`, `.` and `-`, at most 64, beginning with a letter or digit."""


def is_agent_id(text: str) -> bool:
    """Whether an agent may have this id."""
    return re.fullmatch(_AGENT_ID, text) is not None


Cardinality = Literal["single", "multi", "per_qualifier"]
"""How many values an attribute holds at a time: one, many, or one for each qualifier (`work_phone`, `home_phone`)."""

ValueKind = Literal["text", "name", "place", "title", "phone", "email", "account", "money", "number", "date", "state"]
"""What the values of an attribute are, which decides which spellings of them are equal."""


class Windows(Value):
    """When a window of turns is read: after so many turns, or so many seconds of silence."""

    turns: int = Field(default=10, ge=1, le=200)
    idle_seconds: float = Field(default=30, ge=0, le=86_400)


def _cron(line: str) -> str:
    if len(line.split()) not in (5, 6) or not re.fullmatch(r"[\w*/,\- ?#]+", line, re.ASCII):
        raise ValueError("must be five fields as in crontab, such as 0 3 * * *, or six with the seconds first")
    return line


class ReflectPolicy(Value):
    """When to reflect: unreflected observations, their summed importance, or a cron line."""

    observations: int = Field(default=6, ge=1)
    importance: int = Field(default=30, ge=1)
    cron: Annotated[str, AfterValidator(_cron)] | None = None


class RecallPolicy(Value):
    """How found memories are ranked: `memories` puts what was made of a turn in its place, `verbatim` leaves the words
    beside it, `generative` weighs recency, importance and relevance alike."""

    profile: Literal["verbatim", "memories", "generative"] = "memories"


class Keep(Value):
    """How long a layer stays in scope."""

    perceptual: Duration = timedelta(days=1)


class AttributePolicy(Value):
    """A slot beyond the built-in ones, in full. `words` are other names for it, in any language."""

    cardinality: Cardinality = "single"
    kind: ValueKind = "text"
    words: tuple[str, ...] = ()


class MemoryPolicy(Value):
    """How the agent remembers. `attributes` are slots beyond the built-in ones: a cardinality, or a mapping."""

    attributes: dict[str, Cardinality | AttributePolicy] = Field(default_factory=dict)
    windows: Windows = Windows()
    reflect: ReflectPolicy = ReflectPolicy()
    keep: Keep = Keep()
    recall: RecallPolicy = RecallPolicy()


HIRABLE = (MemoryType.OBSERVATION, MemoryType.INSIGHT, MemoryType.LONGTERM)
"""The layers that a contract can name. What was said and what was sensed never go along."""


def _hirable(layer: MemoryType) -> MemoryType:
    if layer not in HIRABLE:
        raise ValueError(f"must be {', '.join(HIRABLE)}: what was said and what was sensed never go along")
    return layer


class HirePolicy(Value):
    """What a hired copy receives; everything not named here is left behind, and without it that is everything.

    `layers` may go, of these only the `kinds` named (None: every kind). They must be about the agent itself, as its
    documents are, or about one of `targets`, by name; who ever spoke with the agent cannot be named so. With
    `about_customers` goes, too, what at least `people` of them have in common, without saying who.
    """

    layers: tuple[Annotated[MemoryType, AfterValidator(_hirable)], ...] = ()
    kinds: tuple[Annotated[str, StringConstraints(min_length=1, max_length=60)], ...] | None = None
    targets: tuple[Name, ...] = ()
    about_customers: bool = False
    people: int = Field(default=2, ge=2, le=1_000)

    def narrowed(self, other: "HirePolicy") -> "HirePolicy":
        """What both allow, in the order of this one."""
        kinds = self.kinds if other.kinds is None else other.kinds
        if self.kinds is not None and other.kinds is not None:
            kinds = tuple(kind for kind in self.kinds if kind in other.kinds)
        named = {canonical_name(name) for name in other.targets}
        return HirePolicy(
            layers=tuple(layer for layer in self.layers if layer in other.layers),
            kinds=kinds,
            targets=tuple(name for name in self.targets if canonical_name(name) in named),
            about_customers=self.about_customers and other.about_customers,
            people=max(self.people, other.people),
        )


_FUNCTION = r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*:[A-Za-z_][A-Za-z0-9_]*"


def _tool(path: str) -> str:
    if not re.fullmatch(_FUNCTION, path):
        raise ValueError(f"must be a dotted path and a function such as package.module:function, not {path[:60]!r}")
    return path


def _beside(path: str) -> str:
    parts = re.split(r"[/\\]", path)
    if not path.strip() or not path.isprintable() or ".." in parts or not parts[0] or ":" in parts[0]:
        raise ValueError(f"must be a path below the persona file, such as assets/prices.md, not {path[:60]!r}")
    return path


Tool = Annotated[str, AfterValidator(_tool), WithJsonSchema({"type": "string", "pattern": f"^{_FUNCTION}$"})]
"""A function the agent may call, as `package.module:function`."""

Document = Annotated[str, AfterValidator(_beside)]
"""A document the agent knows, as a path relative to its persona file and not above it."""


class Persona(Value):
    """One agent. `id` names it within a tenant, `name` is for display and owns its memories."""

    id: AgentId
    name: Name
    role: str = ""
    language: Literal["zh", "en"] = "zh"
    goals: tuple[str, ...] = ()
    boundaries: tuple[str, ...] = ()
    style: str = ""
    model: str | None = None
    memory: MemoryPolicy = MemoryPolicy()
    tools: tuple[Tool, ...] = ()
    knowledge: tuple[Document, ...] = ()
    hire: HirePolicy = HirePolicy()
