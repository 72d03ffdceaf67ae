"""Where on Qdrant servers, or in folders of the client's own store, this store has ever had an index: an embedder that
is no longer used leaves its collection behind, and an erasure has to reach all of them.

A place is noted before anything is written there, and struck off when it was thrown away.
"""

from pydantic import TypeAdapter

from agentmem.domain.ids import Name
from agentmem.domain.value import Value
from agentmem.ports.ledger import Marks
from agentmem.ports.memory_index import Dropping, MemoryIndex
from agentmem.runtime.composition import wiring
from agentmem.runtime.configuration.settings import QdrantIndexSettings, Settings

_KNOWN = "index.places"


class IndexPlace(Value):
    """A collection on the server at `server`, or in the folder of that name."""

    server: Name
    collection: Name

    @property
    def name(self) -> str:
        """As a receipt names it."""
        return f"{self.collection} at {self.server}"


_PLACES = TypeAdapter(tuple[IndexPlace, ...])


def place_of(settings: Settings, fingerprint: str) -> IndexPlace | None:
    """Where the configured index is; None for an embedded one, whose folders are found in the data directory."""
    if not isinstance(settings.index, QdrantIndexSettings):
        return None
    chosen = settings.index
    server = chosen.url or str((chosen.path or settings.data).absolute())
    return IndexPlace(server=server, collection=wiring.collection_of(chosen, fingerprint))


async def note_place(marks: Marks, settings: Settings, fingerprint: str) -> None:
    """Note where the configured index is going to be."""
    place, known = place_of(settings, fingerprint), await _known(marks)
    if place is not None and place not in known:
        await _keep(marks, (*known, place))


async def discard_left(marks: Marks, settings: Settings, index: MemoryIndex, fingerprint: str) -> tuple[str, ...]:
    """Throw away every collection but the one in use; the names of those that went. Raises `BackendUnavailable` where
    one cannot be reached: it stays noted, and those before it are gone."""
    used, gone = place_of(settings, fingerprint), list[str]()
    for place in await _known(marks):
        if place == used:
            continue
        if used is not None and place.server == used.server and isinstance(index, Dropping):
            await index.drop(place.collection)
        else:
            await wiring.discard_collection(settings, place.server, place.collection)
        await _keep(marks, tuple(one for one in await _known(marks) if one != place))
        gone.append(place.name)
    return tuple(gone)


async def _known(marks: Marks) -> tuple[IndexPlace, ...]:
    held = await marks.mark(_KNOWN)
    return () if held is None else _PLACES.validate_json(held)


async def _keep(marks: Marks, places: tuple[IndexPlace, ...]) -> None:
    await marks.set_mark(_KNOWN, _PLACES.dump_json(places, by_alias=True).decode())
