"""How a question calls somebody whose full name is known."""

from datetime import UTC, datetime

import pytest

from agentmem.questions.called import named_among
from agentmem.questions.question import read_question

NOW = datetime(2026, 3, 9, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("name", "text", "sought"),
    [
        ("Petra Lindholm", "Where does Petra work?", "Where does work?"),
        ("Petra Lindholm", "What is Mrs Lindholm's budget?", "What is Mrs budget?"),
        ("罗小东", "小东的电话是多少", "的电话是多少"),
        ("沈Vera", "Vera住在哪", "住在哪"),
    ],
)
def test_who_is_called_by_a_part_of_his_name_is_named_and_that_part_is_not_searched_for(
    name: str, text: str, sought: str
) -> None:
    read = read_question(text, NOW, (name,))
    assert read.named == {name}
    assert " ".join(read.sought.split()) == sought


@pytest.mark.parametrize("text", ["Who is Olaf Lindholm?", "Is Petra Novak coming?", "What does petrel mean?"])
def test_somebody_else_with_a_part_of_the_name_is_not_taken_for_him(text: str) -> None:
    assert not read_question(text, NOW, ("Petra Lindholm",)).named


def test_who_is_known_only_as_somebodys_relative_is_not_named_by_a_part_of_that() -> None:
    assert named_among(("Petra", "Petra's brother"), "What is Petra's number?") == {"Petra"}
    assert named_among(("Petra", "Petra's brother"), "What is Petra's brother's number?") == {"Petra's brother"}
    assert named_among(("陈静", "陈静的妈"), "我的妈呀，陈静呢") == {"陈静"}


def test_an_agent_whose_name_is_made_of_common_words_is_called_by_all_of_it() -> None:
    read = read_question("Is the Front door locked?", NOW, ("Front Desk",), agents=("Front Desk",))
    assert not read.named


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Jos", "Where does José live?"),
        ("Jos", "Where does Jose\u0301 live?"),
        ("Mar", "When is the Marš due?"),
        ("José Ruiz", "Where does Joséphine live?"),
        ("Édith Blanc", "Who is Bénédicte?"),
    ],
)
def test_a_name_within_a_longer_word_of_any_latin_letters_names_nobody(name: str, text: str) -> None:
    assert not read_question(text, NOW, (name,)).named


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("José Ruiz", "Where does José live?"),
        ("Émile", "Where does Émile live?"),
        ("罗小东", "什么时候去见小东"),
        ("李国庆", "国庆的电话是多少"),
        ("陈晓梅", "怎么联系晓梅"),
        ("Will Smith", "Will's phone number?"),
        ("Will Smith", "Where does Will live?"),
        ("May Lee", "Where does May work?"),
        ("Petra Lindholm", "Petra lives where?"),
        ("沈Grace", "Grace住在哪"),
        ("Will Grant", "Mr. Grant is where?"),
    ],
)
def test_a_short_name_that_calls_somebody_names_him(name: str, text: str) -> None:
    assert read_question(text, NOW, (name,)).named == {name}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("李国庆", "国庆去哪玩"),
        ("李国庆", "国庆今年放几天"),
        ("王健康", "健康体检什么时候"),
        ("王健康", "怎么保持健康"),
        ("罗小东", "小东西在哪"),
        ("Will Smith", "Will the store open?"),
        ("Will Smith", "I need bread. Will the store open?"),
        ("Grace Moore", "Grace period of the loan?"),
        ("May Lee", "May I call Mark?"),
        ("An Nguyen", "An appointment, when?"),
        ("He Wei", "He said what?"),
        ("May Lee", "What did I plan in May?"),
        ("May Lee", "What is on May 5?"),
    ],
)
def test_a_common_word_that_is_also_a_short_name_names_nobody(name: str, text: str) -> None:
    assert not read_question(text, NOW, (name,)).named


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("How do I reach Tom Baker?", {"Tom Baker"}),
        ("How do I reach Tom?", {"Tom", "Tom Baker"}),
        ("怎么联系李小东", set[str]()),
        ("怎么联系小东", {"罗小东"}),
        ("王小明的电话", {"王小明"}),
    ],
)
def test_a_name_that_is_a_part_of_another_one_names_nobody_there(text: str, named: set[str]) -> None:
    assert named_among(("Tom", "Tom Baker", "Anna Tomas", "罗小东", "王小", "王小明"), text) == named
