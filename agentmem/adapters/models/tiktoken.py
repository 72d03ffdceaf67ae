"""Exact counts for OpenAI's models, where their vocabulary is on this machine already.

tiktoken is installed without vocabularies: it fetches one when it is first asked for it, and again when the file on
disk is not the right one. Nobody who recalls shall wait for that, so it is asked only where the right file was found in
the folder that TIKTOKEN_CACHE_DIR names, from where it reads it.
"""

import hashlib
import os
from functools import lru_cache
from pathlib import Path
from typing import Final

import tiktoken

from agentmem.ports.models import TokenCounter

_PROVIDERS: Final = ("openai", "openai-chat", "openai-responses")
_VOCABULARIES: Final = {
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
}
"""SHA-256 of each vocabulary's file, as tiktoken demands it."""

_URL: Final = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"
"""tiktoken calls the file by the SHA-1 of where it comes from."""


@lru_cache(maxsize=16)
def tiktoken_counter(model: str) -> TokenCounter | None:
    """The counter of a model by its pydantic-ai name; None where the model or its vocabulary is not known here."""
    provider, _, name = model.partition(":")
    folder = os.environ.get("TIKTOKEN_CACHE_DIR")
    if provider not in _PROVIDERS or not folder:
        return None
    try:
        vocabulary = tiktoken.encoding_name_for_model(name)
    except KeyError:
        return None
    if not _is_there(Path(folder), vocabulary):
        return None
    encoding = tiktoken.get_encoding(vocabulary)
    return lambda text: len(encoding.encode_ordinary(text))


def _is_there(folder: Path, vocabulary: str) -> bool:
    file = folder / hashlib.sha1(_URL.format(vocabulary).encode(), usedforsecurity=False).hexdigest()
    try:
        found = hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        return False
    return found == _VOCABULARIES.get(vocabulary)
