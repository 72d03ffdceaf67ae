"""Ctrl-C and SIGTERM reach the action that runs."""

import asyncio
import os
import signal

from agentmem.interfaces.cli.interruption import Signals
from agentmem.interfaces.cli.output import Answer


async def test_a_signal_that_came_while_the_library_was_loading_is_not_lost() -> None:
    """It comes before the event loop looks, and is then left to the system, which must not forget it."""
    stop, task, signals = asyncio.Event(), asyncio.get_running_loop().create_future(), Signals()
    before = signal.getsignal(signal.SIGTERM)
    signals.tell(stop, task, gently=True)
    try:
        os.kill(os.getpid(), signal.SIGTERM)
        signals.leave_to_the_system()
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
        await asyncio.wait_for(stop.wait(), 5)
    finally:
        signals.restore()
    assert signal.getsignal(signal.SIGTERM) is before
    assert signals.received == [signal.SIGTERM]


async def test_a_second_one_cancels_and_what_cannot_stop_is_cancelled_at_once() -> None:
    for gently, needed in ((True, 2), (False, 1)):
        stop, signals = asyncio.Event(), Signals()
        task: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        signals.tell(stop, task, gently=gently)
        try:
            for number in range(needed):
                assert not task.cancelled(), number
                os.kill(os.getpid(), signal.SIGINT)
                await asyncio.sleep(0.01)
        finally:
            signals.restore()
        assert task.cancelled()
