"""Clauses retold about a named person: `I need it` becomes `Tom Hale needs it`, 我们公司的系统 becomes 罗小东的公司的系统."""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en as en
from agentmem.adapters.cognition.rules import lexicon_zh as zh
from agentmem.language.time import BASE_OF

_I = re.IGNORECASE
_AUX = {"'m": " is", "'re": " is", "'ve": " has", "'ll": " will"}
_PARTICIPLE = re.compile(
    r"\s*(?:\w+ly\s+)?(?:been|had|(?!need\b)\w+ed|better|done|seen|got|gone|made|lost|become|grown)\b", _I
)
_SUBJECT = re.compile(
    rf"\b(?:I|we)(?P<aux>'m|'re|'ve|'d|'ll)?(?![\w'-])(?P<adverb>(?:\s+(?:{en.ADVERBS}|(?!rely|apply|fly|supply|reply|comply|multiply|imply|tally|rally|bully)[a-z]{{3,}}ly))*)(?P<verb>\s+(?P<word>[A-Za-z][A-Za-z'-]*))?",
    _I,
)
_POSSESSIVE = re.compile(r"\b(?:my|our)\b", _I)
_OWN = re.compile(r"\b(?:mine|ours)\b", _I)
_OBJECT_CASED = re.compile(r"\b(?:me|us|Me)\b")
_SELF_EN = re.compile(r"\b(?:myself|ourselves)\b", _I)
_YOURS = re.compile(r"\b(?:your|yours)\b", _I)
_YOU_EN = re.compile(r"\b(?:you guys|you)\b", _I)
_SECOND_VERB = re.compile(
    r"(?<=\band )(?P<word>need|want|use|have|work|live|run|like|prefer|sell|make|get|go|do|employ|love|hate)(?= )"
)
_IRREGULAR = {"am": "is", "are": "is", "were": "was", "have": "has", "do": "does", "don't": "doesn't", "haven't": "hasn't",
              "aren't": "isn't", "weren't": "wasn't", "go": "goes", "'ve": "has"}  # fmt: skip
_PLURAL = {"am": "are", "was": "were"}
_UNCHANGED = frozenset(en.UNCHANGED_VERBS)
_BASE_IN_ED = frozenset(("need", "feed", "speed", "exceed", "proceed", "succeed", "bleed", "shed", "embed"))


def retold_en(text: str, label: str, agent: str) -> str:
    """The clause with the first person named: first by label, then as they; the agent's side by its name."""
    told, named = _subjects(text, label)
    told, named = _possessives(told, label, named)
    if named:
        told = _SELF_EN.sub("themselves", _OBJECT_CASED.sub("them", told))
    else:
        told = _OBJECT_CASED.sub(label, told, count=1)
    told = _OWN.sub("theirs", told)
    told = _YOU_EN.sub(agent, _YOURS.sub(f"{agent}'s", told))
    return tidied_en(told)


def echoed(text: str, agent: str) -> str:
    """English words of his with him as they."""
    text = re.sub(r"\b(?:my|our)\b", "their", re.sub(r"\b(?:me|us)\b", "them", text, flags=_I), flags=_I)
    told = retold_en(text, "they", agent)
    return (
        told if told[:2].isupper() or told.startswith(agent) or _SOMEBODY.match(told) else told[:1].lower() + told[1:]
    )


_SOMEBODY = re.compile(
    r"(?!(?:It|This|That|There|He|She|They|Everybody|Everyone|Somebody|Someone|Nobody)\b)[A-Z][a-z]+(?:'s\b| [A-Z]| (?:owes?|owed|lives?|works?|likes?|loves?|told|gave|owns?|knows?|thinks?|asked|called|paid|borrowed|lent|promised|moved|married|(?:is|isn't|was) (?:their|an? \w+er)\b))"
)
"""A capital that is a name's and not the sentence's: what follows only people do."""


def tidied_en(text: str) -> str:
    """Without outer blanks and closing courtesies; the first letter large."""
    shorter = text.strip(" ,.!?;:-").strip()
    return shorter[:1].upper() + shorter[1:]


def third_person(verb: str) -> str:
    """The third person singular of a verb in the present; other forms as they are."""
    low = verb.lower()
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if low in _UNCHANGED or (low.endswith(("ed", "n't")) and low not in _BASE_IN_ED) or not low.isalpha():
        return low
    if low.endswith(("s", "x", "z", "ch", "sh", "o")):
        return low + "es"
    if low.endswith("y") and low[-2:-1] not in "aeiou":
        return low[:-1] + "ies"
    return low + "s"


def _subjects(text: str, label: str) -> tuple[str, bool]:
    parts: list[str] = []
    at = 0
    for found in _SUBJECT.finditer(text):
        if found.group().startswith("i") and not found["aux"] and not text.isascii():
            continue
        name = label if at == 0 else "they"
        parts += [text[at : found.start()], _conjugated(found, name, text)]
        at = found.end()
    rest = text[at:]
    if parts and len(parts) == 2:
        rest = _SECOND_VERB.sub(lambda verb: third_person(verb["word"]), rest)
    return "".join(parts) + rest, bool(parts)


def _conjugated(found: re.Match, name: str, text: str) -> str:
    aux, adverb, word = (found["aux"] or "").lower(), found["adverb"] or "", found["word"] or ""
    plural = name == "they"
    if aux == "'d":
        had = word and (BASE_OF.get(word.lower()) or _PARTICIPLE.match(text, found.start("verb")))
        return f"{name} {'had' if had else 'would'}{adverb}{' ' + word if word else ''}"
    if aux:
        forms = {"'m": " are", "'re": " are", "'ve": " have"} if plural else _AUX
        return f"{name}{forms.get(aux, _AUX[aux])}{adverb}{' ' + word if word else ''}"
    if not word:
        return f"{name}{adverb}"
    return f"{name}{adverb} {_PLURAL.get(word.lower(), word) if plural else third_person(word)}"


def _possessives(text: str, label: str, named: bool) -> tuple[str, bool]:
    if not named:
        told = _POSSESSIVE.sub(f"{label}'s", text, count=1)
        named = told != text
        text = told
    return _POSSESSIVE.sub("their", text), named


_SELF_ZH = re.compile(r"我们|我司|我方|我自己|本人|俺们?|敝公司|我")
_ADJACENT = re.compile(
    rf"(?:公司|单位|店里?|团队|部门|家里?|厂里?|学校|诊所|酒店|医院|工厂|老家|{zh.RELATED}|{zh.OWN})"
)
_HERE = re.compile(r"(?:这边|这里|这儿|那边|自己|俩|仨)(?:的)?")
_FAMILY = re.compile(rf"我们?家(?:里)?的?(?=(?:{zh.HOUSEHOLD}|(?!家|公司|店)(?:{zh.OWN})))")
_YOU_ZH = re.compile(r"您们|你们|您|你")
_TAIL_ZH = re.compile(r"(?:了)?[啊呀呢吧呗哈哦嘛哟啦]+$|的说$|谢谢.{0,3}$")
_TIDY = re.compile(r"(?<=[\u4e00-\u9fff]) +(?=[\u4e00-\u9fff])")


def retold_zh(text: str, label: str, agent: str) -> str:
    """The clause with the first person named: first by label, then as 自己; the agent's side by its name."""
    text = _FAMILY.sub("我", text)
    parts: list[str] = []
    at = 0
    for found in _SELF_ZH.finditer(text):
        after = _HERE.match(text, found.end())
        end = after.end() if after else found.end()
        possessive = text.startswith("的", end) or (after is not None and after.group().endswith("的"))
        name = label if not parts else "自己"
        joint = "的" if not text.startswith("的", end) and (possessive or _ADJACENT.match(text, end)) else ""
        gap = " " if name[-1].isascii() and text[end : end + 1].isascii() and text[end : end + 1].isalnum() else ""
        parts += [text[at : found.start()], name, joint, gap]
        at = end
    told = "".join(parts) + text[at:]
    return tidied_zh(_YOU_ZH.sub(agent, told))


def tidied_zh(text: str) -> str:
    """Without the particles that only colour speech, and without stray blanks."""
    shorter = _TAIL_ZH.sub("", text.strip(" ,。.!?~"))
    return _TIDY.sub("", shorter).strip(" ,").replace(",", "，")


def mentions_self(text: str) -> bool:
    """Whether the first person is spoken of."""
    return _SELF_ZH.search(text) is not None


def strip_leading_self(text: str) -> str:
    """The clause without 我 or 我们 (这边) at its head."""
    found = _SELF_ZH.match(text)
    if found is None:
        return text
    after = _HERE.match(text, found.end())
    return text[after.end() if after else found.end() :]
