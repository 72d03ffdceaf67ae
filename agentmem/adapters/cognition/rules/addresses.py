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
_NO_ADDRESS_ZH = re.compile(
    rf"{zh.HOUSEHOLD}|老(?:家|乡|伴|头|人|外|年|旧|式|大|二|三|房|客|样|板|师)|小(?:区|吃|时|型|票|学|说|腿|心|车|组|费|店|程序|王子|公主|学生|伙子|姑娘|姐|本|米|麦|龙虾|提琴|语种)"
)
"""A relative, or a thing whose word begins as one calls somebody."""
_AGENT_ZH = rf"(?:[小老阿大]?(?P<titled>{zh.COMPOUND_SURNAMES}|[{zh.SURNAMES}])(?:{_TITLE_ZH}|{zh.OCCUPATION_END})|[小老阿](?P<nicked>{zh.COMPOUND_SURNAMES}|[{zh.SURNAMES}]))"
_AGENT_BEGINS_ZH = re.compile(_AGENT_ZH)
_AGENT_ENDS_ZH = re.compile(rf".*?{_AGENT_ZH}$")
"""The person in the name of an agent: 教练老贺, 方设计."""
_OF_HIM = re.compile(r"[他她]|[\d+]|的?(?:电话|手机|微信|邮箱|号码|分机)|.*\d{7}", re.DOTALL)
"""What follows a name that is spoken of: who he is by a pronoun, and how he is reached."""
_WHEN_ZH = r"(?:[今明后昨前]天|[上下这本](?:个)?(?:周|月|星期|礼拜)[一二三四五六日天末]?|(?:周|星期|礼拜)[一二三四五六日天末]|早上|上午|中午|下午|晚上|今晚|明早|刚才|最近|现在|[\d一二两三四五六七八九十]+[点号日月]半?)"
_SELF_ZH = rf"{_WHEN_ZH}*(?:我|咱|俺)"
_ASKS_ZH = r"(?:帮|给我|替我)(?![^,，。.!！?？;；\n]*[了过](?!吧))|麻烦|请(?![假客了过])|能不能|可不可以|可以(?=[^,，。.!！?？;；\n]*[吗么])|有没有|在吗|在不在"
_TO_HIM = re.compile(rf"[^,，。.!！?？;；\n]*[你您]|{_SELF_ZH}|{_ASKS_ZH}")
"""What is said to somebody whose name stands before it: you, or I, or a request."""
_SPEAKS_ZH = re.compile(rf"[^,，。.!！?？;；\n]*[我咱俺你您]|(?:{_ASKS_ZH}|还|也|就)*(?:{_ASKS_ZH}|想|要|需要|希望)")
"""What is told of the speaker behind an address: he names himself, or asks for something."""
_COMES_ZH = re.compile(
    rf"{_WHEN_ZH}+(?:可能|估计|应该|就|又|怕是)*(?:过不[来去]|[来去到]不了|不能?过?[来去]|请假|迟到|晚点?到)"
)
"""That somebody comes or does not, of whom the name before it tells, or the speaker, who leaves himself out."""
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
    """How many characters from a name on tell nothing of the speaker: an address, with its clause where he neither names
    himself nor asks and the listener's own name does not stand apart; all of a clause that may be his or another's."""
    rest, called = found["rest"], found.start("rest")
    title = found.group()[: found.end("nick") if found["nick"] else found.end("title")]
    if (other := _NO_ADDRESS_ZH.match(f"{found.group()}{rest}")) is not None and other.end() >= len(title):
        return 0
    clause = called + _length(_CLAUSE_ZH.match(rest))
    listens = _is_in(agent, title, found["name"])
    if not listens and (_OF_HIM.match(rest) or found["nick"]):
        return 0
    apart = found["soft"] or found["gap"]
    if listens or apart or _TO_HIM.match(rest):
        return called if (listens and apart) or _SPEAKS_ZH.match(rest) else clause
    return clause if _COMES_ZH.match(rest) and not any(title in each for each in spoken_of) else 0


def _is_in(agent: str, called: str, name: str | None) -> bool:
    """Whether an agent of this name is called so: by his nickname, or by the surname of the person in his name."""
    if name is None:
        return agent.startswith(called) or agent.endswith(called)
    persons = (_AGENT_BEGINS_ZH.match(agent), _AGENT_ENDS_ZH.match(agent))
    surname = name.lstrip("小老阿大") or name
    return any(each is not None and surname in (each["titled"], each["nicked"]) for each in persons)
