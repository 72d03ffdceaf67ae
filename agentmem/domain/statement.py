"""What cognition reads and returns: a window of turns in, typed statements out.

A statement is not yet a memory: it has no id, no interval and no status. The write path checks it
against the window, reconciles it with what is known, and makes it one.
"""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AwareDatetime, BeforeValidator, Field

from agentmem.domain.bounds import within_times
from agentmem.domain.entity import Mention
from agentmem.domain.event import Person, Spans
from agentmem.domain.ids import Name, Uuid
from agentmem.domain.memory import Modality
from agentmem.domain.persona import AttributePolicy, Cardinality
from agentmem.domain.value import Value

MAX_STATEMENTS = 20
MAX_CONTENT = 2_000
"""Characters of what is understood of the words, as one sentence."""
"""Statements taken from one window; a longer answer is a bad one."""


def _known(value: object) -> object:
    return within_times(value) if isinstance(value, datetime) else value


Told = Annotated[AwareDatetime | None, BeforeValidator(_known)]
"""A time that somebody named; None where it lies beyond those that are kept, such as the year 9999."""


class Turn(Value):
    """One utterance inside a window. `turn_id` is the id of its conversation memory; `echoes` are the stretches of it
    that repeat what the agent had just been told by its memory or a tool."""

    turn_id: Uuid
    by_agent: bool
    speaker: Name
    text: str
    at: AwareDatetime
    echoes: Spans = ()


class Held(Value):
    """What is remembered of the window's person, as it is shown to a reading: that a change of it is understood.

    It was said at `said_at` and holds from `since` on, `until` where that is known. `by` is the content of what holds
    in its place, where it was ended by that; None while it holds. `before` are the contents of what it took the place
    of, the first first, where the talk may go back to them. `own`: of the person himself, and not of `about`. `maybe`:
    a guess or a condition.
    """

    memory_id: Uuid | None = None
    since: AwareDatetime | None = None
    until: AwareDatetime | None = None
    said_at: AwareDatetime | None = None
    content: str
    kind: str | None = None
    key: tuple[str, ...] = ()
    attribute: str | None = None
    value: str | None = None
    importance: int = 5
    language: Literal["zh", "en"] = "zh"
    by: str | None = None
    before: tuple[str, ...] = ()
    own: bool = True
    about: Name | None = None
    maybe: bool = False


class Window(Value):
    """What one reading sees. `context` are earlier turns, for reference only: nothing is taken from them,
    but an answer or a rejection in `turns` may refer to them. `held` is what the person has stated before that holds,
    or that was replaced, the latest last; a statement may take its place. `others` is what else he has told that holds:
    what is so of others; for an engine that compares while it reads, what he denied and was concluded of him too."""

    window_id: Name
    agent_name: Name
    person: Person
    language: Literal["zh", "en"]
    context: tuple[Turn, ...] = ()
    turns: tuple[Turn, ...]
    held: tuple[Held, ...] = ()
    others: tuple[Held, ...] = ()
    attributes: dict[str, Cardinality | AttributePolicy] = Field(default_factory=dict)


Related = Literal["same", "adds", "says_less", "replaces", "unrelated"]
"""How a new statement stands to an old one: it means the same, says all of it and more, says part of it, holds in its
place, or none of these."""


class Comparison(Value):
    """How a statement stands to a held memory."""

    held: Uuid
    relation: Related


class Quote(Value):
    """Where a statement was said: characters `start` to `end` of the text of turn `turn_id`."""

    turn_id: Uuid
    start: int = Field(ge=0)
    end: int = Field(ge=1)


class Statement(Value):
    """Something said, rewritten as one self-contained sentence in the language that was spoken.

    `about` is None for the window's person, or the name of a third party. `attribute` and `value` make it a slot fact
    (see `domain.attributes`). `mentions` are the names in it besides the one it is about, `asked_with` are words that
    somebody would ask for it with and that do not stand in it. `replaces` are the contents of statements, held or made
    earlier in the window, that are over now that this one holds, `disputes` of those that may be; `compared` says how
    it stands to held ones by their ids. `valid_at` and `invalid_at` are None where the words give no time, or one that
    is not kept: then it holds from its turn on. A statement whose `invalid_at` is not after its turn is remembered as
    already ended.
    """

    layer: Literal["observation", "insight"] = "observation"
    about: Name | None = None
    content: str = Field(min_length=1, max_length=MAX_CONTENT)
    modality: Modality = Modality.STATED
    kind: str | None = None
    key: tuple[str, ...] = ()
    mentions: tuple[Mention, ...] = ()
    asked_with: tuple[str, ...] = ()
    attribute: str | None = None
    value: str | None = None
    relation: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]*$")] | None = None
    replaces: tuple[str, ...] = ()
    disputes: tuple[str, ...] = ()
    compared: tuple[Comparison, ...] = ()
    importance: int = Field(default=5, ge=0, le=9)
    valid_at: Told = None
    invalid_at: Told = None
    language: Literal["zh", "en"] = "zh"
    quotes: tuple[Quote, ...] = Field(min_length=1)


class Alias(Value):
    """Another name by which the window's person was called, such as 小东 for 罗小东."""

    name: Name
    quotes: tuple[Quote, ...] = Field(min_length=1)


class Withdrawal(Value):
    """A held statement that the person has taken back, called off or told to be over `at` that time: nothing comes in
    its place. It is named by its content, as one about the person, or by its id. `slip`: he put it right at once, so
    that it was never true; it may be a statement of the same reading."""

    content: str
    at: AwareDatetime
    memory_id: Uuid | None = None
    slip: bool = False


class Reading(Value):
    """What one window says. `rejected` names turns whose claims about the person were denied in this window:
    what the agent asserted or guessed in them is taken back. `withdrawn` is what was held and is over. `looked_at` are
    the held memories that each statement was compared with: what is in none of its `compared` is unrelated to it."""

    statements: tuple[Statement, ...] = ()
    aliases: tuple[Alias, ...] = ()
    rejected: tuple[Uuid, ...] = ()
    withdrawn: tuple[Withdrawal, ...] = ()
    looked_at: tuple[Uuid, ...] = ()


class Pair(Value):
    """Two statements about one person that may concern one matter, `new` the later; `names` are the person's.
    `linked`: as a conflict, before."""

    number: int = Field(ge=1)
    new: str
    old: str
    names: tuple[str, ...] = ()
    linked: bool = False


class Verdict(Value):
    """The decision about one pair."""

    number: int = Field(ge=1)
    relation: Related


class Insight(Value):
    """A deeper statement about the person, resting on the observations in `source_ids`."""

    attribute: str = Field(min_length=1, max_length=60)
    value: str = Field(min_length=1, max_length=500)
    content: str = Field(min_length=1, max_length=2_000)
    modality: Literal[Modality.INFERRED, Modality.STATED] = Modality.INFERRED
    importance: int = Field(default=6, ge=0, le=9)
    language: Literal["zh", "en"] = "zh"
    source_ids: tuple[Uuid, ...] = Field(min_length=1)


class Review(Value):
    """The decision about one memory in doubt: whether it still stands, and then on which of the offered memories."""

    memory_id: Uuid
    stands: bool
    source_ids: tuple[Uuid, ...] = ()


class Usage(Value):
    """What a call to cognition cost; all zero for the rules engine."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def plus(self, other: "Usage") -> "Usage":
        """Both together."""
        return Usage(
            calls=self.calls + other.calls,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
        )
