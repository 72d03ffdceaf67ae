"""What holds for every test: no network beyond this machine, no wait without an end, no silent gap.

A test marked `external` needs PostgreSQL at `AGENTMEM_TEST_POSTGRES`. Where none answers it is left out, and says so;
with AGENTMEM_REQUIRE_EXTERNAL=1 it fails instead.

Files lie in memory where there is room: thousands of small journals are synced to disk, and what a kill leaves behind
is the same. So does the index; see `support.index_kind`. PostgreSQL waits for no disk either.
"""

import gc
import os
import shutil
import socket
import tempfile
from collections import Counter
from collections.abc import Generator
from contextlib import suppress
from functools import partial
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any

import pytest
from hypothesis import is_hypothesis_test, settings

from tests.support.index_kind import IN_MEMORY, VARIABLE
from tests.support.postgres import unreachable

MEMORY = Path("/dev/shm")
ROOM = 4 << 30
"""Bytes that must be free there."""

EXAMPLES = 25
"""Of a property test, where it does not name fewer and nothing longer is asked for."""

GARBAGE = 20_000
"""Objects made between two looks for garbage: it took a twentieth of the time with Python's 700."""

SWEPT = 5
"""Cases of a sweep to one that `make test` tries."""

LOCAL = ("127.0.0.1", "::1", "localhost", "")


class NetworkBlocked(Exception):
    """A test reached out of this machine. No `OSError`, so that nobody takes it for an outage."""


def pytest_configure() -> None:
    """Put temporary files and the index into memory, unless somebody chose a place."""
    os.environ.setdefault(VARIABLE, IN_MEMORY.kind)
    os.environ.setdefault("PGOPTIONS", "-c synchronous_commit=off")
    with suppress(OSError):
        if shutil.disk_usage(MEMORY).free >= ROOM:
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
            if "TMPDIR" not in os.environ:
                os.environ["TMPDIR"] = tempfile.tempdir = tempfile.mkdtemp(prefix="agentmem-tests-", dir=MEMORY)
                remove = partial(shutil.rmtree, tempfile.tempdir, ignore_errors=True)
                Finalize(None, remove, exitpriority=-1_000)  # after multiprocessing, which has a folder in it


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Ten thousand tests and what they import live until the end: nothing looks through them for garbage."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(GARBAGE)
        gc.enable()


def pytest_unconfigure() -> None:
    """At the end pytest looks five times for garbage that tells of a fault: what lives is not looked through again."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: some tests wait, for a server, a lock or a time limit."""
    return (os.cpu_count() or 1) + 1


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--longer 15`: property tests look for 15 times as many examples as they name, as `make soak` has them do."""
    parser.addoption("--longer", type=int, default=1, help="multiply the examples that each property test names")


@pytest.hookimpl(tryfirst=True)  # before markers choose
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave of each sweep what `make test` tries, and give each property test its examples."""
    _part_sweeps(items)
    _give_examples(config, items)


def _part_sweeps(items: list[pytest.Item]) -> None:
    """Of the cases of a sweep every fifth is for `make test`; five has no factor with what tests are crossed with."""
    cases = Counter[object]()
    for item in items:
        if item.get_closest_marker("sweep") is not None:
            test = getattr(item, "function", None)
            if cases[test] % SWEPT:
                item.add_marker("thorough")
            cases[test] += 1


def _give_examples(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A few of the number that each property test names, or a multiple of it."""
    times = int(config.getoption("--longer") or 1)
    given = set[int]()
    for item in items:
        test: Any = getattr(item, "function", None)
        if is_hypothesis_test(test) and id(test) not in given:  # parameters share one function
            given.add(id(test))
            own: settings = getattr(test, "_hypothesis_internal_use_settings", None) or settings()
            few = settings(own, max_examples=min(own.max_examples, EXAMPLES))
            many = settings(own, max_examples=own.max_examples * times, derandomize=False)
            setattr(test, "_hypothesis_internal_use_settings", few if times == 1 else many)  # noqa: B010 - no public way


@pytest.fixture
def longer(pytestconfig: pytest.Config) -> int:
    """How many times as much a test is to try."""
    return int(pytestconfig.getoption("--longer") or 1)


@pytest.fixture
def embedded_index(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stores are opened with the embedded index, as where nothing is configured."""
    monkeypatch.delenv(VARIABLE)


@pytest.fixture(scope="module")
def embedded_index_throughout() -> Generator[None]:
    """The same for a whole module and what it makes once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(VARIABLE)
        yield


def _local(address: Any) -> bool:
    """Whether an address is a path of this machine, or a port of it."""
    return not isinstance(address, tuple) or address[0] in LOCAL


@pytest.fixture(autouse=True, scope="session")
def _no_network() -> Generator[None]:
    """Refuse connections to other machines, and names that would have to be looked up."""
    connect, connect_ex, resolve = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo

    def guarded(self: socket.socket, address: Any) -> None:
        if not _local(address):
            raise NetworkBlocked(f"a test connects to {address}")
        connect(self, address)

    def guarded_ex(self: socket.socket, address: Any) -> int:
        if not _local(address):
            raise NetworkBlocked(f"a test connects to {address}")
        return connect_ex(self, address)

    def guarded_resolve(host: Any, *args: Any, **options: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        if name is not None and name not in LOCAL:
            raise NetworkBlocked(f"a test looks up {name}")
        return resolve(host, *args, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded)
        patch.setattr(socket.socket, "connect_ex", guarded_ex)
        patch.setattr(socket, "getaddrinfo", guarded_resolve)
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out what needs a server that is not there, or fail where it was promised to be there."""
    if item.get_closest_marker("external") is None:
        return
    reason = unreachable()
    if reason is None:
        return
    if os.environ.get("AGENTMEM_REQUIRE_EXTERNAL") == "1":
        pytest.fail(f"AGENTMEM_REQUIRE_EXTERNAL=1, but {reason}", pytrace=False)
    pytest.skip(f"left out: {reason}")
