"""One turn cut into clauses, each with its speech act and its subject."""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterator
from dataclasses import replace
from types import ModuleType

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import acts_en, acts_zh, lexicon_en, lexicon_zh, subject_en, subject_zh
from agentmem.adapters.cognition.rules.model import Act, Clause, Subject, Who
from agentmem.adapters.cognition.rules.text import Lang, Sentence, Span, language_of, pieces, sentences, trimmed

_I = re.IGNORECASE
_LEAD_ZH = re.compile(
    rf"(?:(?i:hi|hello|hey)(?:[,、! ]+|(?=[我你您]))|(?:{'|'.join(w for w in lexicon_zh.CONNECTIVES.split('|') if len(w) > 1)})[,、 ]*|[嗯哦噢啊额唉哎好行对那这]+[, ]+|但(?!愿)|而(?!已|且)|那(?=我|就|你|您))"
)
_LEAD_EN = re.compile(
    r"(?:(?:and|but|so|because|also|plus|then|actually|honestly|basically|well|oh|though|although|however|yes|yeah|yep|yup|ok|okay|hi there|hello there|hi|hello|hey|"
    r"i mean|you know|the thing is|to be honest|tbh|i think|i believe|i'd say|i feel like|in fact|as it happens|obviously|since|the problem is,?|thing is|fyi|by the way|btw|anyway)(?:,? +|,)|"
    rf"(?:{lexicon_en.CONNECTIVES}),\s*|(?:now|currently|at the moment|these days)\s+(?=i\b|we\b|my\b|our\b))",
    _I,
)
_EN_CUT = re.compile(
    r"(?:,?\s+(?:and|but|so|though|although|because|plus|as|since|while|whereas)\s+|,\s*|:\s+|\s+-+\s+|\s*[()]\s*)(?=(?:and |but |so |then |please |also |now |currently )?(?:I|we|(?:my|our) (?:[\w-]+ ){1,3}(?:is|are|was|were|has|have|had|isn't|doesn't|don't|keeps?|needs?|wants?|runs?|works?|gets?|starts?|takes?|can|will|would|won't|can't|loves?|goes|gets)|it|it's|its|they|they're|he|she|he's|she's|you|your|there|there's|that|that's|this|"
    r"don't|do|does|did|what|how|can|could|is|are|(?:call|email|text) (?:me|us|after|before|on|at|only|instead)|please|would|the (?:\w+ ){1,2}(?:is|are|was|were|has|keeps|doesn't|isn't|arrived|came|didn't|never)|\w+ (?:is|are|keeps|doesn't|isn't|hates?|loves?|prefers?))\b(?:['’]| |$))",
    _I,
)
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


def _clauses(
    text: str, sentence: Sentence, spans: list[Span], agent_words: re.Pattern | None, person: str
) -> Iterator[Clause]:
    for number, span in enumerate(spans):
        said = text[span.start : span.end]
        lang = "zh" if _MIXED.match(said) else language_of(said)
        asks = sentence.mark == "?" and number == len(spans) - 1
        for body in _introductions(bare(said, lang)):
            if not body or len(body) > _LONGEST:
                continue
            grammar: ModuleType = acts_zh if lang == "zh" else acts_en
            act: Act = grammar.act_of(body, asks=asks)
            body = str(grammar.courteous(body)).strip(" ,")
            subject, predicate = subject_of(body, lang, agent_words, person)
            yield Clause(span, body, lang, act, subject, predicate, opens_sentence=number == 0)


def _introductions(body: str) -> tuple[str, ...]:
    """`I'm Ida, a nurse in Leeds` as the two things it says."""
    found = _INTRODUCES.match(body)
    return (body,) if found is None else (found["name"], f"I'm {found['what']}")


_INTRODUCES = re.compile(
    r"^(?P<name>(?:i'm|i am|my name is|my name's) (?-i:[A-Z][\w'-]+(?: [A-Z][\w'-]+){0,2})), (?P<what>an? [^,]+.*)$", _I
)
_MIXED = re.compile(r"(?:我们?)?(?:现在|目前|人|公司)?(?:base|Base|BASE|team|Team|office|Office) ?(?:在|是|有|大概)")
"""Latin words in a clause whose grammar is Chinese."""


def subject_of(text: str, lang: Lang, agent_words: re.Pattern | None, person: str) -> tuple[Subject, str]:
    """Of whom the text speaks, in its language."""
    if lang == "zh":
        return subject_zh.subject_of(text, agent_words, person)
    return subject_en.subject_of(text, agent_words, person)


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
    for clause in clauses:
        if scope is not None and _BREAKS_SCOPE.match(text, clause.span.start):
            scope = None
        if scope is Act.REPORTED and clause.subject.who in (Who.FIRST, Who.OWN) and "我" in clause.subject.words:
            scope = None
        yield clause if scope is None else replace(clause, act=scope)
        if clause.act in (Act.CONDITIONAL, Act.REPORTED):
            scope = clause.act


def _zh_spans(text: str, sentence: Sentence) -> Iterator[Span]:
    """Comma pieces; what only lengthens a list or an amount is joined to the piece before it."""
    held: Span | None = None
    for span in pieces(text, sentence.start, sentence.end):
        if held is not None and _continues(text[held.start : held.end], text[span.start : span.end]):
            held = Span(held.start, span.end)
            continue
        if held is not None:
            yield held
        held = span
    if held is not None:
        yield held


def _continues(before: str, piece: str) -> bool:
    if _MORE_AMOUNT.match(piece):
        return _NUMBER_ZH.search(before) is not None
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


def _en_spans(text: str, sentence: Sentence) -> Iterator[Span]:
    at = sentence.start
    for cut in _EN_CUT.finditer(text, sentence.start, sentence.end):
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
