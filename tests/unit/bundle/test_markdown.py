"""Markdown for people shows what is known, and does nothing."""

import pytest

from agentmem.agents.bundle.readable_exports import escaped


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<img src=x onerror=alert(1)>", r"\<img src=x onerror=alert(1)\>"),
        ("[a](javascript:alert(1))", r"\[a\](javascript:alert(1))"),
        ("![](https://example.org/beacon)", r"!\[\](https://example.org/beacon)"),
        ("# heading", r"\# heading"),
        ("- item", r"\- item"),
        ("1. first", r"1\. first"),
        ("a\n\n    code\n> quote", "a  \n  code  \n  \\> quote"),
        ("`rm` *x* _y_ ~~z~~ |", r"\`rm\` \*x\* \_y\_ \~\~z\~\~ \|"),
        ("ab\u202ecd\u200b", "ab(U+202E)cd(U+200B)"),
        ("电话是13800138000", "电话是13800138000"),
    ],
)
def test_text_shows_as_it_is(text: str, shown: str) -> None:
    assert escaped(text) == shown
