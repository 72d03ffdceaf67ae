"""A filter cannot be had without a tenant and an agent, nor widened by what is asked for."""

from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentmem.adapters.memory_index import edge_terms, server_terms
from agentmem.adapters.memory_index.conditions import Absent, AnyCondition, Bound, Every
from agentmem.adapters.memory_index.mapping import ScopedFilter, filter_of, payload_of
from agentmem.domain.memory import LAYERS, MemoryType, Modality, microseconds
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput
from agentmem.ports.memory_index import AsOf, Probe, Sparse, Where
from tests.support.indexes import a_point
from tests.support.nodes import NOON, a_memory

NAMES = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=20).filter(
    lambda name: name != "*"
)
NOTHING = [None, "", "*", " ", "acme ", "\tacme", "ac\nme", "ac\x00me", "ac\u200bme", "a" * 10_000]
NO_NAMES = [*NOTHING, *cast("list[Any]", [[], ["acme"], {}, {"ne": "acme"}, 1, True, b"acme"])]
PROBE = Probe(None, Sparse((1,), (1.0,)))
SCOPES = st.builds(Scope, NAMES, NAMES, st.none() | NAMES, st.none() | NAMES) | st.builds(
    Scope, NAMES, NAMES, NAMES, st.none() | NAMES, st.lists(NAMES, max_size=3).map(tuple)
)
WHERES = st.builds(
    Where,
    SCOPES,
    as_of=st.none() | st.builds(AsOf, st.just(NOON), st.none() | st.just(NOON)),
    current=st.booleans(),
    types=st.sets(st.sampled_from(LAYERS)).map(tuple),
    modalities=st.sets(st.sampled_from(Modality)).map(tuple),
)


@pytest.mark.parametrize("field", ["tenant", "agent"])
@pytest.mark.parametrize("value", NO_NAMES)
def test_a_scope_needs_a_tenant_and_an_agent_by_name(field: str, value: object) -> None:
    names: dict[str, Any] = {"tenant": "acme", "agent": "seller", field: value}
    with pytest.raises((InvalidInput, AttributeError)):
        Scope(**names)


@pytest.mark.parametrize("beside", [("",), ("a", "*"), (" ",)])
def test_what_is_seen_beside_a_target_has_a_name_too(beside: tuple[str, ...]) -> None:
    with pytest.raises(InvalidInput):
        Scope("acme", "seller", "t", beside=beside)


def test_beside_no_target_at_all_there_is_nothing() -> None:
    with pytest.raises(InvalidInput, match="nothing beside"):
        Scope("acme", "seller", beside=("t",))


def test_neither_a_question_nor_a_filter_can_be_had_without_a_scope() -> None:
    with pytest.raises(TypeError):
        cast("Any", Where)()
    with pytest.raises(TypeError):
        cast("Any", ScopedFilter)()
    with pytest.raises(TypeError):
        cast("Any", ScopedFilter)(tenant="acme")
    with pytest.raises(AttributeError):
        filter_of(Where(cast("Any", None)))


def _scope_texts(scope: Scope) -> tuple[str, ...]:
    """As memories of this scope keep it: tenant, agent and, where there is one, target, with U+001F between."""
    owner = f"{scope.tenant}\x1f{scope.agent}"
    return tuple(f"{owner}\x1f{target}" for target in scope.targets) or (owner,)


@given(WHERES)
def test_every_filter_demands_the_tenant_and_the_agent_and_nothing_asked_for_undoes_it(where: Where) -> None:
    scoped = filter_of(where)
    assert scoped.corpus == (AnyCondition("_scopes", _scope_texts(where.scope)),)
    assert scoped.all_of[:1] == scoped.corpus


@given(st.lists(st.builds(Scope, NAMES, NAMES, st.none() | NAMES), min_size=2, max_size=2, unique=True))
def test_two_scopes_are_never_kept_as_the_same_text(scopes: list[Scope]) -> None:
    one, other = (filter_of(Where(scope)).corpus for scope in scopes)
    assert one != other


@pytest.mark.parametrize("parts", [("a", "b\x1fc"), ("a\x1fb", "c"), ("a", "b", "c\x1f")])
def test_no_name_can_hold_what_parts_the_names_of_a_scope(parts: tuple[str, ...]) -> None:
    with pytest.raises(InvalidInput):
        Scope(parts[0], parts[1], parts[2] if len(parts) > 2 else None)


def test_a_memory_lies_in_the_scope_of_its_agent_and_in_that_of_its_target() -> None:
    memory = a_memory("x")
    scopes = (Scope(memory.tenant, memory.agent_id), Scope(memory.tenant, memory.agent_id, memory.target_id))
    assert payload_of(a_point(memory))["_scopes"] == [text for scope in scopes for text in _scope_texts(scope)]


def _named(condition: Any) -> tuple[str, set[str]]:
    wanted = condition.match.any if hasattr(condition.match, "any") else condition.match.value
    return condition.key, {wanted} if isinstance(wanted, str) else set(wanted)


@given(WHERES)
def test_both_translations_keep_every_condition(where: Where) -> None:
    scoped = filter_of(where)
    (edge,) = edge_terms.edge_queries(scoped, PROBE, 5).values()
    (server,) = server_terms.server_queries(scoped, PROBE, 5).values()
    owner = [("_scopes", set(_scope_texts(where.scope)))]
    for query in cast("list[Any]", [edge, server]):
        visible, corpus = query.filter, query.params.idf.corpus
        assert [_named(each) for each in visible.must[:1]] == owner
        assert [_named(each) for each in corpus.must] == owner
        assert (len(visible.must), len(visible.must_not or ())) == (len(scoped.all_of), len(scoped.must_not))
        assert not visible.should


def test_a_run_admits_memories_without_a_run() -> None:
    assert AnyCondition("_run", ("talk", "")) in filter_of(Where(Scope("acme", "seller", run="talk"))).must


def test_only_valid_memories_are_current_and_deleted_ones_are_never_asked_for() -> None:
    scope = Scope("acme", "seller")
    assert filter_of(Where(scope)).must_not == (AnyCondition("storeStatus", ("expired", "deleted")),)
    assert filter_of(Where(scope, current=False)).must_not == (AnyCondition("storeStatus", ("deleted",)),)


def test_types_and_modalities_exclude_all_others() -> None:
    where = Where(Scope("acme", "seller"), types=(MemoryType.INSIGHT,), modalities=tuple(Modality))
    others = ("perceptual", "conversation", "observation", "longterm")
    assert filter_of(where).must_not[1:] == (AnyCondition("memoryType", others),)


def test_what_is_not_kept_because_it_is_usual_is_excluded_as_well() -> None:
    where = Where(Scope("acme", "seller"), modalities=(Modality.HYPOTHESIS,))
    others = tuple(each.value for each in Modality if each is not Modality.HYPOTHESIS)
    assert filter_of(where).must_not[1:] == (AnyCondition("modality", others), Absent("modality"))


def test_an_as_of_question_excludes_what_had_not_begun_or_was_known_to_have_ended() -> None:
    noon = microseconds(NOON)
    now, then = (filter_of(Where(Scope("acme", "seller"), AsOf(NOON, known))) for known in (None, NOON))
    assert now.must_not[1:] == (Bound("_validFrom", "gt", noon), Bound("_validTo", "lte", noon))
    ended = Every((Bound("_validTo", "lte", noon), Bound("_endLearned", "lte", noon)))
    assert then.must_not[1:] == (Bound("_validFrom", "gt", noon), Bound("_created", "gt", noon), ended)
