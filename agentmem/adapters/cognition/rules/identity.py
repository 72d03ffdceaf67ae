"""Names: what somebody is called, in full and for short."""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterable

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_zh as zh
from agentmem.adapters.cognition.rules.model import Act, Clause, Discourse, Finding, Who
from agentmem.adapters.cognition.rules.told import finding

_I = re.IGNORECASE
_FULL_ZH = re.compile(
    rf"(?:全名|姓名|大名|真名|名字)(?:就?是|叫|:|为)?(?P<v>[\u4e00-\u9fff·]{{2,6}})$|^(?:我|本人)(?:的?(?:名字)?叫|名叫)(?P<v2>[\u4e00-\u9fff·]{{2,4}}|[A-Z][A-Za-z]+(?: [A-Z][a-z]+)?)$|^我(?:就)?是(?P<v3>{zh.NAME})$"
)
_SURNAME_ZH = re.compile(rf"^(?:我|本人)?(?:免贵)?姓(?P<v>欧阳|上官|司马|诸葛|[{zh.SURNAMES}])$")
_CALL_ZH = re.compile(
    r"(?<![别要准许用])(?:叫我|称呼我|喊我|管我叫)(?P<v>[\u4e00-\u9fffA-Za-z]{2,10}?)(?:就行|就好|就可以|即可|吧|好了)?(?=$|[,，。!！;；~])"
    r"|(?:(?<!给)我(?:的|有个)?|(?:^|[。!！?？;；])我(?:叫|是|姓)[^,，。!！?？;；]{1,10}[,，]\s*)英文名(?:是|叫)?(?P<v2>[A-Za-z]{2,15})"
)
_FULL_EN = re.compile(
    r"^(?:my (?:full )?name(?:'s| is)|the name(?:'s| is)|name's|i am called|this is|it's|i'm|i am)\s+(?P<v>(?-i:[A-Z][a-z]+(?:[ -](?:[A-Z]\.?|(?:Mc|O')?[A-Z][a-z]+)){0,3}))(?:\s+(?:from|at|with|of|here|over at)\s+(?P<firm>(?-i:[A-Z])[\w&' .-]{1,40}?))?(?:\s+(?:here|speaking|now))?$",
    _I,
)
_SELF_EN = r"(?:i(?: am|'m| was| have been|'ve been)|my (?:full |real )?name(?:'s| is))"
_CALL_EN = re.compile(
    rf"\b(?:(?<!not )(?<!n't )(?<!never )call me|i (?:also |usually |mostly |just )?go by"
    rf"|{_SELF_EN}(?: (?-i:[A-Z])[\w'-]*){{0,3}}(?: ?, ?| )(?:(?:also|better|usually|mostly|often|sometimes) )?(?:known as|goes by|go by))"
    rf"\s+(?P<v>(?-i:[A-Z][a-z]+))",
    _I,
)
_HERE_EN = re.compile(
    r"^(?P<v>(?-i:[A-Z][a-z]+(?: [A-Z][a-z]+)?))\s+(?:here|speaking)(?:\s+from\s+(?P<firm>(?-i:[A-Z])[\w&' .-]{1,40}))?$",
    _I,
)
_NO_NAME = re.compile(
    r"^(?:not|very|so|just|really|here|looking|happy|sorry|interested|based|good|fine|busy|english|british|american|chinese|german|french|monday|tuesday|wednesday|thursday|friday|saturday|sunday|vegan|vegetarian|also|still|more|too)\b",
    _I,
)


def names(clause: Clause, discourse: Discourse) -> Iterable[Finding]:
    """`我姓罗，全名罗小东`, `this is Tom from Brightside`."""
    if clause.act not in (Act.ASSERT, Act.IDLE) or clause.subject.who is Who.SECOND:
        return
    if clause.lang == "zh":
        yield from _zh(clause, discourse)
        return
    found = _FULL_EN.match(clause.text) or _HERE_EN.match(clause.text)
    if found is None or _NO_NAME.match(found["v"]):
        return
    name, firm = found["v"], found["firm"]
    if (
        clause.text.lower().startswith(("i'm ", "it's ", "i am ", "this is "))
        and name.split()[0] not in discourse.person.name
        and not firm
        and len(name.split()) < 2
        and not clause.opens_sentence
    ):
        return
    if name != discourse.person.name and name not in discourse.person.name:
        yield finding(clause, discourse, f"{discourse.label}'s name is {name}", "name", 7, attribute="name", value=name)
    if firm:
        yield finding(
            clause, discourse, f"{discourse.label} is from {firm}", "employer", 7, attribute="employer", value=firm
        )


def _zh(clause: Clause, discourse: Discourse) -> Iterable[Finding]:
    full = _FULL_ZH.search(clause.text)
    claimed = full["v3"] if full is not None else None
    if claimed and not set(claimed) & set(discourse.person.name):
        full = None
    if full is not None and clause.subject.who is not Who.THIRD and not _of_another(clause, full):
        name = full["v"] or full["v2"] or full["v3"]
        if name == discourse.person.name:
            return
        word = "全名" if "全名" in clause.text else "姓名"
        yield finding(clause, discourse, f"{discourse.label}的{word}是{name}", "name", 7, attribute="name", value=name)
        return
    surname = _SURNAME_ZH.match(clause.text)
    if surname is not None and surname["v"] not in discourse.person.name:
        yield finding(clause, discourse, f"{discourse.label}姓{surname['v']}", "surname", 6)


def _of_another(clause: Clause, full: re.Match) -> bool:
    """Whether the words before a name give it to somebody or something else: 李敏的姓名是…, 这家店的名字是…."""
    before = clause.text[: full.start()]
    return full["v"] is not None and before.endswith("的") and _SELF_ZH.search(before) is None


_SELF_ZH = re.compile("(?:我|本人)(?:自己)?的$")


def repeats_name(clause: Clause, discourse: Discourse) -> bool:
    """Whether a clause only says what the name it already names somebody by is: 李敏的姓名是李敏."""
    found = _NAME_IS_ZH.match(clause.text) if clause.lang == "zh" else _NAME_IS_EN.match(clause.text)
    if found is None:
        return False
    named = {found["who"], clause.subject.person} if found["who"] else {discourse.person.name}
    return found["name"].casefold() in {name.casefold() for name in named if name}


_NAME_IS_ZH = re.compile(
    r"^(?:(?:我们?|本人)的?|(?P<who>[^,的]{2,16}?)的)?(?:全名|姓名|大名|真名|名字)(?:就?是|叫|:|为)*(?P<name>[\u4e00-\u9fff·A-Za-z ]{2,30})$"
)
_NAME_IS_EN = re.compile(
    r"^(?:my|the|(?P<who>[\w .-]{2,40}?)'s) (?:full |real )?name(?: is|'s|:) (?P<name>[\w .-]{2,40})$", _I
)


def nicknames(text: str, discourse: Discourse) -> list[tuple[str, int, int]]:
    """Other names he gives himself, with their places in the text."""
    found: list[tuple[str, int, int]] = []
    for pattern in (_CALL_ZH, _CALL_EN):
        for match in pattern.finditer(text):
            group = "v" if match["v"] else "v2"
            if match[group] != discourse.person.name:
                found.append((match[group], match.start(group), match.end(group)))
    return found
