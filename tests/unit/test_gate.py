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
