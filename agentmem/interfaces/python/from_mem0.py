"""What those write who come from Mem0 and is written otherwise here, and what is no word at all: told in one line."""

import inspect
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any, Final

from agentmem.domain.bounds import check_argument
from agentmem.errors import InvalidInput
from agentmem.runtime.configuration.settings import Settings

_LEFT_OUT: Final = "leave it out, there is no such thing here"
_WORDS: Final[Mapping[str, str]] = {
    "k": "write limit=",
    "page": "write cursor=, the `next` of the page before",
    "page_size": "write limit=",
    "data": "write text=",
    "new_text": "write text=",
    "user": "write user_id=",
    "agent": "write agent_id=",
    "app_id": "write agent_id=",
    "session_id": "write run_id=",
    "thread_id": "write run_id=",
    "async_mode": "write wait=False",
    "categories": "write metadata= to keep them and filters= to ask for them",
    "memory_type": "leave it out to add, write layers= to search and to list",
    "prompt": "leave it out: what is kept is decided by the rules or the model of the settings",
    "custom_instructions": "leave it out: what is kept is decided by the rules or the model of the settings",
    "enable_graph": "leave it out: `memory.graph` is always there",
    "keyword_search": "leave it out: words and meaning are always searched both",
    "expiration_date": "leave it out and forget it when the time has come, or set `keep` in the persona",
    "immutable": _LEFT_OUT,
    "includes": _LEFT_OUT,
    "excludes": _LEFT_OUT,
    "output_format": _LEFT_OUT,
    "version": _LEFT_OUT,
    "org_id": "write tenant= in the settings",
    "project_id": "write tenant= in the settings",
}
_SECTIONS: Final[Mapping[str, str]] = {
    "llm": 'write {"cognition": {"engine": "llm", "model": "openai:gpt-5-mini"}}',
    "vector_store": 'write {"index": {"kind": "qdrant", "url": "http://localhost:6333"}}, or leave it out',
    "embedder": 'write {"embedder": "fastembed:MODEL"} or {"embedder": "openai:MODEL"}, or leave it out',
    "reranker": 'write {"recall": {"reranker": "mmr"}}',
    "graph_store": "leave it out: `memory.graph` needs no store of its own",
    "history_db_path": 'write {"data": "FOLDER"}',
    "custom_instructions": "leave it out, or say it in the agent's persona",
    "custom_fact_extraction_prompt": "leave it out, or say it in the agent's persona",
    "custom_update_memory_prompt": "leave it out",
    "version": "leave it out",
}


def check_words(method: Callable[..., Any], given: Mapping[str, object]) -> None:
    """Raise `InvalidInput` for a keyword that the method does not take: of Mem0's, with what to write; of any other,
    with those there are."""
    taken = list(inspect.signature(method).parameters)[1:]
    for name in given:
        if name not in taken:
            near = get_close_matches(name, taken, 1)
            told = f"did you mean {near[0]}=? " if near else ""
            allowed = _WORDS.get(name) or f"{told}allowed: {', '.join(taken)}"
            raise InvalidInput(f"{method.__name__}({name}=): {allowed}")


def settings_of(config: Mapping[str, Any]) -> Settings:
    """The settings of a mapping in the form of `config.yaml`. Raises `InvalidInput`."""
    check_argument("config", config, Mapping[str, object])
    for name in config.keys() & _SECTIONS.keys() - ({"embedder"} if isinstance(config.get("embedder"), str) else set()):
        raise InvalidInput(f"from_config: {name}: {_SECTIONS[name]}")
    return Settings(**config)
