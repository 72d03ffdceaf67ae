"""What a contract of hire lets go, and why the rest stays."""

from base64 import b64encode, urlsafe_b64encode
from collections import Counter
from sys import setprofile
from types import FrameType

import pytest

from agentmem.agents.copying.contract import Reason
from agentmem.agents.copying.generality import Removal
from agentmem.agents.copying.name_matcher import NameMatcher
from agentmem.domain.item import Namespace, item
from agentmem.domain.memory import MemoryNode, MemoryType, Modality, StoreStatus
from agentmem.domain.persona import HirePolicy
from agentmem.domain.value import JsonValue
from tests.support.known import OPEN, SELLER, a_piece, about, chosen, contents, target_of, told_by, turn_of
from tests.support.nodes import AGENT, NOON, TENANT, a_memory

SHELF = HirePolicy(layers=(MemoryType.LONGTERM,))
LUO = turn_of("罗小东", "你好")


def test_without_a_contract_nothing_goes() -> None:
    nodes = [a_piece("AIP 支持私有部署"), *told_by("王芳", "太贵了", "concern", "价格")]
    assert chosen(nodes, HirePolicy()) == chosen(nodes, HirePolicy(targets=("AIP",), about_customers=True))
    assert chosen(nodes, HirePolicy()).stays == {Reason.LAYER: 3}


def test_pieces_of_documents_go_and_talk_about_people_stays() -> None:
    turn, fact = told_by("王芳", "太贵了", "concern", "价格")
    insight = about("王芳", "王芳看重价格", memory_type=MemoryType.INSIGHT, source_ids=(fact.memory_id,))
    choice = chosen([a_piece("AIP 支持私有部署"), turn, fact, insight])
    assert contents(choice) == ["AIP 支持私有部署"]
    assert choice.stays == {Reason.LAYER: 1, Reason.ABOUT: 2}


@pytest.mark.parametrize(
    "text",
    [
        "客户罗小东说很满意",
        "客户 罗 小 东 说很满意",
        "小东说很满意",
        "罗总说很满意",
        "罗先生说很满意",
        "老罗推荐",
        "请打 138 0013 8000",
        "请打一三八零零一三八零零零",
        "请打 (+86)138-0013-8000",
        "write to Xiao.Dong@Example.com",
        "抖音号 dongdong_88",
        "ask ANNA SCHMIDT",
        "Schmidt said it works",
        "Frau Schmidt问过",
        "東東很满意",
    ],
)
def test_a_document_that_names_somebody_stays(text: str) -> None:
    people = [
        LUO,
        turn_of("Anna Schmidt", "hello"),
        *told_by("罗小东", "我的电话是13800138000", "phone", "13800138000"),
        *told_by("罗小东", "邮箱", "email", "xiao.dong@example.com"),
        *told_by("罗小东", "叫我東東", "alias", "東東"),
        about("罗小东", "抖音", attribute="wechat", value="dongdong_88"),
    ]
    choice = chosen([*people, a_piece(text), a_piece("AIP 支持私有部署", heading="部署")])
    assert contents(choice) == ["AIP 支持私有部署"]
    assert choice.stays[Reason.NAMED] == 1


@pytest.mark.parametrize(
    "text",
    [
        *(
            "羅小東",
            "羅 小 东来过",
            "罗⼩东",
            "罗·小东",
            "羅總说",
            "罗工说",
            "老罗",
            "罗某",
            "罗律师",
            "罗医生",
            "罗姐",
            "东哥",
        ),
        *("修文来过", "歐陽先生", "欧阳总", "小欧阳", "李先生", "李总说"),
        *(
            "电话壹叁捌零零壹叁捌零零零",
            "138OO138000",
            "138 零013 8000",
            "幺三八零零幺三八零零零",
            "１３８００１３８０００",
        ),
        *("luo (at) ex.com", "luo at ex dot com", "luo＠ex。com", "LUO [at] ex [dot] com"),
        *("ask tom", "smith knows", "TomSmith", "tom_smith", "T0m Sm1th", "5mith", "T o m S m i t h", "ᴛᴏᴍ ꜱᴍɪᴛʜ"),
        *("\u0422\u043em \u0405mith", "Tom\u200b\u200bSmith", "Smith\u2019s order", "SMITH", "To\u0301m"),
        *("nunez", "Nu\u0301n\u0303ez", "maria jose", "jo called", "green tea for mark green", "Mark said"),
        *(b64encode("写给罗小东".encode()).decode(), urlsafe_b64encode(b"mail for Tom Smith").decode().rstrip("=")),
    ],
)
def test_no_spelling_of_a_name_or_number_gets_past(text: str) -> None:
    names = ("罗小东", "Tom Smith", "欧阳修文", "李", "Jo", "Maria-José Núñez", "Mark Green")
    people = [turn_of(name, "我的电话是13800138000,邮箱 luo@ex.com") for name in names]
    assert contents(chosen([*people, a_piece(text), a_piece("AIP 支持私有部署", heading="部署")])) == [
        "AIP 支持私有部署"
    ]


@pytest.mark.parametrize(
    "text",
    [
        *("行李工具", "一张工单", "李总体上说", "小学生用小程序", "小时工", "小红书", "老师", "修理"),
        *(
            "mark the green box",
            "smithy and tomato",
            "the bill is due",
            "13 0 80 0",
            "T-shirt and a b c",
            "meet at ten",
        ),
        "configurations aGVsbG8gd29ybGQhIQ==",
    ],
)
def test_a_word_that_only_holds_letters_of_a_name_goes(text: str) -> None:
    names = ("罗小东", "张伟", "李明学", "程红", "Tom Smith", "Mark Green", "Bill")
    people = [turn_of(name, "我的电话是13800138000") for name in names]
    assert contents(chosen([*people, a_piece(text)])) == [text]


def test_a_word_that_many_names_share_is_none_where_documents_use_it_as_one() -> None:
    people = [turn_of(f"Customer {number}", "hi") for number in range(3)]
    pieces = [a_piece("Customer care answers every customer", heading="1"), a_piece("Customer 2 asked", heading="2")]
    assert contents(chosen([*people, *pieces])) == ["Customer care answers every customer"]
    smiths = [turn_of(f"{name} Smith", "hi") for name in ("Ann", "Bo", "Cy")]
    assert contents(chosen([*smiths, a_piece("Smith asked")])) == []
    assert contents(chosen([*people[:2], *pieces])) == []


def test_looking_for_names_does_not_take_longer_the_more_people_there_are() -> None:
    def compared(people: int) -> int:
        """How many calls it takes to look a text through that holds the beginnings of everybody's name and number."""
        marks = NameMatcher()
        for number in range(people):
            marks.add_names([f"Customer {number:05}"], parts=True)
            marks.add_contacts([f"138{number:08}"])
        looked = Counter[str]()

        def profile(frame: FrameType, event: str, _given: object) -> None:
            if str(frame.f_globals.get("__name__", "")).startswith("agentmem."):  # what others do meanwhile is theirs
                looked.update([event])

        text = "every customer of the plan, 13 months, 138 customers, customer care"
        marks.within(text)  # what is made when it is first used, and kept in caches that others fill too
        setprofile(profile)
        assert marks.within(text) is None
        setprofile(None)
        return looked.total()

    assert compared(2_000) == compared(20)


def test_what_only_looks_like_a_name_goes() -> None:
    people = [turn_of("Ann", "hi"), turn_of("Mark Twain", "hi"), turn_of("李雷", "下单日期 2026-03-12")]
    pieces = [a_piece("Planning annexes", heading="1"), a_piece("mark the box", heading="2")]
    pieces += [a_piece("2026-03-12 发布", heading="3"), a_piece("小美为您服务", heading="4")]
    assert len(contents(chosen([*people, *pieces]))) == 4


def test_what_stands_in_a_section_with_a_name_stays_and_other_sections_go() -> None:
    pieces = [
        a_piece("罗小东的合同", heading="合同"),
        a_piece("他付了三万", heading="合同"),
        a_piece("安装", heading="二"),
    ]
    assert contents(chosen([LUO, *pieces])) == ["安装"]


def test_a_document_whose_title_names_somebody_stays_whole() -> None:
    meta = {"assetId": "a", "title": "罗小东合同", "heading": "条款", "place": 3}
    assert contents(chosen([LUO, a_piece("付款三十天", meta_data=meta)])) == []


def test_a_name_hidden_in_any_field_of_a_memory_holds_it_back() -> None:
    fields: list[dict[str, object]] = [
        {"content": "罗小东"},
        {"key": ("AIP", "罗小东")},
        {"kind": "罗小东"},
        {"attribute": "罗小东"},
        {"attribute": "note", "value": "罗小东"},
        {"speaker": "罗小东"},
        {"meta_data": {"deep": [{"er": ["罗小东"]}]}},
        {"meta_data": {"罗小东": 1}},
    ]
    nodes = [
        about("AIP", str(field.get("content", "部署")), **{k: v for k, v in field.items() if k != "content"})
        for field in fields
    ]
    assert contents(chosen([LUO, *nodes])) == []
    assert contents(chosen([LUO, about("AIP", "部署")])) == ["部署"]


def test_what_a_program_keeps_under_the_name_of_the_agent_or_of_a_thing_stays() -> None:
    items = [
        item(
            Namespace(TENANT, AGENT, "小美", path),
            "k",
            {"text": "HIV"},
            ["HIV"],
            before=None,
            timestamp=number,
            now=NOON,
        )
        for number, path in enumerate([("alice", "小美"), ("小美",), ("users", "Bob", "AIP")])
    ]
    other = a_piece("HIV", kind="note", meta_data={"place": ["alice", "小美"]})
    choice = chosen([*items, other])
    assert (contents(choice), choice.stays) == ([], {Reason.ITEM: 3, Reason.ABOUT: 1})
    assert contents(chosen(items, OPEN.revised(kinds=("item",)))) == []


def test_conclusions_about_the_agent_itself_that_proved_stable_go() -> None:
    piece = a_piece("AIP 支持私有部署")
    stable = a_piece("小美熟悉部署", kind="reflected", meta_data={}, source_ids=(piece.memory_id,))
    assert contents(chosen([piece, stable])) == ["AIP 支持私有部署", "小美熟悉部署"]


def test_only_targets_named_in_the_contract_go() -> None:
    nodes = [about("AIP", "AIP 很快"), about("Docker", "Docker 很慢")]
    assert contents(chosen(nodes)) == ["AIP 很快"]
    assert contents(chosen(nodes, HirePolicy(layers=OPEN.layers))) == []


def test_who_spoke_with_the_agent_is_not_let_through_by_name() -> None:
    contract = HirePolicy(layers=OPEN.layers, targets=("罗小东",))
    choice = chosen([LUO, about("罗小东", "喜欢茶")], contract)
    assert (contents(choice), choice.stays[Reason.ABOUT]) == ([], 1)


def test_who_bears_the_name_of_the_agent_is_a_person_all_the_same() -> None:
    nodes = [turn_of("小美", "我住在杭州"), about("小美", "住在杭州"), a_piece("AIP 支持私有部署")]
    assert contents(chosen(nodes)) == ["AIP 支持私有部署"]


def test_what_rests_on_words_of_a_person_stays_whatever_it_is_about() -> None:
    turn = turn_of("王芳", "AIP 太慢")
    slow = about("AIP", "AIP 太慢", source_ids=(turn.memory_id,))
    deeper = about("AIP", "慢是常见的看法", memory_type=MemoryType.INSIGHT, depends_on=(slow.memory_id,))
    lost = about("AIP", "据说很快", source_ids=(target_of("nobody"),))
    choice = chosen([turn, slow, deeper, lost])
    assert (contents(choice), choice.stays) == ([], {Reason.LAYER: 1, Reason.WORDS: 2, Reason.FEW: 1})


def test_what_took_the_place_of_words_of_a_person_stays_as_they_do() -> None:
    turn = turn_of("王芳", "AIP 太慢")
    slow = about("AIP", "AIP 太慢", source_ids=(turn.memory_id,), store_status=StoreStatus.EXPIRED, invalid_at=NOON)
    heir = about("AIP", "AIP 慢", supersedes=(slow.memory_id,))
    choice = chosen([turn, slow, heir])
    assert (contents(choice), choice.stays[Reason.WORDS]) == ([], 1)


def test_a_conclusion_goes_when_enough_people_are_behind_it_and_none_is_in_it() -> None:
    first, second = told_by("王芳", "贵", "concern", "价格"), told_by("李雷", "贵", "concern", "价格")

    def concluded(content: str, *facts: MemoryNode, **fields: object) -> MemoryNode:
        sources = tuple(fact.memory_id for fact in facts)
        return about("小美", content, memory_type=MemoryType.INSIGHT, source_ids=sources, **fields)

    clean = concluded("客户常担心价格", first[1], second[1])
    others = [
        concluded("客户担心价格", first[1]),
        concluded("王芳和别人担心价格", first[1], second[1]),
        concluded("客户担心三千五百元", first[1], second[1]),
        concluded("客户担心价格", first[1], second[1], key=("李雷",)),
    ]
    choice = chosen([*first, *second, clean, *others])
    assert contents(choice) == ["客户常担心价格"]
    assert choice.concluded == {clean.memory_id}
    closed = HirePolicy(layers=OPEN.layers)
    assert contents(chosen([*first, *second, clean], closed)) == []


def test_a_conclusion_about_a_person_stays_however_many_are_behind_it() -> None:
    first, second = told_by("王芳", "贵", "concern", "价格"), told_by("李雷", "贵", "concern", "价格")
    sources = (first[1].memory_id, second[1].memory_id)
    insight = about("王芳", "担心价格", memory_type=MemoryType.INSIGHT, source_ids=sources)
    assert contents(chosen([*first, *second, insight])) == []


def test_what_ended_is_in_doubt_or_a_guess_stays() -> None:
    nodes = [
        a_piece("旧", store_status=StoreStatus.EXPIRED, invalid_at=NOON),
        a_piece("疑", needs_review=(target_of("x"),)),
        a_piece("猜", modality=Modality.HYPOTHESIS),
        a_piece("删", store_status=StoreStatus.DELETED),
    ]
    assert chosen(nodes).stays == {Reason.ENDED: 2, Reason.DOUBT: 2}


def test_kinds_narrow_what_the_layers_allow() -> None:
    nodes = [a_piece("piece"), a_piece("other", kind="fact")]
    assert contents(chosen(nodes, SHELF)) == ["piece", "other"]
    assert contents(chosen(nodes, HirePolicy(layers=SHELF.layers, kinds=("fact",)))) == ["other"]
    assert contents(chosen(nodes, HirePolicy(layers=SHELF.layers, kinds=()))) == []


def test_what_came_with_a_hire_goes_on_only_under_a_contract_as_strict() -> None:
    shared = about("小美", "至少3位客户的顾虑:价格", memory_type=MemoryType.INSIGHT, meta_data={"people": 3})
    assert contents(chosen([shared], OPEN.revised(people=3)))
    assert chosen([shared], OPEN.revised(people=4)).stays == {Reason.FEW: 1}
    assert chosen([shared], OPEN.revised(about_customers=False)).stays == {Reason.FEW: 1}


def test_a_circle_of_sources_is_followed_once() -> None:
    one, two = about("AIP", "一"), about("AIP", "二")
    circle = [one.revised(source_ids=(two.memory_id,)), two.revised(source_ids=(one.memory_id,))]
    assert len(contents(chosen(circle))) == 2


def test_counts_add_up_to_everything_there_is() -> None:
    nodes = [LUO, a_piece("a"), a_memory("b"), *told_by("王芳", "c", "concern", "d"), a_piece("罗小东", heading="x")]
    choice = chosen(nodes)
    assert len(choice.goes) + sum(choice.stays.values()) == len(nodes)


def test_the_way_to_what_a_program_keeps_does_not_go_along() -> None:
    removal = Removal(AGENT, SELLER, "globex", NOON, 2)
    meta: dict[str, JsonValue] = {"heading": ["a"], "place": ["users", "Bob"], "start": 3, "end": "Bob"}
    moved = removal.moved(a_piece("AIP", meta_data=meta), of_itself=True, concluded=False)
    assert set(moved.meta_data) == {"lineage"}
