"""Words by which the customer greets or addresses whom he talks to, read away before anything is understood of the turn:
程工啊,图看了 and `Dana, can we move it` say nothing of 程工 or Dana.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterable

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_zh as zh
from agentmem.adapters.cognition.rules.acquaintances import NO_PERSON

_I = re.IGNORECASE
_MORE_TITLES = "大夫 护士 店主 掌柜 同学 顾问 妹 弟 爷 婶 嫂 姨"
_TITLE_ZH = rf"(?:{'|'.join(sorted((*zh.TITLES.split('|'), *_MORE_TITLES.split()), key=len, reverse=True))})"
_TITLED_ZH = rf"(?:(?P<name>[小老阿大]?(?:{zh.COMPOUND_SURNAMES}|[{zh.SURNAMES}]))(?P<title>{_TITLE_ZH})|[小老阿](?P<nick>[\u4e00-\u9fff]))"
_GREETS_ZH = r"(?:[你您]们?好|(?:早上|上午|中午|下午|晚上)好|早安?|晚安)"
_SOFT_ZH = r"[啊呀哪呐哎诶哈嘿哟~]"
_GREETING_ZH = re.compile(
    rf"(?:(?:{_TITLED_ZH}|{_TITLE_ZH}|各位|亲|大家|客服)好?(?:{_GREETS_ZH})?{_SOFT_ZH}*(?<=[好早安啊呀哈哦诶哎哟])|{_GREETS_ZH}{_SOFT_ZH}*|(?:嗨|哈喽|哈啰|喂))(?=[\s,，。.!！~:：]|$)[\s,，。.!！~:：]*",
    _I,
)
_ADDRESS_ZH = re.compile(
    rf"{_TITLED_ZH}(?P<soft>{_SOFT_ZH}+)?(?P<gap>[\s,，、:：!！。~]+|$)?(?![们的])(?=(?P<rest>.*))", re.DOTALL
)
_OF_HIM = re.compile(r"[他她]|[\d+]|的?(?:电话|手机|微信|邮箱|号码|分机)|.*\d{7}", re.DOTALL)
"""What follows a name that is spoken of: who he is by a pronoun, and how he is reached."""
_TO_HIM = re.compile(r"[^,，。.!！?？;；]*[你您]|我|咱|俺|帮|给我|替我|麻烦|请|能不能|可不可以|可以|有没有|在吗|在不在")
"""What is said to somebody whose name stands before it: you, or I, or a request."""
_WHEN_ZH = re.compile(
    r"[今明后昨前]天|[上下这本](?:个)?(?:周|月|星期|礼拜)|周[一二三四五六日天末]|早上|上午|中午|下午|晚上|今晚|明早|刚才?|现在|\d+[号点日月]"
)
"""What may open a clause about the name before it, or one of the speaker's who leaves himself out."""
_CLAUSE_ZH = re.compile(r"[^,，。.!！?？;；\n]*")
_GREETING_EN = re.compile(
    r"(?:(?:good )?(?:morning|afternoon|evening)|good day|hi|hiya|hello|hey|dear)(?: (?:there|all|everyone|again|team))?(?: (?-i:[A-Z][a-z]+)(?: (?-i:[A-Z][a-z]+))?)?(?=[,.!;:\n-]|$)[,.!;:\s-]*",
    _I,
)
_ADDRESS_EN = re.compile(
    r"(?P<name>(?-i:[A-Z][a-z]+)),?\s+(?=(?:can|could|would|will|shall|should|may|did|do|have|are) (?:we|i|you)\b|you(?:'re|'ve|'d|'ll)?\b)",
    _I,
)


def without_addresses(text: str, agent: str, spoken_of: Iterable[str]) -> str:
    """The turn with blanks for the greeting and the address that it opens with. Where a name may be an address or the
    subject, and is in none of the texts `spoken_of`, its clause is blank too."""
    text = _blanked(text, 0, _length(_GREETING_ZH.match(text) or _GREETING_EN.match(text)))
    opens = len(text) - len(text.lstrip())
    rest = text[opens:]
    english = _ADDRESS_EN.match(rest)
    if english is not None:
        return text if english["name"] in NO_PERSON else _blanked(text, opens, english.end())
    found = _ADDRESS_ZH.match(rest)
    return text if found is None else _blanked(text, opens, _addressed(found, agent, spoken_of))


def _length(found: re.Match | None) -> int:
    return 0 if found is None else found.end()


def _blanked(text: str, start: int, length: int) -> str:
    return f"{text[:start]}{' ' * length}{text[start + length :]}"


def _addressed(found: re.Match, agent: str, spoken_of: Iterable[str]) -> int:
    """How much of the words from a name on tells nothing: of the listener's his name, of what may be his or somebody
    else's all of the clause."""
    name, rest = found["nick"] or found["name"][-1:], found["rest"]
    called = found.start("rest")
    if name in agent:
        return called
    if _OF_HIM.match(rest) or found["nick"]:
        return 0
    if found["soft"] or found["gap"] or _TO_HIM.match(rest):
        return called
    title = found.group()[: found.end("title")]
    if _WHEN_ZH.match(rest) and not any(title in each for each in spoken_of):
        return called + _length(_CLAUSE_ZH.match(rest))
    return 0
