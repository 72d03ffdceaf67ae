"""A new job, employer or city is told so that it ends the old one."""

import pytest

from tests.unit.rules.support import english, read


def _slots(line: str) -> dict[str, str]:
    return {s.attribute: s.value for s in read(line).statements if s.attribute and s.value and s.modality == "stated"}


@pytest.mark.parametrize(
    ("line", "slots"),
    [
        ("我在宁波一家做家具的公司当销售经理", {"employer": "宁波一家做家具的公司", "occupation": "销售经理"}),
        (
            "我跳槽去了成都，在一家设计公司做设计师",
            {"city": "成都", "employer": "一家设计公司", "occupation": "设计师"},
        ),
        ("我去年外派到了深圳", {"city": "深圳"}),
        ("我现在在美团做产品经理", {"employer": "美团", "occupation": "产品经理"}),
        ("我在腾讯做backend engineer", {"employer": "腾讯", "occupation": "backend engineer"}),
        ("我在上海做财务总监", {"employer": None, "occupation": "财务总监"}),
        ("我在上海机场上班", {"employer": "上海机场"}),
    ],
)
def test_a_job_tells_where_and_what(line: str, slots: dict[str, str | None]) -> None:
    assert {key: _slots(line).get(key) for key in slots} == slots


@pytest.mark.parametrize(
    "line", ["我在考虑当老师", "我在家做饭", "我不在腾讯当工程师", "我想去成都", "如果我跳槽去了成都呢"]
)
def test_what_is_no_job_fills_no_slot(line: str) -> None:
    assert not {"occupation", "city"} & _slots(line).keys()


def test_english_knows_its_own() -> None:
    assert english("I've joined Brightside as an analyst.").statements
