"""Other wordings of slot facts: what sounds like one, or is said of somebody else, fills no slot of the speaker's."""

import pytest

from agentmem.adapters.cognition.rules.rewording import plainly_en, plainly_zh
from agentmem.domain.attributes import cardinality
from agentmem.domain.memory import Modality
from agentmem.language.normal import language_of
from tests.unit.rules.support import read

ENDS_NOTHING = (
    "Sarah took me on a trip.",
    "They fired me up for the match.",
    "My boss let me go home early.",
    "The concert hall let me go in.",
    "I've been with Sarah for ten years.",
    "I was let go of by the crowd.",
    "Would you hire me?",
    "If Bosch hired me, I'd move to Stuttgart.",
    "You'll find me in the kitchen.",
    "My brother was recruited by Interpol.",
    "There are 4 of us for dinner.",
    "The company is 80 years old.",
    "My daughter got hired by Lidl.",
    "My limit is two coffees a day.",
    "The city cut its budget to $3m.",
    "I was made aware of it.",
    "I was appointed to the wrong desk.",
    "The plumber's number is 07700 900300.",
    "I got a message from spam@far.example.",
    "我从公园出来了",
    "我从北京回来了",
    "我爸身体不好,退休了",
    "我爸退休了",
    "我在北京待了三年",
    "我给儿子打工",
    "我准备了100来张名片",
    "我参加了同事的婚礼",
    "教室里只剩3人",
    "我升到三年级的时候",
    "要是中通录用了我就好了",
    "中通会录用我吗",
    "我被老师裁定犯规了",
    "快递电话是13811110001",
    "我的水管工的电话是13811110002",
    "我从语文转到数学",
    "我们从上海去了南京旅游",
    "预算砍了一半",
)


def _slots(text: str) -> list[tuple[str | None, str | None]]:
    said = read(text, name="陈立" if language_of(text) == "zh" else "Ann Lee")
    return [
        (item.attribute, item.value)
        for item in said.statements
        if item.attribute is not None
        and item.about is None
        and cardinality(item.attribute, {}) == "single"
        and item.modality in (Modality.STATED, Modality.NEGATED)
    ]


@pytest.mark.parametrize("text", ENDS_NOTHING)
def test_what_only_sounds_like_a_slot_fact_fills_none(text: str) -> None:
    assert _slots(text) == []


def test_what_follows_a_sentence_about_another_is_not_said_of_the_speaker() -> None:
    assert _slots("我妈妈身体不好。如今是医生。") == []
    assert _slots("我换工作了。如今是医生。") == [("occupation", "医生")]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Home for us is now Aix", "I live in Aix"),
        ("I was laid off by Ford last month", "I no longer work at Ford"),
        ("After the merger I was recruited by Bank of Ireland", "I joined Bank of Ireland"),
        ("our new ceiling is £700", "My budget is £700"),
        ("The board has just cut our budget to 9k", "My budget is 9k"),
        ("I sold the shop and became a gardener", "I became gardener"),
    ],
)
def test_an_english_wording_has_a_plain_one(text: str, plain: str) -> None:
    found = plainly_en(text)
    assert found is not None
    assert found.replace(" a ", " ") == plain.replace(" a ", " ")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("我们一家去年迁居到了威海", "我住在威海"),
        ("我被顺丰辞退了", "我从顺丰离职"),
        ("中通终于录用了我", "我入职中通"),
        ("财务只批了八万", "预算是八万"),
        ("我领证了", "我结婚了"),
        ("裁员以后公司只剩120人了", "我们有120人"),
    ],
)
def test_a_chinese_wording_has_a_plain_one(text: str, plain: str) -> None:
    assert plainly_zh(text) == plain


@pytest.mark.parametrize("length", [2_000])
@pytest.mark.parametrize("unit", ["我从", "we and ", "公司", "1,", "A of ", "my budget to "])
def test_an_endless_clause_is_read_in_no_time(unit: str, length: int) -> None:
    plainly_en((unit * length)[:500])
    plainly_zh((unit * length)[:500])
