"""Operations of `Memory` for its clients: the same words, the same values, on behalf of whoever calls."""

import inspect
from collections.abc import Callable, Coroutine
from typing import Annotated, Any, Final, Self, TypeVar

from fastapi import APIRouter, Body, Path
from pydantic import AfterValidator, JsonValue
from starlette.responses import Response

from agentmem.domain.scope import Lane
from agentmem.errors import InvalidInput
from agentmem.interfaces.http.asking import Asking
from agentmem.interfaces.python.async_memory import AsyncMemory
from agentmem.interfaces.python.client import KEPT, OPERATIONS, adapter, answer_of, method_of
from agentmem.runtime.facade.app import App
from agentmem.runtime.facade.entrance import entrance

R = TypeVar("R")


class HeldMemory(AsyncMemory):
    """Used on the loop of the app. It opens and closes nothing, and what it takes in without waiting is read by the
    workers that serve the app."""

    def __init__(self, app: App) -> None:
        super().__init__(app.settings)
        self._held = app

    @property
    def app(self) -> App:
        """The app."""
        return self._held

    @entrance
    async def open(self) -> Self:
        """It is open."""
        return self

    async def run(self, call: Callable[[Self], Coroutine[Any, Any, R]]) -> R:
        """What a coroutine of this memory gives."""
        return await call(self)

    def _read_later(self, lane: Lane) -> None:
        """The workers do."""


router = APIRouter(prefix="/v1", tags=["memory"])


ASKED: Final = (*OPERATIONS, *KEPT)


def _known(operation: str) -> str:
    if operation not in ASKED:
        raise ValueError(f"{operation[:60]!r} is none of {', '.join(ASKED)}")
    return operation


Operation = Annotated[str, Path(json_schema_extra={"enum": [*ASKED]}), AfterValidator(_known)]


@router.post("/memory/{operation}")
async def call(
    operation: Operation,
    given: Annotated[
        dict[str, JsonValue], Body(max_length=50, examples=[{"query": "How do I reach Tom?", "user_id": "Tom"}])
    ],
    app: Asking,
) -> Any:
    """An operation of the Python class `Memory` with these arguments, by name, or of a framework's store; see
    `agentmem.Client`."""
    method, memory = method_of(operation), HeldMemory(app)
    try:
        inspect.signature(method).bind(memory, **given)
    except TypeError as error:
        raise InvalidInput(f"{operation}: {error}") from error
    answer = await method(memory, **given)
    return Response(adapter(answer_of(operation)).dump_json(answer), media_type="application/json")
