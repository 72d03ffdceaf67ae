"""Many at a time, or one alone."""

import asyncio

from agentmem.runtime.host.gate import Gate


async def test_who_is_alone_begins_when_the_others_left_and_nobody_enters_meanwhile() -> None:
    gate, order = Gate(), list[str]()
    inside, leave, done = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def ordinary(name: str) -> None:
        async with gate.among_others():
            order.append(f"{name} in")
            inside.set()
            await leave.wait()
            order.append(f"{name} out")

    async def suspect() -> None:
        async with gate.among_others(), gate.alone() as granted:
            assert granted
            order.append("alone")
            await done.wait()
            order.append("not alone")

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(ordinary("a"))
        await inside.wait()
        tasks.create_task(suspect())
        await asyncio.sleep(0)
        tasks.create_task(ordinary("b"))
        await asyncio.sleep(0)
        assert order == ["a in"]
        leave.set()
        for _ in range(5):
            await asyncio.sleep(0)
        assert order == ["a in", "a out", "alone"]
        done.set()
    assert order == ["a in", "a out", "alone", "not alone", "b in", "b out"]


async def test_two_cannot_both_be_alone() -> None:
    gate = Gate()
    async with gate.among_others(), gate.alone() as first, gate.alone() as second:
        assert (first, second) == (True, False)
    async with gate.among_others(), gate.alone() as again:
        assert again


async def test_who_takes_long_keeps_nobody_out_however_often_somebody_wants_to_be_alone() -> None:
    gate, never, entered = Gate(patience=0.01), asyncio.Event(), list[str]()

    async def slow() -> None:
        async with gate.among_others():
            await never.wait()

    async def suspect(name: str) -> None:
        async with gate.among_others(), gate.alone() as granted:
            assert granted
            entered.append(name)
            await never.wait()

    async def others(name: str) -> None:
        async with gate.among_others():
            entered.append(name)

    async with asyncio.TaskGroup() as tasks, asyncio.timeout(10):
        for number in range(3):
            before = [tasks.create_task(slow()), tasks.create_task(suspect(f"suspect {number}"))]
            await asyncio.sleep(0)
            await others(f"ordinary {number}")
            assert not any(task.done() for task in before)
        never.set()
    assert entered == [f"{kind} {number}" for number in range(3) for kind in ("suspect", "ordinary")]


async def test_after_his_time_somebody_else_may_be_alone() -> None:
    gate, leave, alone, order = Gate(patience=0.01), asyncio.Event(), asyncio.Event(), list[str]()

    async def first() -> None:
        async with gate.among_others(), gate.alone() as granted:
            assert granted
            await leave.wait()
        order.append("first is gone")

    async def second() -> None:
        async with gate.among_others(), gate.alone() as granted:
            assert granted
            alone.set()
        order.append("second is gone")

    async with asyncio.TaskGroup() as tasks, asyncio.timeout(10):
        tasks.create_task(first())
        await asyncio.sleep(0)
        tasks.create_task(second())
        await alone.wait()
        leave.set()
    assert order == ["second is gone", "first is gone"]
