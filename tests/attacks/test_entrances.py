"""Whatever is handed in anywhere is refused in one line of ours or taken; nothing of what was refused is stored, and
the store goes on for everybody. What can be called is taken from the code, so that what is added is tried as well.
"""

import inspect
import sqlite3
import traceback
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from agentmem.domain.persona import Persona
from agentmem.domain.scope import Principal, Scope
from agentmem.errors import AgentMemError, BackendUnavailable, InternalError, InvalidInput, in_tree
from agentmem.interfaces.python.async_memory import AsyncMemory
from agentmem.interfaces.python.blocking import BlockingGraph, Memory
from agentmem.interfaces.python.memory_graph import Graph
from agentmem.memory.forget import Meant
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.app import App
from agentmem.runtime.facade.entrance import told
from tests.architecture.test_access import facets, operations, rule_of
from tests.support import refused
from tests.support.callers import (
    IN_ORDER,
    LEFT_OUT,
    Wrong,
    answer,
    called,
    made_anew,
    members,
    offered,
    parameters,
    some,
    wrong_for,
)
from tests.support.nodes import AGENT, NOON, TENANT, a_turn, an_ending
from tests.support.spine import SCOPE, quick_settings, quiet_persona, spine

NAMES = [name for facet in facets(App) for name, _ in operations(facet) if name not in LEFT_OUT]
MEMORY, GRAPH = (
    [
        name
        for name, each in vars(owner).items()
        if inspect.iscoroutinefunction(each) and hasattr(each, "__wrapped__") and name[0] != "_"
    ]
    for owner in (AsyncMemory, Graph)
)
"""Operations: what takes a program of the caller's own, as `run` does, takes nothing from outside."""
ELSEWHERE = "globex"


def stored(folder: Path) -> tuple[int, int]:
    """How many events and how many changes there are."""
    with closing(sqlite3.connect(folder / "data" / "journal.db")) as journal:
        return tuple(journal.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("events", "ledger"))  # type: ignore[return-value]


async def tried(call: Callable[[], object], wrong: Wrong, where: str) -> bool:
    """Whether the value was refused. Nothing but our own errors may come out, and no fault of ours among them."""
    error = await outcome(call)
    assert error is None or (isinstance(error, AgentMemError) and not isinstance(error, InternalError)), (
        f"{where}, {wrong.name}: {type(error).__name__}: {str(error)[:300]} ({error.__cause__!r:.300})"
    )
    assert error is None or ("\n" not in str(error) and len(str(error)) < 2_000), f"{where}, {wrong.name}: {error}"
    assert error is not None or not wrong.never, f"{where} took {wrong.name}"
    return error is not None


async def outcome(call: Callable[[], object]) -> BaseException | None:
    """How a call fails, None where it does not."""
    try:
        await answer(call())
    except BaseException as error:  # noqa: BLE001 - whatever comes out is what is looked at
        return error
    return None


async def goes_on(app: App) -> None:
    """Every tenant is answered, what was said is read, and the index is what the journal says."""
    for tenant in (TENANT, ELSEWHERE):
        theirs = app.for_principal(Principal.owner(tenant))
        scope = Scope(tenant, AGENT)
        await theirs.know_agent(quiet_persona())
        await theirs.say(AGENT, "Ann", "I live in Oslo.", end=True)
        await theirs.drain()
        found = await theirs.recall(RecallQuery(scope, "Who lives in Oslo?"))
        assert any("Oslo" in hit.memory.content for hit in found.hits), tenant
    assert (await app.index.verify()).ok


async def attempt(owner: object, name: str, operation: Callable[..., Any], folder: Path, longer: int) -> None:
    """Call an operation with each parameter wrong in every way, the others in order."""
    declared = parameters(operation)
    given = offered(name, declared, folder)
    needed = {
        each.name: given[each.name]
        for each in inspect.signature(operation).parameters.values()
        if each.default is each.empty and each.name in declared
    }
    for parameter, hint in declared.items():
        for wrong in some(wrong_for(hint), f"{name}({parameter}", longer):
            arguments = {**needed, parameter: wrong.value}
            before = stored(folder)
            if await tried(lambda: operation(owner, **arguments), wrong, f"{name}({parameter}=…)"):  # noqa: B023 - called at once
                assert stored(folder) == before, f"{name}({parameter}=…) stored something of {wrong.name}"


@pytest.mark.thorough
@pytest.mark.longer
@pytest.mark.parametrize("name", NAMES)
async def test_an_operation_takes_or_refuses_whatever_it_is_given(name: str, tmp_path: Path, longer: int) -> None:
    async with spine(tmp_path) as app:
        await app.accept([a_turn("I live in Oslo."), an_ending()])
        await app.drain()
        owner, operation = called(app)[name]
        await attempt(owner, name, operation, tmp_path, longer)
        await goes_on(app)


@pytest.mark.thorough
@pytest.mark.longer
@pytest.mark.parametrize("name", MEMORY)
async def test_a_memory_takes_or_refuses_whatever_it_is_given(name: str, tmp_path: Path, longer: int) -> None:
    async with AsyncMemory(quick_settings(tmp_path)) as memory:
        await memory.add("I live in Oslo.", user_id="Tom", agent_id=AGENT)
        await attempt(memory, f"Memory.{name}", vars(AsyncMemory)[name], tmp_path, longer)
        await goes_on(memory.app)


@pytest.mark.longer
@pytest.mark.parametrize("name", GRAPH)
async def test_a_graph_takes_or_refuses_whatever_it_is_given(name: str, tmp_path: Path, longer: int) -> None:
    async with AsyncMemory(quick_settings(tmp_path)) as memory:
        await memory.add("I live in Oslo.", user_id="Tom", agent_id=AGENT)
        await attempt(memory.graph, f"Graph.{name}", vars(Graph)[name], tmp_path, longer)
        await goes_on(memory.app)


@pytest.mark.longer
@pytest.mark.parametrize("kind", IN_ORDER)
async def test_a_value_takes_or_refuses_whatever_it_is_made_of(kind: type, longer: int) -> None:
    value = IN_ORDER[kind]()
    for member, hint in members(value).items():
        for wrong in some(wrong_for(hint), f"{kind.__name__}.{member}", longer):
            await tried(lambda: made_anew(value, member, wrong.value), wrong, f"{kind.__name__}.{member}")  # noqa: B023 - called at once


def test_every_way_in_is_an_entrance() -> None:
    """What is added and neither has a rule nor is marked is found here."""
    for facet in facets(App):
        assert [
            name for name, operation in operations(facet) if name not in LEFT_OUT and rule_of(operation) is None
        ] == []
    faces = (AsyncMemory, Graph, Memory, BlockingGraph)
    unmarked = [
        f"{face.__name__}.{name}"
        for face in faces
        for name, member in vars(face).items()
        if inspect.isfunction(member) and not name.startswith("_") and name not in ("run", "open")
        if not getattr(member, "entrance", False)
    ]
    assert unmarked == []


FOUND = [
    {"metadata": {"order": 10**309}},
    {"timestamp": refused.TIMES["after the last"]},
    {"timestamp": "0001-01-01T00:00:00+14:00"},
    {"timestamp": 10**309},
    {"user_id": "\ud800"},
]


@pytest.mark.parametrize("given", FOUND, ids=str)
async def test_what_one_tenant_brings_in_stops_nobody(given: dict[str, object], tmp_path: Path) -> None:
    async with AsyncMemory(quick_settings(tmp_path)) as memory:
        call: dict[str, Any] = {"messages": "I live in Oslo.", "user_id": "Tom", "agent_id": AGENT, **given}
        with pytest.raises(InvalidInput):
            await memory.add(**call)
        await goes_on(memory.app)
        assert await memory.app.index.rebuild(lambda _done, _of: None) > 0
        person = (await memory.app.targets(SCOPE, "Ann"))[0]
        assert (await memory.app.forget(Meant(Scope(TENANT, AGENT, person)), erase=True)).gone
    async with AsyncMemory(quick_settings(tmp_path)) as memory:
        await goes_on(memory.app)


async def test_who_may_only_talk_can_break_nothing_either(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        for name, meta in refused.JSON.items():
            with pytest.raises(InvalidInput):
                a_turn("hello", meta={}).revised(meta=meta)
            bypassed = a_turn("hello", 1, event_id=name).model_copy(update={"meta": meta})
            with pytest.raises(InvalidInput):
                await app.accept([bypassed])
        await goes_on(app)


async def test_whatever_a_name_holds_what_is_told_of_it_is_one_line(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        for name in ("a\nb", "a\r\nb", "a\u2028b"):
            with pytest.raises(AgentMemError) as refusal:
                await app.library.introduced(name)
            assert len(str(refusal.value).splitlines()) == 1


async def test_the_store_is_looked_after_by_a_clock_that_says_its_offset(tmp_path: Path) -> None:
    now = NOON.replace(tzinfo=None)
    async with spine(tmp_path) as app:
        for call in (
            lambda: app.upkeep.problems(capacity=1, now=now, data=tmp_path),
            lambda: app.upkeep.compact(history=timedelta(days=30), now=now),
        ):
            with pytest.raises(InvalidInput, match=r"now: .+ must have a UTC offset"):
                await call()


async def test_a_call_that_cannot_be_bound_is_the_callers_type_error(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        with pytest.raises(TypeError, match="nothing_of_the_kind"):
            await app.say(AGENT, "Tom", "x", nothing_of_the_kind=1)  # pyright: ignore[reportArgumentType, reportCallIssue]


def test_of_errors_that_come_together_our_own_is_told() -> None:
    ours = InvalidInput("ours")
    assert in_tree(ours) is ours
    assert in_tree(BaseExceptionGroup("x", [ValueError("theirs"), ExceptionGroup("y", [ours])])) is ours
    assert "ValueError: theirs" in str(in_tree(ExceptionGroup("x", [ValueError("theirs"), KeyError("k")])))


def test_an_error_of_the_system_is_an_outage_that_names_the_file_and_what_was_wrong() -> None:
    for error, words in (
        (OSError(28, "No space left", "a.db"), "a.db: No space left"),
        (OSError(28, "No space left"), "No space left"),
        (TimeoutError(), "TimeoutError"),
    ):
        outage = in_tree(error)
        assert isinstance(outage, BackendUnavailable)
        assert (str(outage), outage.__cause__) == (words, error)


async def test_a_context_opens_and_closes_with_our_errors_and_what_fails_inside_is_the_callers() -> None:
    fault, own = KeyError("k"), ValueError("the caller's")

    @asynccontextmanager
    async def opened(*, opens: bool = True, closes: bool = True) -> AsyncGenerator[None]:
        if not opens:
            raise fault
        yield
        if not closes:
            raise fault

    for broken in (opened(opens=False), opened(closes=False)):
        with pytest.raises(InternalError, match="KeyError") as refusal:
            async with told(broken):
                pass
        assert refusal.value.__cause__ is fault
    with pytest.raises(ValueError, match="the caller's") as passed_on:
        async with told(opened()):
            raise own
    assert passed_on.value is own
    assert told("an answer") == "an answer"


async def test_what_the_caller_has_to_mend_brings_no_chain_of_causes_and_what_is_his_own_keeps_its() -> None:
    @asynccontextmanager
    async def opened(*, opens: bool = True) -> AsyncGenerator[None]:
        if not opens:
            raise InvalidInput("no such model") from KeyError("inside")
        yield

    with pytest.raises(InvalidInput) as refusal:
        async with told(opened(opens=False)):
            pass
    assert (refusal.value.__cause__, refusal.value.__suppress_context__) == (None, True)
    own = KeyError("the caller's")
    with pytest.raises(InvalidInput) as passed_on:
        async with told(opened()):
            raise InvalidInput("not ours") from own
    assert passed_on.value.__cause__ is own


def test_a_program_that_gives_what_is_wrong_sees_its_own_line_and_the_message(tmp_path: Path) -> None:
    wrong: tuple[Callable[[Memory], object], ...] = (
        lambda memory: memory.add("I live in Oslo.", user_id="Tom", agent_id="no id"),
        lambda memory: memory.search("Oslo", user_id="Tom", filters={"importance": {"zz": 1}}),
        lambda memory: memory.search("Oslo", user_id="Tom", as_of="never"),
        lambda memory: memory.get("nothing"),
        lambda _: Persona(id="no id", name="Ada"),
        lambda _: Memory.from_config({"colour": "blue"}),
    )
    with Memory(quick_settings(tmp_path)) as memory:
        for call in wrong:
            with pytest.raises(AgentMemError) as refusal:
                call(memory)
            shown = "".join(traceback.format_exception(refusal.value))
            assert ("direct cause" in shown, "During handling" in shown) == (False, False), shown
            assert len(shown.splitlines()) < 30, shown
