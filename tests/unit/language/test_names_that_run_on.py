"""Chinese names before a verb that the segmenter takes along: 李雷有两个孩子."""

import pytest

from agentmem.language.names import names_of


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("李雷有两个孩子", "李雷"),
        ("李雷家在三楼", "李雷"),
        ("和李雷家一起吃饭", "李雷"),
        ("王芳会修电脑", "王芳"),
        ("张伟能来", "张伟"),
        ("吴昊想买车", "吴昊"),
        ("表哥张磊开出租", "张磊"),
        ("刘洋家的狗丢了", "刘洋"),
        ("王小明年底出国", "王小明"),
        ("李建军买了房", "李建军"),
    ],
)
def test_a_verb_behind_a_name_is_none_of_it(text: str, name: str) -> None:
    assert [each.name for each in names_of(text) if each.kind == "person"] == [name]
