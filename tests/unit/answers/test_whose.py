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
        ("How old is Ann Lee?", "Ann Lee's son is 7 years old"),
        ("How much does Ann weigh?", "My dog weighs 12 kg"),
        ("How much does Ann's dog weigh?", "My cat weighs 4 kg"),
        ("How many kids does Ann have?", "My brother has 2 kids"),
        ("How many kids does Ann have?", "My daughter has 2 kids"),
        ("Where does Ann's wife work?", "My brother works at a bakery"),
        ("我有几个孩子", "我弟弟有2个孩子"),
        ("我有几个孩子", "我女儿有2个孩子"),
        ("我多重", "我的狗12公斤"),
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
        ("How old is Ann's son?", "Ann Lee's son is 7 years old"),
        ("How much does Ann's pet weigh?", "My dog weighs 12 kg"),
        ("How many kids does Ann have?", "My kids are 5 and 7"),
        ("How many kids does Ann have?", "Ann Lee has 2 kids"),
        ("Where does Ann live?", "My wife and I live in Rome"),
        ("When did Ann meet her wife?", "My brother brought my wife along in 2010"),
        ("我有几个孩子", "我孩子一共3个"),
        ("我的宠物多重", "我的狗12公斤"),
        ("我住哪", "我老婆和我住在上海"),
    ],
)
def test_it_is_ones_own_or_of_whom_is_asked(question: str, sentence: str) -> None:
    assert not is_of_another(sentence, question, ANN)


def test_who_somebody_is_says_a_name_or_a_role() -> None:
    assert names_somebody("Ann Lee goes to Piet for the brakes", "Who mends the brakes?", ANN)
    assert names_somebody("the landlord mends it", "Who mends the brakes?", ANN)
    assert not names_somebody("Ann Lee had the brakes mended on Friday", "Who mends the brakes?", ANN)
