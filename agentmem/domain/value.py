"""The base of all values that cross a boundary: frozen, validated, camelCase on the wire."""

from typing import Self

from pydantic import BaseModel, ConfigDict, JsonValue
from pydantic.alias_generators import to_camel

__all__ = ["JsonValue", "Value"]


class Value(BaseModel):
    """A frozen value. Unknown keys are refused; Python and wire names are both accepted."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        allow_inf_nan=False,
        hide_input_in_errors=True,
    )

    def revised(self, **changes: object) -> Self:
        """A validated copy with some fields changed (Python names)."""
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self)(**{**fields, **changes})
