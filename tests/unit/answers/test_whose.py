"""A sentence that begins with somebody else answers no question for one's own."""

import pytest

from agentmem.questions.whose import is_of_another, names_somebody

ANN = ("Ann Lee",)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("How much rent do I pay?", "My cousin pays 900 for a shoebox"),
        ("How much rent does Ann pay?", "he pays 900 for a shoebox"),
        ("What do I drive?", "Gordon's got an old Saab"),
        ("我的房租多少", "我同事房租三千五"),
        ("我的房租多少", "他房租三千五"),
        ("我的房租多少", "隔壁租了三千五"),
    ],
)
def test_it_begins_with_somebody_else(question: str, sentence: str) -> None:
    assert is_of_another(sentence, question, ANN)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("How much rent do I pay?", "I pay 900 for a shoebox"),
        ("How much rent does my cousin pay?", "My cousin pays 900 for a shoebox"),
        ("What does Gordon drive?", "Gordon's got an old Saab"),
        ("What does Ann drive?", "Ann Lee's got an old Saab"),
        ("Who pays 900?", "My cousin pays 900"),
        ("我同事的房租多少", "我同事房租三千五"),
        ("我的房租多少", "我房租三千五"),
    ],
)
def test_it_is_ones_own_or_of_whom_is_asked(question: str, sentence: str) -> None:
    assert not is_of_another(sentence, question, ANN)


def test_who_somebody_is_says_a_name_or_a_role() -> None:
    assert names_somebody("Ann Lee goes to Piet for the brakes", "Who mends the brakes?", ANN)
    assert names_somebody("the landlord mends it", "Who mends the brakes?", ANN)
    assert not names_somebody("Ann Lee had the brakes mended on Friday", "Who mends the brakes?", ANN)
