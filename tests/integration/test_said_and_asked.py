"""What somebody says over a few days, and what he is then told: through `Memory`, without a model."""

from pathlib import Path

import pytest

from agentmem import Memory
from tests.support.spine import quick_settings


def told(folder: Path, said: tuple[tuple[str, str], ...]) -> Memory:
    memory = Memory(quick_settings(folder))
    for who, text in said:
        memory.add(text, user_id=who)
    return memory


@pytest.mark.parametrize(
    ("said", "held", "gone"),
    [
        (("I am a vegetarian.", "I am not a vegetarian any more."), "not a vegetarian any more", "is a more"),
        (
            ("I work as a nurse in Leeds.", "I live in York.", "I am a teacher now.", "We moved back to Leeds."),
            "is a teacher now",
            "works as a nurse",
        ),
        (("My email is a@x.com.", "My new email is b@x.com, please don't use the old one."), "b@x.com", "a@x.com"),
        (
            ("我的手机是13800001111。", "我换号码了,新号是13900002222。", "还是打我原来的号码13800001111吧。"),
            "13800001111",
            "13900002222",
        ),
    ],
)
def test_what_holds_in_the_end_is_what_was_said_last(
    said: tuple[str, ...], held: str, gone: str, tmp_path: Path
) -> None:
    with told(tmp_path, tuple(("Ana", text) for text in said)) as memory:
        contents = [each.memory for each in memory.get_all(user_id="Ana")]
    assert any(held in each for each in contents)
    assert not any(gone in each for each in contents)


PHONES = (
    ("陈静", "我的电话是13600001111。"),
    ("陈静", "我的电话换成13700002222了。"),
    ("王五", "我住在杭州。"),
    ("Ann", "My phone number is 555-0100."),
    ("Ann", "My phone number is 555-0200 now."),
)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("陈静以前的电话是多少?", "13600001111"),
        ("What was Ann's phone number before?", "555-0100"),
        ("王五以前的电话是多少?", None),
        ("赵六之前的电话是多少?", None),
    ],
)
def test_what_was_before_is_told_first_and_of_nobody_else(question: str, first: str | None, tmp_path: Path) -> None:
    with told(tmp_path, PHONES) as memory:
        answer = memory.ask(question, agent_id="default").text
    assert answer is None if first is None else first in (answer or "").split("\n")[0]
