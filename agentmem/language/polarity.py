"""Whether a sentence says that something is so, or that it is not, that nobody believes it, or that people talk of it;
and what is left of a short one without its denial.

Word lists, and wide ones: a statement that is taken for a denial is missed, and one that is denied and taken for a
statement is a false memory. What is said before and after the words that relate two names counts as well.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from typing import Final

from agentmem import patterns as re
from agentmem.bounded_cache import bounded_cache
from agentmem.language.normal import normalise

_DENIAL_ZH = re.compile(
    r"不再是?|已经不是?|再也不|并不是?|不是(?!很|太)|没有再|没再|不(?=在|住|用|做|喜欢|爱|吃|喝|想|需要|希望|打算|养|抽|玩|学|看|去|开|干|当)|没(?=在|住)"
)
_DENIAL_EN = re.compile(
    r"\b(?:no longer|not any ?more|does not|do not|did not|doesn't|don't|didn't|is not|isn't|are not|aren't|was not|wasn't|has stopped|have stopped|stopped|quit|gave up|given up|never|not)\b",
    re.IGNORECASE,
)
_AFTER = re.compile(r"(?:\s+(?:any ?more|any longer|at all|now|currently|still))+$|(?<=[\u4e00-\u9fff])了$")
_LIGHT = re.compile(
    r"现在|目前|已经|一直|还|仍然|依然|也|一[个台张份套只条名位款件]|\b(?:really|also|still|now|currently|actually|an?|the|any|some)\b ?",
    re.IGNORECASE,
)
_THIRD = re.compile(r"\b(is|are|was|were|am)\b")
_STEM = re.compile(r"\b([a-z]{2,}?)(?:ing|es|e|s)\b")


@bounded_cache(16_384, longest=400)
def parted(text: str) -> tuple[str, bool]:
    """The core of a statement, and whether it is denied. Two denials affirm."""
    plain = normalise(text)
    denials = len(_DENIAL_ZH.findall(plain)) + len(_DENIAL_EN.findall(plain))
    core = _DENIAL_EN.sub(" ", _DENIAL_ZH.sub("", plain)) if denials else plain
    core = _STEM.sub(re.filled(r"\1"), _THIRD.sub(" ", _LIGHT.sub("", _AFTER.sub("", core.strip()))))
    return re.sub(r"\s+", " ", core).strip(), denials % 2 == 1


def opposed(one: str, other: str) -> bool:
    """Whether one of the two statements denies just what the other says."""
    left, denied = parted(one)
    right, denied_too = parted(other)
    return denied != denied_too and left == right and len(left) > 2


_DISBELIEVED: Final = re.compile(
    r"""
      \b(?:not|never|hardly|nobody|no\ one|none|nothing|few|neither|cannot|without) \b .{0,20}
        \b(?:true|correct|accurate|the\ case|believ\w+|think\w*|thought|convinced|certain|sure|evidence|proof|proves?|proved|proven|confirm\w*|claim\w*|say|said|mean\w*|imply|implies|so\ that)\b
    | n['’]t \b .{0,20} \b(?:true|correct|accurate|the\ case|believ\w+|think|convinced|certain|sure|say|said|claim\w*|mean|imply|confirm\w*|prove\w*)\b
    | \b(?:no|little|zero|scant) (?:\ \w+)? \ (?:evidence|proof|sign|indication|reason\ to|truth|basis|confirmation)\b
    | \b(?:doubt(?:s|ed|ful|fully|ing)? | dubious | disbelie\w+ | den(?:y|ies|ied|ying) | denials? | disput(?:e|es|ed|ing) | refut(?:e|es|ed|ing) | disprov\w+ | debunk\w* | retract\w* | withdrawn | disavow\w* | contradict\w*)\b
    | \b(?:is|are|was|were|be|been|as|prove[ds]?|turned\ out|remains?) (?:\ \w+)? \ (?:false|wrong|untrue|incorrect|mistaken|inaccurate|unfounded|unproven|unconfirmed|baseless|fictional|impossible|unlikely|nonsense|(?:a|an|pure)\ (?:lie|myth|hoax|mistake|error|rumou?r|fiction|joke|invention))\b
    | \b(?:false|wrong|mistaken|incorrect|untrue|inaccurate) \ (?:claims?|statements?|beliefs?|reports?|that|to\ (?:say|think|believe|claim|assume)|impression|notion|idea|assumption)\b
    | \b(?:falsely|wrongly|mistakenly|incorrectly|erroneously|supposedly|allegedly|reportedly|purportedly|ostensibly|apparently)\b
    | \b(?:rumou?r\w* | hearsay | gossip | myth | hoax | alleg(?:e|es|ed|ation|ations) | purport\w* | word\ has\ it | they\ say | people\ say | some\ say | so\ they\ say)\b
    | \b(?:it\ is|it['’]s|is|are|was|were)\ (?:widely\ |often\ |sometimes\ )?(?:said|claimed|believed|thought|assumed|supposed)\ (?:that|to)\b
    | \b(?:claims?|claimed|pretends?|pretended|lied|imagin\w+|dream(?:s|t|ed)?|wish(?:es|ed)?)\ (?:that|to|of)\b | \bthe\ claim\b | \bin\ (?:a|an|his|her|my|their|our)\ (?:\w+\ )?(?:dreams?|parallel\ world|joke)\b
    | 据说|据传|据称|传闻|传言|听说|听闻|谣言|谣传|风传|盛传|有人说|有人称|声称|宣称|自称|坊间|小道消息|不实|辟谣|误传|误以为|误认为|误称|讹传|造谣|未经证实|尚未证实|未获证实|未被证实
    | (?:是|为|属|都|纯属|系)(?:假|虚假|虚构|捏造|编造|杜撰|误会|误解|谎言|错误?的|骗人|胡说)|不属实|不真实|不是真的|不是事实|并非事实|并非如此|不是这样|子虚乌有|无稽之谈|站不住脚|不成立
    | (?:说法|传闻|消息|观点|断言|结论|报道|陈述|论断|看法|言论|这句话).{0,6}(?:错|假|不对|不准确|不正确|有误|不可信|不可靠|存疑)
    | 否认|驳斥|反驳|怀疑|质疑|存疑|不相信|不认为|不信|不觉得|不承认|难以置信
    | (?:没有?|无|毫无|缺乏|缺少|尚无|并无|未见)(?:任何|充分|确凿|直接|足够)?的?(?:证据|根据|依据|迹象|证明|人(?:会|再)?(?:相信|认为|觉得|说))
    | (?:没有?人|无人|谁也不|谁都不|谁会)(?:会|再)?(?:相信|认为|觉得|信)|梦(?:里|见|到|中)|幻想
    """,
    re.IGNORECASE | re.VERBOSE,
)
_NOT_EN: Final = (
    r"\b(?:not|never|no\ longer|no|without|cannot|hardly|scarcely|barely|rarely|seldom|neither|nor|nobody|none|no\ one"
    r"|refus(?:e|es|ed)|declin(?:e|es|ed)|fail(?:s|ed)?\ to|stop(?:s|ped)?|ceas(?:e|es|ed)|avoid(?:s|ed)?|unable|far\ from|anything\ but)\b|n['’]t\b"
)
_BETWEEN: Final = re.compile(
    rf"{_NOT_EN}|不(?!锈|仅|但|同|断|错|过|少|久)|没有?|未(?!来)|无(?!锡|线)|(?<![特分区级类])别|并非|拒绝|停止|放弃|停用|？|\?",
    re.IGNORECASE,
)
_AROUND: Final = re.compile(
    rf"{_NOT_EN}|没有|并未|从未|从不|从来[不没]|绝不|决不|绝非|并非|并不|不再|不是|不会|不能|不可|不得|不要|不必|不用|尚未|未曾|未能|毫不|毫无|无法|无从|禁止|切勿|请勿|谁也不|拒绝|停止|放弃",
    re.IGNORECASE,
)
_NO_NAME: Final = re.compile(r"(?i:not|neither|nor|never|cannot)\b.*|(?i:no)|NO .*")
_PART: Final = re.compile(
    r"[,，;；:：]|\b(?:and|but|or|because|since|while|whereas|although|though|which|who|so|when|where|after|before)\b"
    r"|但是?|而且?|并且|因为|所以|因此|虽然|不过|同时|以及",
    re.IGNORECASE,
)
_ORDER: Final = re.compile(
    r"\b(?:must|shall|should|ought to|has to|have to|had better|needs? to|do not|don['’]t|never|always|please|beware|make sure|be sure)\b"
    r"|必须|务必|一定要|应当|应该|不得|不要|不能|不可|禁止|切勿|请勿|(?<![申邀])请(?!求|教|假)|千万|严禁"
    r"|^\W*(?:buy|sell|call|ignore|avoid|contact|send|give|tell|remember|delete|forget|trust|use|pay|visit|click|stop|keep|take|go|ask|run|install|remove)\s",
    re.IGNORECASE,
)


def is_disbelieved(sentence: str) -> bool:
    """Whether a sentence, or any part of it, tells of something as untrue, unproven, dreamt or merely talked about."""
    return _DISBELIEVED.search(sentence) is not None


def is_denied(before: str, between: str, after: str) -> bool:
    """Whether the clause of two names denies what relates them: in the words `between` them, in those right `before`
    the first, or right `after` the second. Of `before` and `after` the parts next to the names are read."""
    near = _PART.split(before)[-1], _PART.split(after, maxsplit=1)[0]
    return _BETWEEN.search(between) is not None or any(_AROUND.search(part) for part in near)


def begins_denial(name: str) -> bool:
    """Whether what was read as a name is a denial in capitals, or begins with one: `NOT`, `Neither Acme`."""
    return _NO_NAME.fullmatch(name) is not None


def denies(text: str) -> bool:
    """Whether there is a denial, or disbelief, in a text."""
    return any(each.search(text) for each in (_BETWEEN, _AROUND, _DISBELIEVED))


def orders(text: str) -> bool:
    """Whether a text says what is to be done, or what must not be."""
    return _ORDER.search(text) is not None
