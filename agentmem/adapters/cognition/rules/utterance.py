"""One turn cut into clauses, each with its speech act and its subject; and whether a clause says something that can be
understood by itself, away from what was said around it.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en, lexicon_zh
from agentmem.adapters.cognition.rules.acts import (
    act_en,
    act_zh,
    courteous_en,
    courteous_zh,
    is_decision,
    is_ironic,
    without_laughter,
)
from agentmem.adapters.cognition.rules.conjoined import predicates
from agentmem.adapters.cognition.rules.kinds import kind_of, tells_allergy
from agentmem.adapters.cognition.rules.model import (
    Act,
    Clause,
    Lang,
    Sentence,
    Span,
    Subject,
    Who,
    language_of,
    pieces,
    plain,
    sentences,
    trimmed,
)
from agentmem.adapters.cognition.rules.subjects import subject_en, subject_zh

_I = re.IGNORECASE
_SO_ZH = r"(?:现在|目前|又|已经|刚|突然|暂时|也|还|都|就|其实|可能|真的|有点儿?|正|一直)*"
_RIDDLES_ZH = re.compile(
    rf"^(?:我们?|本人|他们?|她们?)?{_SO_ZH}(?:"
    r"(?:改|换|变|改变)了?(?:主意|想法|念头|看法|决定|心意)|(?:主意|想法|念头|看法|心意|计划|决定)(?:又|也|已经)?(?:有|起)?(?:改变|改|变|换|变化)|变卦|反悔|后悔|动摇|犹豫|纠结|"
    r"(?:没|没有|不|不太|不大|不能|不敢|不好|未)(?:确定|肯定|决定|定下来|定|想好|想清楚|打定主意|拿定主意|说)|拿不定主意|再说|说不准|说不好|没想法|"
    r"(?:不|不再|没)?(?:是|想|要|用|需要|行|可以|喜欢|同意|这样|那样|那么(?:想|说|做))(?:这样|那样|这么(?:想|说|做)|那么(?:想|说|做))?"
    r")(?:了|过|呢|的)*$"
    rf"|^(?:我们?的?|他的?|她的?)?(?:之前|原来|以前|上次|那)?(?:的)?(?:新|旧|老|原来|之前|以前|另一|另外|前一|后一|这一?|那一?|第[一二三])(?:的)?(?:那|这)?(?:一)?(?:个|款|套|种|家|台|份|条|张|部|支|只|批)?(?:的)?{_SO_ZH}"
    r"(?:不用|不要|不行|没用|没了|不在|停用|作废|坏|换|扔|丢|扔掉|卖|卖掉|退|退掉|打不通|不能用|不好用|用不了|可以|好|行)(?:了|掉|的)*$"
    r"|^(?:我们?)?(?:觉得|感觉)?(?:真的?|真是|实在|简直)?(?:太|很|非常|好|有点儿?|特别)(?:让人|令人|叫人|让我)?(?:失望|生气|难受|无语|糟糕|过分|离谱|烦|恼火|气人)(?:了|透了|透顶)*$"
    r"|^(?:我|他|她)?(?:这|那|它|这个|那个)(?:样|些)?(?:也|就|都|还|已经)*(?:是|不是|可以|不行|不用|不要|没有|好|坏)(?:了|的|吧)*$"
    r"|^(?:我们?)?.{0,4}?(?:有|没有|要|买了?|申请|来|订|加|换|做)(?:[一二两三四五六七八九十几\d]+)(?:个|只|条|位|辆|台|套|家|间|本|张|件|份|盒|次)$|^我?(?:倒|也)?没事$|^我?(?:可|并|也|倒)*(?:没有?|不)(?:答应|同意|觉得|听说?|管|理|在意|信)$|^我?说的是"
    r"|^.{1,12}(?<![不还就要只也都但可总正老])是$"
)
_ONE = r"(?:(?:the|that|this|my|our|their|an?|his|her) )?(?:(?:old|new|other|first|second|last|latest|previous|current|former|next|bigger|smaller|same|cheaper|red|blue|black|white|green) )+ones?"
_RIDDLES_EN = re.compile(
    rf"^{_ONE}\b(?:'s| is| was| has| does| did| no longer| doesn't| isn't| won't| never| still| stopped| works| keeps| will)"
    r"|^(?:i|we|he|she|they)(?:'ve| have|'m| am|'re| are|'d)?(?: just| recently| now| still| actually| since)* (?:changed (?:my|our|his|her|their) minds?|had second thoughts|having second thoughts|reconsider(?:ed|ing)|changed it|did (?:it|that|so)|do(?: too)?|don't(?: either)?|didn't|haven't|am|was|are|were|isn't|not sure(?: yet)?|undecided|torn|on the fence|unsure|(?:still )?deciding|do not)$"
    r"|^(?:it|that|this|they|those|these|he|she)(?:'s| is| are|'re| was| were| does| did| do| will|'ll| has)?(?: not|n't)?(?: just| still| also| no longer| really)*(?: (?:changed|works?|worked|happens?|happened|matters?|over|gone|done|there|here|ok|okay|so|mine|true|right|wrong|too|it|that|this))?$"
    r"|^(?:i|we)(?:'ve| have|'d)? (?:stopped|quit|tried|started|went|did|left|finished|passed|failed|moved|switched|changed|swapped)(?: (?:in|last|this|two|three|\d).*)?$|\bso,? \w+$"
    r"|\b(?:has|have|had|got|owns?) (?:just |only |about |at least )?(?:one|two|three|four|five|six|seven|eight|nine|ten|none|some|both|many|a few|several|a couple|\d{1,2})$"
    r"|^(?:my|our|his|her|their) [\w' -]{2,30} (?:is|are|does|do|did|has|was|were|will|would|can)(?: too| as well|n't| not)?$",
    _I,
)


def stands_alone(clause: Clause) -> bool:
    """Whether whoever reads the clause later knows what it is about."""
    if clause.subject.who is Who.OWN and not clause.predicate.strip(" ,的"):
        return False
    riddles = _RIDDLES_ZH if clause.lang == "zh" else _RIDDLES_EN
    return riddles.search(clause.text.strip(" ,。.!")) is None


_LEAD_ZH = re.compile(
    rf"(?:(?i:hi|hello|hey)(?:[,、! ]+|(?=[我你您]))|(?:{'|'.join(w for w in lexicon_zh.CONNECTIVES.split('|') if len(w) > 1)})[,、 ]*|[嗯哦噢啊额唉哎好行对那这]+[, ]+|[跟和][你您]们?[说讲](?:一下|一声|下|声|个事儿?|件事)[,、 ]*|通知[你您]们?(?:一下|一声)[,、 ]*|但(?!愿)|而(?!已|且)|那(?=我|就|你|您))"
)
_LEAD_EN = re.compile(
    r"(?:(?:and|but|so|because|also|plus|then|actually|honestly|basically|well|oh|though|although|however|yes|yeah|yep|yup|nah|nope|hmm|ugh|ok|okay|hi there|hello there|hi|hello|hey|"
    r"i mean|you know|the thing is|to be honest|tbh|i think|i believe|i'd say|i feel like|in fact|as it happens|obviously|since(?! (?:i|we|he|she|they) (?:was|were)\b| [^,]* (?:i|we)(?:'m|'ve|'re|'ll)? [a-z])|the problem is,?|thing is|fyi|by the way|btw|anyway|(?:just )?(?:to let|letting) you know(?: that)?|(?:just )?a (?:quick )?heads[- ]up)(?:,? +|,)|"
    rf"(?:{lexicon_en.CONNECTIVES}),\s*|(?:now|currently|at the moment|these days)\s+(?=i\b|we\b|my\b|our\b))",
    _I,
)
_EN_CUT = re.compile(
    r"(?:,?\s+(?:and|but|so|though|although|because|plus|as|since(?! (?:i|we|he|she|they) (?:was|were)\b)|while|whereas)\s+|,(?!\d\d\d\b)\s*|:\s+|\s+-+\s+|\s*[()]\s*)(?=(?:and |but |so |then |please |also |now |currently )?(?:(?:till|until|for now|this week|in the meantime)(?: [a-z\d]+){0,2},? (?=I\b|we\b)|(?:right now|at the moment|at present|these days|nowadays|today|yesterday|since then|last (?:week|month|year)|(?:since|in) (?:january|february|march|april|may|june|july|august|september|october|november|december)),? (?=(?:I|we|my|our)\b))?(?:I|we|(?:my|our|his|her|their) (?:[\w-]+ ){1,3}(?:is|are|was|were|has|have|had|isn't|doesn't|don't|keeps?|needs?|wants?|runs?|works?|gets?|starts?|takes?|says?|said|thinks?|can|will|would|won't|can't|loves?|goes|gets)|it|it's|its|they|they're|he|she|he's|she's|you|your|there|there's|that|that's|this|"
    r"don't|do|does|did|what|how|can|could|is|are|(?:call|email|text) (?:me|us|after|before|on|at|only|instead)|please|would|(?:(?:talk|speak|write) to|call|ask|email|ring) (?-i:[A-Z])[a-z]+|(?-i:[A-Z][a-z]+ [A-Z][a-z]+)(?='s\b)|(?-i:[A-Z][a-z]+ [A-Z][a-z]+) [a-z]+s|the (?:\w+ ){1,2}(?:is|are|was|were|has|keeps|doesn't|isn't|arrived|came|didn't|never)|\w+ (?:is|are|keeps|doesn't|isn't|hates?|loves?|prefers?))\b(?:['’]| |$))",
    _I,
)
_EN_MORE = re.compile(
    r",?\s+(?=(?:or |and |but )?(?:(?:maybe|perhaps|possibly|potentially|probably|even) (?:[^\s,.;]+ ){0,8}?(?:more|less|fewer|later|earlier|sooner|longer|shorter|higher|lower|bigger|smaller|if|unless|depending|provided)\b))"
    r"|,\s+(?=(?:or |and |but )?(?:(?:a (?:bit|little) |slightly |much |far )?(?:more|less|fewer|later|earlier|sooner|longer|higher|lower)|up to|[$£€]?\d[\d,.]*[km]?|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty) (?:[^\s,.;]+ ){0,6}?(?:if|unless|depending|provided)\b)",
    _I,
)
"""What could be more or other than was just stated, under a condition: `perhaps April if the board agrees`."""
_PREPOSED = re.compile(
    r"^(?:and |but |so )?(?:in|at|for|on|with|from|since|after|before|until|by|once|when|if|unless|as|because|while|although|though|where|every|given|being|last|next|this|to|suppose|assuming|during|over|most)\b",
    _I,
)
_PREDICATE_ZH = re.compile(
    r"我|你|您|他|她|是|有|在|太|很|比较|要|想|希望|需要|(?<![智功性])能(?!力|量|源)|会(?!员|议)|可以|不|没|了$|老|慢|吗|什么|多少|怎么|请|谢|了|换|搬|期望|每|(?<!使|应)用|做|都|也|给|把|被|叫|姓|说|看|[。!?@\d]|好|对(?!账|接)|行(?!业)|嗯|如果"
)
_AND_MORE = re.compile(r"^(?:还有|以及|和|跟|及|包括|特别是|尤其是|尤其|比如|像|或者?|并|、)+")
_MORE_AMOUNT = re.compile(
    r"^(?:最多|最少|至少|不超过|顶多|不能超过|左右|上下|差不多|大概|封顶)+[\d一二两三四五六七八九十几半百千万]"
)
_CHANGED_ZH = re.compile(r"[^我你您他她,]{2,10}[改换变调][了啦]")
_BY_NOW_ZH = re.compile(
    r"(?:以后|往后|今后|现在|从[^我你您他她]{1,6}(?:起|开始)).{0,4}[\d一二三四五六七八九十][^我你您他她]{0,12}"
)
"""That something has changed, and by itself what it is now."""
_THIS_ONCE_ZH = re.compile(r"[这本](?:周|次|回|个?星期)[^我你您他她,]{0,4}")
"""When, or why this once, of what is said next."""
_NUMBER_ZH = re.compile(r"[\d一二两三四五六七八九十百千万]")
_LONGEST = 500
"""Characters of the longest clause that is read; nobody says one thing in more."""
_BREAKS_SCOPE = re.compile(r"^(?:但|不过|可是|另外|反正|but|however|anyway)", _I)


def clauses_of(text: str, agent_words: re.Pattern | None, person: str) -> Iterator[Clause]:
    """The clauses of a normalised text, in order."""
    for sentence in sentences(text):
        lang = language_of(text[sentence.start : sentence.end])
        spans = _zh_spans(text, sentence) if lang == "zh" else _en_spans(text, sentence)
        yield from _scoped(_clauses(text, sentence, list(spans), agent_words, person), text)


_SILENT: Final = (Act.CONDITIONAL, Act.REPORTED, Act.UNCERTAIN, Act.QUESTION, Act.REQUEST, Act.IDLE, Act.POLITE)
"""What a clause does that states nothing, that first which says most of why a turn does not."""

MAX_EXPLAINED: Final = 2_000
"""Characters of a turn of which it is said why nothing was made of it."""


def silent_act(text: str) -> Act | None:
    """What a turn does where none of its clauses states anything."""
    acts = {clause.act for clause in clauses_of(plain(text[:MAX_EXPLAINED]), None, "")}
    return None if Act.ASSERT in acts else next((act for act in _SILENT if act in acts), None)


def _clauses(
    text: str, sentence: Sentence, spans: list[Span], agent_words: re.Pattern | None, person: str
) -> Iterator[Clause]:
    ironic = is_ironic(text[sentence.start : sentence.end])
    sober = without_laughter(text[sentence.start : sentence.end])
    laughs = len(sober) < sentence.end - sentence.start
    opens = True
    parts = list(predicates(text, spans, language_of(text[sentence.start : sentence.end])))
    for number, (span, left_out) in enumerate(parts):
        said = text[span.start : span.end]
        lang = "zh" if _MIXED.match(said) else language_of(said)
        asks = sentence.mark == "?" and number == len(parts) - 1
        for body in _introductions(_with_subject(left_out, bare(without_laughter(said) if laughs else said, lang))):
            if not body or len(body) > _LONGEST:
                continue
            body = body if asks else _said_straight(body)
            act = (act_zh if lang == "zh" else act_en)(body, asks=asks)
            act = Act.REPORTED if _is_quoted(text, span, sentence) else act
            joking = ironic or (laughs and not _is_in_earnest(body, lang))
            act = Act.IDLE if joking and act in (Act.ASSERT, Act.REQUEST) else act
            body = re.sub(" {2,}", " ", body if lang == "zh" else _COMMENT_EN.sub("", body))
            body = (courteous_zh if lang == "zh" else courteous_en)(body).strip(" ,")
            subject, predicate = subject_of(body, lang, agent_words, person)
            yield Clause(span, body, lang, act, subject, predicate, opens_sentence=opens)
        opens = opens and _GREETING.fullmatch(said) is not None


def _with_subject(subject: str, body: str) -> str:
    return f"{subject}{'' if not subject.isascii() else ' '}{body}".strip()


def _is_in_earnest(clause: str, lang: Lang) -> bool:
    """Whether a clause tells what somebody is, which is so though he laughs: `I'm allergic to nuts, haha`."""
    kind = kind_of(clause, lang)
    return tells_allergy(clause, lang) or (kind.attribute in _EARNEST and kind.value is not None)


_COMMENT_EN = re.compile(
    r",? (?:(?:as )?it turns out|turns out|it happens|mind you|you see|you know|ugh|phew|argh|sigh)$", _I
)
"""A comment behind a clause that is no part of it: `she is vegan, it turns out`."""
_EARNEST = frozenset(("age", "birthday", "budget", "city", "headcount", "marital_status", "occupation"))


def _said_straight(body: str) -> str:
    """`What I need is a bigger office` as `I need a bigger office`, `what bothers me is the noise` as `I'm bothered by
    the noise`."""
    if (wish := _CLEFT.match(body)) is not None:
        return f"{wish['does']} {wish['what']}"
    if (trouble := _TROUBLES.match(body)) is not None:
        who = "we're" if trouble["who"].lower() == "us" else "I'm"
        return f"{who} {_TROUBLED[trouble['does'].lower()]} {'that' if trouble['joint'] else 'by'} {trouble['what']}"
    if (trouble := _TROUBLES_ZH.match(body)) is not None:
        return f"{trouble['who']}{trouble['most'] or ''}{trouble['what']}"
    return body


_ANSWER = r"(?: (?:is|are)|'s)(?P<joint> that| for)? (?P<what>(?!(?:none of|what|when|where|who|why|how|which|if|whether|because|not)\b)\S.*)$"
_CLEFT = re.compile(
    r"^(?:what|all|the (?:only |main |first )?thing)(?: that)? (?P<does>(?:I|we)(?:'d)?(?: (?:really|also|mostly|still|just|only|actually|mainly|would|don't|can't|do))*"
    rf" (?:like|love|want|need|prefer|hate|miss|lack|dislike|enjoy|stand|use|sell))(?: (?:the )?most| a lot)?{_ANSWER}",
    _I,
)
_TROUBLED = {
    "bothers": "bothered",
    "annoys": "annoyed",
    "worries": "worried",
    "concerns": "concerned",
    "frustrates": "frustrated",
    "irritates": "irritated",
    "bugs": "bugged",
    "upsets": "upset",
    "disappoints": "disappointed",
}
_TROUBLES = re.compile(
    rf"^(?:what|the (?:only |main )?thing that)(?: (?:really|also|mostly|still|only|actually|mainly))* (?P<does>{'|'.join(_TROUBLED)}) (?P<who>me|us)(?: (?:the )?most| a lot| a bit)?{_ANSWER}",
    _I,
)


_TROUBLES_ZH = re.compile(r"(?P<most>最|更)?(?:让|令|使|叫)(?P<who>我们?)(?P<what>[^,的]{1,6}的(?:就|还|主要)?是.+)$")


def _is_quoted(text: str, span: Span, sentence: Sentence) -> bool:
    """Whether a part of a sentence stands in quotation marks, and the sentence says more than that."""
    said, around = text[span.start : span.end], text[max(0, span.start - 1) : span.end + 1]
    quoted = any(_QUOTATION.fullmatch(each.strip(" ,，")) for each in (said, around))
    return quoted and len(said) + 3 < sentence.end - sentence.start


_QUOTATION = re.compile('["“「『][^"“”「」『』]{3,300}["”」』]')
_GREETING = re.compile(
    r"(?:hi|hiya|hello|hey|(?:good )?(?:morning|afternoon|evening)|good day|[你您]好|大家好|(?:早上|上午|中午|下午|晚上)好|早安?|嗨|哈[喽啰])(?:[ ,]*[^\W\d]{1,20})?",
    _I,
)
"""What may stand before a sentence and is no part of it, with whom it greets."""


def _introductions(body: str) -> tuple[str, ...]:
    """`I'm Ida, a nurse in Leeds` as the two things it says."""
    found = _INTRODUCES.match(body)
    return (body,) if found is None else (found["name"], f"I'm {found['what']}")


_INTRODUCES = re.compile(
    r"^(?P<name>(?:i'm|i am|my name is|my name's) (?-i:[A-Z][\w'-]+(?: [A-Z][\w'-]+){0,2})), (?P<what>(?:an?|(?:the )?(?:co-)?(?:head|director|chief|vice president|vp|manager|founder|owner|ceo|coo|cto|cfo)\b) ?[^,]+.*)$",
    _I,
)
_MIXED = re.compile(r"(?:我们?)?(?:现在|目前|人|公司)?(?:base|Base|BASE|team|Team|office|Office) ?(?:在|是|有|大概)")
"""Latin words in a clause whose grammar is Chinese."""


def subject_of(text: str, lang: Lang, agent_words: re.Pattern | None, person: str) -> tuple[Subject, str]:
    """Of whom the text speaks, in its language."""
    if lang == "zh":
        return subject_zh(text, agent_words, person)
    return subject_en(text, agent_words, person)


def bare(text: str, lang: Lang) -> str:
    """The clause without the connectives and interjections at its head."""
    lead = _LEAD_ZH if lang == "zh" else _LEAD_EN
    at = 0
    for _ in range(6):
        found = lead.match(text, at)
        if found is None or found.end() == at:
            break
        at = found.end()
    span = trimmed(text, at, len(text))
    return text[span.start : span.end]


def _scoped(clauses: Iterator[Clause], text: str) -> Iterator[Clause]:
    """A supposition reaches to the end of its sentence; so does another's word, until the speaker names himself."""
    scope: Act | None = None
    decided, at = False, 0
    for clause in clauses:
        if scope is not None and _BREAKS_SCOPE.match(text, clause.span.start):
            scope = None
        if scope is Act.REPORTED and decided and _THEREFORE.match(text, at):
            scope = None
        if scope is Act.REPORTED and clause.subject.who in (Who.FIRST, Who.OWN) and "我" in clause.subject.words:
            scope = None
        yield clause if scope is None else replace(clause, act=scope)
        if clause.act in (Act.CONDITIONAL, Act.REPORTED):
            scope = clause.act
        decided, at = is_decision(clause.text), clause.span.end


_THEREFORE = re.compile(r"\s*(?::|-+\s|,?\s*(?:so|所以|那)\b)", _I)
"""What stands between a decision and what the speaker makes of it; a mere comma may go on telling what was said."""


def _zh_spans(text: str, sentence: Sentence) -> Iterator[Span]:
    """Comma pieces; what only lengthens a list or an amount is joined to the piece before it."""
    held: Span | None = None
    for span in _parted(text, pieces(text, sentence.start, sentence.end)):
        if held is not None and _continues(text[held.start : held.end], text[span.start : span.end]):
            held = Span(held.start, span.end)
            continue
        if held is not None:
            yield held
        held = span
    if held is not None:
        yield held


def _parted(text: str, spans: Iterator[Span]) -> Iterator[Span]:
    """The spans, with what stands behind `老板同意了:` as one of its own."""
    for span in spans:
        colon = text.find(":", span.start, span.end)
        if colon > 0 and is_decision(text[span.start : colon]):
            yield trimmed(text, span.start, colon)
            yield trimmed(text, colon, span.end)
        else:
            yield span


_ASIDE = re.compile(r"\([^()]{0,80}\)")


def _continues(before: str, piece: str) -> bool:
    if _MORE_AMOUNT.match(piece):
        return _NUMBER_ZH.search(before) is not None
    if _THIS_ONCE_ZH.fullmatch(before):
        return True
    if _CHANGED_ZH.fullmatch(before) and _BY_NOW_ZH.fullmatch(piece):
        return True
    more = _AND_MORE.match(piece)
    rest = piece[more.end() :] if more else piece
    if (
        not rest
        or _PREDICATE_ZH.search(rest)
        or len(rest) > 20
        or (language_of(rest) == "en" and not more and " " in rest)
    ):
        return False
    return more is not None or (
        len(before) >= 5 and re.search(r"需要|要|有|包括|卖|想|用|做|比如|订|买|租|找", before) is not None
    )


def _en_cuts(text: str, sentence: Sentence) -> list[re.Match]:
    cuts = [each for cut in (_EN_CUT, _EN_MORE) for each in cut.finditer(text, sentence.start, sentence.end)]
    return sorted(cuts, key=lambda cut: cut.start())


def _en_spans(text: str, sentence: Sentence) -> Iterator[Span]:
    text = _ASIDE.sub(lambda aside: " " * len(aside.group()), text)
    at = sentence.start
    for cut in _en_cuts(text, sentence):
        head = text[at : cut.start()]
        if (len(head.split()) < 6 and _PREPOSED.match(head)) or (
            _PREPOSED.match(head)
            and re.match(
                r"(?:and |but |so )?(?:if|unless|when|once|because|since|although|suppose|as|while)\b", head, _I
            )
        ):
            continue
        span = trimmed(text, at, cut.start())
        if span.start < span.end:
            yield span
        at = cut.end()
    span = trimmed(text, at, sentence.end)
    if span.start < span.end:
        yield span
