"""What is said of a community: whole statements, of everybody something, and nothing that no source says."""

from agentmem.domain.memory import MemoryType
from agentmem.graph.communities.summary import ROOM, borne_out, excerpted, language_of_all, statements_of, title
from tests.support.circles import fact


def test_everybody_is_told_of_before_anybody_is_told_of_twice() -> None:
    nodes = [fact(f"{name} {number} {'x' * 200}", name) for name in ("A", "B", "C") for number in range(5)]
    told = excerpted(statements_of(nodes, ["A", "B", "C"]))
    lines = told.text.split("\n")
    assert [line[:3] for line in lines] == ["A 0", "B 0", "C 0", "A 1"]
    assert len(told.text) <= ROOM
    assert len(told.memory_ids) == len(lines)


def test_what_is_said_twice_is_told_once() -> None:
    nodes = [fact("A uses B.", "A"), fact("a uses  b.", "B")]
    assert len(statements_of(nodes, ["A"])) == 1


def test_of_a_document_the_sentence_that_names_most_members_is_told_and_no_heading() -> None:
    text = "Linnet\nIt rained. Linnet feeds Osprey. Linnet is old. Does Linnet know Osprey and Heron?"
    node = fact(text, "Linnet", memory_type=MemoryType.LONGTERM)
    assert [one.text for one in statements_of([node], ["Linnet", "Osprey", "Heron"])] == ["Linnet feeds Osprey."]
    assert statements_of([node], ["Wren"]) == []


def test_a_summary_may_have_no_name_and_no_number_of_its_own() -> None:
    texts = ["王芳 pays 300 for Linnet.", "Osprey 负责人是李雷"]
    assert borne_out("王芳 pays 300, and Osprey is there too.", texts)
    assert not borne_out("王芳 pays 301.", texts)
    assert not borne_out("Bartholomew Quimby pays.", texts)


def test_a_number_and_a_name_stand_as_wholes() -> None:
    texts = ["Bolt costs 1500 since 2019-05-01. Also good.", "Linnet makes 1,200 rings."]
    assert not borne_out("Al owns Bolt for 50 dollars.", texts)
    assert not borne_out("Bolt costs 150.", texts)
    assert not borne_out("Linn makes rings.", texts)
    assert borne_out("Bolt costs 1500 since 2019, Linnet makes 1200 rings.", texts)


def test_a_summary_may_have_no_denial_and_no_order_of_its_own() -> None:
    texts = ["Acme makes Bolt.", "Bolt does not run on Redis.", "Never store keys in Bolt.", "北方银行不使用云桥系统"]
    for invented in (
        "Bolt is not made by Acme.",
        "Acme makes Bolt; never buy it.",
        "Acme makes Bolt. Buy Bolt today.",
        "Bolt runs on Redis.",
        "It is false that Acme makes Bolt.",
        "北方银行使用云桥系统",
        "请不要相信北方银行",
    ):
        assert not borne_out(invented, texts), invented
    for said in (
        "Acme makes Bolt, which does not run on Redis.",
        "Never store keys in Bolt.",
        "北方银行不使用云桥系统",
    ):
        assert borne_out(said, texts), said


def test_a_summary_may_join_what_several_sentences_say() -> None:
    texts = [
        "Ann is leaving.",
        "Ann loves her garden.",
        "Bo wants lamb curry, not beef, for Ann's party.",
        "Bo has gone off beer.",
    ]
    assert borne_out("Ann, who loves her garden, is leaving, and Bo wants lamb curry, not beef.", texts)
    assert borne_out("Bo wants lamb curry, not beef, as he has gone off beer.", texts)
    assert not borne_out("Ann, who loves her garden, is leaving, and Bo wants beef.", texts)


def test_a_community_is_named_after_its_first_members_in_its_language() -> None:
    assert title(["王芳", "AIP", "李雷", "罗小东"], "zh") == "王芳、AIP、李雷"
    assert title(["Ann", "Bo"], "en") == "Ann, Bo"
    assert language_of_all([fact("王芳在用AIP", "王芳", language="zh")]) == "zh"
    assert language_of_all([fact("Ann uses it", "Ann", language=None)]) == "en"
