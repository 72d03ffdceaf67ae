"""Of whom a Chinese clause speaks, read off its beginning."""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_zh as words
from agentmem.adapters.cognition.rules.model import Subject, Who

_LEAD = (
    r"(?:现在|目前|最近|今天|明天|后天|昨天|今年|明年|去年|以前|之前|原来|平时|平常|一般|通常|现阶段|(?:上|下|这|本)(?:个)?(?:周[一二三四五六日天末初]?|月|季度)|"
    r"(?:每|周|星期)[一二三四五六日天末周月年个]{1,2}|周一到周五|主要|其中|还有|而|那|因为|由于|只是|就是|反正|尤其(?:是)?|特别是|关键|,){0,4}"
)
_SELF = r"(?:我们|我司|我方|我自己|本人|俺们?|敝公司|我)"
_HERE = r"(?:这边|这里|这儿|那边|自己|这|那儿)?"
_MODIFIER = r"(?:目前|现在|现有|现用|原来|之前|以前|整个|整体|主要|所有|部分|很多|大部分|有些|有的|大多数|这[个套些]?|那[个套些]?|老|旧|新|\d+个|[两三四五几]个)?的?"

_THIRD = re.compile(
    rf"{_LEAD}(?:(?P<mine>{_SELF}(?:公司|单位|店里|部门|家|团队|厂里|学校)?的?(?:一个|一位|那个|有个|有位|这个|前)?)(?P<kin>{words.HOUSEHOLD}|{words.COLLEAGUES})"
    rf"(?P<name>{words.NAME}(?=[,的是负在说想要也会管换]|电话|手机|微信|邮箱|$)|{words.LATIN_NAME}|[老小][\u4e00-\u9fff](?![\u4e00-\u9fff]{{0,1}}[是子]))?"
    rf"|(?P<pronoun>他们|她们|他|她|人家|别人|有人|大家|某人|对方|隔壁|有的人|很多人|网友|同行|竞品|竞争对手|另一家|别家|其他家|别的公司)"
    rf"|(?P<bare>{words.HOUSEHOLD}|{words.COLLEAGUES})(?!的(?:事|问题|流程|价格)|部|方面|这块|成本|流程|订单|系统|管理|单)(?P<bare_name>{words.NAME}(?=[,的是负在说想要也会管换]|电话|手机|微信|邮箱|$)|{words.LATIN_NAME})?"
    rf"|(?P<titled>(?:[{words.SURNAMES}])(?:{words.TITLES}))(?![们])"
    rf"|(?P<nick>[老小][张王李赵刘陈杨黄周吴徐孙马朱胡郭何林罗高郑梁谢宋唐许邓冯韩曹曾彭](?=[说想要的是在也负会]))"
    rf"|(?P<full>{words.NAME}|{words.LATIN_NAME})(?=负责|是(?:我们|负责|我)|的(?:电话|手机|微信|邮箱|号码|联系)|电话|手机号))"
)
_SECOND = re.compile(rf"{_LEAD}(?:{words.AGENT_SIDE})(?:家|这边|那边|公司|店里?|的)*")
_FIRST = re.compile(rf"{_LEAD}(?P<self>{_SELF}){_HERE}")
_FIRST_OWN = re.compile(
    rf"{_LEAD}(?P<self>{_SELF}){_HERE}(?:的)?(?P<own>{_MODIFIER}(?:{words.OWN}){{1,3}})(?!的(?:是|就))"
)
_OWN = re.compile(rf"{_LEAD}(?P<own>{_MODIFIER}(?:{words.OWN}){{1,3}})(?:上|方面|这块|这边|里|的话)?")
_OFFER = re.compile(
    rf"{_LEAD}(?P<offer>(?:这个?|那个?|你们的|这种|整体|总体|总){{0,3}}的?(?:{words.OFFER}){{1,3}})(?:上|方面|这块|的话)?"
)
_THING = re.compile(rf"{_LEAD}(?:这个|那个|这套|那套|这种|这些|那些|这|那|它们?|此)(?!边|么|样|几|段|周|里)")
_VERB = re.compile(rf"{_LEAD}(?:{words.PERSON_VERBS})")
_US = re.compile(r"^(?:咱们|咱家|咱)")


def subject_of(text: str, agent_words: re.Pattern | None, person: str) -> tuple[Subject, str]:
    """The subject and what follows it. `person` is the speaker's name, for those who have none of their own."""
    if _US.match(text):
        return Subject(Who.SECOND, "咱"), text
    if agent_words is not None and agent_words.match(text):
        return Subject(Who.SECOND, "agent"), text
    third = _THIRD.match(text)
    if third is not None:
        return _third(third, person), text[third.end() :]
    for who, pattern in ((Who.SECOND, _SECOND), (Who.OWN, _FIRST_OWN), (Who.FIRST, _FIRST)):
        found = pattern.match(text)
        if found is not None:
            return Subject(who, found.group()), text[found.end() :]
    return _impersonal(text)


def _impersonal(text: str) -> tuple[Subject, str]:
    """Subjects that are things, and clauses without one."""
    for who, pattern in ((Who.OFFER, _OFFER), (Who.OWN, _OWN), (Who.THING, _THING)):
        found = pattern.match(text)
        if found is not None and (who is Who.THING or found.end() < len(text)):
            return Subject(who, found.group()), text[found.end() :]
    if _VERB.match(text):
        return Subject(Who.NONE), text
    return Subject(Who.THING, ""), text


def _third(found: re.Match, person: str) -> Subject:
    name = found["name"] or found["bare_name"] or found["full"] or found["titled"] or found["nick"]
    kin = found["kin"] or found["bare"]
    if name:
        return Subject(Who.THIRD, found.group(), name)
    return Subject(Who.THIRD, found.group(), f"{person}的{kin}" if kin else None)


def is_household(subject: Subject) -> bool:
    """Whether the third person is a child, an animal or a relative of the speaker."""
    return subject.who is Who.THIRD and re.search(words.HOUSEHOLD, subject.words) is not None
