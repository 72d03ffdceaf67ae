"""The one place where access is decided, below every interface: each public operation carries its rule.

A rule is checked before an operation begins and again before its result is handed out, so that nobody gets an answer
after his access was revoked; and the result is looked through for memories that its reader may not touch. What is
forbidden is answered as what is not there is, without looking whether it is.
"""

import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Literal, Protocol, TypeVar, cast

from agentmem.domain.bounds import check_value
from agentmem.domain.change import LedgerEntry
from agentmem.domain.event import Person
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryNode
from agentmem.domain.naming import canonical_name
from agentmem.domain.persona import Persona
from agentmem.domain.scope import ALL, Grant, Principal, Scope
from agentmem.errors import InvalidInput, NotFound
from agentmem.runtime.facade.entrance import binder, check_arguments, telling, told
from agentmem.runtime.facade.showing import shown_part

T = TypeVar("T")
Operation = TypeVar("Operation", bound=Callable[..., Any])
Kind = Literal["needs", "of the tenant", "of the operator", "shows its own", "open to all"]


Check = Callable[["Access", Mapping[str, object]], Callable[[], None]]
"""Finds what the arguments of a call touch; what it returns raises `NotFound` where that is not granted at that time.
"""


class Owned(Protocol):
    """What is of one agent and about somebody, such as a memory or an event."""

    @property
    def tenant(self) -> str: ...
    @property
    def agent_id(self) -> str: ...
    @property
    def target_id(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Rule:
    """What an operation demands: all of `grants`, for what its parameters `of` touch."""

    kind: Kind
    grants: tuple[Grant, ...] = ()
    of: tuple[str, ...] = ()


@dataclass(slots=True)
class Revoked:
    """Whose access has ended in this process, for single agents or, as `ALL`, whole; shared by all who were let in."""

    ended: set[tuple[str, str, str]] = field(default_factory=set[tuple[str, str, str]])

    def revoke(self, tenant: str, principal: str, agent: str) -> None:
        """End it; what is under way brings no result any more."""
        self.ended.add((tenant, principal, agent))

    def holds(self, principal: Principal, agent: str) -> bool:
        """Whether the principal's access to this agent, or all of it, has ended."""
        whose = principal.tenant, principal.name
        return (*whose, agent) in self.ended or (*whose, ALL) in self.ended


@dataclass(frozen=True, slots=True)
class Access:
    """A principal's access, as it is at this moment."""

    principal: Principal
    revoked: Revoked = field(default_factory=Revoked)

    def may(self, grant: Grant, scope: Scope) -> bool:
        """Whether the principal has this grant for all that the scope holds."""
        granted = scope.tenant == self.principal.tenant and self._granted(grant, scope.agent)
        return granted and (self.principal.about is None or scope.targets == (self.own_target(scope.agent),))

    def knows(self, agent: str) -> bool:
        """Whether the principal may do anything with this agent, so that it is there for him."""
        return bool(self.principal.grants(agent)) and not self.revoked.holds(self.principal, agent)

    def own_target(self, agent: str) -> str | None:
        """The only target the principal may touch at this agent, None where it may touch all."""
        about = self.principal.about
        return None if about is None else entity_id(self.principal.tenant, agent, canonical_name(about))

    def demand(self, grant: Grant, scope: Scope) -> None:
        """Raise `NotFound` for what may not be touched; an agent there is not is refused in the same words."""
        if not self.may(grant, scope):
            raise NotFound(f"no agent {scope.agent!r}")

    async def while_granted(self, grant: Grant, scope: Scope, parts: AsyncGenerator[T]) -> AsyncGenerator[T]:
        """The parts, as long as the principal has the grant."""
        with telling():
            async with aclosing(parts):
                async for part in parts:
                    self.demand(grant, scope)
                    yield part

    def demand_tenant(self, grant: Grant) -> None:
        """Raise `NotFound` unless the grant is for every agent of the tenant and everybody they know."""
        if self.principal.about is not None or not self._granted(grant, ALL):
            raise NotFound(f"nothing of the whole tenant is there for {self.principal.name!r}")

    def demand_operator(self) -> None:
        """Raise `NotFound` unless it is the one who runs the store."""
        if not self.principal.operator or self.revoked.holds(self.principal, ALL):
            raise NotFound(f"nothing of the whole store is there for {self.principal.name!r}")

    def sees(self, grant: Grant, entries: Iterable[LedgerEntry]) -> bool:
        """Whether the principal may touch so every memory that these changes are of, before and after."""
        states = [node for entry in entries for node in entry.change.states]
        return len(self.visible(grant, states)) == len(states)

    @property
    def has_ended(self) -> bool:
        """Whether the principal's whole access has ended in this process."""
        return self.revoked.holds(self.principal, ALL)

    def end(self, principal: Principal) -> None:
        """End somebody's whole access in this process; what is under way for him brings no result any more."""
        self.revoked.revoke(principal.tenant, principal.name, ALL)

    def visible(self, grant: Grant, nodes: Iterable[MemoryNode]) -> list[MemoryNode]:
        """Those of these memories that the principal may touch so."""
        return [node for node in nodes if self.may(grant, scope_of(node))]

    def _granted(self, grant: Grant, agent: str) -> bool:
        return grant in self.principal.grants(agent) and not self.revoked.holds(self.principal, agent)


class Guarded(Protocol):
    """What has guarded operations."""

    @property
    def access(self) -> Access:
        """On whose behalf they are called."""
        ...


def scope_of(owned: Owned) -> Scope:
    """The scope of a memory or an event."""
    return Scope(owned.tenant, owned.agent_id, owned.target_id)


def touched(tenant: str, value: object) -> Iterator[Scope]:
    """The scopes that an argument touches: its own, as of a query; that of an agent and a person whom a memory or an
    event is about; an agent id or a persona stands for all that agent knows."""
    match value:
        case Scope():
            yield value
        case str():
            yield Scope(tenant, value)
        case Persona():
            yield Scope(tenant, value.id)
        case Sequence() | Collection():
            for item in cast("Collection[object]", value):
                yield from touched(tenant, item)
        case _ if isinstance(own := getattr(value, "scope", None), Scope):
            yield own
        case _ if all(hasattr(value, name) for name in ("tenant", "agent_id", "target_id")):
            yield scope_of(cast(Owned, value))
        case _:
            raise InvalidInput(f"{type(value).__name__} does not say what it touches")


def needs(*grants: Grant, of: str | tuple[str, str], in_words: bool = False) -> Callable[[Operation], Operation]:
    """The operation needs all these grants for what its parameter `of` touches; or, of two parameters, for what the
    agent named by the first knows about the person named by the second. `in_words`: a text in its place touches
    nothing; the operation calls itself with what it makes of it."""
    names = (of,) if isinstance(of, str) else of

    def meant(tenant: str, given: Mapping[str, object]) -> list[Scope]:
        if in_words and isinstance(given[names[0]], str):
            return []
        if len(names) == 2:
            return [_about(tenant, given[names[0]], given[names[1]])]
        return list(touched(tenant, given[names[0]]))

    def check(access: Access, given: Mapping[str, object]) -> Callable[[], None]:
        scopes = meant(access.principal.tenant, given)

        def demand() -> None:
            for scope in scopes:
                for grant in grants:
                    access.demand(grant, scope)

        return demand

    return _guard(Rule("needs", grants, names), check)


def needs_tenant(*grants: Grant) -> Callable[[Operation], Operation]:
    """The operation needs all these grants for every agent of the tenant."""

    def check(access: Access, _: Mapping[str, object]) -> Callable[[], None]:
        def demand() -> None:
            for grant in grants:
                access.demand_tenant(grant)

        return demand

    return _guard(Rule("of the tenant", grants), check)


def operator_only(operation: Operation) -> Operation:
    """The operation concerns the whole store, of all tenants: only who runs it may call it."""
    return _guard(Rule("of the operator"), lambda access, _: access.demand_operator)(operation)


def shows_its_own(*grants: Grant) -> Callable[[Operation], Operation]:
    """The operation itself leaves out whatever the principal has not these grants for, as if it were not there."""
    return _guard(Rule("shows its own", grants), _nothing)


def open_to_all(operation: Operation) -> Operation:
    """The operation tells nothing and changes nothing that would not come about without it."""
    return _guard(Rule("open to all"), _nothing)(operation)


def _nothing(_access: Access, _given: Mapping[str, object]) -> Callable[[], None]:
    return lambda: None


def _about(tenant: str, agent: object, person: object) -> Scope:
    name = person.known_as if isinstance(person, Person) else person
    for what, given in (("agent_id", agent), ("person", name)):
        check_value(what, given, str)
    whose, whom = str(agent), str(name)
    return Scope(tenant, whose, entity_id(tenant, whose, canonical_name(whom)))


def _handed_out(access: Access, rule: Rule, answer: T) -> T:
    """The answer without memories that the principal has not the operation's grants for."""
    if access.principal.operator or not rule.grants:
        return answer
    return shown_part(answer, lambda node: all(access.may(grant, scope_of(node)) for grant in rule.grants))


def _guard(rule: Rule, check: Check) -> Callable[[Operation], Operation]:
    """Check before the operation and before everything it hands out. What answers at once, such as the opening of a
    context, is checked before. What cannot be bound at all is a `TypeError`, as with any function."""

    def declare(operation: Operation) -> Operation:
        by_name = binder(operation)
        if unknown := set(rule.of) - inspect.signature(operation).parameters.keys():
            raise TypeError(f"{operation.__qualname__} has no parameter {', '.join(sorted(unknown))}")

        def bound(owner: Guarded, arguments: Mapping[str, object]) -> Callable[[], None]:
            """Checks access, then what is given, so that nobody learns by it; what checks access once more."""
            (permitted := check(owner.access, arguments))()
            check_arguments(operation, arguments)
            return permitted

        @wraps(operation)
        async def answering(owner: Guarded, *given: Any, **named: Any) -> Any:
            arguments = by_name((owner, *given), named)
            with telling():
                permitted = bound(owner, arguments)
                result = await cast("Awaitable[Any]", operation(owner, *given, **named))
                permitted()
                return _handed_out(owner.access, rule, result)

        @wraps(operation)
        async def streaming(owner: Guarded, *given: Any, **named: Any) -> AsyncGenerator[Any]:
            arguments = by_name((owner, *given), named)
            with telling():
                permitted = bound(owner, arguments)
                async with aclosing(cast("AsyncGenerator[Any]", operation(owner, *given, **named))) as parts:
                    async for part in parts:
                        permitted()
                        yield part

        @wraps(operation)
        def beginning(owner: Guarded, *given: Any, **named: Any) -> Any:
            arguments = by_name((owner, *given), named)
            with telling():
                bound(owner, arguments)
                begun = operation(owner, *given, **named)
            return told(begun)

        if inspect.iscoroutinefunction(operation):
            guarded: Any = answering
        else:
            guarded = streaming if inspect.isasyncgenfunction(operation) else beginning
        guarded.rule = rule
        return cast(Operation, guarded)

    return declare
