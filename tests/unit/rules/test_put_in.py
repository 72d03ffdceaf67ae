"""A value said later goes into an older sentence only in the place of one of its kind."""

from datetime import UTC, datetime

import pytest

from agentmem.adapters.cognition.rules.contrasts import put_in
from agentmem.language.typed_values import typed_values

AT = datetime(2026, 9, 23, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    ("content", "said", "new"),
    [
        ("李安希望再加个周日上午的课", "提前到今年十一月", None),
        ("Ann Lee's lesson is on Sunday", "moved to November", None),
        ("李安十月去汉堡", "提前到九月", "李安九月"),
        ("Ann Lee's lesson is on Sunday", "make it Friday", "Ann Lee's lesson is on Friday"),
    ],
)
def test_a_month_takes_no_place_of_a_day(content: str, said: str, new: str | None) -> None:
    put = put_in(content, typed_values(said, AT), said, AT)
    assert put is None if new is None else (put or "").startswith(new)
