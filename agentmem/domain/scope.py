"""Who may see and do what, and in which order events are worked on: scopes, lanes and principals."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from agentmem.domain.bounds import MAX_NAME, check_fields, check_text, shown
from agentmem.errors import InvalidInput


def _checked(name: str, value: object) -> None:
    fits = isinstance(value, str) and value == value.strip() and 0 < len(value) <= 200
    if not fits or not str(value).isprintable() or value == "*":
        raise InvalidInput(f"{name} {shown(value)} must be 1 to 200 printable characters without outer blanks")


@dataclass(frozen=True, slots=True)
class Scope:
    """What a store call may touch: one tenant and one agent, and within it all targets, one, or one with a few more.

    `target` is an entity id, `beside` are those seen along with it, `run` a conversation id. No store call works
    without a scope, so none can reach another tenant by leaving a filter out.
    """

    tenant: str
    agent: str
    target: str | None = None
    run: str | None = None
    beside: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("tenant", "agent"):
            _checked(name, getattr(self, name))
        for name in ("target", "run"):
            if getattr(self, name) is not None:
                _checked(name, getattr(self, name))
        if not isinstance(self.beside, tuple):  # pyright: ignore[reportUnnecessaryIsInstance] - callers may be unchecked
            raise InvalidInput("beside: must be a tuple of targets")
        for target in self.beside:
            _checked("beside", target)
        if self.beside and self.target is None:
            raise InvalidInput("a scope without a target sees all of them; there is nothing beside it")

    @property
    def targets(self) -> tuple[str, ...]:
        """The targets it sees; empty where it sees all."""
        return () if self.target is None else (self.target, *self.beside)


@dataclass(frozen=True, slots=True, order=True)
class Lane:
    """One (tenant, agent, target): its events are worked on in order, different lanes side by side. Raises
    `InvalidInput`."""

    tenant: str
    agent: str
    target: str

    def __post_init__(self) -> None:
        for name, value in (("tenant", self.tenant), ("agent", self.agent), ("target", self.target)):
            _checked(name, value)

    @property
    def scope(self) -> Scope:
        """The scope that sees this lane and nothing else."""
        return Scope(self.tenant, self.agent, self.target)


ALL = "*"
"""In place of an agent id: every agent of the tenant, also those to come, and the tenant as a whole."""


class Grant(StrEnum):
    """One kind of thing that may be done with an agent."""

    TALK = "talk"
    """Speak to it, and be answered."""
    READ = "read"
    """Search and list what it knows."""
    WRITE = "write"
    """Take in events of every kind, reflect, forget, undo."""
    ADMIN = "admin"
    """Introduce and remove it, and look after its work; comes with talk, read and write."""
    HIRE = "hire"
    """Copy it, also for others."""


_NOTHING: Final[frozenset[Grant]] = frozenset()
_OF_AN_ADMIN: Final = frozenset({Grant.TALK, Grant.READ, Grant.WRITE})


@dataclass(frozen=True, slots=True)
class Principal:
    """Somebody who asks. Nothing that is asked for names a tenant of its own: it is always the principal's.

    `about`, the name of a person, binds the principal to what is about that person alone. `operator`: whoever runs the
    store, and may do what concerns it whole, such as filling its index anew; no configuration makes one. Raises
    `InvalidInput`.
    """

    name: str
    tenant: str
    agents: Mapping[str, frozenset[Grant]] = field(default_factory=dict[str, frozenset[Grant]])
    about: str | None = None
    operator: bool = False

    def __post_init__(self) -> None:
        check_fields(self)
        for name in (self.name, self.tenant, *self.agents):
            check_text("a principal", name, MAX_NAME)

    @classmethod
    def owner(cls, tenant: str) -> "Principal":
        """Whoever opened the store himself: everything, with every agent of this tenant."""
        return cls("owner", tenant, {ALL: frozenset(Grant)}, operator=True)

    def grants(self, agent: str) -> frozenset[Grant]:
        """What may be done with this agent, or with `ALL`."""
        given = self.agents.get(ALL, _NOTHING) | self.agents.get(agent, _NOTHING)
        return given | _OF_AN_ADMIN if Grant.ADMIN in given else given
