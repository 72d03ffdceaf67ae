"""A memory corrected by hand goes on filling its slot where the new words fill it, and only there."""

import pytest

from agentmem.domain.memory import Modality
from agentmem.memory.edit import edited
from tests.support.nodes import a_memory


@pytest.mark.parametrize(
    ("attribute", "content", "value", "text", "filled"),
    [
        ("email", "Tom's email address is tom@x.org", "tom@x.org", "Tom's email is tom@y.org", "tom@y.org"),
        ("email", "小李的邮箱是li@x.cn", "li@x.cn", "小李现在的邮箱地址：li@y.cn", "li@y.cn"),
        ("phone", "小李的电话是13811112222", "13811112222", "小李换了手机号，13811113333", "13811113333"),
        ("phone", "Tom's phone number is 555-0142", "555-0142", "You can reach Tom on 555-0199", "555-0199"),
        ("budget", "Tom's budget is $500", "$500", "The budget of Tom is now $800.", "$800"),
        ("budget", "小李的预算是5万", "5万", "小李现在预算8万", "8万"),
        ("city", "Tom lives in Oslo", "Oslo", "Tom has moved to Bergen", "Bergen"),
        ("city", "小李住在杭州", "杭州", "小李搬到苏州", "苏州"),
        ("wechat", "Tom's WeChat is tom_old", "tom_old", "The WeChat of Tom is tom_new", "tom_new"),
        ("occupation", "小李是会计", "会计", "小李的职业现在是老师", "老师"),
        ("occupation", "小李是会计", "会计", "小李不是会计，是老师", "老师"),
        ("occupation", "Tom is a nurse", "nurse", "Tom is not a nurse but a teacher", "teacher"),
        ("constraint", "Tom cannot eat nuts", "cannot eat nuts", "Tom cannot eat nuts or fish", "cannot eat nuts"),
    ],
)
def test_other_words_for_the_same_slot_keep_it(
    attribute: str, content: str, value: str, text: str, filled: str
) -> None:
    node = edited(a_memory(content, attribute=attribute, value=value), text)
    assert (node.attribute, node.value) == (attribute, filled)


@pytest.mark.parametrize(
    ("attribute", "value", "text"),
    [
        ("email", "tom@x.org", "Tom reads a@b.org and c@d.org"),
        ("email", "tom@x.org", "Tom has no email any more"),
        ("phone", "555-0142", "Tom's email is tom@y.org"),
        ("phone", "555-0142", "Tom's number is not 555-0199"),
        ("budget", "$500", "Tom ordered 800 chairs"),
        ("budget", "5万", "小李买了8台电脑"),
        ("city", "Oslo", "Tom likes Bergen"),
        ("city", "杭州", "小李不住在苏州"),
        ("occupation", "会计", "小李喜欢喝茶"),
        ("occupation", "nurse", "Is Tom a teacher?"),
        ("occupation", "nurse", "Tom is no longer a nurse"),
        ("occupation", "nurse", "Tom died in May"),
        ("occupation", "nurse", "Tom was fired"),
        ("occupation", "nurse", "Tom hates Mondays"),
        ("occupation", "nurse", "Tom is not a nurse but hates Mondays"),
        ("occupation", "nurse", "Tom is not a nurse and died in May"),
        ("occupation", "nurse", "wrong entry, please ignore"),
        ("occupation", "会计", "这条是误记"),
        ("occupation", "会计", "罗小东自己开了一家公司"),
        ("occupation", "会计", "罗小东不是会计，他被开除了"),
        ("city", "Oslo", "Tom is allergic to nuts"),
        ("city", "杭州", "罗小东是左撇子"),
        ("address", "12 Elm Street", "Tom is tall"),
        ("address", "12 Elm Street", "Tom is not at 12 Elm Street but a friend"),
        ("phone", "555-0142", "Tom has another phone now"),
    ],
)
def test_words_that_do_not_fill_the_slot_leave_it(attribute: str, value: str, text: str) -> None:
    node = edited(a_memory(f"Tom's {attribute} is {value}", attribute=attribute, value=value), text)
    assert (node.attribute, node.value) == (None, None)


def test_who_corrects_what_was_inferred_states_it() -> None:
    inferred = a_memory("罗小东是软件工程师", attribute="occupation", value="软件工程师").revised(
        modality=Modality.INFERRED
    )
    corrected = edited(inferred, "罗小东是一名产品经理")
    assert (corrected.modality, corrected.attribute, corrected.value) == (Modality.STATED, "occupation", "产品经理")
    assert edited(inferred, inferred.content).modality is Modality.INFERRED


def test_the_words_it_was_asked_with_go_with_the_words_it_had() -> None:
    node = a_memory("Tom eats no nuts", meta_data={"askedWith": ["allergy"], "note": "x"})
    assert edited(node, "Tom plays chess").meta_data == {"note": "x", "corrected": True}
    assert edited(node, node.content).meta_data == node.meta_data
