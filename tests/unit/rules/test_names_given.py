"""The speaker's name, as people give it in passing: after a greeting, behind a comma, in front of `here`."""

import pytest

from tests.unit.rules.support import read


def named(line: str) -> str | None:
    """The name that is taken from one turn of somebody who is known by an id."""
    found = [each.value for each in read(line, name="u1").statements if each.attribute == "name"]
    return found[0] if found else None


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Hi, I'm Eva.", "Eva"),
        ("Hello, Eva here", "Eva"),
        ("Hey, Eva here, quick question", "Eva"),
        ("Hello Rowan, I'm Brian", "Brian"),
        ("Good evening! I'm Sofía", "Sofía"),
        ("Hi I'm Eva, nice to meet you", "Eva"),
        ("你好，我是王芳", "王芳"),
        ("嗨，我是许知远，想买个冰箱", "许知远"),
        ("您好，我叫张伟", "张伟"),
    ],
)
def test_a_name_is_given_behind_a_greeting(line: str, name: str) -> None:
    assert named(line) == name


@pytest.mark.parametrize(
    "line",
    [
        "Hi, I'm tired",
        "Hi there, I'm Vegan",
        "Hi, I'm Polish",
        "Hi, I'm Looking for a flat",
        "It turns out I'm Turns",
        "I'd like a table, I'm Hungry",
        "Same here",
        "你好，我是江西人",
        "你好，我是会计",
        "我是常加班",
        "您好，我是李总",
        "昨天打电话的，我是王芳同事",
    ],
)
def test_what_somebody_is_is_no_name(line: str) -> None:
    assert named(line) is None
