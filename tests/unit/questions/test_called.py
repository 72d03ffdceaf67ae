"""How a question calls somebody whose full name is known."""

from datetime import UTC, datetime

import pytest

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


def test_an_agent_whose_name_is_made_of_common_words_is_called_by_all_of_it() -> None:
    read = read_question("Is the Front door locked?", NOW, ("Front Desk",), agents=("Front Desk",))
    assert not read.named
