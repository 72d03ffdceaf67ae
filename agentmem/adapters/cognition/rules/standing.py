"""Whether a clause may be told as a memory: its owner is sure, and whoever reads it later knows what it is about.

What fails here is left to the turn, which recall finds by itself.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from dataclasses import replace
from itertools import takewhile

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en as en
from agentmem.adapters.cognition.rules import lexicon_zh as zh
from agentmem.adapters.cognition.rules.acts import is_decision
from agentmem.adapters.cognition.rules.kinds import kind_of, tells_allergy
from agentmem.adapters.cognition.rules.model import Act, Clause, Discourse, Finding, Subject, Who, sentences
from agentmem.adapters.cognition.rules.paraphrase import rejects
from agentmem.memory.request import forget_request

_I = re.IGNORECASE

ROLE_PLAY = re.compile(
    r"练习|扮演|角色|假装|情景对话|造[一个]*句|\b(?:let'?s (?:practi[sc]e|pretend)|role[- ]?play|pretend (?:to|you)|imagine you|you are the (?:guest|customer|patient|buyer|tourist)|(?:write|make|give) (?:me )?a sentence)\b",
    re.IGNORECASE,
)
"""What an agent says who asks for words that are nobody's own."""
WITHDRAWN = re.compile(
    r"(?:当我|就当我?)没[说讲提]|(?:先|暂时|就)?(?:别|不要|请勿|勿|不用|不必)(?:往.{1,8}里)?(?:记(?!错|得)|写(?!错)|登记|录入|记录|存(?!钱))|不算数|\bforget (?:i|what i|that i) (?:said|mentioned)|\b(?:scratch|strike) that(?=[.,;!]? *(?:$|please|don'?t|do not|i\b))|\b(?:don'?t|do not|please don'?t) (?:write|note|put|record|save|log|store) (?:that|this|it|the \w+|any of (?:that|this))(?: down| in\b.*| anywhere)*|\boff the record\b|\b(?:that|this|it)(?: (?:to|be|is|was|being))* (?:stay(?:s|ed)?|kept|left) (?:out of|off) (?:your|the) (?:notes?|records?|files?|books)\b|\b(?:keep|leave) (?:that|this|it) (?:out of|off) (?:your|the) (?:notes?|records?|files?|books)\b|(?:这[个事件]?事?|那[个事件]?事?|刚才说的)[^,。]{0,6}(?:别|不要|不想|不希望)[^,。]{0,6}(?:出现|留|放|进|存)[^,。]{0,4}(?:笔记|记录|档案|本子)",
    re.IGNORECASE,
)
"""What takes back all that was said before it in the turn."""
NOT_MEANT = re.compile(
    r"\bi'?m the (?:queen|king|pope|emperor) of\b|\b(?:a (?:million|thousand|hundred|zillion) times|a million\b|(?:couldn't|can't) (?:tell|say)\b|(?:never|didn't|not|n't) (?:said|say|saying)\b)|[一八]百[个双次遍万]|一万[次遍年]|[一八下几]辈子|没(?:有)?说过?|没讲过",
    _I,
)
"""What is said too large to be meant, and what somebody says that he did not say."""
REMINDS = re.compile(
    r"(?:(?:please|and|but|so|just|oh)\s+)*(?:don't|do not|never)\s+(?:you\s+|ever\s+)*forget\s+(?!to\b)", re.IGNORECASE
)
"""A clause that wants something kept in mind, which is said elsewhere; it tells nothing of anybody itself."""

REMINDED = re.compile(
    r"(?:^|(?<=[.!?;:,。！？；：，\n]))\s*"
    r"(?:(?:(?:please|and|but|so|just|oh|also|now) |(?:make sure|see to it)(?: that)?(?: you)? |you (?=(?:must|should|can|mustn't|shouldn't|can't|cannot)\b))*"
    r"(?:(?:don't|do not|never|must not|mustn't|should not|shouldn't|can not|cannot|can't)(?: you| ever)* forget|remember|keep in mind|bear in mind)(?: that|,)? "
    r"(?=(?:i|we)(?:'m|'ve|'d|'ll|'re)? (?!said\b|told\b|asked\b|mentioned\b)[a-z]|(?:my|our)(?: [\w'-]+){1,3} (?:is|are|was|were|has|have|can|can't|will|needs?|likes?|lives?)\b|(?-i:[A-Z][\w'-]+) (?:is|has|can't|likes|needs|lives)\b)"
    r"|(?:请|麻烦|拜托|千万|一定|务必|可|你|您|也|还有|绝对|永远)*(?:(?:别|不要|请勿|勿|不能|不可以?|不许|不准|不该|不应该)(?:再)?(?:忘记?了?|忘掉)|(?:要|得)?记(?:住了?|得|着))[,，:：]?\s*"
    r"(?=我(?!们?的|说|讲|提|告诉|问|让|叫你|刚才)[^,，。!！?？]{2}|我们?的[^,，。!！?？是]{1,10}(?:是|在|叫|有|改|换)))",
    re.IGNORECASE,
)
"""How one begins who wants what he then states kept in mind: it is told as if nothing stood before it."""

FICTION = re.compile(
    r"\bin (?:the|that|this|a|my) (?:book|novel|film|movie|show|series|game|play|episode|dream|podcast)\b|\b(?:the (?:plot|heroine|hero|main character)|i (?:dreamt|dreamed)|(?:book|novel|film|movie|story|play)'s)\b|(?:剧|片|电影|小说|书|故事|游戏|动漫|梦)里|女主|男主|主角|主人公|剧情|梦[见到]",
    _I,
)
"""What belongs to a story and not to anybody's life."""
_NOT_HEEDED = re.compile(
    rf"(?:^|(?<=[,;] ))(?:(?:and|but|so) )?(?:he|she|(?:my|our) (?:\w+ )?(?:{en.HOUSEHOLD}|{en.COLLEAGUES})(?: (?-i:[A-Z]\w+))?) (?:(?:always|only|just|still|now) )?"
    r"(?:wants?|would like|says?|thinks?|reckons?|insists?|dreams?)\b[^,;]*[,;] (?:but )?(?:(?:just|please|you can) )?(?:ignore|(?:don't|do not) (?:mind|listen to)|pay no attention to) (?:her|him|them)$"
    rf"|(?:^|(?<=[,;，；]))(?:[他她]|我们?家?的?(?:{zh.RELATED}))(?:又|还|总|老|也|一直|非|天天|整天)*(?:想|要|说|嚷|闹|吵)[^,;，；]*[,;，；](?:你|您|请)?别(?:理|听|管)[他她](?:的)?$",
    _I,
)
"""What another says or wants, and right behind it that nobody is to mind him."""
KEPT_OUT = re.compile(
    r"\b(?:keep|kept|leave|left|stay(?:s|ed)?) (?:[\w'-]+ ){0,6}?(?:out of|off) your (?:notes?|records?|files?|books)\b",
    _I,
)
"""What is not to be noted: said of something else than what went before, so that stays."""
MINE = re.compile(r"我|本人|敝公司|\b(?:my|our)\b", _I)
_WANTS_ZH = re.compile(
    r"(?:从[^,]{2,8}(?=搬|调)|现在|目前|最近|今年|明年|下个?[月周]|这次|平时|平常|一般|一直|主要|已经|刚刚?|暂时|还|也|都|就|只|更|最|比较|其实|正在|[去前]年|上个?[月周]|家里|之前|以前|[下上这]周[一二三四五六日天]?|周[一二三四五六日天末]|[今明后]天|上午|下午|晚上|早上|中午|每[天周月年晚次]|[\d一二两三四五六七八九十]+[点月日号])*"
    r"(?:想(?!起|必|象|来)|要(?!是|么)|希望|期望|需要|打算|计划|准备|不想|不要|不需要|不考虑|不打算|住在?|在[^,]{2,20}(?:工作|上班|做|当|读|上学|开了?|住|任|带|管|负责)|(?:全公司|公司|团队|全家|家里).{0,4}(?:只?剩|一共|有)|用的?|使用|做|搞|从事|经营|卖|开了|开着|养|租了?|买了?|换了|学|读|喜欢|不喜欢|偏好|讨厌|爱|不爱|不吃|不喝|吃素|忌口|对.{1,12}过敏|.{1,6}过敏|怕|担心|负责|管|有(?!点|些|的|人|事|没)|没有(?!了|的|人|事)|怀孕|结婚|离婚|退休|毕业|来自|属于|搬|入职|离职|抽烟|喝酒|戒|常用|只能|必须|不能|预约|约|订|报名|申请|改[到成约签]|推迟到|提前到|取消|最好|尽快|缺|急需|求购|(?:觉得|感觉|有点儿?|有些|太|挺|比较|确实)+贵|base|prefer|need|want)",
    _I,
)
"""How a clause without a subject begins that can only be about the one who says it."""
GOES_ON_ZH = re.compile(
    r"(?:现在|目前|最近|今年|平时|平常|一般|一直|主要|已经|刚刚?|还|也|都|就|只|又|经常|老|总|天天|每[天周月年晚次]|得|会|能|[下上这]周[一二三四五六日天]?|周[一二三四五六日天末]|白天|晚上|早上|[\d一二两三四五六七八九十]+[点月日号])*"
    r"(?:坐|骑|开|走|吃|喝|带|陪|练|待|当|管|拿|付|写|教|跑|上|打|睡|起|从事|没(?!事|关系|问题|错|了|人|办法)|不(?![是对行好错太会])|发|卖|送|收|跟|和|给|在)[^,了]{2,}"
    r"|[\d一二两三四五六七八九十月日号点半早晚上下午中周]{2,}(?:才|就|再|能)?(?:到达?|出发|回来|走|来|落地|起飞|入住|退房)"
)
"""How a clause goes on about the speaker, who was the subject right before it in the sentence."""
_NOT_HIS_ZH = re.compile(
    r"(?:也|都|还|就|又|才|只|倒|却|那|原来|其实)*(?:是|叫|为|属|像|不是|没事|没关系|照旧|老样子|定了|好了|结束|完了)"
)
_MEASURE = "[个位种辆只台本份套次条家座间栋张件块片首部支头匹棵朵扇把双副段层门所场顿期款]"
_POINTING_ZH = re.compile(
    rf"[他她](?!人)|它|这(?:[一两几]?{_MEASURE}|[些样么里])|(?<!我)(?<!们)那(?:[一两几]?{_MEASURE}|[些样里边]|么(?!多))|人家|对方|此事|同一"
)
_POINTING_EN = re.compile(
    r"\b(?:(?-i:[Ii]t)|its|it's|he|she|him|his|hers?|they|them|their|theirs|those|these(?! days)|here|(?:that|this|another|each|any|every|the other|the new|the old) one)\b(?! (?:hundred|thousand|million|day|week|month|year|time|hour|person|or two))"
    r"|\bthat(?:'s|'ll| is| was| will| has| one| too|$)|^that\b|\b(?:than|like|for|do|did|of|to|about|with|on|in|at|all|doing|done|want|need|love|have|know|said) that(?=$|[ ,.;!])|\bthis(?! (?:week|month|year|spring|summer|autumn|winter|morning|afternoon|evening|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|quarter|season))\b"
    r"|\bthere\b(?!'s| (?:is|are|was|were))|\b(?:of us|the same|so do|so does|neither do|too late)$",
    _I,
)
_QUOTED = re.compile(r"[\"“”「」『』]|(?:^|[ ,:])'[^']{3,}'(?=$|[ ,.!?])")


_QUOTATION = re.compile('["“「『][^"”」』]{3,200}["”」』]')
_MYSELF = re.compile(r"我|\b(?:I|my|we|our)\b", _I)


def without_quotations(text: str) -> str:
    """The text with blanks for the sentences in which somebody's I is quoted; all of it in quotation marks is the
    speaker's own."""
    for quoted in _QUOTATION.finditer(text):
        if quoted.group() != text.strip() and _MYSELF.search(quoted.group()):
            around = [each for each in sentences(text) if each.start < quoted.end() and quoted.start() < each.end]
            start = min([quoted.start(), *(each.start for each in around)])
            end = max([quoted.end(), *(each.end for each in around)])
            text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text


def without(text: str, found: Finding | None) -> str:
    """The text with blanks for what a finding rests on."""
    for span in () if found is None else found.spans:
        text = f"{text[: span.start]}{' ' * (span.end - span.start)}{text[span.end :]}"
    return text


def is_cut(clause: Clause, text: str, found: Finding | None) -> bool:
    """Whether what a finding rests on was the end of the clause: what is left of it says nothing."""
    spans = () if found is None else found.spans
    return any(clause.span.end <= span.start and not text[clause.span.end : span.start].strip() for span in spans)


def to_read(text: str) -> str:
    """The text with blanks for the sentences that quote somebody's I, ask to forget or tell a story, and for what was
    taken back: none of these is told again. Blanks stand for the words, too, that want what follows kept in mind."""
    withdrawn = list(WITHDRAWN.finditer(text := without_quotations(text)))
    if withdrawn:
        text = f"{' ' * withdrawn[-1].end()}{text[withdrawn[-1].end() :]}"
    for sentence in sentences(text):
        said = text[sentence.start : sentence.end]
        if FICTION.search(said) or KEPT_OUT.search(said) or forget_request(said) is not None:
            text = f"{text[: sentence.start]}{' ' * (sentence.end - sentence.start)}{text[sentence.end :]}"
        elif (unheeded := _NOT_HEEDED.search(said)) is not None:
            start = sentence.start + unheeded.start()
            text = f"{text[:start]}{' ' * (sentence.end - start)}{text[sentence.end :]}"
    return REMINDED.sub(lambda found: " " * len(found.group()), text)


def is_owner_sure(clause: Clause, discourse: Discourse) -> bool:
    """Whether it is sure of whom the clause speaks."""
    who = clause.subject.who
    if who is Who.FIRST:
        return True
    if _may_be_the_others(clause, discourse):
        return False
    if who is Who.THIRD:
        return clause.subject.person is not None
    if who is Who.OWN and MINE.search(clause.subject.words):
        return True
    if clause.act is Act.REQUEST or WISHES_ZH.match(clause.text):
        return discourse.subject.who is not Who.THIRD or clause.opens_sentence
    if discourse.elsewhere or (who is Who.NONE and _OF_ANOTHER.match(discourse.turn.text, clause.span.end)):
        return False
    if who is Who.NONE and clause.lang == "zh":
        return _is_unnamed_self(clause, discourse.subject)
    return True


_OF_ANOTHER = re.compile(r"(?:, ?|[,，] ?(?:and|but|so) | (?:and|but|so) )(?:he|she|he's|she's)\b", _I)
"""What shows that a clause without a subject speaks of somebody else: `had the op in April, he's on a stick`."""


def is_his_word(clause: Clause) -> bool:
    """Whether the clause quotes nobody."""
    return _QUOTED.search(clause.text) is None


def may_be_his(clause: Clause, discourse: Discourse) -> bool:
    """Whether nothing speaks against the clause being about the speaker: it is his word, and nobody else's matter."""
    who = clause.subject.who
    named = who is Who.FIRST or (who is Who.OWN and MINE.search(clause.subject.words) is not None)
    others = discourse.subject.who is Who.THIRD and not clause.opens_sentence
    others = others or (_may_be_the_others(clause, discourse) and kind_of(clause.text, clause.lang).name != "budget")
    return is_his_word(clause) and (named or not (discourse.elsewhere or others or who is Who.THIRD))


def _may_be_the_others(clause: Clause, discourse: Discourse) -> bool:
    """Whether a clause without a subject of its own may be about a relative or an animal that was named before it."""
    subject = clause.subject
    unnamed = subject.who is Who.THING and not subject.words
    bare = unnamed or subject.who is Who.NONE or (subject.who is Who.OWN and MINE.search(subject.words) is None)
    if not (discourse.beside and bare) or clause.act is Act.REQUEST or _is_his_allergy(clause, discourse):
        return False
    wishes = WISHES_ZH if clause.lang == "zh" else _WISHES_EN
    return wishes.match(clause.text) is None


def _is_his_allergy(clause: Clause, discourse: Discourse) -> bool:
    """Whether an allergy is told by somebody who has just said that he has an animal, and is none to its food."""
    if names_relative(discourse.asked) or not tells_allergy(clause.text, clause.lang) or _FEED.search(clause.text):
        return False
    return _HAS_ANIMAL.search(discourse.turn.text[: clause.span.start]) is not None


_ANIMAL_ZH = "猫咪|狗狗|宠物|猫|狗"
_ANIMAL_EN = "dog|cat|puppy|kitten|pet"
_HAS_ANIMAL = re.compile(
    rf"(?:我们?家?|家里)(?:现在|还|也|刚|就)*(?:养|有)[着了]?(?:[一两二三四五\d几]?[只条个])?(?:小|大)?(?:{_ANIMAL_ZH})[,，。;；!！ ]*$"
    rf"|\b(?:I|we)(?:'ve)?(?: have| got| own| keep| also)* (?:an?|two|three|four|\d+) (?:[a-z-]+ )?(?:{_ANIMAL_EN})s?\b[,.;! ]*(?:(?:and|also|but) )*$",
    _I,
)
_FEED = re.compile(
    r"[鸡鸭牛羊猪鱼肉虾粮奶]|罐头|\b(?:chicken|beef|lamb|fish|meat|grains?|wheat|dairy|food|fleas?)\b", _I
)
"""To what animals are allergic that people have."""
_WISHES_EN = re.compile(
    r"(?:just |really |also |still )*(?:need|want|would like|'d like|looking (?:for|to)|hoping to)\b", _I
)
WISHES_ZH = re.compile("(?:我们?|最好|就|还|也|都|只|主要|,)*(?:想(?!起|必|象|来)|希望|期望|需要|打算|计划)")


def _is_unnamed_self(clause: Clause, before: Subject) -> bool:
    if _NOT_HIS_ZH.match(clause.text):
        return False
    his = before.who is Who.FIRST or (before.who is Who.OWN and MINE.search(before.words) is not None)
    if his and not clause.opens_sentence and GOES_ON_ZH.match(clause.text):
        return True
    if not clause.opens_sentence and before.who is not Who.NONE and not his:
        return False
    return _WANTS_ZH.match(clause.text) is not None


def go_on(clause: Clause, discourse: Discourse) -> None:
    """Whom the talk is about after a clause; what somebody decided leads to what was decided, and not to him."""
    if is_decision(clause.text):
        return
    if clause.subject.who is not Who.NONE:
        discourse.subject = clause.subject
    own = clause.subject.who is Who.FIRST or (clause.subject.who is Who.OWN and MINE.search(clause.subject.words))
    if _ONLY_ME.search(clause.text) or _ARE_TOGETHER.search(clause.text):
        discourse.beside = False
    elif names_relative(clause.text):
        discourse.beside = True
    elif own:
        discourse.beside = False
    discourse.elsewhere = _is_elsewhere(clause.subject, discourse.elsewhere)


def _is_elsewhere(subject: Subject, before: bool) -> bool:
    """Whether the talk is about somebody else after a clause with this subject."""
    if subject.who is Who.THIRD:
        return True
    if subject.who is Who.FIRST or (subject.who is Who.OWN and MINE.search(subject.words)):
        return False
    return before


def whole(clause: Clause) -> Clause:
    """The clause without what points back at its end, and may be left out: `I'm allergic to latex, so none of that`."""
    if clause.lang == "zh":
        return clause
    text = _TRAILING.sub("", clause.text)
    first, *rest = text.split(", ")
    if rest and len(first.split()) > 2 and _POINTING_EN.search(first) is None:
        text = ", ".join([first, *takewhile(lambda part: _POINTING_EN.search(part) is None, rest)])
    if text == clause.text or not text.endswith(
        tail := clause.predicate[: len(clause.predicate) - len(clause.text) + len(text)]
    ):
        return clause
    return replace(clause, text=text, predicate=tail)


def points_away(clause: Clause) -> bool:
    """Whether the clause hangs on words that stand outside it: a pronoun nobody resolves, a verb that is left out, or half
    of a quotation."""
    if not is_his_word(clause) or _LEFT_OUT.fullmatch(clause.text):
        return True
    said = clause.predicate if clause.subject.person else clause.text
    if clause.lang == "zh":
        return _ONLY_COUNTED_ZH.fullmatch(said) is not None or _POINTING_ZH.search(said) is not None
    said = _BOUND.sub(re.filled(r"\g<thing>"), _OWNS.sub("", said))
    return _POINTING_EN.search(said) is not None and _CLEAR_EN.match(said) is None


_ONLY_COUNTED_ZH = re.compile(
    rf"(?:我们?)?(?:[这那](?:边|里)?)?(?:大概|大约|差不多)?[\d一二两三四五六七八九十百千]+(?:多|来|几)?(?:{_MEASURE}|[箱盒袋斤包瓶车])[\u4e00-\u9fff]{{0,2}}?"
)
"""A number of things of which nothing is said: 我这四十箱, and behind somebody's name 二十来箱."""
_LEFT_OUT = re.compile(
    r"(?:(?:and|but|so|yes|no|well|actually)[, ]+)*(?:i|we|he|she|they|my \w+|our \w+)(?: (?:always|still|really|sometimes|never))? "
    r"(?:do|does|did|don't|doesn't|didn't|am|is|are|was|were|isn't|aren't|wasn't|have|has|had|haven't|hasn't|can|can't|could|will|won't|would|should|might|may|must)"
    r"(?: not)?(?:,? (?:though|too|either|as well|now|anyway|actually|indeed|still|sometimes|again))*",
    _I,
)
"""A clause that leaves out its verb: what I do stands in the clause before it."""
_BOUND = re.compile(
    r"(?P<thing>\b(?:an?|the|my|our|new|\d+)\s+(?!one\b|other\b|same\b)[a-z]\w+\b.*?\s)(?:it|its|them|their)\b", _I
)
"""A pronoun whose thing is named before it in the same clause."""


_CLEAR_EN = re.compile(
    r"this is (?-i:[A-Z])|(?:it|that|this)(?:'s| is| seems| sounds)(?: \w+){0,3} (?:expensive|pricey|steep|costly)$", _I
)
"""Who is speaking, and what is said of the price that was just named."""


_TRAILING = re.compile(r"\s(?:from|because of) (?:it|that|them|this)$|(?<=[\d%])\sof (?:it|them)$", _I)
"""What may be left out at the end and the sentence is still whole."""
_OWNS = re.compile(r"\b(?:his|hers?|their|its)\b(?= (?!\w+ed\b|(?:to|up|in|at|for|on|off|out)\b)[a-z])", _I)
"""Told of a third person by name, his things are his."""


def turned(question: str, asked: str, elsewhere: bool) -> bool:
    """Whether the talk is about somebody else after the agent's words `asked`, which end in `question`."""
    if _OTHERS.search(question):
        return True
    return elsewhere and _LISTENER.search(asked) is None


def stays_beside(asked: str, answer: str, before: bool) -> bool:
    """Whether a relative or an animal is still named after the agent's words, which may turn to the customer himself, and
    in view of the customer's answer, which may say that there is nobody else."""
    if _ONLY_ME.search(answer):
        return False
    if names_relative(asked):
        return before or not (_OF_PRESENCE.search(asked) and rejects(answer.strip()))
    return before and _LISTENER.search(asked) is None


_ONLY_ME = re.compile(
    r"(?:(?:就|只有?|仅)(?:是|来)?我(?:自己|一个人?|一人|一位)?[来去吃住用]?|我(?:自己)?(?:一个人|一人|独自)[来去吃住用]?|没有?(?:别人|其他人)"
    r"|\b(?:(?:just|only) (?:me|myself)|by myself|on my own|nobody else|no one else))(?: (?:today|this time|then|please))?(?=[,，。.;；!！吧啊呀了]|$)",
    _I,
)
"""That somebody comes or lives alone."""
_OF_PRESENCE = re.compile(
    rf"有(?:没有?)?[^,，。有]{{0,6}}(?:{zh.HOUSEHOLD})|(?:{zh.HOUSEHOLD})[^,，。]{{0,6}}(?:一起|也?来|也?去|同行|同住)|(?:带|陪)[^,，。]{{0,4}}(?:{zh.HOUSEHOLD})"
    r"|\b(?:any|do you have|have you got|come|comes|coming|join\w*|bring\w*|accompan\w*|travel\w*|liv(?:e|es|ing) with)\b",
    _I,
)
"""What asks whether there is a relative or an animal at all, or comes too."""
_ARE_TOGETHER = re.compile(
    rf"[和跟与](?:我|咱)(?!们?家|们?的|(?:{zh.HOUSEHOLD}))|(?:我|咱们?)(?:和|跟|与)(?!您|你|说)|我们[俩两]|\b(?:and (?:I|me)|me and|(?:we|us) both|(?:both|two|three|all) of us|we (?:two|both|all))\b",
    _I,
)
"""That the speaker is one of those who are spoken of."""


def names_relative(text: str) -> bool:
    """Whether a relative or an animal is named in it."""
    return _RELATIVE.search(_WITH_ZH.sub("", text)) is not None


_WITH_ZH = re.compile(rf"(?:陪|和|跟|与|接|送)(?:着|上)?我?们?家?的?(?:{zh.HOUSEHOLD})")
"""In whose company the speaker does what he goes on to tell."""
_RELATIVE = re.compile(
    rf"(?:[我你您给帮替带]|我们?家)的?(?:{zh.HOUSEHOLD})"
    rf"|{'|'.join(word for word in zh.HOUSEHOLD.split('|') if len(word) > 1 or word in '猫狗')}"
    rf"|\b(?:my|our|the|your|his|her|a|their) (?:[a-z-]+ )?(?:{en.HOUSEHOLD})s?\b",
    _I,
)
_OTHERS = re.compile(rf"{zh.HOUSEHOLD}|[他她]|\b(?:{en.HOUSEHOLD}|he|she|his|her)\b", re.IGNORECASE)
_LISTENER = re.compile(r"[您你]|\byou(?:r|rs)?\b", re.IGNORECASE)
