"""Every error agentmem raises, split by what the caller can do about it.

AgentMemError
├── InvalidInput            fix the input
├── NotFound                ask for something else; also said of what is forbidden
├── Conflict                read again and retry: somebody else changed it first
│   └── LeaseLost           stop: another worker owns this lane now
├── BadAnswer               the model's answer failed its checks; nothing was changed
├── BackendUnavailable      retry later
│   ├── Busy                the queue is full; `retry_after` seconds
│   ├── NoRoom              the disk is nearly full: free space
│   └── HeldElsewhere       another process holds the store
├── NeedsRepair             run the command that the message names; waiting does not help
│   ├── IndexBroken         the index cannot be read; the journal can fill it anew
│   └── EmbedderChanged     the index was built with another embedder
└── InternalError           report it: a fault of agentmem itself, told with its cause
"""


class AgentMemError(Exception):
    """Base of every error raised on purpose by agentmem."""


class InvalidInput(AgentMemError):
    """The input is wrong. The message is one line: file, line, key, what is wrong, what is allowed."""


class NotFound(AgentMemError):
    """There is no such thing in the caller's scope."""


class Conflict(AgentMemError):
    """Something else changed the same memory first; nothing was written."""


class LeaseLost(Conflict):
    """The lane was taken over by another worker; nothing was written."""


class BadAnswer(AgentMemError):
    """A model answered, and the answer failed the checks. Nothing was changed."""


class BackendUnavailable(AgentMemError):
    """A store or a service does not answer. `retry_after` is in seconds, or None where unknown."""

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Busy(BackendUnavailable):
    """The queue is at its limit; nothing was accepted. Try again after `retry_after` seconds."""


class NoRoom(BackendUnavailable):
    """The disk of the index is nearly full. What writes the index goes on by itself once there is room."""


class HeldElsewhere(BackendUnavailable):
    """Another process holds this store."""


class NeedsRepair(AgentMemError):
    """A store is not as it must be. Trying again does not help; the message names what does."""


class IndexBroken(NeedsRepair):
    """The index on disk cannot be opened; nothing is lost, it can be rebuilt from the journal."""


class EmbedderChanged(NeedsRepair):
    """The vectors in the index were made by another embedder than the one configured."""


class InternalError(AgentMemError):
    """A fault of agentmem itself, and not of what it was given. `__cause__` is what nobody foresaw."""
