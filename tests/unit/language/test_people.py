"""Whom words mean: by what somebody is to one, by name, or by a pronoun; and whose something is."""

import pytest

from agentmem.language.people import Whom, people_in

EN = (
    ("wife", "wife"),
    ("husband", "husband"),
    ("mum", "mother"),
    ("father", "father"),
    ("ex-wife", "former partner"),
    ("little one", "child"),
    ("sis", "sister"),
    ("missus", "wife"),
    ("boss", "boss"),
    ("GP", "doctor"),
    ("father-in-law", "father-in-law"),
    ("co-worker", "colleague"),
    ("business partner", "client"),
    ("cat", "cat"),
)
"""What one calls somebody in English, and what he is."""

MANY_EN = (
    ("parents", "parent"),
    ("kids", "child"),
    ("children", "child"),
    ("family", "relative"),
    ("in-laws", "relative"),
    ("kin", "relative"),
    ("puppies", "dog"),
    ("colleagues", "colleague"),
)
"""The same of several."""

ZH = (
    ("老婆", "wife"),
    ("爸爸", "father"),
    ("妈", "mother"),
    ("前妻", "former partner"),
    ("闺女", "daughter"),
    ("哥哥", "elder brother"),
    ("姥姥", "grandmother"),
    ("同事", "colleague"),
    ("房东", "landlord"),
    ("班主任", "teacher"),
    ("狗", "dog"),
)
"""What one calls somebody in Chinese."""

MANY_ZH = (("爸妈", "parent"), ("孩子们", "child"), ("家人", "relative"))
"""The same of several."""


def told(whom: Whom) -> str:
    """Whom, as the tables below write it."""
    if whom.is_pronoun:
        return f"somebody {whom.sex or ''}".strip() + "*" * whom.many
    path = " ".join(f"{step}'s" for step in whom.path[:-1]) if whom.path else ""
    last = "oneself" if whom.path == () else whom.path[-1] if whom.path else ""
    return " ".join(filter(None, (path, last, whom.name))) + "*" * whom.many


def meant(text: str, **given: object) -> list[tuple[str, str]]:
    """Whom a text means and by which words; "+" stands behind whoever owns something there, "*" behind several."""
    found = people_in(text, **given)  # pyright: ignore[reportArgumentType] - as the tables give it
    return [(text[each.start : each.end], told(each.whom) + "+" * each.owns) for each in found]


@pytest.mark.parametrize(("word", "role"), EN)
def test_an_english_word_tells_what_somebody_is_to_one(word: str, role: str) -> None:
    assert meant(f"My {word} is ill") == [(f"My {word}", role)]
    assert meant(f"my old {word}'s bike") == [(f"my old {word}'s", f"{role}+")]
    assert meant(f"the bike of our {word} is red") == [(f"our {word}", f"{role}+")]
    assert meant(f"your {word}'s bike") == [(f"your {word}'s", f"listener's {role}+")]
    assert meant(f"my {word}'s dog's vet") == [(f"my {word}'s dog's", f"{role}'s dog+")]
    assert meant(f"my {word}, Anna Lee, is ill") == [(f"my {word}, Anna Lee", f"{role} Anna Lee")]
    assert meant(f"my {word} who is called Anna likes tea") == [(f"my {word}", f"{role} Anna")]
    assert meant(f"a {word} of mine is ill") == [(f"a {word} of mine", role)]
    assert meant(f"a {word} named Bob") == [(f"a {word}", f"{role} Bob+")]


@pytest.mark.parametrize(("word", "role"), MANY_EN)
def test_an_english_word_for_several_means_several(word: str, role: str) -> None:
    assert meant(f"My {word} like tea") == [(f"My {word}", f"{role}*")]
    assert meant(f"some {word} of ours like tea") == [(f"some {word} of ours", role)]
    assert meant(f"one of my {word} likes tea") == [(f"one of my {word}", role)]
    possessed = f"my {word}'" if word.endswith("s") else f"my {word}'s"
    assert meant(f"{possessed} car") == [(possessed, f"{role}*+")]


@pytest.mark.parametrize(("word", "role"), ZH)
def test_a_chinese_word_tells_what_somebody_is_to_one(word: str, role: str) -> None:
    assert meant(f"我{word}病了") == [(f"我{word}", role)]
    assert meant(f"我的{word}的生日") == [(f"我的{word}的", f"{role}+")]
    assert meant(f"你{word}的生日") == [(f"你{word}的", f"listener's {role}+")]
    assert meant(f"我家{word}的老板的生日") == [(f"我家{word}的老板的", f"{role}'s boss+")]
    assert meant(f"我{word}叫林芳,病了") == [(f"我{word}", f"{role} 林芳")]
    assert meant(f"我{word}家在苏州") == [(f"我{word}家", f"{role}+")]


@pytest.mark.parametrize(("word", "role"), MANY_ZH)
def test_a_chinese_word_for_several_means_several(word: str, role: str) -> None:
    assert meant(f"我{word}病了") == [(f"我{word}", f"{role}*")]
    assert meant(f"我同事的{word}病了") == [(f"我同事的{word}", f"colleague's {role}*")]
    assert meant(f"{word}的生日") == [(f"{word}的", f"{role}*+")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I moved", [("I", "oneself")]),
        ("mine is red", [("mine", "oneself+")]),
        ("my glasses", [("my", "oneself+")]),
        ("my is no word", [("my", "oneself")]),
        ("my 2 bikes", [("my", "oneself+")]),
        ("yours is red", [("yours", "listener")]),
        ("he and she moved", [("he", "somebody male"), ("she", "somebody female")]),
        ("ask him, them or her", [("him", "somebody male"), ("them", "somebody*"), ("her", "somebody female")]),
        ("his bike", [("his", "somebody male+")]),
        ("her bike", [("her", "somebody female+")]),
        ("their bike", [("their", "somebody*+")]),
        ("hers is red", [("hers", "somebody female")]),
        ("call her on Monday", [("her", "somebody female")]),
        ("call her again", [("her", "somebody female")]),
        ("ask her, the bike is red", [("her", "somebody female")]),
        ("his mother", [("his", "somebody male+")]),
        ("their kids", [("their", "somebody*+"), ("kids", "child*")]),
        ("well-her-self", []),
        ("one of my", []),
        ("a bike, some cousin and an aunt", []),
        ("Mum's pills", [("Mum's", "mother+")]),
        ("the boss left", [("the boss", "boss")]),
        ("the kids left", [("the kids", "child*")]),
        ("grandma left", [("grandma", "grandmother")]),
        ("my mom’s phone", [("my mom’s", "mother+")]),
        ("the number of my aunt is 5", [("my aunt", "aunt+")]),
        ("the house belonging to my uncle", [("my uncle", "uncle+")]),
        ("my mother called Lucia", [("my mother", "mother Lucia+")]),
        ("my sister Anna's cat", [("my sister Anna's cat", "sister's cat")]),
        ("my sister Anna's cat Tom's vet", [("my sister Anna's cat Tom's", "sister's cat Tom+")]),
        ("my two kids", [("my", "oneself+"), ("kids", "child*")]),
    ],
)
def test_english_words_mean_who_they_say(text: str, expected: list[tuple[str, str]]) -> None:
    assert meant(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我搬了", [("我", "oneself")]),
        ("我家在北京", [("我家", "oneself+")]),
        ("我们自己的车", [("我们自己的", "oneself+")]),
        ("您的电话", [("您的", "listener+")]),
        ("他的电话", [("他的", "somebody male+")]),
        ("她家的电话", [("她家的", "somebody female+")]),
        ("他们的电话", [("他们的", "somebody*+")]),
        ("她妈妈病了", [("她", "somebody female"), ("妈妈", "mother")]),
        ("她的妈妈病了", [("她的", "somebody female+")]),
        ("妈妈的生日", [("妈妈的", "mother+")]),
        ("妈的生日", []),
        ("我妈妈她病了", [("我妈妈", "mother"), ("她", "somebody female")]),
        ("我同事问了王强", [("我同事", "colleague")]),
        ("我客户华为公司的电话", [("我客户", "client")]),
        ("我同事王强的车", [("我同事王强的", "colleague 王强+")]),
        ("我养了一只猫", [("我养了一只猫", "cat")]),
        ("我认识的一个医生", [("我认识的一个医生", "doctor")]),
        ("我前老板的电话", [("我前老板的", "boss+")]),
        ("我同学院的电话", [("我", "oneself"), ("同学", "classmate")]),
        ("我妈也叫小芳。", [("我妈", "mother 小芳")]),
        ("我女儿的名字是小美。", [("我女儿的", "daughter 小美+")]),
        ("我的狗叫Rex。", [("我的狗", "dog Rex")]),
        ("同事老赵的车", [("同事老赵的", "colleague 老赵+")]),
        ("我女儿小美的车", [("我女儿小美的", "daughter 小美+")]),
        ("我朋友Ann的车", [("我朋友Ann的", "friend Ann+")]),
        ("我女儿是学生", [("我女儿", "daughter"), ("学生", "student")]),
        ("我同事老是迟到", [("我同事", "colleague")]),
        ("我老师小学毕业", [("我老师", "teacher")]),
        ("小林的病", [("小林的", "小林+")]),
        ("老赵住在苏州", [("老赵", "老赵")]),
        ("老家在苏州", []),
        ("这个小林的病", []),
        ("外公的药和爷爷的药", [("外公的", "grandfather+"), ("爷爷的", "grandfather+")]),
    ],
)
def test_chinese_words_mean_who_they_say(text: str, expected: list[tuple[str, str]]) -> None:
    assert meant(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ben moved to Rome", [("Ben", "Ben")]),
        ("and Ben likes tea", [("Ben", "Ben")]),
        ("We met, Ben moved", [("We", "oneself"), ("Ben", "Ben")]),
        ("Ben's bike is red", [("Ben's", "Ben+")]),
        ("They stole Ben's bike", [("They", "somebody*"), ("Ben's", "Ben+")]),
        ("Yesterday Ben moved", []),
        ("call Ben", []),
        ("Globex Ltd's budget is 5", []),
        ("王强的电话", [("王强的", "王强+")]),
        ("王强住在苏州", [("王强", "王强")]),
        ("我在王强的店里", [("我", "oneself"), ("王强的", "王强+")]),
    ],
)
def test_a_name_means_its_bearer_where_he_owns_or_does_something(text: str, expected: list[tuple[str, str]]) -> None:
    assert meant(text) == expected


@pytest.mark.parametrize("name", ["ann", "marks and spencer", "孟伟"])
def test_a_known_name_means_its_bearer_wherever_it_stands(name: str) -> None:
    own = "的" if name == "孟伟" else "'s"
    assert meant(f"ask {name} again", known=[name]) == [(name, name)]
    assert meant(f"{name}{own} bike", known=[name]) == [(f"{name}{own}", f"{name}+")]
    assert meant(f"the bike of {name}", known=[name]) == [(name, f"{name}+")]
    assert meant(f"去问{name}吧", known=[name]) == [(name, name)]
    assert meant(f"{name}的车", known=[name]) == [(f"{name}的", f"{name}+")]
    assert meant(f"我同事{name}的车", known=[name]) == [(f"我同事{name}的", f"colleague {name}+")]
    assert meant(f"my colleague and {name}", known=[name]) == [("my colleague", "colleague"), (name, name)]


@pytest.mark.parametrize("text", ["annika left", "joann left", "ann-marie left", "jo-ann left", "ann_b left"])
def test_a_known_name_within_another_word_means_nobody(text: str) -> None:
    assert meant(text, known=["ann"]) == []


@pytest.mark.parametrize("name", ["Nora", "周敏"])
def test_ones_own_name_means_oneself(name: str) -> None:
    own = "的" if name == "周敏" else "'s"
    assert meant(f"{name} moved", selves=[name]) == [(name, "oneself")]
    assert meant(f"{name}{own} bike", selves=[name], known=[name]) == [(f"{name}{own}", "oneself+")]
    assert meant(f"{name}的手机", selves=[name]) == [(f"{name}的", "oneself+")]
    assert meant(f"{name}的儿子病了", selves=[name]) == [(f"{name}的儿子", "son")]


def test_ones_own_name_tells_whose_relative_somebody_is() -> None:
    assert meant("Nora's son Tim's bike", selves=["Nora"]) == [("Nora's son Tim's", "son Tim+")]
    assert meant("Ben's son's bike") == [("Ben's", "Ben+")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("your son is ill", [("your son", "son")]),
        ("you are ill", [("you", "oneself+")]),
        ("I know", [("I", "listener")]),
        ("你儿子病了", [("你儿子", "son")]),
        ("她病了", [("她", "somebody female")]),
    ],
)
def test_what_the_agent_says_is_of_whom_it_speaks_to(text: str, expected: list[tuple[str, str]]) -> None:
    assert meant(text, by_agent=True) == expected
