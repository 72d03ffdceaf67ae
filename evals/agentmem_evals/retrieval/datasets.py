"""The formats retrieval data may have, and the one place that picks the reader."""

from collections.abc import Callable, Mapping
from pathlib import Path

from agentmem_evals.retrieval.dataset import Conversation
from agentmem_evals.retrieval.jsonl import read_jsonl
from agentmem_evals.retrieval.locomo import read_locomo
from agentmem_evals.retrieval.madial import read_madial

READERS: Mapping[str, Callable[[Path], list[Conversation]]] = {
    "locomo": read_locomo,
    "madial": read_madial,
    "jsonl": read_jsonl,
}


def read_dataset(path: Path, form: str | None = None) -> list[Conversation]:
    """The conversations at `path`. Without `form`: a folder is madial, a file ending in .jsonl is jsonl, any other
    locomo. Raises `InvalidInput`, one line with file, line and key."""
    return READERS[form or _form(path)](path)


def _form(path: Path) -> str:
    if path.is_dir():
        return "madial"
    return "jsonl" if path.suffix == ".jsonl" else "locomo"
