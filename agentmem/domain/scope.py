"""Who may see a memory and in which order events are worked on: tenant, agent, target, run."""

from dataclasses import dataclass

from agentmem.domain.bounds import shown
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
