"""What kind of thing a question wants to hear, and whether it is described or named."""

import pytest

from agentmem.questions.form import Wanted, has, is_described, wanted_by
from agentmem.questions.wanted_kind import is_courtesy


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Who runs the harbour?", "person"),
        ("这座灯塔由谁看守?", "person"),
        ("When does the ferry leave?", "time"),
        ("合同什么时候到期?", "time"),
        ("How long does the battery last?", "time"),
        ("How many lorries are there?", "number"),
        ("预算是多少?", "number"),
        ("Where was she born?", "place"),
        ("他在哪里工作?", "place"),
        ("What is the cat called?", "name"),
        ("Tell me about the harbour.", None),
    ],
)
def test_a_question_says_what_kind_of_thing_it_wants(question: str, wanted: str | None) -> None:
    assert wanted_by(question) == wanted


def test_a_name_that_the_question_says_is_not_the_one_it_asks_for() -> None:
    question = "Who founded Corvane Labs?"
    assert has("Hector Lamb founded it in a garage.", "person", question)
    assert not has("It was founded in a garage.", "person", question)
    assert not has("Corvane Labs was founded in a garage.", "person", question)


@pytest.mark.parametrize(
    "question",
    [
        "What does the founder of Acme like to eat?",
        "How old is the owner of the shop behind Acme?",
        "Where does Ann's sister's boss live?",
        "AIP平台负责人的电话是多少?",
        "砚台公司创始人喜欢吃什么?",
    ],
)
def test_what_is_described_and_not_named_takes_a_step_more(question: str) -> None:
    assert is_described(question)


@pytest.mark.parametrize(
    "question",
    [
        "What is Tom's phone number?",
        "Who is the founder of Acme?",
        "罗小东的电话是多少?",
        "砚山银行的行长是谁?",
        "怎么联系小东",
    ],
)
def test_what_is_named_is_not_described(question: str) -> None:
    assert not is_described(question)


@pytest.mark.parametrize(
    ("sentence", "wanted", "question", "told"),
    [
        ("The basic plan costs 300 a month.", "money", "What does the basic plan cost?", True),
        ("It is 40 per person.", "money", "What does it cost?", True),
        ("基础版收费300", "money", "基础版多少钱?", True),
        ("The plan includes support.", "money", "What does the plan cost?", False),
        ("那里立起六十台风机", "number", "准备装几台风机?", True),
        ("条件只有一个", "number", "准备装几台风机?", False),
        ("店里有12个人", "number", "店里有几个人?", True),
    ],
)
def test_a_price_needs_no_currency_and_a_count_is_of_what_is_counted(
    sentence: str, wanted: Wanted, question: str, told: bool
) -> None:
    assert has(sentence, wanted, question) == told


@pytest.mark.parametrize(
    ("sentence", "only"),
    [
        ("感谢您提供的联系方式,罗小东先生。", True),
        ("谢谢您的信任！", True),
        ("谢谢,您的预约是周六下午两点。", False),
        ("Thank you for your number, Sam.", True),
        ("Hello, Tom!", True),
        ("Thanks, the door costs 249 euros.", False),
        ("Thanks, the door is delivered on Monday.", False),
    ],
)
def test_what_is_only_polite_tells_nothing(sentence: str, only: bool) -> None:
    assert is_courtesy(sentence) is only
