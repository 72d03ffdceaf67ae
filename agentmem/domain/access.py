"""Who may do what: a principal is somebody in one tenant, with grants for single agents or for all of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from agentmem.domain.bounds import MAX_NAME, check_fields, check_text

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
        given = self.agents.get(ALL, frozenset[Grant]()) | self.agents.get(agent, frozenset[Grant]())
        return given | {Grant.TALK, Grant.READ, Grant.WRITE} if Grant.ADMIN in given else given
