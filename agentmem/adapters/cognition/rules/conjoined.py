"""Predicates of one subject that `and` or 并且 joins, each of which says something of its own: `I work at Acme and live
in Hull` tells a job and a home, and the end of the one leaves the other."""

# ruff: noqa: E501 - patterns read best unbroken

from collections.abc import Iterator, Sequence

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.model import Lang, Span, trimmed

_I = re.IGNORECASE
_ADVERBS_EN = r"(?:(?:now|currently|also|still|mostly|mainly|just|both|only|already) )*"
_HAVE_EN = r"have(?= (?:an?|about|around|over|roughly|almost|nearly|two|three|four|five|six|seven|eight|nine|ten|twelve|no|some|several|many|\d[\d,.]*)\b)"
_DOES_EN = rf"(?:work(?= (?:at|for|in|as|with|from|on|nights|shifts|part|full)\b)|live(?= (?:in|at|on|near|with|alone)\b)|(?:use|drive|speak|run|own|rent|employ)\b(?! (?:to|and|or)\b)|{_HAVE_EN})"
_HEAD_EN = re.compile(
    rf"^(?P<who>I|we) {_ADVERBS_EN}(?:{_DOES_EN} \S|(?:am|are) \S)|^(?P<short>I|we)['’](?:m|re) \S", _I
)
_JOINT_EN = re.compile(rf"(?:,? and|,) (?={_ADVERBS_EN}(?:{_DOES_EN} \S|am (?:an?|the|\d)\b))", _I)
_BOUND_EN = re.compile(
    r"\b(?:who|which|that|where|when|while|if|because|to|him|her|it|them|there|his|their|its|used|not|never|or)\b|n't\b",
    _I,
)
"""What ties the predicates together, or puts one of them under something else."""
_ADVERBS_ZH = "(?:现在|目前|也|还|都|主要|一直)*"
_DOES_ZH = r"(?:住在?[^,，]|在[^,，在]{1,12}?(?:工作|上班|上学|读书|任职|当|做)|(?:用|开|会说|说|养了?|租了?)(?![了着过])[^,，]|有[\d一二两三四五六七八九十几])"
_HEAD_ZH = re.compile(rf"^(?P<who>我们|我){_ADVERBS_ZH}(?:{_DOES_ZH}|是(?:一?[名个位]))")
_JOINT_ZH = re.compile(rf"(?:并且|而且|同时|并)(?={_ADVERBS_ZH}{_DOES_ZH})")
_NEXT_ZH = re.compile(rf"{_ADVERBS_ZH}{_DOES_ZH}")
_BOUND_ZH = re.compile(r"如果|要是|因为|所以|[他她它]|的时候|以前|不|没")


def predicates(text: str, spans: Sequence[Span], lang: Lang) -> Iterator[tuple[Span, str]]:
    """The spans, where one holds several predicates each as a span of its own, with the subject that is left out ahead of
    it; empty where none is."""
    zh, subject, end = lang == "zh", "", -1
    bound, joints = (_BOUND_ZH, _JOINT_ZH) if zh else (_BOUND_EN, _JOINT_EN)
    for span in spans:
        said = text[span.start : span.end]
        head = None if bound.search(said) else (_HEAD_ZH if zh else _HEAD_EN).match(said)
        goes_on = zh and subject and text[end : span.start] == "," and _NEXT_ZH.match(said) and not bound.search(said)
        if head is None:
            yield span, subject if goes_on else ""
            subject, end = subject if goes_on else "", span.end
            continue
        subject = head["who"] if zh else head["who"] or head["short"]
        at, left_out, end = span.start, "", span.end
        for joint in joints.finditer(said, head.end()):
            yield trimmed(text, at, span.start + joint.start()), left_out
            at, left_out = span.start + joint.end(), subject
        yield trimmed(text, at, span.end), left_out
