"""Operations of `Memory` for its clients: the same words, the same values, on behalf of whoever calls."""

import inspect
from typing import Annotated, Any, Final

from fastapi import APIRouter, Body, Path
from pydantic import AfterValidator, JsonValue
from starlette.responses import Response

from agentmem.errors import InvalidInput
from agentmem.interfaces.http.asking import Asking
from agentmem.interfaces.python.client import KEPT, OPERATIONS, adapter, answer_of, method_of
from agentmem.interfaces.python.held_memory import HeldMemory

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
