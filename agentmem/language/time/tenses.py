"""Whether words speak of the past or of what is to come, as far as a date without its year needs to know; and whether
something begins on a day, or comes again with it, and is not over with that day."""

# ruff: noqa: E501 - patterns read best unbroken

from agentmem import patterns as re
from agentmem.language.time.dates import Lean

# Irregular forms, which no stemmer leads back. Those that are as often a word of their own (rose, ground) are left out.
_FORMS = """
be: am is are was were been being | become: became | begin: began begun | bend: bent | bite: bit bitten
blow: blew blown | break: broke broken | breed: bred | bring: brought | build: built | burn: burnt | buy: bought
catch: caught | choose: chose chosen | cling: clung | come: came | creep: crept | deal: dealt | dig: dug
do: did done does | draw: drew drawn | dream: dreamt | drink: drank drunk | drive: drove driven | eat: ate eaten
fall: fell fallen | feed: fed | feel: felt | fight: fought | find: found | flee: fled | fly: flew flown
forbid: forbade forbidden | forget: forgot forgotten | forgive: forgave forgiven | freeze: froze frozen
get: got gotten | give: gave given | go: went gone goes | grow: grew grown | hang: hung | have: had has
hear: heard | hide: hid hidden | hold: held | keep: kept | kneel: knelt | know: knew known | lead: led
lean: leant | leap: leapt | learn: learnt | leave: left | lend: lent | lie: lain | light: lit | lose: lost
make: made | mean: meant | meet: met | mistake: mistook mistaken | overcome: overcame | pay: paid
prove: proven | ride: rode ridden | ring: rang rung | rise: risen | run: ran | say: said | see: saw seen
seek: sought | sell: sold | send: sent | sew: sewn | shake: shook shaken | shine: shone | shoot: shot
show: shown | shrink: shrank shrunk | sing: sang sung | sink: sank sunk | sit: sat | sleep: slept | slide: slid
smell: smelt | speak: spoke spoken | spell: spelt | spend: spent | spill: spilt | spin: spun
spring: sprang sprung | stand: stood | steal: stole stolen | stick: stuck | strike: struck stricken
strive: strove striven | swear: swore sworn | sweep: swept | swell: swollen | swim: swam swum | swing: swung
take: took taken | teach: taught | tear: tore torn | tell: told | think: thought | throw: threw thrown
undergo: underwent undergone | understand: understood | undertake: undertook undertaken | wake: woke woken
wear: wore worn | weave: wove woven | weep: wept | win: won | withdraw: withdrew withdrawn
write: wrote written | child: children | foot: feet | goose: geese | half: halves | knife: knives | loaf: loaves
man: men | mouse: mice | person: people | shelf: shelves | tooth: teeth | wife: wives | wolf: wolves
woman: women
""".strip()

BASE_OF = {
    form: base
    for entry in _FORMS.replace("\n", " | ").split("|")
    for base, _, forms in [entry.strip().partition(": ")]
    for form in forms.split()
}
"""Inflected form to base form, both in lower case."""

# Forms of the table that are no past: the present, and the plurals of nouns.
_NO_PAST = frozenset(("am", "is", "are", "being", "does", "goes", "has"))
_NOUNS = frozenset(
    (
        "child",
        "foot",
        "goose",
        "half",
        "knife",
        "loaf",
        "man",
        "mouse",
        "person",
        "shelf",
        "tooth",
        "wife",
        "wolf",
        "woman",
    )
)
_IRREGULAR = frozenset(
    (
        *(form for form, base in BASE_OF.items() if form not in _NO_PAST and base not in _NOUNS),
        *("ago", "didn", "wasn", "weren", "hadn"),
    )
)
_NO_PARTICIPLE = ("need", "speed", "seed", "feed", "indeed", "hundred", "exceed", "proceed")
_WORD = re.compile(r"\w+")
_PAST_ZH = re.compile(r"(?<!不)(?<!不了)了(?!解|不起)|(?<![不通超])过(?![来去程年敏期])|曾|刚|已")
_FUTURE = re.compile(
    r"将|不了(?!解)|(?<![主重需])要|(?<![开了过个次])会(?![议员话计上])|打算|准备|计划|预计"
    r"|\b(?:will|going|shall|plan|plans|planning|let's|can|could|would|please)\b|'ll\b",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    r"(?:\b(?:is|are|am)|['’](?:s|re|m))\s(?:\w+\s){0,2}?(?:planned|scheduled|booked|expected|supposed|invited|meant)\b"
    r"|\b(?:should|must|may|might|(?:want|need|has|have|got|like|love|hope|due) to)\s(?:\w+\s)?be\s\w+|\b(?:want|need|like)s? (?:it|them|that|this|these|those|(?:an?|the|my|our) [\w'-]+) (?:to be )?[a-z]+ed\b"
    r"|\b(?:have|has|['’]ve(?: got)?) (?:an?|the|my|our|some) (?:[\w'-]+ ){1,4}?(?:planned|booked|scheduled)\b"
    r"|\b(?:is|are|am|i['’]m|(?:we|you|they)['’]re)\s(?:not\s)?[a-z]{2,}ing(?:\s[a-z]+ed)?\b",
    re.IGNORECASE,
)
_ASKS_PAST = re.compile(
    r"的时候|当时|那时|那[天次年]|以前|来着|[去来买说做见识搬换婚生到学给送写看吃拍办参加]的(?=[是谁哪什几多怎]|[?？]|$)"
)
_ASKS_FUTURE = re.compile(r"有没有空|有空|有时间|方便吗")


_MOVED_TO = re.compile(
    r"(?:推迟?|延期?|顺延|改期?|挪|移|提前|调整?|换|恢复|定)(?:[到至为在成]了?)$"
    r"|\b(?:book|reserv|schedul|arrang)\w*\b(?: [\w'-]+){0,4}? (?:for|on)(?: the| about| around)?$|(?:约|订|定|报名?)[了好]?(?:在|到)?$"
    r"|\b(?:book|reserv)ed(?: the)?$|\b(?:sign(?:ed)? up|register(?:ed)?|enroll?(?:ed)?|tickets?|seats?)(?: [\w'-]+){0,4}? for(?: the)?$"
    r"|\b(?:push|mov|postpon|re-?schedul|shift|delay|deferr?|bring|brought|put)\w*\b(?: (?!back in\b)[\w'-]+){0,4}? (?:to|until|till)(?: the| about| around)?$",
    re.IGNORECASE,
)
_SINCE = re.compile(r"\bsince(?: the| last| about)?$", re.IGNORECASE)
_SINCE_WHEN = re.compile(r"since\b|.*以来$", re.IGNORECASE)


def lean_before(words: str) -> Lean | None:
    """The lean by the words right before a date: what is moved to it lies ahead, what holds since it behind."""
    said = words.rstrip()
    if _MOVED_TO.search(said):
        return "future"
    return "past" if _SINCE.search(said) else None


def lean_of(expression: str) -> Lean | None:
    """The lean by the words of a date itself: what holds since it lies behind."""
    return "past" if _SINCE_WHEN.match(expression) else None


def tense(words: str) -> Lean | None:
    """Whether a clause speaks of the past or the future; None if of neither or of both. What is planned lies ahead."""
    said = _PLANNED.sub(" will ", words)
    return _between(_is_past(said), _FUTURE.search(said) is not None)


def question_tense(question: str) -> Lean | None:
    """Whether a question asks what was or what will be; None if it does not say or asks for both.

    In Chinese also 的时候 and 是…的 ask for what was.
    """
    said = _PLANNED.sub(" will ", question)
    past = _is_past(said) or _ASKS_PAST.search(said) is not None
    return _between(past, (_FUTURE.search(said) or _ASKS_FUTURE.search(said)) is not None)


def _is_past(words: str) -> bool:
    return _PAST_ZH.search(words) is not None or any(map(_is_past_form, _WORD.findall(words.lower())))


def _is_past_form(word: str) -> bool:
    participle = len(word) >= len("used") and word.endswith("ed") and not word.startswith(_NO_PARTICIPLE)
    return participle or word in _IRREGULAR


def _between(past: bool, future: bool) -> Lean | None:
    if past == future:
        return None
    return "past" if past else "future"


_BEGINS = re.compile(
    r"\b(?:since|from (?:\d|next|this|tomorrow|\w+day|\w+ \(?\d+)(?!.+\b(?:to|until|till)\b)|starts?|starting|started|begin(?:s|ning)?|as of|mov(?:e|es|ed|ing)|join(?:s|ed|ing)?|opens|opening|launch(?:es|ing)?|retir(?:e|es|ing)|marr(?:y|ies|ied|ying)|becom(?:e|es|ing)|birthday|anniversary)\b"
    r"|(?:(?:周|星期|礼拜)[一二三四五六日天]|[日号月年)）])起(?!床)|起(?=$|[,，。])|开始|以后|之后|往后|搬[家到去进]|入[职住]|加入|上班|退休|开业|开学|结婚|上线|生日|纪念",
    re.IGNORECASE,
)


def begins(words: str) -> bool:
    """Whether the words tell of what begins on their day or comes again with it: from Friday, retires, 周五起, 入职."""
    return _BEGINS.search(words) is not None
