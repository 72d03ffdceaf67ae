"""Names of one thing, and names that only look like it."""

import pytest

from agentmem.language.same_names import Short, apart, near, said_to_be_one, short_form


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("OpenAI平台", "OpenAI公司"),
        ("AIP v0.6", "AIP v0.7"),
        ("张伟", "张玮"),
        ("社保管理系统", "医保管理系统"),
        ("一期工程", "二期工程"),
        ("Acme Platform", "Acme Cloud"),
        ("Plan A of the Northern Railway Company", "Plan B of the Northern Railway Company"),
        ("Acme South Bank", "Acme North Bank"),
        ("Acme South Bank", "Acme Bank"),
        ("Second Harvest Ledger", "Harvest Ledger"),
        ("Acme London", "Acme Paris"),
        ("Northwind Leeds Branch", "Northwind"),
        ("Blue Heron System", "Green Heron System"),
        ("工商银行北京分行", "工商银行"),
        ("东区社保系统", "西区社保系统"),
        ("南方航空", "东方航空公司"),
        ("第一医院", "第二医院"),
        ("北京协和医院", "上海协和医院"),
        ("The International Standards Committee Part II", "The International Standards Committee Part III"),
    ],
)
def test_names_that_differ_in_what_tells_them_apart_name_two_things(one: str, other: str) -> None:
    assert apart(one, other)
    assert not near(one, other)
    assert short_form(one, other) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ＡＩＰ", "AIP"),
        ("aip", "AIP"),
        ("«Redis»", "Redis"),
        ("Association of Independent Lighthouse Keepers", "Association of Independent Lighthouse Keeper"),
    ],
)
def test_width_case_quotes_and_a_plural_in_a_long_name_are_no_difference(one: str, other: str) -> None:
    assert near(one, other)
    assert near(other, one)


@pytest.mark.parametrize(
    ("short", "long", "kind"),
    [
        ("华为", "华为技术有限公司", "company"),
        ("腾讯", "深圳市腾讯计算机系统有限公司", "company"),
        ("Acme", "Acme Corporation", "company"),
        ("Acme", "Acme, Inc.", "company"),
        ("NHS", "National Health Service", "initials"),
        ("Lovelace", "Ada Lovelace", "person"),
        ("Ada", "Ada West", "person"),
        ("Sarah", "Sarah Brown", "person"),
        ("West", "Ada West", "person"),
        ("BFL", "Black Forest Labs", "initials"),
        ("Black Forest", "Black Forest Inc", "company"),
        ("东方明珠", "上海东方明珠有限公司", "company"),
        ("小东", "罗小东", "person"),
        ("深圳", "深圳市腾讯计算机系统有限公司", None),
        ("罗", "罗小东", None),
        ("Bank", "Northern Coastal Bank of Trade", None),
        ("Acme Corporation", "Acme", None),
    ],
)
def test_short_forms_are_known_for_what_they_are(short: str, long: str, kind: Short | None) -> None:
    assert short_form(short, long) == kind


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        ("社保管理系统(SSMS)由刘强维护。", "SSMS", "社保管理系统"),
        ("华为技术有限公司,简称华为。", "华为", "华为技术有限公司"),
        ("Acme Corporation, also known as Zenith, uses Redis.", "Zenith", "Acme Corporation"),
        ("The National Health Service (NHS) uses Redis.", "NHS", "National Health Service"),
    ],
)
def test_what_a_sentence_says_outright_is_read(text: str, one: str, other: str) -> None:
    assert said_to_be_one(text, one, other)
    assert said_to_be_one(text, other, one)


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        ("华为(SAP)上线了。", "华为", "SAP"),
        ("Ada Lovelace (London) wrote it.", "Ada Lovelace", "London"),
        ("AIP是否又名OpenAI助手？", "AIP", "OpenAI助手"),
        ("Acme called Zenith yesterday.", "Acme", "Zenith"),
        ("AIP 支持 SSMS 和社保管理系统。", "SSMS", "社保管理系统"),
    ],
)
def test_a_bracket_a_question_or_a_call_says_nothing_of_the_kind(text: str, one: str, other: str) -> None:
    assert not said_to_be_one(text, one, other)
