"""What is wanted, without the words for the wanting."""

import pytest

from tests.unit.rules.support import english, read


@pytest.mark.parametrize("said", ["我缺席了会议", "我缺乏经验", "我的计划书写好了"])
def test_words_that_begin_like_a_want_are_not_cut(said: str) -> None:
    values = [each.value for each in read(said).statements if each.value]
    assert all(said.endswith(value) and value[0] in "缺计" for value in values)


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("我需要一辆车", "一辆车"),
        ("我缺一个会计", "一个会计"),
        ("我们缺个会计", "个会计"),
        ("想要买房", "买房"),
        ("我打算买房", "买房"),
        ("我计划明年搬家", "明年搬家"),
    ],
)
def test_what_is_wanted_stands_without_the_wanting(said: str, wanted: str) -> None:
    assert [each.value for each in read(said).statements] == [wanted]


def test_what_is_wanted_stands_without_the_wanting_in_english() -> None:
    assert [each.value for each in english("I need a new laptop.").statements] == ["a new laptop"]
