"""Every error agentmem raises, split by what the caller can do about it, and whether trying the same again helps.

AgentMemError               try again?   what to do
├── InvalidInput            never        fix the input
│   ├── AlreadyThere        never        name another place, or say that what is there may go
│   └── Unreadable          never        a stored row: run a version that reads it, or drop it
├── NotFound                never        ask for something else; also said of what is forbidden
├── Conflict                after a look somebody else changed it first: read it anew, then decide
│   └── LeaseLost           never        another worker owns this lane now and does the work: stop
├── BadAnswer               once or twice a model's answer failed its checks and nothing was changed; another may pass
├── BackendUnavailable      later        wait `retry_after` seconds; where that is None, have somebody look first
│   ├── Unreachable         later        nothing answers at a service's address: start it, or mend the address
│   ├── Busy                later        a queue is full, or another turn is under way: wait `retry_after` seconds
│   ├── NoRoom              by itself    free space on the disk; the index goes on once there is some
│   └── HeldElsewhere       later        another process holds the store: stop it, or read through it
├── NeedsRepair             never        run the command that the message names; waiting does not help
│   ├── JournalDamaged      never        put a backup back
│   ├── IndexBroken         never        open the store anew, which fills the index from the journal; nothing is lost
│   └── EmbedderChanged     never        embed anew, or configure the embedder the index was built with
└── InternalError           never        report it: a fault of agentmem itself, told with its cause
"""

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Literal, cast

PUT_BACK = "put a backup back with `agentmem restore FILE --force`"
"""What is to be done about a damaged journal."""

_OUTAGE = "a store of this server does not answer; its log says more"

NO_MEMORY = "there is not enough memory for this: try again with less, or allow this process more (`ulimit -v`)"
_WANT_OF_MEMORY = ("failed to map segment", "annot allocate memory", "can't start new thread")

MAX_MESSAGE = 1_000
"""Characters of a message: what it shows of a value may be as long as somebody likes."""


MAX_WAIT = 3_600.0
"""Seconds after which a service is asked again, however long a wait it asks for."""

Lack = Literal["agent", "chat model"]
"""What is not there, and can be had in a way that depends on where it is asked for."""


class AgentMemError(Exception):
    """Base of every error raised on purpose by agentmem. A message is one line, whatever names it repeats, and loses
    its middle where it is too long. One that is `of_the_machine` may name files and hosts of the machine it was raised
    on, and is for whoever runs that. `lacks` says what is not there, `way` how whoever is on this machine gets it;
    others are told theirs by `told_from_outside`.
    """

    of_the_machine: bool = False

    def __init__(self, *told: object, lacks: Lack | None = None, way: str = "") -> None:
        super().__init__(*(_shortened(_on_one_line(one)) if isinstance(one, str) else one for one in told))
        self.lacks: Lack | None = lacks
        self.way = _on_one_line(way)

    def __str__(self) -> str:
        return f"{super().__str__()}; {self.way}" if self.way else super().__str__()


def wait_asked(seconds: float | None) -> float | None:
    """How long to wait for a service that asks for so many seconds: one wrong answer of it stops nothing for years."""
    return None if seconds is None else min(max(seconds, 0.0), MAX_WAIT)


def _on_one_line(message: str) -> str:
    return " ".join(message.splitlines())


def _shortened(message: str) -> str:
    half = MAX_MESSAGE // 2
    return message if len(message) <= MAX_MESSAGE else f"{message[: half - 3]} ... {message[2 - half :]}"


class InvalidInput(AgentMemError):
    """The input is wrong. The message is one line: file, line, key, what is wrong, what is allowed."""


class AlreadyThere(InvalidInput):
    """Where something is to be written stands something else; nothing was written."""


class NotFound(AgentMemError):
    """There is no such thing in the caller's scope."""


class Conflict(AgentMemError):
    """Something else changed the same memory first; nothing was written."""


class LeaseLost(Conflict):
    """The lane was taken over by another worker; nothing was written."""


class BadAnswer(AgentMemError):
    """A model answered, and the answer failed the checks. Nothing was changed."""


class BackendUnavailable(AgentMemError):
    """A store or a service does not answer. `retry_after` is in seconds, or None where unknown. Whoever raises it for
    a store or for files says that it is `of_the_machine`."""

    def __init__(self, message: str, *, retry_after: float | None = None, of_the_machine: bool = False) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.of_the_machine |= of_the_machine


class Unreachable(BackendUnavailable):
    """Nothing answers where a service should be: it was not started, or its address is wrong. Nothing was sent."""


class Busy(BackendUnavailable):
    """The queue is at its limit; nothing was accepted. Try again after `retry_after` seconds."""


class NoRoom(BackendUnavailable):
    """The disk of the index is nearly full. What writes the index goes on by itself once there is room."""

    of_the_machine = True


class HeldElsewhere(BackendUnavailable):
    """Another process holds this store."""

    of_the_machine = True


class NeedsRepair(AgentMemError):
    """A store is not as it must be. Trying again does not help; the message names what does."""

    of_the_machine = True


class JournalDamaged(NeedsRepair):
    """The journal cannot be read as it was written, or is none. What a backup holds can be put in its place."""


class IndexBroken(NeedsRepair):
    """The index on disk cannot be opened; nothing is lost, it can be rebuilt from the journal."""


class EmbedderChanged(NeedsRepair):
    """The vectors in the index were made by another embedder than the one configured."""


class InternalError(AgentMemError):
    """A fault of agentmem itself, and not of what it was given. `__cause__` is what nobody foresaw."""


class Unreadable(InvalidInput):
    """A row that is stored cannot be read by this version. It is set aside until another one can; nothing is lost."""


def lies_in_the_input(error: BaseException) -> bool:
    """Whether work failed because of what was worked on, so that work on all else may go on. Not so: an outage, a store
    that needs repair, a race that was lost, the end of the task or of the program. A panic of Rust code, whose class
    derives from none of ours and not from `Exception` either, is so; and so are a recursion too deep and memory asked
    for that is not there."""
    if isinstance(error, BackendUnavailable | NeedsRepair | Conflict):
        return False
    return isinstance(error, Exception) or is_panic(error)


@contextmanager
def input_faults(told: Callable[[BaseException], str] | None = None) -> Generator[None]:
    """What fails inside because of what is worked on comes out as `Unreadable`, and so is caught by that name; all else
    comes out as it is. Its reason is what is `told` of the first error, which is its cause: `without_content` where
    nothing is named."""
    try:
        yield
    except BaseException as error:  # a panic of Rust code derives from nothing narrower
        if not lies_in_the_input(error):
            raise
        raise Unreadable((told or without_content)(error)) from error


def is_panic(error: BaseException) -> bool:
    """Whether Rust code panicked. The class cannot be imported."""
    return (type(error).__module__, type(error).__name__) == ("pyo3_runtime", "PanicException")


def is_want_of_memory(error: BaseException) -> bool:
    """Whether something could not be done, loaded or begun because this process may have no more memory."""
    told = str(error)
    return isinstance(error, MemoryError) or any(sign in told for sign in _WANT_OF_MEMORY)


def in_tree(error: BaseException) -> AgentMemError:
    """What a caller is told instead of an error that is not one of ours."""
    if isinstance(error, AgentMemError):
        return error
    if isinstance(error, BaseExceptionGroup):
        return in_tree(_leading(cast("BaseExceptionGroup[BaseException]", error)))
    if is_want_of_memory(error):
        return BackendUnavailable(NO_MEMORY)
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename is not None else ""
        outage = BackendUnavailable(f"{where}{error.strerror or type(error).__name__}", of_the_machine=True)
        outage.__cause__ = error
        return outage
    first = (str(error).strip().splitlines() or [""])[0]
    return InternalError(f"a fault of agentmem, please report it: {type(error).__name__}: {first[:200]}")


def _leading(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first of our own errors in a group, else the first."""
    all_of_them = list(_flat(group))
    return next((error for error in all_of_them if isinstance(error, AgentMemError)), all_of_them[0])


def _flat(group: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from _flat(cast("BaseExceptionGroup[BaseException]", error))
        else:
            yield error


def told_from_outside(error: AgentMemError, ways: Mapping[Lack, str]) -> str:
    """What somebody is told of an error who is not on this machine; `ways` are those to what is not there."""
    if error.of_the_machine:
        return _OUTAGE
    told, way = Exception.__str__(error), ways.get(error.lacks) if error.lacks else None
    return f"{told}; {way}" if way else told


def without_content(error: BaseException) -> str:
    """What went wrong and in which function, without the words of the error: they may repeat what was worked on."""
    if isinstance(error, Unreadable):
        return str(error)
    place = error.__traceback__
    while place is not None and place.tb_next is not None and _is_ours(place.tb_next):
        place = place.tb_next
    name = type(error).__name__
    told = name if place is None else f"{name} in {place.tb_frame.f_code.co_qualname}"
    return told if error.__cause__ is None else f"{told}, from {_kind(error.__cause__)}"


def _kind(error: BaseException) -> str:
    """What an error is: its class, and its number or the status of a service where it has one."""
    numbers = (getattr(error, name, None) for name in ("errno", "status_code", "sqlite_errorcode"))
    number = next((each for each in numbers if isinstance(each, int)), None)
    return type(error).__name__ if number is None else f"{type(error).__name__} {number}"


def _is_ours(place: TracebackType) -> bool:
    return str(place.tb_frame.f_globals.get("__name__", "")).startswith("agentmem")
