"""Names in running text, also those that no dictionary has."""

import pytest

from agentmem.language.names import names_of


def named(text: str) -> dict[str, str]:
    return {mention.name: mention.kind for mention in names_of(text)}


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("本系统由青穹科技开发,去年上线。", "青穹科技", "organisation"),
        ("昆玦系统每天处理三万笔申请。", "昆玦系统", "product"),
        ("招标由闻昱衡负责,预算已定。", "闻昱衡", "person"),
        ("院长韩听岚是急诊出身。", "韩听岚", "person"),
        ("顾远帆的妻子今天来了。", "顾远帆", "person"),
        ("工厂设在青石镇,雇了两百人。", "青石镇", "place"),
        ("首发的是《海账》,来了三百人。", "海账", "thing"),
        ("松烟茶\n松烟茶用的是嫩针,泡出来有橘味。", "松烟茶", "thing"),
        ("In May I will visit 郭守真 and his tower.", "郭守真", "person"),
        ("Larch Freight\nLarch Freight is based in Osterby.", "Larch Freight", "thing"),
        ("In 2021 Lodestone replaced Cairn.", "Lodestone", "thing"),
    ],
)
def test_a_name_is_found_by_what_stands_around_it(text: str, name: str, kind: str) -> None:
    assert named(text).get(name) == kind


@pytest.mark.parametrize(
    "text",
    [
        "这件事由大家负责,由领导决定。",
        "老板是谁?经理说好的。",
        "The fleet is large. There are others, of 茶.",
    ],
)
def test_where_nothing_speaks_for_a_name_there_is_none(text: str) -> None:
    assert named(text) == {}


@pytest.mark.parametrize(
    "text",
    [
        "他留着胡子,喜欢安静。",
        "门口有一对石狮,叶子落了一地。",
        "老街不许通车,河滩上没有人。",
        "台风来的时候去攀岩,会弹吉他。",
        "她会英语,也会中文,打印了第一版。",
        "Fridays are quiet. Repairs need a coin.",
        "Soup and bread are free.",
        "The sign is in Latin and the menu in French.",
        "Boats are old. The boats need paint.",
        "| Plan | Setup Fee | Response |\n|---|:-:|---|\n| Basic | 100 | Email |",
        "| 套餐 | 北京分公司 |\n|---|---|\n| 便宜 | 没有 |",
        "我们提供上门服务,上门安装免费。",
    ],
)
def test_what_a_segmenter_or_a_capital_letter_takes_for_a_name_is_none(text: str) -> None:
    assert named(text) == {}


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("我在华为工作。", "华为", "organisation"),
        ("同事李强说下周来。", "李强", "person"),
        ("刘强维护官网。", "刘强", "person"),
        ("王芳的电话换了。", "王芳", "person"),
        ("我叫郑远帆。", "郑远帆", "person"),
        ("Redis and Kafka are up.", "Redis", "thing"),
        ("Redis stores sessions.", "Redis", "thing"),
        ("We use Square at the till.", "Square", "thing"),
        ("Anna lives at Union Square.", "Union Square", "place"),
        ("| Plan | Price |\n|---|---|\n| Acme Suite | 100 |", "Acme Suite", "product"),
    ],
)
def test_a_guess_stands_where_something_is_said_as_of_a_name(text: str, name: str, kind: str) -> None:
    assert named(text).get(name) == kind


@pytest.mark.parametrize("title", ["《  》", "《 |  》", "《 海账》", "《د --- ﷺ |  》"])
def test_blanks_around_a_name_are_no_fault_of_the_reader(title: str) -> None:
    assert all(mention.name == mention.name.strip() for mention in names_of(f"首发的是{title},来了三百人。"))


@pytest.mark.parametrize(
    "text",
    [
        "A door costs EUR 30.50.",
        "Repairs are 12 GBP, and paid in USD.",
        "item: Oak door\nunit: EUR",
        "It has 16 GB of memory.",
        "The pump draws 12 KWh; the tank holds 80 L.",
        "付款 300 EUR",
    ],
)
def test_what_a_number_counts_is_no_name(text: str) -> None:
    assert names_of(text) == ()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("In 2019 IBM bought a mill.", "IBM"),
        ("The 3 SAP systems are old.", "SAP"),
        ("It runs on RTX 4090.", "RTX 4090"),
        ("We moved it to API 2.1.", "API 2.1"),
        ("It needs iOS 17.", "iOS 17"),
        ("They drive 30 Lada cars.", "Lada"),
    ],
)
def test_what_stands_beside_a_number_and_is_no_unit_stays_a_name(text: str, name: str) -> None:
    assert [mention.name for mention in names_of(text)] == [name]
