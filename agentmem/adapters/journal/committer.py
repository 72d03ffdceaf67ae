"""The one thread that writes: all callers that wait share a transaction and its fsync (group commit).

A caller's work runs in a savepoint of its own, so its failure harms nobody else; work that can be done for many at
once (`together`) is. Nobody is answered before the commit; everybody is answered after it, whatever happened.
"""

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError

from agentmem.adapters.journal.dialect import closed, translated, worth_repeating
from agentmem.adapters.journal.transactions import Unit, WriteAheadLog
from agentmem.errors import Busy

T = TypeVar("T")
P = TypeVar("P")

MAX_GROUP = 512
"""Callers per transaction: enough to hide the fsync, few enough to keep the write lock short."""
_TRIES = 5

Together = Callable[[Unit, Sequence[P]], Sequence[T | Exception]]
"""Work for many callers at once: one answer each, an exception being that caller's own."""


@dataclass(eq=False, slots=True)
class _Request:
    step: str
    numbered: bool
    work: Callable[[Unit, Any], Any] | Together[Any, Any]
    item: Any
    together: bool
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    outcome: Any = None


@dataclass(slots=True)
class _Group:
    """Requests that stand and fall together."""

    requests: list[_Request] = field(default_factory=list[_Request])


class Committer:
    """Started once, closed once. `on_commit` hears `before:STEP` and `after:STEP` around each commit."""

    def __init__(
        self,
        engine: Engine,
        store: str,
        *,
        limit: int,
        on_commit: Callable[[str], None] | None,
        on_queued: Callable[[], None],
        log: WriteAheadLog | None = None,
    ) -> None:
        self._engine, self._store = engine, store
        self._limit, self._on_commit, self._on_queued = limit, on_commit, on_queued
        self._log = log
        self._waiting: SimpleQueue[_Request | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name="agentmem-journal", daemon=True)
        self._conn: Connection | None = None
        self._committing = False
        self._closed = True

    def start(self) -> None:
        """Begin to serve."""
        self._closed = False
        self._thread.start()

    async def close(self) -> None:
        """Write what waits, then stop."""
        if not self._closed:
            self._closed = True
            self._waiting.put(None)
            await asyncio.to_thread(self._thread.join)

    def submit(self, step: str, work: Callable[[Unit], T], *, numbered: bool = True) -> Awaitable[T]:
        """Run `work` in the next transaction; the answer comes after its commit."""

        def alone(unit: Unit, _item: None) -> T:
            return work(unit)

        return cast(Awaitable[T], self._put(step, alone, None, together=False, numbered=numbered))

    def submit_together(self, step: str, work: Together[P, T], item: P) -> Awaitable[T]:
        """The same for work that is done at once for all that wait. Raises `Busy` when too many do."""
        if self._waiting.qsize() >= self._limit:
            raise Busy(f"{self._limit} callers wait for the journal: try again", retry_after=0.1)
        return cast(Awaitable[T], self._put(step, work, item, together=True, numbered=True))

    def _put(self, step: str, work: Any, item: object, *, together: bool, numbered: bool) -> asyncio.Future[Any]:
        if self._closed:
            raise closed(self._store)
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        self._waiting.put(_Request(step, numbered, work, item, together, loop, future))
        return future

    def _serve(self) -> None:
        closing = False
        try:
            while not closing:
                requests, closing = self._take()
                if requests:
                    queued = self._write(requests)
                    self._answer(requests, queued=queued)
                if self._log is not None and self._conn is not None:
                    self._log.trim(self._conn)
        finally:
            self._closed = True
            self._disconnect()
            self._refuse_the_rest()

    def _take(self) -> tuple[list[_Request], bool]:
        first = self._waiting.get()
        requests: list[_Request] = []
        while first is not None:
            if not first.future.cancelled():
                requests.append(first)
            if len(requests) >= MAX_GROUP:
                return requests, False
            try:
                first = self._waiting.get_nowait()
            except Empty:
                return requests, False
        return requests, True

    def _write(self, requests: list[_Request]) -> bool:
        for tried in range(1, _TRIES + 1):
            try:
                return self._transact(requests)
            except SQLAlchemyError as error:
                self._disconnect()
                if tried < _TRIES and (worth_repeating(error) or self._was_closed_meanwhile(error)):
                    continue
                failure = translated(error, self._store)
                failure.__cause__ = error
            except BaseException as error:  # noqa: BLE001 - the thread must live on; the callers get the error
                self._disconnect()
                failure = error
            for request in requests:
                request.outcome = failure
            break
        return False

    def _was_closed_meanwhile(self, error: SQLAlchemyError) -> bool:
        """Whether the connection turned out to be closed, as servers do that have waited for long, before anything was
        asked to be committed: nothing was written, and another connection may well serve."""
        return isinstance(error, DBAPIError) and error.connection_invalidated and not self._committing

    def _transact(self, requests: list[_Request]) -> bool:
        self._committing = False
        conn = self._conn = self._conn or self._engine.connect()
        groups = _grouped(requests)
        steps = sorted({request.step for request in requests})
        with conn.begin() as transaction:
            unit = Unit(conn, numbered=any(request.numbered for request in requests))
            if len(requests) > 1:
                for group in groups:
                    self._attempt_apart(unit, group)
            elif not self._attempt(unit, groups[0]):
                transaction.rollback()
                return False
            unit.save()
            self._tell("before", steps)
            self._committing = True
            transaction.commit()
            self._tell("after", steps)
        return unit.queued

    def _attempt_apart(self, unit: Unit, group: _Group) -> None:
        numbers = unit.remember()
        savepoint = unit.conn.begin_nested()
        if self._attempt(unit, group):
            savepoint.commit()
            return
        savepoint.rollback()
        unit.restore(numbers)
        if len(group.requests) > 1:
            for request in group.requests:
                self._attempt_apart(unit, _Group([request]))

    def _attempt(self, unit: Unit, group: _Group) -> bool:
        """Do a group's work. False: it failed, and whatever it wrote must be taken back."""
        first = group.requests[0]
        try:
            if first.together:
                outcomes = first.work(unit, [request.item for request in group.requests])
            else:
                outcomes = [first.work(unit, first.item)]
        except (DataError, IntegrityError) as error:
            failure: BaseException = translated(error, self._store)
            failure.__cause__ = error
        except SQLAlchemyError:
            raise
        except BaseException as error:  # noqa: BLE001 - it is the caller's own, and is raised there
            failure = error
        else:
            for request, outcome in zip(group.requests, outcomes, strict=True):
                request.outcome = outcome
            return True
        for request in group.requests:
            request.outcome = failure
        return False

    def _answer(self, requests: list[_Request], *, queued: bool) -> None:
        for loop in {request.loop for request in requests}:
            mine = [request for request in requests if request.loop is loop]
            with contextlib.suppress(RuntimeError):  # the caller's loop is closed: nobody waits any more
                loop.call_soon_threadsafe(self._resolve, mine, queued)

    def _resolve(self, requests: list[_Request], queued: bool) -> None:
        for request in requests:
            if request.future.cancelled():
                continue
            if isinstance(request.outcome, BaseException):
                request.future.set_exception(request.outcome)
            else:
                request.future.set_result(request.outcome)
        if queued:
            self._on_queued()

    def _tell(self, moment: str, steps: Sequence[str]) -> None:
        if self._on_commit is not None:
            for step in steps:
                self._on_commit(f"{moment}:{step}")

    def _disconnect(self) -> None:
        conn, self._conn = self._conn, None
        if conn is not None:
            with contextlib.suppress(SQLAlchemyError):
                conn.invalidate()
                conn.close()

    def _refuse_the_rest(self) -> None:
        rest: list[_Request] = []
        with contextlib.suppress(Empty):
            while True:
                request = self._waiting.get_nowait()
                if request is not None:
                    request.outcome = closed(self._store)
                    rest.append(request)
        self._answer(rest, queued=False)


def _grouped(requests: list[_Request]) -> list[_Group]:
    """Requests for the same joint work in one group, every other one in its own; joint work first."""
    joint: dict[object, _Group] = {}
    single: list[_Group] = []
    for request in requests:
        if request.together:
            joint.setdefault(request.work, _Group()).requests.append(request)
        else:
            single.append(_Group([request]))
    return [*joint.values(), *single]
