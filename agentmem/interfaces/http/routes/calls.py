"""Operations of `Memory` for its clients: the same words, the same values, on behalf of whoever calls."""

import inspect
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body
from pydantic import JsonValue
from starlette.responses import Response

from agentmem.errors import InvalidInput
from agentmem.interfaces.http.asking import Asking
from agentmem.interfaces.python.async_memory import AsyncMemory
from agentmem.interfaces.python.client import adapter, answer_of
from agentmem.interfaces.python.held_memory import HeldMemory

router = APIRouter(prefix="/v1", tags=["memory"])

Operation = Literal["add", "search", "get", "get_all", "update", "delete", "delete_all", "history", "context", "ask"]


@router.post("/memory/{operation}")
async def call(operation: Operation, given: Annotated[dict[str, JsonValue], Body(max_length=50)], app: Asking) -> Any:
    """An operation of the Python class `Memory` with these arguments, by name; see `agentmem.Client`."""
    method, memory = getattr(AsyncMemory, operation), HeldMemory(app)
    try:
        inspect.signature(method).bind(memory, **given)
    except TypeError as error:
        raise InvalidInput(f"{operation}: {error}") from error
    answer = await method(memory, **given)
    return Response(adapter(answer_of(operation)).dump_json(answer), media_type="application/json")
