"""What several people have in common leaves without them, or not at all."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentmem.agents.copying.contract import Chooser
from agentmem.agents.copying.generality import told
from agentmem.domain.memory import MemoryNode, MemoryType, Modality, StoreStatus
from agentmem.domain.persona import HirePolicy
from tests.support.known import OPEN, SELLER, about, chosen, told_by, turn_of, values
from tests.support.nodes import NOON

PLAIN = (
    *(
        "私有部署",
        "支持k8s部署",
        "AIP v0.7",
        "h264 录像",
        "员工培训",
        "加工效率",
        "小程序支持",
        "自动分工",
        "医生排班",
        "经理审批太慢",
    ),
    *(
        "race conditions",
        "S3 存储",
        "16GB 内存",
        "5G网络",
        "B2B 销售",
        "微信支付",
        "对接钉钉",
        "faster delivery",
        "union types",
    ),
)
"""What several people may share, though it holds letters of a name or of a sign of somebody."""


def saying(
    value: str, *names: str, attribute: str = "concern", fields: Mapping[str, object] | None = None
) -> list[MemoryNode]:
    return [node for name in names for node in told_by(name, f"我担心{value}", attribute, value, **(fields or {}))]


def test_what_two_people_said_of_themselves_is_general() -> None:
    [item] = chosen(saying("价格", "罗小东", "王芳")).general
    assert (item.slot, item.value) == ("concern", "价格")
    assert told(item, 2, "zh") == ("至少2位客户的顾虑:价格", "顾虑")
    assert told(item, 2, "en")[0] == "At least 2 customers share this concern: 价格"


def test_what_one_person_said_twice_is_not() -> None:
    assert values(chosen(saying("价格", "罗小东", "罗小东"))) == []


def test_spellings_of_one_value_are_one() -> None:
    assert values(chosen(saying("Delivery time", "Ann", "Bo") + saying("delivery time", "Cy"))) == ["Delivery time"]


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        ("想要私有部署", "需要私有部署", ["私有部署"]),
        ("觉得价格太贵了", "最担心的是价格太贵。", ["价格太贵"]),
        ("needs a demo", "would like a demo", ["a demo"]),
        ("不需要私有部署", "需要私有部署", []),
        ("does not need a demo", "needs a demo", []),
    ],
)
def test_the_verb_with_which_it_was_said_does_not_count(one: str, other: str, shared: list[str]) -> None:
    assert values(chosen(saying(one, "罗小东") + saying(other, "王芳"))) == shared


def test_one_person_under_two_names_counts_once() -> None:
    alias = told_by("罗小东", "叫我东哥", "alias", "东哥")
    assert values(chosen([*saying("价格", "罗小东", "东哥"), *alias])) == []
    number = [*told_by("甲方", "x", "phone", "13800138000"), *told_by("乙方", "x", "phone", "+86 138 0013 8000")]
    assert values(chosen([*saying("价格", "甲方", "乙方"), *number])) == []


def test_the_contract_says_how_many_people_it_takes() -> None:
    nodes = saying("价格", "罗小东", "王芳")
    assert values(chosen(nodes, OPEN.revised(people=3))) == []
    assert values(chosen(nodes + saying("价格", "李雷"), OPEN.revised(people=3))) == ["价格"]


@pytest.mark.parametrize(
    "contract",
    [
        OPEN.revised(about_customers=False),
        OPEN.revised(layers=(MemoryType.LONGTERM,)),
        OPEN.revised(kinds=("chunk",)),
        HirePolicy(),
    ],
)
def test_nothing_is_general_where_the_contract_does_not_want_it(contract: HirePolicy) -> None:
    assert values(chosen(saying("价格", "罗小东", "王芳"), contract)) == []


@pytest.mark.parametrize(
    "value",
    [
        "罗小东的意见",
        "小东的意见",
        "罗总不同意",
        "张总不同意",
        "approval of Mr Smith",
        "Anna Schmidt has to agree",
        "approval of Anna",
        "my boss's mood",
        "电话 1380 013",
        "订单 4711",
        "一百二十万太多",
        "ask a@b.cn",
        "see acme.com/price",
        "在杭州交付",
        "华为的规定",
        "2026年3月12日前上线",
        "x" * 61,
        *("明天上线", "下周三前交付", "delivery by tomorrow", "before next week"),
        *(
            "张三的需求",
            "小张",
            "小张的意见",
            "王姐",
            "陈工",
            "张工的意见",
            "张医生",
            "李律师",
            "那位老客户",
            "我儿子上学",
        ),
        *("dr wong", "Wong", "wong", "the ceo of acme", "my boss", "住在青岛", "in Leeds near the station"),
        *("wechat abc123", "vx tom8", "微信号不变", "工号 A12 B9", "tom8", "a dot com"),
        *("预算35万", "月薪8千5", "35.5k", "eight thousand five hundred", "壹佰贰拾"),
        *("患有艾滋病", "HIV positive", "pregnant", "正在离婚", "吃清真餐", "vegan for religious reasons", "加入工会"),
        *("ᴡᴏɴɢ", "p\u0435tr\u043ev", "王 姐", "H\u200bIV"),
    ],
)
def test_a_value_that_may_be_somebodys_own_stays(value: str) -> None:
    known = [*told_by("罗小东", "我在杭州", "city", "杭州"), *told_by("王芳", "我在华为", "employer", "华为")]
    assert values(chosen([*known, *saying(value, "罗小东", "王芳")])) == []


@pytest.mark.parametrize(
    "value", ["价格", "上线时间太长", "24小时客服", "too expensive", "AIP integration", "每天对账", *PLAIN]
)
def test_a_value_that_is_nobodys_own_goes(value: str) -> None:
    assert values(chosen(saying(value, "罗小东", "王芳"))) == [value]


@pytest.mark.parametrize(
    "attribute", ["phone", "email", "name", "address", "employer", "city", "birthday", "family", "invented"]
)
def test_slots_by_which_people_are_known_are_never_shared(attribute: str) -> None:
    assert values(chosen(saying("价格", "罗小东", "王芳", attribute=attribute))) == []


@pytest.mark.parametrize(
    "fields", [{"modality": Modality.HYPOTHESIS}, {"modality": Modality.NEGATED}, {"store_status": StoreStatus.DELETED}]
)
def test_guesses_denials_and_deleted_sayings_do_not_count(fields: dict[str, object]) -> None:
    assert values(chosen(saying("价格", "罗小东", "王芳", fields=fields))) == []


def test_what_others_told_of_a_person_does_not_count() -> None:
    turn = turn_of("罗小东", "王芳和李雷都嫌贵")
    nodes = [
        about(name, "嫌贵", attribute="concern", value="价格", source_ids=(turn.memory_id,))
        for name in ("王芳", "李雷")
    ]
    assert values(chosen([turn, *nodes])) == []


def test_ended_sayings_are_not_general_yet_still_carry_what_went_before() -> None:
    ended = saying("价格", "罗小东", "王芳", fields={"store_status": StoreStatus.EXPIRED, "invalid_at": NOON})
    chooser = Chooser(SELLER, OPEN, NOON)
    for node in ended:
        chooser.take(node)
    assert values(chosen(ended)) == []
    [item] = chosen(saying("价格", "罗小东", "王芳")).general
    assert chooser.still_shared() == {item.general_id}


@given(st.lists(st.sampled_from(["罗小东", "王芳", "李雷", "Ann"]), max_size=6), st.integers(2, 4))
def test_a_value_is_general_exactly_where_enough_different_people_said_it(names: list[str], people: int) -> None:
    found = values(chosen(saying("价格", *names), OPEN.revised(people=people)))
    assert found == (["价格"] if len(set(names)) >= people else [])
