"""Questions of the agent: the last of a turn, and how it can be told beside its answer."""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.model import COMMA, language_of, plain, sentences
from agentmem.language.tokens import content_terms

_I = re.IGNORECASE
_OPEN_ZH = re.compile(
    r"什么|哪|多少|几[^乎]|多[大久高重远长宽]|(?:是|叫)$|^[^您你]*还是|谁|怎么(?!样$)|如何(?!$)|为什么|啥|(?:说|讲|介绍|告诉|描述)(?:一下|说|我)[吗么]?$|[\u4e00-\u9fff]{2}呢$|有(?:没有|什么|哪些)?[\u4e00-\u9fff]{0,8}(?:过敏史?|忌口|要求|偏好|病史|宠物|孩子|小孩|经验|基础|担心|顾虑|伤病)[^,，]{0,8}[吗么]?$"
)
_OPEN_EN = re.compile(
    r"^(?:(?:and|so|ok|okay|great|right|thanks|lovely|[A-Z][a-z]+),? )*(?:(?:what(?!'s up| can i| about| would you say if)|which|where|when|who|how (?!about|are you\b|(?:can|may) (?:i|we)|do you do$|is it going|did it)|by when|at what|on which|in which|since when|until when|from which)\b|(?:do|have) you (?:have|got) (?:any )?|is there (?:any|a)\b|any\b)",
    _I,
)
_BARE_EN = re.compile(r"^(?:and |so |still )*(?:(?:your|the|preferred|current) )?[a-z]{3,}(?:,? [a-z-]+){0,4}$", _I)
_VERBED_EN = re.compile(
    r"\b(?:is|are|was|were|do|does|did|have|has|had|will|would|shall|should|could|can|may|might|am|be|ok|okay|right|correct|yes|no|please|sure|agreed|you|i|we|deal|good|fine|suits?|works?|shall|anything)\b|'(?:s|re|ll|d|m|ve)\b",
    _I,
)
_STATE_ZH = re.compile("(?:有|过|抽烟|喝酒|忌口|运动|养|在用|会|住)[^,，]{0,6}[吗么]$|(?:喜欢|习惯)[^,，]{1,8}[吗么]$")
_STATE_EN = re.compile(
    r"^(?:and )?(?:do you (?:smoke|drink|drive|exercise|work|live|own|rent|use|take|play|eat|cook|commute)|have you (?!thought|considered|seen|tried our|heard|got (?:a|any) (?:questions|minute))|did you (?:ever|use)|are you (?:allergic|married|on any|taking|using|currently))\b",
    _I,
)
"""A question of yes or no about how he lives, whose answer tells more than that."""
_GREETED_EN = re.compile(
    r"^(?:(?:hi|hello|hey|morning|afternoon|good morning|good afternoon|thanks|thank you|sorry)\b[^,.!]{0,20}[,.!] )+",
    _I,
)
_OBJECT_EN = re.compile(
    r"(?<=[a-z] )\b(?:it|them)\b(?= (?:all|now|today|currently|at the moment|for|by|to|cost|be|start|delivered|done)\b|$)",
    _I,
)
_PROPOSES_ZH = re.compile(
    "(?:可以|行|好|方便|合适|有空|有时间|对|是|没问题|需要|接受|ok)(?:吗|么|吧|不)$|怎么样$|如何$|要不要|能不能|是不是|对不对|好不好|行不行",
    _I,
)
_POINTING_ZH = re.compile("[他她它]|这|那(?!么)|该")
POINTING_EN = re.compile(
    r"\b(?:he|she|him|his|hers?|they|them|their|it|its|that|this|those|these|one|there|here|mine|ones)\b", _I
)
_LEAD_ZH = re.compile(
    r"^(?:请问一下|请问|那么|那|好的|方便问一下|方便说一下|方便告诉我|可以告诉我|能告诉我|想了解一下|想问一下|冒昧问一下|另外|顺便问一下|麻烦问下|请告诉我|我想确认一下|还有|请教一下|了解一下|嗯|明白|好|行)+[,:。]?"
)
_GREETED_ZH = re.compile(
    r"^(?:[^,，]{0,8}(?:您好|你好|老师好|早|恭喜|谢谢|收到|辛苦)[^,，]{0,4}[,，]|(?:好的?|行|明白)[^,，]{0,5}[,，])+"
)
_LEAD_EN = re.compile(
    r"^(?:(?:and|so|ok|okay|great|right|thanks|got it|lovely|perfect|understood|sure|noted|alright)[,.:]?\s+)+", _I
)


def question_in(text: str) -> str:
    """The last question of an agent turn, normalised, without its mark; empty where there is none."""
    asked = ""
    body = plain(text)
    for sentence in sentences(body):
        said = body[sentence.start : sentence.end]
        if sentence.mark == "?" or (
            language_of(said) == "zh" and re.search(r"(?:吗|呢)$|请问|告诉我|请提供|留(?:一?下|个)", said)
        ):
            asked = said
    return asked


_ASKS_WITHIN = re.compile(
    r"什么|哪|多少|几(?!乎)|谁|怎么|[吗呢](?=[,，]|$)|[^,，]还是|\b(?:what|which|where|when|who|how|or)\b", _I
)


def asks_several(text: str) -> bool:
    """Whether a turn of the agent asks more than one thing, so that nobody knows which of them an answer is to."""
    body = plain(text)
    asking = [body[each.start : each.end] for each in sentences(body) if each.mark == "?"]
    parts = [part for said in asking for part in re.split(rf"{COMMA}|[，;；]", said) if _ASKS_WITHIN.search(part)]
    return len(asking) > 1 or len(parts) > 1


def told_question(asked: str) -> str | None:
    """The question as it can be told: open, asked of him, and clear by itself."""
    if language_of(asked) == "zh":
        said = _LEAD_ZH.sub("", _GREETED_ZH.sub("", asked)).strip(" ,，。")
        parts = re.split(rf"{COMMA}|，", said)
        if len(parts[-1]) > 3 and _OPEN_ZH.search(parts[-1]):
            said = parts[-1]
        if (
            not (_OPEN_ZH.search(said) or _STATE_ZH.search(said))
            or _PROPOSES_ZH.search(said)
            or _POINTING_ZH.search(said)
        ):
            return None
        return f"{said}？"
    said = _LEAD_EN.sub("", asked).strip(" ,.")
    said = _GREETED_EN.sub("", said)
    bare = _BARE_EN.match(said) is not None and not _VERBED_EN.search(said)
    if not (_OPEN_EN.match(said) or _STATE_EN.match(said) or bare) or POINTING_EN.search(_OBJECT_EN.sub(" ", said)):
        return None
    return f"{said[:1].upper()}{said[1:]}?"


def closed_question(asked: str) -> str | None:
    """A question of yes or no, or a proposal, as it can be told: clear by itself, for it names what it is about."""
    if len(asked) > _LONGEST_CLOSED:
        return None
    if language_of(asked) == "zh":
        said = _LEAD_ZH.sub("", _GREETED_ZH.sub("", asked)).strip(" ,，。")
        matter = re.sub("[您你我吗么吧呢]", "", _PROPOSES_ZH.sub("", said))
        return f"{said}？" if len(matter) >= _NAMED_ZH and not _POINTING_ZH.search(said) else None
    said = _GREETED_EN.sub("", _LEAD_EN.sub("", asked).strip(" ,."))
    if len(content_terms(said)) < _NAMED_EN or POINTING_EN.search(_EXPLETIVE_EN.sub(" ", said)):
        return None
    return f"{said[:1].upper()}{said[1:]}?"


_LONGEST_CLOSED = 100
_NAMED_ZH, _NAMED_EN = 2, 2
"""Characters, and words, in which a question names its matter."""
_EXPLETIVE_EN = re.compile(
    r"^(?:is|was) it (?:still|now|again)\b|\bthere(?:'s| is| are| was| were)\b|^(?:is|are) there\b", _I
)
"""It and there where they stand for nothing."""
