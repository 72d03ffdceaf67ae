"""The names that a question may hold."""

import pytest

from agentmem.answers.visible_memory import keywords


@pytest.mark.parametrize(
    "question", ["罗小东，李雷；王芳、AIP平台", "罗小东,李雷;王芳|AIP平台", "罗小东/李雷\n王芳、AIP平台"]
)
def test_names_stand_between_chinese_and_latin_separators(question: str) -> None:
    assert {"罗小东", "李雷", "王芳", "aip平台"} <= {name.casefold() for name in keywords(question)}
