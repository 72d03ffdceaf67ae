"""Of whom a clause speaks, read off its beginning."""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en as en
from agentmem.adapters.cognition.rules import lexicon_zh as zh
from agentmem.adapters.cognition.rules.acquaintances import NO_PERSON
from agentmem.adapters.cognition.rules.model import Subject, Who

_I = re.IGNORECASE
_LEAD_EN = (
    r"(?:(?:at the moment|right now|currently|these days|today|this (?:week|month|year)|last (?:week|month|year)|next (?:week|month|year)|for years|most of the time|"
    r"(?:till|until) (?:the )?\w+|usually|normally|mostly|ideally|in total|on average|by the way|every \w+|on \w+days?|(?:for|in|with|at|from) [^,]{1,40}),?\s+)?"
)
_THIRD_EN = re.compile(
    rf"{_LEAD_EN}(?:(?:my|our|one of (?:my|our)|a)\s+(?:\w+\s+)?(?P<kin>{en.COLLEAGUES}|{en.HOUSEHOLD})s?\b(?!')(?:,?\s+(?P<name>(?-i:[A-Z][a-z]+(?:\s[A-Z][a-z]+)?)))?"
    rf"|(?:my|our)\s+(?:\w+\s+)?(?P<kins>{en.COLLEAGUES}|{en.HOUSEHOLD})(?:'s|s')"
    r"|(?:my|our)\s(?:[a-z]+\s)?(?P<doer>[a-z]+)(?=(?:\s(?:also|still|now|just|usually))?\s(?:lives|works|likes|loves|hates|wants|thinks|plays|drives|speaks|teaches|studies|eats|drinks|sleeps|knows|retired|smokes)\b)"
    rf"|(?:my|our)\s(?:(?:new|old|former|current|other)\s)?(?P<role>{en.ROLE})\b(?:,? (?P<role_name>(?-i:[A-Z][a-z]+(?:\s[A-Z][a-z]+)?))|'s|s')?(?! (?:is|was) [\d$£€])"
    rf"|(?P<bare>(?:the )?(?:{en.KIN}))\b(?:'s|s')?(?! (?:number|phone|mobile|email|address)\b)(?: and (?:{en.KIN})\b)?"
    r"|(?P<pronoun>he|she|they|his|her|their|someone|somebody|people|everyone|everybody|others|competitors)\b"
    r"|(?P<full>(?-i:(?!I'|It's|That's|There's|What's|Here's|Let's|He's|She's|Who's|Where's)[A-Z][a-z]+))'s\s+(?=number|phone|mobile|email|address|extension|cell)"
    r"|(?P<chief>(?-i:(?!(?:We|You|They|He|She|It|This|That|Who|Everyone|Everybody|Nobody|Someone|Somebody|People)\b)[A-Z][a-z]+(?:\s[A-Z][a-z]+)?))(?=(?:'s| is| has)? (?:just |now |already |also )*(?:handles|manages|runs|in charge|looks after|is (?:our|my|the)|does (?:our|the)|plays|passed|started|lives|studies|teaches|likes|loves|hates|prefers|is allergic|allergic|turned|turns|(?:has |have |is )?mov(?:ed|ing) (?:to|back|away|house|home)|moving out|moving in|works (?:at|in|for|as)|an? (?:\w+ )?(?:nurse|teacher|doctor|pharmacist|midwife|student|engineer|lawyer|vegan|vegetarian))\b))",
    _I,
)
_SECOND_EN = re.compile(rf"{_LEAD_EN}(?:your|you|yours)\b(?:'re|'ll|'ve)?", _I)
_FIRST_EN = re.compile(rf"{_LEAD_EN}(?P<self>I|we|both of us|all of us|myself)\b(?P<aux>'m|'re|'ve|'d|'ll)?", _I)
_MINE = re.compile(rf"{_LEAD_EN}(?P<own>(?:my|our)\s+)", _I)
_OWN_EN = re.compile(rf"{_LEAD_EN}(?P<own>(?:the\s+|this\s+)?(?:\w+\s+)?(?:{en.OWN}))(?:'s)?\b(?=\s|'s|:)(?! of\b)", _I)
_OFFER_EN = re.compile(
    rf"{_LEAD_EN}(?P<offer>(?:the|this|that|those|these)?\s*(?:\w+\s+)?(?:{en.OFFER}))\b(?=\s|'s)", _I
)
_THING_EN = re.compile(rf"{_LEAD_EN}(?:it|this|that|these|those|there|here)\b(?:'s|'re|'ll|'d)?", _I)
_VERB_EN = re.compile(
    r"(?:really |just |also |still |currently |mainly |mostly |actually |only |definitely |probably )*"
    r"(?:need(?:ed|ing)?|want(?:ed|ing)?|looking (?:for|to|at)|hoping|trying|planning|thinking of|based in|living in|working (?:in|at|as|for)|currently|using|used to|running|moving|"
    r"got|have|had|would (?:like|prefer|love)|would rather|prefer|love|like|hate|can't|cannot|must|don't|won't|never|no (?:budget|time|meat|nuts|dairy)|allergic|interested in|happy with|ready to|"
    r"team of|about \d|around \d|roughly \d|\d|up to|at least|max|ideally|preferably|only|mornings|evenings|weekends|weekdays|after|before|tuesday|monday|wednesday|thursday|friday|saturday|sunday)\b",
    _I,
)


def subject_en(text: str, agent_words: re.Pattern | None, person: str) -> tuple[Subject, str]:
    """The subject and what follows it. `person` is the speaker's name, for those who have none of their own."""
    if agent_words is not None and agent_words.match(text):
        return Subject(Who.SECOND, "agent"), text
    third = _THIRD_EN.match(text)
    if third is not None:
        return _third_en(third, person), text[third.end() :]
    for who, pattern in _ORDER:
        found = pattern.match(text)
        if found is not None:
            return Subject(who, found.group()), text[found.end() :]
    if _VERB_EN.match(text):
        return Subject(Who.NONE), text
    return Subject(Who.THING, ""), text


_ORDER = (
    (Who.SECOND, _SECOND_EN),
    (Who.FIRST, _FIRST_EN),
    (Who.OWN, _MINE),
    (Who.THING, _THING_EN),
    (Who.OFFER, _OFFER_EN),
    (Who.OWN, _OWN_EN),
)


def _third_en(found: re.Match, person: str) -> Subject:
    name = found["name"] or found["role_name"] or found["full"] or found["chief"]
    if name and name.split()[0] in NO_PERSON:
        return Subject(Who.THING, "")
    kin = (
        found["kin"]
        or found["kins"]
        or found["doer"]
        or found["role"]
        or (found["bare"] and re.sub("^the ", "", found["bare"], flags=_I))
    )
    if name:
        return Subject(Who.THIRD, found.group(), name)
    return Subject(Who.THIRD, found.group(), f"{person}'s {kin.lower()}" if kin else None)


def is_child(subject: Subject) -> bool:
    """Whether the third person is a child or an animal of the speaker."""
    if subject.who is not Who.THIRD:
        return False
    kin = _RELATED_ZH.search(subject.words)
    return _CHILD_EN.search(subject.words) is not None or (kin is not None and _CHILD_ZH.fullmatch(kin[0]) is not None)


_CHILD_EN = re.compile(rf"\b(?:{en.CHILDREN})\b", _I)
_RELATED_ZH = re.compile(zh.RELATED)
_CHILD_ZH = re.compile(zh.CHILDREN)
_LEAD_ZH = (
    r"(?:现在|目前|最近|今天|明天|后天|昨天|今年|明年|去年|以前|之前|原来|平时|平常|一般|通常|现阶段|(?:上|下|这|本)(?:个)?(?:周[一二三四五六日天末初]?|月|季度)|"
    r"(?:每|周|星期)[一二三四五六日天末周月年个]{1,2}|周一到周五|主要|其中|还有|而|那|因为|由于|只是|就是|反正|尤其(?:是)?|特别是|关键|,){0,4}"
)
_SELF = r"(?:我们|我司|我方|我自己|本人|俺们?|敝公司|我)"
_HERE = r"(?:这边|这里|这儿|那边|自己|这|那儿)?"
_MODIFIER = r"(?:目前|现在|现有|现用|原来|之前|以前|整个|整体|主要|所有|部分|很多|大部分|有些|有的|大多数|这[个套些]?|那[个套些]?|老|旧|新|\d+个|[两三四五几]个)?的?"

_THIRD_ZH = re.compile(
    rf"{_LEAD_ZH}(?:(?P<mine>{_SELF}(?:公司|单位|店里|部门|家|团队|厂里|学校)?的?(?:一个|一位|那个|有个|有位|这个|前)?)(?P<kin>{zh.RELATED})"
    rf"(?P<name>{zh.NAME}(?=[,的是负在说想要也会管换]|电话|手机|微信|邮箱|$)|{zh.LATIN_NAME}|[老小][\u4e00-\u9fff](?![\u4e00-\u9fff]{{0,1}}[是子]))?"
    rf"|(?P<pronoun>(?:我们?家?)?(?:楼上|楼下|隔壁|对门|对面)(?:[那这]?[家户]|的?邻居家?)|[他她](?=爸|妈|哥|姐|弟|妹|爷|奶|外|老公|老婆|爱人|同学|朋友|男|女|儿|闺|家|单位|公司|同桌)|他们|她们|他|她|人家|别人|有人|大家|某人|对方|隔壁|有的人|很多人|网友|同行|竞品|竞争对手|另一家|别家|其他家|别的公司)"
    rf"|(?P<bare>{zh.RELATED})(?!的(?:事|问题|流程|价格)|部|方面|这块|成本|流程|订单|系统|管理|单)(?P<bare_name>{zh.NAME}(?=[,的是负在说想要也会管换]|电话|手机|微信|邮箱|$)|{zh.LATIN_NAME})?"
    rf"|(?P<titled>(?:[{zh.SURNAMES}])(?:{zh.TITLES}))(?![们])"
    rf"|(?P<of>{_SELF}(?:家|的)?)(?P<role>(?!智商|情商)[\u4e00-\u9fff]{{0,3}}(?:师|员|友|商|徒|师傅|客户|领导|邻居))(?=要|说|想|也|都|在|是|开|住|有|去|来|把|给|被|很|太|刚|已|不|没|昨|今|上|下)"
    rf"|(?:[^,的]{{1,6}}的)?(?P<nick>[老小][{zh.SURNAMES}](?=[说想要的是在也负会对跟和调去来就都]))"
    rf"|(?P<full>{zh.NAME}|{zh.LATIN_NAME})(?=负责|是(?:我们|负责|我)|的(?:电话|手机|微信|邮箱|号码|联系)|电话|手机号))"
)
_SECOND_ZH = re.compile(rf"{_LEAD_ZH}(?:{zh.AGENT_SIDE})(?:家|这边|那边|公司|店里?|的)*")
_FIRST_ZH = re.compile(rf"{_LEAD_ZH}(?P<self>{_SELF}){_HERE}")
_FIRST_OWN = re.compile(
    rf"{_LEAD_ZH}(?P<self>{_SELF})(?!要求(?!是|有|高|低)){_HERE}(?:的)?(?P<own>{_MODIFIER}(?:{zh.OWN}){{1,3}})(?!的(?:是|就))"
)
_OWN_ZH = re.compile(rf"{_LEAD_ZH}(?P<own>{_MODIFIER}(?:{zh.OWN}){{1,3}})(?:上|方面|这块|这边|里|的话)?")
_OFFER_ZH = re.compile(
    rf"{_LEAD_ZH}(?P<offer>(?:这个?|那个?|你们的|这种|整体|总体|总){{0,3}}的?(?:{zh.OFFER}){{1,3}})(?:上|方面|这块|的话)?"
)
_THING_ZH = re.compile(rf"{_LEAD_ZH}(?:这个|那个|这套|那套|这种|这些|那些|这|那|它们?|此)(?!边|么|样|几|段|周|里)")
_VERB_ZH = re.compile(rf"{_LEAD_ZH}(?:{zh.PERSON_VERBS})")
_US = re.compile(r"^(?:咱们|咱家|咱)")


def subject_zh(text: str, agent_words: re.Pattern | None, person: str) -> tuple[Subject, str]:
    """The subject and what follows it. `person` is the speaker's name, for those who have none of their own."""
    if _US.match(text):
        return Subject(Who.SECOND, "咱"), text
    if agent_words is not None and agent_words.match(text):
        return Subject(Who.SECOND, "agent"), text
    third = _THIRD_ZH.match(text)
    if third is not None:
        return _third_zh(third, person), text[third.end() :]
    for who, pattern in ((Who.SECOND, _SECOND_ZH), (Who.OWN, _FIRST_OWN), (Who.FIRST, _FIRST_ZH)):
        found = pattern.match(text)
        if found is not None:
            return Subject(who, found.group()), text[found.end() :]
    return _impersonal(text)


def _impersonal(text: str) -> tuple[Subject, str]:
    """Subjects that are things, and clauses without one."""
    for who, pattern in ((Who.OFFER, _OFFER_ZH), (Who.OWN, _OWN_ZH), (Who.THING, _THING_ZH)):
        found = pattern.match(text)
        if found is not None and (who is Who.THING or found.end() < len(text)):
            return Subject(who, found.group()), text[found.end() :]
    if _VERB_ZH.match(text):
        return Subject(Who.NONE), text
    return Subject(Who.THING, ""), text


def _third_zh(found: re.Match, person: str) -> Subject:
    name = found["name"] or found["bare_name"] or found["full"] or found["titled"] or found["nick"]
    kin = found["kin"] or found["bare"] or found["role"]
    if name:
        return Subject(Who.THIRD, found.group(), name)
    return Subject(Who.THIRD, found.group(), f"{person}的{kin}" if kin else None)
