"""The slots a person has: which there are, and whether a new value ends the old one."""

from collections.abc import Mapping

from agentmem.domain.persona import Cardinality

BUILT_IN: Mapping[str, Cardinality] = {
    # who
    "name": "single",
    "alias": "multi",
    "age": "single",
    "birthday": "single",
    "gender": "single",
    "family": "multi",
    "language": "multi",
    # where and how to reach
    "phone": "single",
    "work_phone": "single",
    "home_phone": "single",
    "email": "single",
    "work_email": "single",
    "wechat": "single",
    "qq": "single",
    "whatsapp": "single",
    "address": "single",
    "city": "single",
    # work
    "occupation": "single",
    "employer": "single",
    "business": "single",
    "industry": "single",
    "headcount": "single",
    "current_system": "single",
    # what he wants and minds
    "need": "multi",
    "preference": "multi",
    "constraint": "multi",
    "complaint": "multi",
    "budget": "single",
    "quantity": "multi",
    "deadline": "single",
    "plan": "multi",
    "appointment": "multi",
    "habit": "multi",
    "possession": "multi",
    "benefit": "multi",
}
"""Attribute to cardinality. A single-valued one holds one valid value per person."""


def cardinality(attribute: str | None, own: Mapping[str, Cardinality]) -> Cardinality:
    """The persona's own word first, then the built-in one; an unknown attribute ends nothing."""
    if attribute is None:
        return "multi"
    return own.get(attribute) or BUILT_IN.get(attribute, "multi")
