"""Every public operation has a rule, and the rule holds for every kind of principal. Both are taken from the code: an
operation that is added without a rule, or that a rule does not reach, fails here."""

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import get_type_hints

import pytest

from agentmem.domain.ids import entity_id
from agentmem.domain.persona import Persona
from agentmem.domain.scope import ALL, Grant, Principal, Scope
from agentmem.errors import NotFound
from agentmem.runtime.facade.access import Access, Rule, needs
from agentmem.runtime.facade.app import App
from tests.attacks.test_returns import OPERATIONS

ROOT = Path(__file__).parents[2]
TENANT, AGENT, PERSON = "acme", "ada", "Tom"
OWN = {"for_principal"}
"""Checked by hand: it makes the app of another principal, and only the operator's app does."""


@cache
def facets(owner: type) -> tuple[type, ...]:
    """The class, and every class with operations of its own that a property of it hands out."""
    return (owner, *_handed_out(owner))


def _handed_out(owner: type) -> Iterator[type]:
    for name, member in inspect.getmembers(owner, lambda member: isinstance(member, property)):
        if name.startswith("_"):
            continue
        handed = get_type_hints(member.fget).get("return")
        if is_dataclass(handed) and isinstance(handed, type) and any(map(_answers, vars(handed).values())):
            yield from facets(handed)


def _answers(member: object) -> bool:
    return inspect.iscoroutinefunction(member) or inspect.isasyncgenfunction(member)


def operations(owner: type) -> Iterator[tuple[str, Callable[..., object]]]:
    """The public methods of a class, with their names."""
    for name, member in vars(owner).items():
        if inspect.isfunction(member) and not name.startswith("_") and name not in OWN:
            yield f"{owner.__name__}.{name}", member


def rule_of(operation: object) -> Rule | None:
    """The rule an operation carries, or None."""
    found = getattr(operation, "rule", None)
    return found if isinstance(found, Rule) else None


def unruled(owner: type) -> list[str]:
    return [name for facet in facets(owner) for name, member in operations(facet) if rule_of(member) is None]


def ruled() -> list[tuple[str, tuple[Callable[..., object], Rule]]]:
    found = [(name, (member, rule_of(member))) for facet in facets(App) for name, member in operations(facet)]
    return [(name, (member, rule)) for name, (member, rule) in found if rule is not None]


def principals() -> dict[str, Principal]:
    """Every kind there is: for each grant alone, for one agent or for all, bound or not, at home or elsewhere."""
    kinds = {"owner": Principal.owner(TENANT), "nobody": Principal("nobody", TENANT)}
    for grant in Grant:
        given = frozenset({grant})
        kinds[f"{grant} here"] = Principal("one", TENANT, {AGENT: given})
        kinds[f"{grant} everywhere"] = Principal("all", TENANT, {ALL: given})
        kinds[f"{grant} beside"] = Principal("beside", TENANT, {"other": given})
        kinds[f"{grant} elsewhere"] = Principal("elsewhere", "globex", {ALL: given})
        kinds[f"{grant} bound"] = Principal("bound", TENANT, {AGENT: given}, about=PERSON)
        kinds[f"{grant} bound everywhere"] = Principal("bound", TENANT, {ALL: given}, about=PERSON)
    kinds["owner elsewhere"] = Principal.owner("globex")
    return kinds


def test_every_public_operation_has_a_rule() -> None:
    assert unruled(App) == []
    named = {facet.__name__ for facet in facets(App)}
    assert named >= {"App", "Bundles", "Copies", "Library", "Records", "Talks", "Upkeep"}


def test_what_every_operation_returns_is_searched() -> None:
    """Whoever adds an operation adds a call of it to `tests/attacks/test_returns.py`."""
    assert {name for name, _ in ruled()} == set(OPERATIONS)


def test_an_operation_without_a_rule_is_found() -> None:
    @dataclass(frozen=True)
    class Planted:
        access: Access

        async def leak(self) -> None: ...

        @needs(Grant.READ, of="scope")
        async def read(self, scope: Scope) -> None: ...

    class Holding:
        @property
        def planted(self) -> Planted:
            return Planted(Access(Principal.owner(TENANT)))

    Holding.planted.fget.__annotations__["return"] = Planted  # type: ignore[union-attr]
    assert unruled(Holding) == ["Planted.leak"]


@pytest.mark.parametrize("name", [name for name, _ in ruled()])
async def test_an_operation_lets_in_whom_its_rule_names_and_nobody_else(name: str) -> None:
    operation, rule = dict(ruled())[name]
    outcomes: set[bool] = set()
    for kind, principal in principals().items():
        for target in (None, entity_id(TENANT, AGENT, "tom"), "somebody else"):
            scope = Scope(TENANT, AGENT, target)
            given = {part: _touching(operation, part, scope) for part in rule.of}
            reached = _reached(principal.tenant, given, scope)
            let_in = await _let_in(operation, Access(principal), given)
            assert let_in == _should_be(principal, rule, reached), (name, kind, scope)
            outcomes.add(let_in)
    assert rule.kind in ("shows its own", "open to all") or outcomes == {True, False}


@pytest.mark.parametrize("name", [name for name, (_, rule) in ruled() if rule.kind == "needs"])
async def test_a_revoked_principal_is_let_in_nowhere(name: str) -> None:
    operation, rule = dict(ruled())[name]
    access = Access(Principal.owner(TENANT))
    given = {part: _touching(operation, part, Scope(TENANT, AGENT)) for part in rule.of}
    assert await _let_in(operation, access, given)
    access.revoked.revoke(TENANT, "owner", AGENT)
    assert not await _let_in(operation, access, given)


def test_interfaces_have_no_way_around() -> None:
    """What is below the operations is reached by nobody but the operations."""
    below = {"journal", "services", "host", "searchable", "reflection_clock", "cognition"}
    found: list[str] = []
    for path in sorted((ROOT / "agentmem" / "interfaces").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Attribute) and node.attr in below and _is_app(node.value):
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}")
    assert found == []


def _is_app(node: ast.expr) -> bool:
    return (isinstance(node, ast.Name) and node.id in ("app", "App")) or (
        isinstance(node, ast.Attribute) and node.attr in ("app", "_app")
    )


def _touching(operation: Callable[..., object], parameter: str, scope: Scope) -> object:
    """An argument for this parameter that touches the scope, as far as its type can say so much."""
    hint = str(inspect.signature(operation).parameters[parameter].annotation)
    if "Persona" in hint:
        return Persona(id=scope.agent, name="Ada")
    if parameter == "person":
        return PERSON if scope.target != "somebody else" else "Jerry"
    if "str" in hint and "Query" not in hint:  # a question in words touches nothing until a query is made of it
        return scope.agent
    if "Sequence" in hint or "Iterable" in hint:
        return [SimpleNamespace(tenant=scope.tenant, agent_id=scope.agent, target_id=scope.target or "whoever")]
    return scope if hint.rpartition(".")[2].startswith("Scope") else SimpleNamespace(scope=scope)


def _reached(tenant: str, given: Mapping[str, object], scope: Scope) -> Scope:
    """What the arguments touch after all: an agent id means all that agent knows, and is one of the asker's tenant."""
    if "person" in given:
        return Scope(tenant, AGENT, entity_id(tenant, AGENT, str(given["person"]).casefold()))
    if any(isinstance(value, str | Persona) for value in given.values()):
        return Scope(tenant, AGENT)
    listed = any(isinstance(value, list) for value in given.values())
    return Scope(TENANT, AGENT, scope.target or "whoever") if listed else scope


async def _let_in(operation: Callable[..., object], access: Access, given: Mapping[str, object]) -> bool:
    """Whether the guard lets the call through; there is nothing behind it, so what gets through breaks."""
    parameters = list(inspect.signature(operation).parameters.values())[1:]
    rest = {item.name: None for item in parameters if item.default is item.empty and item.name not in given}
    try:
        answer = operation(SimpleNamespace(access=access), **given, **rest)
        if inspect.isasyncgen(answer):
            await anext(answer)
        elif inspect.isawaitable(answer):
            await answer
    except NotFound:
        return False
    except Exception:  # noqa: BLE001 - it got through, and found nothing there
        return True
    return True


def _should_be(principal: Principal, rule: Rule, scope: Scope) -> bool:
    """The same decision, told in other words."""
    if rule.kind in ("shows its own", "open to all"):
        return True
    if rule.kind == "of the operator":
        return principal.operator
    if rule.kind == "of the tenant":
        return principal.about is None and all(grant in _all(principal, ALL) for grant in rule.grants)
    own = principal.about is None or scope.target == entity_id(TENANT, AGENT, "tom")
    return own and principal.tenant == scope.tenant and all(g in _all(principal, AGENT) for g in rule.grants)


def _all(principal: Principal, agent: str) -> set[str]:
    given = {str(grant) for key in (ALL, agent) for grant in principal.agents.get(key, ())}
    return given | {"talk", "read", "write"} if "admin" in given else given
