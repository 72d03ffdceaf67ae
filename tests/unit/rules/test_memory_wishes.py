"""What is asked of the memory itself is no wish of the customer's to be remembered."""

import pytest

from tests.unit.rules.support import english, read


@pytest.mark.parametrize(
    "line",
    [
        "Please don't store my address",
        "Don't remember my age.",
        "Delete my email from your records.",
        "Could you remove my phone number?",
        "不要保存我的生日",
        "别把我的微信记下来",
        "请把我的邮箱删掉",
        "别再记我的地址了",
        "请忘掉我的电话13811112222",
        "Forget my number 555-3111.",
    ],
)
def test_a_request_to_forget_is_not_remembered(line: str) -> None:
    assert (read if line[0] > "z" else english)(line).statements == ()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Please don't delete my bookings", "bookings"),
        ("Could you remove the stairs from the plan?", "stairs"),
        ("我不想保存旧数据", "旧数据"),
        ("能不能把我们的旧订单删掉", "旧订单"),
    ],
)
def test_what_is_asked_of_the_other_side_is(line: str, words: str) -> None:
    assert any(words in s.content for s in (read if line[0] > "z" else english)(line).statements)


@pytest.mark.parametrize(
    ("reminder", "stated"),
    [
        ("Don't forget that I am allergic to nuts.", "I am allergic to nuts."),
        ("Please don't forget I'm allergic to nuts!", "I'm allergic to nuts!"),
        ("You must not forget that I am vegan.", "I am vegan."),
        ("Make sure you don't forget I moved to Lyon.", "I moved to Lyon."),
        ("Remember that my birthday is June 3.", "my birthday is June 3."),
        ("Book us a table, and keep in mind that I am vegan.", "Book us a table, I am vegan."),
        ("别忘了我对坚果过敏。", "我对坚果过敏。"),
        ("不要忘记我的生日是六月三号。", "我的生日是六月三号。"),
        ("千万别忘记我吃素。", "我吃素。"),
        ("请记住我吃素。", "我吃素。"),
    ],
)
def test_what_is_to_be_kept_in_mind_is_told_as_if_it_were_just_stated(reminder: str, stated: str) -> None:
    told, plain = read(f"c: {reminder}").statements, read(f"c: {stated}").statements
    assert [one.content for one in told] == [one.content for one in plain] != []


@pytest.mark.parametrize("text", ["Don't forget my birthday!", "别忘了我!", "别忘了我说的话。", "记得我吗?"])
def test_a_reminder_that_states_nothing_tells_nothing(text: str) -> None:
    assert read(f"c: {text}").statements == ()


@pytest.mark.parametrize(
    "line",
    [
        "I'd rather that stayed out of your notes.",
        "I take lithium. I'd rather that stayed out of your notes.",
        "I take lithium, but keep that out of your records please.",
        "I would like this to be left out of the file.",
        "我在吃锂盐。这事我不想留在你的记录里。",
        "这个别放进你的笔记。",
    ],
)
def test_what_is_to_stay_out_of_the_notes_is_not_remembered(line: str) -> None:
    assert (read if line[0] > "z" else english)(line).statements == ()


@pytest.mark.parametrize(
    "line", ["Please keep the invoices in your files.", "I live in Oslo. Keep my son's name out of your notes."]
)
def test_what_names_the_notes_takes_nothing_else_back(line: str) -> None:
    said = [statement.content for statement in english(line).statements]
    assert not any("notes" in content for content in said)
    assert ("Oslo" not in line) or any("Oslo" in content for content in said)
