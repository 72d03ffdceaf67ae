"""Complaints about a service or a delivered thing are read as such; bad luck elsewhere is not."""

import pytest

from tests.unit.rules.support import english, read


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("杯子碎了两个", "杯子碎了"),
        ("师傅没按时来", "师傅没按时来"),
        ("你们少发了三盒", "少发了三盒"),
        ("收到的桌子有划痕", "桌子有划痕"),
        ("裙子的尺码不对", "尺码不对"),
        ("客服太不耐烦了", "客服太不耐烦"),
        ("快递晚了五天", "快递晚了五天"),
    ],
)
def test_a_chinese_complaint_names_what_went_wrong(line: str, words: str) -> None:
    found = [s.content for s in read(line).statements if s.attribute == "complaint"]
    assert len(found) == 1
    assert words in found[0]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("The courier was unhelpful.", "the courier was unhelpful"),
        ("The lamp came broken and the box was torn", "the box was torn"),
        ("You sent me the wrong colour.", "Bella sent them the wrong colour"),
        ("Two chairs were missing.", "two chairs were missing"),
        ("The parcel never arrived", "the parcel never arrived"),
        ("My parcel arrived three days late.", "their parcel arrived three days late"),
        ("The plumber didn't show up.", "the plumber didn't show up"),
    ],
)
def test_an_english_complaint_names_what_went_wrong(line: str, words: str) -> None:
    assert any(words in s.content for s in english(line).statements if s.attribute == "complaint")


@pytest.mark.parametrize(
    "line",
    [
        "火车晚了两个小时",
        "我儿子迟到了",
        "我迟到了",
        "如果箱子破了怎么办",
        "客服态度很好",
        "箱子破了吗？",
        "我朋友的杯子碎了",
        "The train was late.",
        "My son was late for school",
        "I was wrong.",
        "If the lamp arrives broken, can I send it back?",
        "Was the courier rude?",
        "The waiter was friendly.",
        "The teacher was rude",
    ],
)
def test_what_is_nobodys_fault_here_is_no_complaint(line: str) -> None:
    statements = (english if line.isascii() else read)(line).statements
    assert not [s.content for s in statements if s.attribute == "complaint"]


@pytest.mark.parametrize(
    ("line", "slots"),
    [
        (
            "Hello 我是Leo，在美团做designer，base在Tokyo",
            {"employer": "美团", "occupation": "designer", "city": "Tokyo"},
        ),
        ("我们team base在北京", {}),
        ("我常驻Berlin", {"city": "Berlin"}),
        ("我base在深圳", {"city": "深圳"}),
        ("Hi我住在London", {"city": "London"}),
        ("I'm Ida, a nurse from Leeds", {"occupation": "nurse"}),
        ("My name is Ida Berg, an architect", {"occupation": "architect"}),
    ],
)
def test_a_mixed_or_short_introduction_is_read(line: str, slots: dict[str, str]) -> None:
    person = "Leo" if "Leo" in line else "Ida Berg" if "Ida" in line else "陈立"
    held = {s.attribute: s.value for s in read(line, name=person).statements if s.about is None}
    assert {key: held.get(key) for key in slots} == slots
    assert not [s.content for s in read(line, name=person).statements if s.content.count(person) > 1]


@pytest.mark.parametrize("line", ["I'm late, a bit", "我在Google做的调研", "我对base没兴趣"])
def test_what_only_looks_like_an_introduction_is_none(line: str) -> None:
    held = {s.attribute for s in read(line).statements}
    assert not held & {"city", "occupation", "employer"}
