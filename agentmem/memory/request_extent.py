"""How far a request to forget reaches: in its sentence, to all that is known of whoever asks ("everything about me",
关于我的一切), and which details of a person need no place to be told."""

# ruff: noqa: E501 - patterns read best unbroken

from typing import Final

from agentmem import patterns as re
from agentmem.domain.attributes import base_of, slot_of
from agentmem.domain.episode import BLOT, blotted
from agentmem.language.details import details_named, without_details
from agentmem.language.lookalikes import simplified
from agentmem.language.people import people_in

_SLOTS: Final = frozenset(
    [
        "phone",
        "work_phone",
        "home_phone",
        "email",
        "work_email",
        "wechat",
        "qq",
        "whatsapp",
        "address",
        "work_address",
        "city",
        "birthday",
        "age",
        "gender",
        "budget",
        "marital_status",
    ]
)
_PERSONAL: Final = re.compile(
    r"(?:(?:home|postal|current|old|new|former|previous) )*(?:address|birth ?(?:day|date)|date of birth|age"
    r"|contact (?:details?|info\w*|data)|personal (?:details?|info\w*|data)|salary|income|allerg(?:y|ies)"
    r"|marital status|diagnosis|pregnancy|phone(?: number)?|number"
    r"|weight|height|blood type|medical (?:history|records?)|religion|nationality"
    r"|(?:passport|id|social security|insurance|bank account|credit card|account|tax) number|license plate)"
    r"|(?:旧|老|以前的?|之前的?|原来的?|新|家庭|工作|私人)?的?(?:住址|地址|生日|年龄|岁数|联系方式|个人信息|隐私|工资|收入|过敏史?"
    r"|爱好|喜好|偏好|职业|婚姻状况|病史|病历|体重|身高|血型|宗教|国籍|民族|(?:身份证|护照|社保卡?|银行卡|车牌)号?码?|电话号?码?|手机号?码?|号码|预算)",
    re.IGNORECASE,
)


def is_detail(thing: str) -> bool:
    """Whether words name a detail of a person, whoever it is of."""
    return base_of(slot_of(thing)) in _SLOTS or _PERSONAL.fullmatch(thing) is not None or _names_only(thing)


def of_somebody(thing: str) -> bool:
    """Whether it is called somebody's: "Tess's number", 小林的病."""
    return bool(people_in(thing))


def _names_only(thing: str) -> bool:
    """Whether words name details, and whose they are, and nothing else."""
    rest = blotted(thing, [(each.start, each.end) for each in people_in(thing)]).replace(BLOT, " ")
    rest = _AGED.sub(" ", rest)
    details = details_named(rest)
    return bool(details) and not _LEFT.search(_IDLE.sub(" ", without_details(rest, details)))


_AGED: Final = re.compile(
    r"\b(?:old|new|former|previous|current|own|first|last)\b|以前|之前|原来|现在|旧|新|老", re.IGNORECASE
)
_IDLE: Final = re.compile(
    r"\b(?:the|a|an|of|in|at|on|to|for|is|are|was|and|or|goes?|takes?|does|do|has|have|which|what|where|how|that|from|living|lives?)\b"
    r"|[的是了在和跟与及有上吃开做用叫什么]",
    re.IGNORECASE,
)
_LEFT: Final = re.compile(r"\w")
_UNASKED: Final = re.compile(
    r"\b(?:(?:don['’]?t|do not|never|not|to|i|we|he|she|they|always|often|you['’]d|ever|would|did|didn['’]?t)[ ,]+(?:\w+ )?(?:forget|forgot)|forgot|forget (?:it|to)\b)"
    r"|(?:别|不要|不用|勿|没|老是?|总是?|常常?|经常)忘|^(?:(?!请|麻烦|你).){0,12}(?:叫|让|要|说|告诉)我.{0,12}忘|我忘|忘了?(?:带|拿|说|问|做)|(?:算了|哎|唉)[,，]?忘了(?:它|吧|这事)",
    re.IGNORECASE,
)


def asks_otherwise(text: str) -> bool:
    """Whether a text speaks of forgetting and does not ask for it: "don't forget …", "I forgot …", 房东叫我忘了…"""
    return _UNASKED.search(text) is not None


# ruff: noqa: E501 - patterns read best unbroken


_LEAD_EN: Final = r"(?:(?:and|but|also|so|oh|then|now|anyway|by the way|besides|instead)[,\s]+)*"
_VERB_EN: Final = r"(?:is|are|was|were|has|have|had|lives?|lived|works?|worked|likes?|loves?|hates?|prefers?|wants?|needs?|goes|went|moved|plays?|speaks?|studies|studied|owns?|uses?|eats?|drinks?|drives?|will|would|can|got|became|starts?|started|bought|married|turned)"
_TELLS_EN: Final = re.compile(
    rf"^{_LEAD_EN}(?:(?:i|we)(?:'m|'ve|'d|'ll|'re)?\s+(?!mean\b|said\b|told\b|gave\b|mentioned\b|beg\b)\w|(?!(?:it|this|that|these|those|they|you|please|keep|remember|except|not|don't|leave|what|whatever|everything|all|any)\b)(?:(?!(?:that|which|who|whom|where|what|when|how|why|i|we|you)\b)[\w'-]+\s+){{1,5}}?{_VERB_EN}\b)",
    re.IGNORECASE,
)
_LEAD_ZH: Final = r"(?:另外|还有|而且|对了|顺便(?:说一下)?|不过|但是?|然后|其实|哦|并且|[,，、\s])*"
_TELLS_ZH: Final = re.compile(
    rf"^{_LEAD_ZH}(?!但|是|不过|而且|并且|然后|其实|还有|另外|你|您|请|别|不要|保留|留|记|它|这|那|因为|以免|我(?:刚|之前|上次|不想|不希望|不愿|怕))[\w ]{{1,12}}?(?:是|叫|住|有|在|喜欢|爱|讨厌|想|会|要|养|吃|喝|学|属|姓|做|搬|去|来|用|买|换|打算|上班|工作|生于|毕业)(?!.*(?:的|的事情?|的话|这件事|那件事|这事)[了吧。.!！\s]*$)"
)
_CLAUSE_MEANT: Final = re.compile(r"^forget (?:i|we|he|she|they|my \w+ (?:is|was|has))\b", re.IGNORECASE)
_CONTRAST: Final = re.compile(r"\bbut\b", re.IGNORECASE)

_POLITE_EN: Final = (
    r"(?:[,\s]*\b(?:please|now|again|ok|okay|thanks|thank you|anyway|right away|immediately|for me|at once))*"
)
_BACK_EN: Final = re.compile(
    rf"^(?:(?:and|but|so|now|then|actually|no|oh|sorry|wait|please|just|kindly|(?:can|could|would|will) you|you (?:can|should|may|must)|i(?:'d| would) (?:like|want) you to|i want you to)[,\s]+)*(?:(?:forget|unlearn)(?: about)?|(?:(?:disregard|ignore|erase|delete|strike|scratch)(?: and |, )?)+(?= (?:what i|(?:the|my) last)\b)|(?:do not|don't|never|please don't) (?:remember|keep|store|save|record|memori[sz]e|note|write down))(?: (?:that|this|it|all (?:of )?(?:that|this)|(?:that )?i (?:just |ever )?(?:said|told you|mentioned|wrote)(?: (?:that|this|it|so))?|what i(?:'ve| have)? (?:just )?(?:said|told you|wrote|mentioned)|(?:that|this|the|my) last (?:one|bit|part|thing|sentence|statement|message|remark|line|comment|words)|(?:that|this) (?:bit|part|thing|one|number|sentence)))(?: from (?:your|the) (?:memory|records?))?{_POLITE_EN}[\s.!?]*$",
    re.IGNORECASE,
)
_JOINED_EN: Final = re.compile(
    r"\s+(?=(?:and|but|so)\s+(?:please |just |now |can you |could you )*(?:forget|don't|do not)\b)",
    re.IGNORECASE,
)
_SAID_ZH: Final = r"(?:(?:我)?(?:刚才|刚刚|刚|上面|前面)?(?:所)?说的?(?:这|那)?(?:句|些|个)?话?|(?:刚才|刚刚|上面|前面)(?:那|这)?(?:句话?|条|个)|(?:这|那)(?:句话?|件事情?|个|些|条|事|一?点|号码)?|它)(?:信息|内容)?"
_ASK_ZH: Final = r"(?:但是?|不过|可是|然而|所以|那|就|也|还是|请|麻烦|拜托|你|您|能不能|可不可以|可以|帮我|给我|最好|一定|都|要|[,，、\s])*"
_FORGET_ZH: Final = r"(?:忘掉|忘记|忘了|忘)"
_KEEP_ZH: Final = r"(?:记住|记得|记下来?|记录|记|保存|存|保留|留)"
_BACK_ZH: Final = re.compile(
    rf"^{_ASK_ZH}(?:{_FORGET_ZH}(?:一下)?{_SAID_ZH}|(?:把|将){_SAID_ZH}(?:都|全|给我|也)*{_FORGET_ZH}|{_SAID_ZH}(?:就|请)*当我没(?:说|讲|提)(?:过)?(?:[,，](?:请|就)*{_FORGET_ZH}(?:它|这个)?)?|(?:别|不要|不用|请勿)(?:再)?(?:{_KEEP_ZH}(?:着|下)?(?:{_SAID_ZH})?|(?:把|将){_SAID_ZH}{_KEEP_ZH}))(?:了|吧|啊|哦|掉|谢谢|好吗|一下|[,，。.!！?？\s])*$"
)
MEANING_BEFORE: Final = (_BACK_EN, _BACK_ZH)
"""One of these matches whatever asks to forget what was said before it."""

OVER_ZH: Final = re.compile(
    r"(?:早就?|已经|都)*(?:不用|不在用|作废|失效|停用|注销|过期)(?:了|掉)*$|(?:不能|不该|不应该|不便)(?:乱|随便)?(?:说|讲|外传)(?:的|出去)?$|^(?:哎呀?|唉|啊|对了)"
)
"""What says of something why it is to be forgotten: 早不用了."""
_EXCLAIMED: Final = re.compile(
    r"(?:(?:oh|ah|um|hm+|well|okay|ok|yeah|nah|no|yes|fine|right|sorry|wait|never ?mind|anyway|whatever|actually|哦|唉|哎|嗯|好吧?|算了)[\s,，]*)+",
    re.IGNORECASE,
)
"""What stands before "forget it" and tells nothing."""
_IDIOM: Final = re.compile(r"\bforget (?:about )?(?:it|that|this)[\s.!]*$", re.IGNORECASE)
_SOLE_ZH: Final = re.compile(r"请|麻烦|拜托|说|话|把|将")


def tells_something(clause: str, asked: str = "", gap: str = "") -> bool:
    """Whether a clause behind a request is a statement of its own. `asked`: the wish so far; `gap`: what stands
    between. What an "and" joins to a clause that is to be forgotten belongs to that."""
    if _CLAUSE_MEANT.match(asked) and gap.strip() and gap.strip().isalpha() and not _CONTRAST.search(gap):
        return False
    return _TELLS_EN.match(clause) is not None or _TELLS_ZH.match(clause) is not None


def means_before(clause: str, *, sentence: bool = False) -> bool:
    """Whether a clause asks to forget what was said right before it. As a `sentence` of its own, the bare idioms
    "forget it" and "forget that" ask for nothing."""
    if _BACK_EN.match(clause):
        return not (sentence and _IDIOM.search(clause) and "please" not in clause.lower())
    return _BACK_ZH.match(clause) is not None and not (sentence and not _SOLE_ZH.search(clause))


def is_exclaimed(clause: str) -> bool:
    """Whether a clause tells nothing that could be forgotten: "oh", 算了."""
    return _EXCLAIMED.fullmatch(clause.strip()) is not None


def joint_before(sentence: str) -> int | None:
    """Where a statement ends to which "and forget that" is joined without a comma; None where nothing of the kind."""
    for joint in _JOINED_EN.finditer(sentence):
        if joint.start() and means_before(sentence[joint.end() :]):
            return joint.start()
    return None


_CARRIED_EN: Final = r"(?:(?:mobile |cell )?phone|mobile|car|van|bike|bicycle|bag|backpack|keys?|laptop|computer|tablet|wallet|purse|glasses|umbrella|charger|watch|ticket|coat|jacket|hat|gloves?|scarf|headphones?|camera|printer)"
_REMARKED_EN: Final = re.compile(
    rf"^(?:(?:oh|well|ah|ugh|just|and|so|ok|okay|no)[,\s]+)*forget (?:about )?(?:my|our|the) {_CARRIED_EN}(?:\s*[,;:.\u2013\u2014-]+\s*|\s+(?:because|since|as)\s+)(?:and |but |because |since |as )?(?:(?:i|we|he|she|they|somebody|someone)(?:'ve|'d|'m| have| had| think| must have| just| probably| already)* (?:left|lost|dropped|forgot|broke|misplaced|can't find|cannot find|sold|gave|parked|charg\w+|need to|have to|will|'ll|am|was|took|take|walk\w*)\b|(?:it|they)(?:'s|'re| is| are| was| has| have| just| got| keeps?| won't| doesn't| don't| didn't)* (?:\w+ ){{0,2}}?(?:broke\w*|dead|died|dying|flat|empty|crash\w*|stolen|gone|lost|missing|at|in|on|out|under|start|work|working|stopped|charging|charge|dirty|wet|old|slow|useless)\b|(?:take|use|let's|let us|we|you)\b)",
    re.IGNORECASE,
)
_REMARKED_ZH: Final = re.compile(
    r"(?:^|[,，])(?:我|我们|你|他|她)?(?:真|又)?(?:把|将)?[^,，]{1,12}?(?:忘了|忘记了?)[,，](?:你|您)?(?:这个?人?)?(?:真|太|也太|怎么|居然|竟然|简直|好|实在|就这么|还)[^,，。]{0,10}(?:过分|糊涂|粗心|坏|讨厌|伤心|健忘|不像话|应该|差劲|好意思|失望|生气|难过|可以|离谱|行)"
    r"|(?:居然|竟然|怎么|又|差点|老是|总是)(?:就|会|能)?(?:把|将)[^,，]{1,12}?忘"
    r"|(?:忘了?|忘掉|别管)我的(?:手机|车子?|钥匙|包|电脑|钱包|伞|眼镜|充电器)(?:吧|了)?[,，](?:我|它|已经|都|又|反正|昨天|今天)[^,，。]{0,6}(?:落|丢|忘|坏|没电|修|不见|放|锁|停|卖|借)"
)

_NEEDLESS: Final = re.compile(
    r"\b(?:no (?:need|reason)|needn't|(?:don't|do not) (?:need|have) to)\b[^,;.]*[,;.\u2013-]\s*(?:as |because |since )?(?!i\b|we\b|it\b|this\b|that\b)(?:my |our )?[\w']+ (?:already |also |still )?(?:does|do|will|has|have|got|knows?|remembers?|keeps?)\b"
    r"|(?:不用|不必|不需要|犯不着|没必要|无需)[^,，]*(?:记|存|留)[^,，]*[,，](?!我(?:不|也|怕|会))[^,，]{1,8}(?:记得|记着|记住|知道|会记|会提醒|存着|有)",
    re.IGNORECASE,
)
"""What says that something need not be kept as somebody else keeps it."""


def is_remark(sentence: str) -> bool:
    """Whether a sentence that sounds as if it asked only tells what happened, or who else remembers: "forget my phone, I
    left it at home", 把我的生日忘了,你真过分, "no need to remember my birthday, Tim does"."""
    if _NEEDLESS.search(sentence):
        return True
    return _REMARKED_EN.match(sentence) is not None or _REMARKED_ZH.search(sentence) is not None


ALL_OF_ME: Final = "everything about me"
"""The wish as it is handed on."""

_KINDS_EN: Final = r"(?:data|information|info|details?|records?|facts?|memor(?:y|ies)|notes?|things?|stuff|traces?|bits?|pieces?|files?|history)"
_EACH_EN: Final = rf"(?:(?:absolutely |literally )?(?:everything|anything|whatever|every (?:single )?{_KINDS_EN}|(?:all|any)(?: (?:of )?(?:it|that|this|the|your))?(?: {_KINDS_EN})?))(?: else)?"
_KNOWN_EN: Final = r"(?:(?:(?:that |which |what )?(?:you(?:'ve| have| had)?|is|was|has been|i(?:'ve| have)?) (?:ever |just |already )?(?:been )?(?:know|known|have|had|got|store[ds]?|saved?|kept|keep|remember(?:ed)?|recorded|learn(?:ed|t)|hold|held|told|collected|gathered|heard|said|mentioned|shared|gave|given)(?: (?:to|with))?(?: you)?(?: stored| saved| on file| recorded| kept| in (?:your )?memory)?|there is|there's) ?)"
_OF_ME_EN: Final = r"(?:(?:that is |that's |which is |there is )?(?:about|on|of|regarding|concerning|relating to|related to|to do with|with regard to) (?:me|myself|mine)(?: myself| personally)?)"
_MINE_EN: Final = rf"(?:my|our) (?:(?:personal|private|own|entire|whole|complete) )*{_KINDS_EN}"
_WHOLE_EN: Final = re.compile(
    rf"(?:{_EACH_EN} (?:{_KNOWN_EN})?{_OF_ME_EN}"
    rf"|{_EACH_EN} (?:that |which |what )?i(?:'ve| have)? (?:ever |just |already )?(?:told|said|mentioned|shared|gave|given)(?: (?:to|with))?(?: you)?(?: (?:so far|until now|today))?"
    rf"|(?:all|every|any)(?: (?:of|single))? {_MINE_EN}"
    rf"|my (?:entire |whole |complete )?(?:personal |private )?(?:data|information|info|details|records|memories)"
    rf"|(?:all )?(?:the )?{_KINDS_EN} (?:that )?(?:{_KNOWN_EN})?{_OF_ME_EN}"
    rf"|(?:what|whatever|all) you(?:'ve| have)? (?:know|have|got|store[d]?|saved?|kept|keep|remember|recorded|learn(?:ed|t)|hold|collected)(?: stored| saved| on file| recorded)? {_OF_ME_EN})",
    re.IGNORECASE,
)
_BARE_EN: Final = re.compile(r"my (?:data|information|info|details|records|memories)", re.IGNORECASE)

_EACH_ZH: Final = r"(?:所有|全部|一切|任何|整个|全|每一?[条个件])"
_SOME_ZH: Final = r"(?:个人)?(?:信息|资料|资讯|数据|记录|记忆|记载|内容|情况|档案|隐私|事情?|东西|话|历史)"
_ME_ZH: Final = r"(?:我|本人|咱)(?:们|自己|个人|本人)?"
_TOLD_ZH: Final = (
    r"(?:以前|之前|曾经|刚才|从前)?(?:跟你|和你|对你|给你|向你)?(?:所?)(?:说|讲|告诉|提|聊|分享)(?:过|到|你|给你)*"
)
_KEPT_ZH: Final = r"(?:你(?:们)?(?:所?)(?:知道|记得|记住|记着|记录|记|保存|存|掌握|了解|收集)(?:过|了|着|下)*的?)"
_WHOLE_ZH: Final = re.compile(
    rf"(?:{_KEPT_ZH})?(?:{_EACH_ZH}的?)?(?:{_KEPT_ZH})?(?:(?:关于|有关|跟|和|与|对|涉及){_ME_ZH}(?:有关|相关)?|{_ME_ZH})的?(?:个人)?(?:{_EACH_ZH}|{_SOME_ZH}|的)*"
    rf"|{_EACH_ZH}的?{_ME_ZH}{_TOLD_ZH}的?(?:{_SOME_ZH})*|{_ME_ZH}{_TOLD_ZH}的?(?:{_EACH_ZH}|{_SOME_ZH}|的)*"
)
_QUANTIFIED_ZH: Final = re.compile(r"所有|全部|一切|任何|整个|全都|统统|通通|每一?[条个件]|彻底|都")
_ABOUT_ME_ZH: Final = re.compile(rf"(?:关于|有关|跟|和|与|涉及){_ME_ZH}|个人(?:信息|资料|数据)")
_NAMED_ZH: Final = re.compile(rf"{_EACH_ZH}|{_SOME_ZH}|(?:关于|有关){_ME_ZH}的?$")


def means_everything(text: str) -> bool:
    """Whether a text, without the words that ask, plainly means everything that is known of who says it."""
    plain = simplified(" ".join(text.split())).strip(" \t,.:;!?\"'，。！？：；“”")
    return _WHOLE_EN.fullmatch(plain) is not None or _whole_zh(plain)


_ALL: Final = re.compile(
    r"(?:absolutely )?(?:everything|all|anything|whatever)(?: (?:else|of it|you (?:know|have|remember)))?|(?:所有|一切|全部)的?(?:东西|事情?|信息|内容|记忆|资料)?",
    re.IGNORECASE,
)


def all_but(text: str) -> bool:
    """Whether a text means everything where something is named beside it that is to be kept: "all", 一切."""
    return _ALL.fullmatch(text.strip(" \t,.:;!?，。！？：；")) is not None or means_everything(text)


def is_bare(text: str) -> bool:
    """Whether it names nothing but data, which may be kept elsewhere as well: "my data"."""
    return _BARE_EN.fullmatch(text.strip()) is not None


def _whole_zh(plain: str) -> bool:
    if _WHOLE_ZH.fullmatch(plain) is None or _NAMED_ZH.search(plain) is None:
        return False
    return _QUANTIFIED_ZH.search(plain) is not None or _ABOUT_ME_ZH.search(plain) is not None
