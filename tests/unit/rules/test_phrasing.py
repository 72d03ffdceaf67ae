"""How what was said is told of somebody: whole sentences, in the third person, with how sure an amount is."""

import pytest

from agentmem.adapters.cognition.rules.judging import reflected
from agentmem.domain.event import Person
from agentmem.domain.memory import Modality
from agentmem.ports.cognition import ReflectionInput
from tests.support.nodes import a_memory
from tests.unit.rules.support import english, read, stated


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("We need a tool that plans our routes.", "a tool that plans their routes"),
        ("We also want to cut our fuel costs.", "to cut their fuel costs"),
        ("I'm looking for a CRM that our team likes", "a CRM that their team likes"),
        ("We're struggling with our invoices", "is struggling with their invoices"),
        ("我们需要一套排班系统", "一套排班系统"),
        ("我还想降低我们的油费", "降低自己的油费"),
        ("我们的技术比较老旧", "技术比较老旧"),
    ],
)
def test_a_value_is_told_of_him_and_without_the_wanting(said: str, value: str) -> None:
    (found,) = (english if said.isascii() else read)(said).statements
    assert found.value == value


def summary(*said: str) -> list[str]:
    chinese = not said[0].isascii()
    told = [found for line in said for found in (read if chinese else english)(line).statements]
    nodes = tuple(
        a_memory(
            each.content,
            attribute=each.attribute,
            value=each.value,
            language=each.language,
            modality=Modality.STATED,
        )
        for each in told
    )
    person = Person(name="陈立" if chinese else "Tom Hale")
    return [each.content for each in reflected(ReflectionInput("Bella", person, "en", nodes, ()))]


def test_a_summary_of_needs_is_no_heap_of_sentences() -> None:
    assert summary("We need a tool that plans our routes.", "We also want to cut our fuel costs.") == [
        "Tom Hale's main needs: a tool that plans their routes; to cut their fuel costs"
    ]
    assert summary("我们需要一套排班系统", "我还想降低油费") == ["陈立的主要需求是一套排班系统、降低油费"]


@pytest.mark.parametrize(
    "said",
    [
        ("We need a route planner.", "Could you come by next Tuesday at ten?"),
        ("We need a route planner.", "We plan all our tours on paper."),
        ("I need a van.", "I'm moving to Leeds in May."),
        ("I need a van by Friday.", "I'd like a demo on Monday at nine."),
        ("I can't swim.", "I must feed the dog at six."),
        ("我们需要排班系统", "下个月我要调到上海分公司当采购总监了"),
        ("我们需要排班系统", "周三下午三点能来演示吗？"),
        ("我不能开车", "我必须六点接孩子"),
    ],
)
def test_what_is_not_surely_wanted_is_no_main_need(said: tuple[str, str]) -> None:
    assert summary(*said) == []


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("We have 80 people.", "Tom Hale's organisation has 80 people"),
        ("We're about 80 people now.", "Tom Hale's organisation is about 80 people now"),
        ("We are a small bakery in Leeds.", "Tom Hale's organisation is a small bakery in Leeds"),
        ("We were founded in 1998.", "Tom Hale's organisation was founded in 1998"),
        ("We're closed on Mondays.", "Tom Hale's organisation is closed on Mondays"),
        ("We have 80 people at the party.", "Tom Hale has 80 people at the party"),
        ("We need 80 chairs.", "Tom Hale needs 80 chairs"),
        ("我们有200人", "陈立那边有200人"),
        ("我们是一家连锁超市", "陈立那边是一家连锁超市"),
        ("我们公司有200人", "陈立的公司有200人"),
        ("我们需要200个杯子", "陈立需要200个杯子"),
    ],
)
def test_what_a_firm_is_together_is_not_told_of_one_of_its_people(said: str, told: str) -> None:
    assert stated((english if said.isascii() else read)(said)) == [told]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("预算50万", "陈立的预算是50万"),
        ("我们公司200人", "陈立的公司有200人"),
        ("我年龄35", "陈立的年龄是35"),
        ("我们的月租8000元", "陈立的月租是8000元"),
        ("预算大概50万", "陈立的预算大概50万"),
        ("预算改成50万了", "陈立的预算改成50万了"),
        ("预算是50万", "陈立的预算是50万"),
    ],
)
def test_a_thing_and_its_amount_are_joined_by_a_verb(said: str, told: str) -> None:
    assert stated(read(said)) == [told]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (("a: So your budget is 30,000?", "No, about 40,000."), "Tom Hale's budget is about 40,000"),
        (("Our budget is 50,000, sorry, I mean about 40,000.",), "Tom Hale's budget is about 40,000"),
        (("Our budget is about 50,000, no wait, 40,000.",), "Tom Hale's budget is 40,000"),
        (("Our budget is not 50,000 but about 40,000.",), "Tom Hale's budget is about 40,000"),
        (("Our budget is $30,000.", "a: ok", "Make it about $40,000."), "Tom Hale's budget is about $40,000"),
        (("Our budget is 30,000.", "a: ok", "Make it at least 40,000."), "Tom Hale's budget is at least 40,000"),
        (("Our budget is 30k.", "a: ok", "It went up to nearly 40k."), "Tom Hale's budget is nearly 40k"),
        (
            ("Our team is 12 people.", "a: ok", "We're up to 14 people now"),
            "Tom Hale's team is 14 people",
        ),
        (("Our budget is about 30k.", "a: ok", "Make it 40k at most."), "Tom Hale's budget is 40k at most"),
        (("a: 您的预算是30万吗？", "不是，大概50万"), "陈立的预算是大概50万"),
        (("预算30万", "a: 好的", "改成50万左右吧"), "陈立的预算是50万左右"),
        (("预算30万", "a: 好的", "改成大概50万"), "陈立的预算是大概50万"),
        (("预算30万", "a: 好的", "改成50万以内"), "陈立的预算是50万以内"),
        (("预算大概30万", "a: 好的", "改成50万"), "陈立的预算是50万"),
        (("预算不超过30万", "a: 好的", "改成50万"), "陈立的预算不超过50万"),
    ],
)
def test_an_amount_that_changes_keeps_how_sure_it_is_and_all_its_digits(said: tuple[str, ...], told: str) -> None:
    found = (english if "".join(said).isascii() else read)(*said).statements
    assert found[-1].content == told


def test_a_value_says_how_sure_it_is() -> None:
    assert [each.value for each in english("We have around 80 people.", "Our budget is about 40k.").statements] == [
        "around 80",
        "about 40k",
    ]
    assert [each.value for each in read("预算大概50万").statements] == ["大概50万"]
