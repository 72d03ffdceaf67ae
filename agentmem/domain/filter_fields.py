"""Which names a filter may ask for: the fields of a memory by either name, and what a caller keeps in `metaData`."""

from difflib import get_close_matches
from typing import Final

from agentmem import patterns as re
from agentmem.domain.bounds import shown
from agentmem.domain.memory import MemoryNode
from agentmem.errors import InvalidInput

TIMES: Final = frozenset({"validAt", "invalidAt", "createdAt", "expiredAt", "lastAccess"})
"""Fields that are compared as moments, whatever their UTC offset."""

META: Final = "metaData."
"""Before the name of something in `metaData`."""

_METAS: Final = (META, "meta_data.", "metadata.")
"""The ways to write it."""

MAX_NAME: Final = 200
"""Characters of a name in `metaData`."""

_HIDDEN: Final = frozenset(
    {"actionStatus", "evidence", "metaData", "vector", "keyVector", "scoreRecall", "scoreRank", "scoreRerank"}
)
PYTHON_NAMES: Final = {
    info.alias or name: name for name, info in MemoryNode.model_fields.items() if info.alias not in _HIDDEN
}
_WIRE_NAMES: Final = {**{name: wire for wire, name in PYTHON_NAMES.items()}, "user_id": "targetName"}
META_NAME: Final = re.compile(r"[\w-]+( [\w-]+)*")
FIELDS: Final = tuple(sorted(PYTHON_NAMES))
"""What a filter may ask of a memory, by the names that `--json` prints; its Python names are taken as well."""
_NAMES: Final = (*FIELDS, *_WIRE_NAMES)
_FOLDED: Final = {re.sub(r"[\W_]", "", name).casefold(): name for name in reversed(_NAMES)}
_NEAR: Final = 0.9
"""How like a field's name another one is that is a slip of it and no name of a caller's own, as its plural may be."""


def field_of(name: str, path: str) -> str:
    """The field that a name means, else one of the caller's own. Raises `InvalidInput` for a slip of a field's name."""
    if name in PYTHON_NAMES or name in _WIRE_NAMES:
        return _WIRE_NAMES.get(name, name)
    own = in_metadata(name)
    if own is not None:
        return META + own
    near = _FOLDED.get(re.sub(r"[\W_]", "", name).casefold())
    if near is None and len(name) <= MAX_NAME:
        near = next((one for one in get_close_matches(name, _NAMES, 1, _NEAR) if name != f"{one}s"), None)
    if near is not None:
        raise InvalidInput(f"{path}: no field {name!r}, did you mean {near!r}? For your own: {META + name!r}")
    return META + name


def in_metadata(name: str) -> str | None:
    """What stands behind `metaData.`, where that is said."""
    return next((name.removeprefix(start) for start in _METAS if name.startswith(start)), None)


def check_field(field: str) -> None:
    """Names end up in paths of the index, so nothing that could mean more than a name is let in."""
    if field in PYTHON_NAMES:
        return
    name = field.removeprefix(META)
    if name == field:
        raise InvalidInput(f"no field {shown(field)}")
    if not META_NAME.fullmatch(name) or len(name) > MAX_NAME:
        raise InvalidInput(f"a name in metaData has up to {MAX_NAME} letters, digits, _, - and inner blanks")
