"""How somebody does and does not want to be reached: what he rules out is a limit, the rest a preference."""

import pytest

from tests.unit.rules.support import read


@pytest.mark.parametrize(
    ("line", "attribute"),
    [
        ("Please don't call me before ten.", "constraint"),
        ("Never phone me at work.", "constraint"),
        ("Please only email me.", "constraint"),
        ("Please contact me only by mail.", "constraint"),
        ("Call me after three.", "preference"),
        ("Please text me about the only room you have.", "preference"),
        ("别给我打电话，发微信就行。", "constraint"),
        ("十点之前不要打电话给我。", "constraint"),
        ("请只用邮件联系我。", "constraint"),
    ],
)
def test_what_is_ruled_out_about_being_reached_is_a_limit(line: str, attribute: str) -> None:
    found = [each for each in read(line).statements if each.kind == "contact_preference"]
    assert [each.attribute for each in found] == [attribute]


def test_who_is_to_be_reached_by_mail_alone_is_told_so() -> None:
    [stated] = read("Please only email me.").statements
    assert stated.content.endswith("wants only to be emailed (email)")
