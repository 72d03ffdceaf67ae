"""The dialogue every part of the house is measured by, through the engine alone."""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

import pytest

from agentmem.adapters.cognition.rules.engine import read_window
from agentmem.domain.event import Person
from agentmem.domain.statement import Reading, Statement, Window
from tests.unit.rules.support import folded, turns

LINES = (
    "a: 你好,我是AIP产品导购销售,很高兴认识你",
    "c: 你们有哪些产品,简单介绍一下",
    "a: AIP是我们推出的一款智能体平台系统,旨在推动企业的超级自动化转型和创新发展。它提供了Agent管理、智能体开发工具、测试环境、运行平台和协作工具等功能,帮助企业提高竞争力、降低成本、支持创新和业务拓展,并提升团队协作效率。如果您有兴趣了解更多详情或有任何疑问,欢迎留下您的联系方式以便我们后续跟进。",
    "c: 我是做传统业务的,智能体对我有什么好处",
    "a: 请问您的传统业务具体是什么?这样我可以更精确地说明智能体技术如何帮助您的业务。",
    "c: 做的社保的管理系统,但是技术比较老旧,我怎么样才可以使用智能体技术创新的,你们的产品能提供哪些帮助",
    "a: 我们理解您希望通过智能体技术创新来改进现有的社保管理系统。AIP产品可以为您提供一系列服务,包括但不限于智能体开发工具、测试环境、运行平台和协作工具等。这些功能可以帮助您实现自动化流程、提高数据处理能力、优化管理决策等目标。为了更好地满足您的需求,请具体说明您希望在社保管理系统中实现哪些方面的创新。",
    "c: 我想在社保管理系统中添加自动能力,还有AI人工智能能力",
    "a: 为了更好地帮助您实现社保管理系统的自动能力和AI人工智能能力的集成,我们需要先了解您具体的需求。比如,您希望利用AI进行数据分析预测还是自动化处理某些业务流程?请允许我们记录您的联系方式,以便我们能够为您提供更详细的信息和后续的支持服务。",
    "c: 这个是我的联系方式 小东 12345678901",
    "a: 请问您的全名是什么?以便我为您保存相关信息。",
    "c: 罗小东",
    "a: 感谢您提供的联系方式,罗小东先生。我们已经记录了您的信息,后续会针对您的需求提供更多关于AIP产品的详细资料,并解答您的任何疑问。",
)
WHO = "软件工程师罗小东"
EXPECTED = {
    ("observation", "stated", f"{WHO}的联系方式是12345678901"),
    ("observation", "stated", f"{WHO}希望在社保管理系统中添加自动能力和AI人工智能能力"),
    ("observation", "inferred", f"{WHO}是一名软件工程师"),
    ("observation", "stated", f"{WHO}的技术比较老旧"),
    ("observation", "stated", f"{WHO}的业务是做社保的管理系统"),
    ("observation", "stated", f"{WHO}是做传统业务的"),
    ("observation", "stated", f"{WHO}的全名是罗小东"),
    ("insight", "asserted_by_agent", f"{WHO}希望通过智能体技术创新来改进现有的社保管理系统"),
    ("insight", "hypothesis", f"{WHO}希望利用ai进行数据分析预测和自动化处理某些业务流程"),
    ("insight", "asserted_by_agent", f"aip产品可以帮助{WHO}实现自动化流程、提高数据处理能力、优化管理决策等目标"),
}


def _read(*sizes: int) -> list[Reading]:
    person = Person(name="罗小东", title="软件工程师")
    spoken = turns(LINES, person, "AIP导购销售专员")
    readings: list[Reading] = []
    at = 0
    for size in sizes:
        window = Window(
            window_id=f"w{at}",
            agent_name="AIP导购销售专员",
            person=person,
            language="zh",
            context=spoken[max(0, at - 4) : at],
            turns=spoken[at : at + size],
        )
        readings.append(read_window(window))
        at += size
    return readings


def _statements(readings: list[Reading]) -> list[Statement]:
    return [statement for reading in readings for statement in reading.statements]


@pytest.mark.parametrize("sizes", [(10, 3), (13,)])
def test_exactly_what_was_said_of_him_is_found(sizes: tuple[int, ...]) -> None:
    found = [(s.layer, s.modality.value, folded(s.content)) for s in _statements(_read(*sizes))]
    assert set(found) == {(layer, modality, folded(content)) for layer, modality, content in EXPECTED}
    assert len(found) == len(EXPECTED)


def test_the_new_business_takes_the_slot_of_the_old() -> None:
    slots = [(s.attribute, s.value) for s in _statements(_read(13)) if s.attribute == "business"]
    assert slots == [("business", "传统业务"), ("business", "社保的管理系统")]


def test_the_short_name_is_an_alias_of_his() -> None:
    aliases = [alias for reading in _read(10, 3) for alias in reading.aliases]
    assert [alias.name for alias in aliases] == ["小东"]
    quote = aliases[0].quotes[0]
    assert LINES[9][3:][quote.start : quote.end] == "小东"


def test_every_quote_lies_in_the_turn_it_names() -> None:
    person = Person(name="罗小东", title="软件工程师")
    texts = {turn.turn_id: turn.text for turn in turns(LINES, person)}
    for statement in _statements(_read(10, 3)):
        for quote in statement.quotes:
            assert 0 <= quote.start < quote.end <= len(texts[quote.turn_id])
