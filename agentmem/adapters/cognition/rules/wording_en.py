"""Other ways of saying a slot fact in English, and the plain one: `Home for me is Dublin` says `I live in Dublin`.

A row reads a whole clause, so it says nothing about a clause that says more, or says it of somebody else.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en as words

_PLACE = r"(?P<v>(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+){0,3})"
_FIRM = r"(?P<v>(?!(?:i|we|they|he|she|it|you|who|my|our|your|everyone|everybody|somebody|someone|nobody|mom|mum|dad)\b)(?-i:[A-Z])[\w&'.-]*(?: (?:(?-i:[A-Z])[\w&'.-]*|of|and|&)){0,4})"
_NAME = r"(?P<v>(?-i:[A-Z])[a-z]+(?:[ -](?:[A-Z]\.?|(?-i:[A-Z])[\w'-]+)){0,3})"
_JOB = rf"(?P<v>(?:[a-z][\w-]* ){{0,3}}?(?:{words.OCCUPATIONS}|chief|lead|head|partner|captain|foreman|clerk|guard|nanny|plasterer|welder|painter|surgeon|midwife|librarian)(?: of [a-z]+)?)"
_MONEY = r"(?P<v>[$£€¥]\s?\d[\d,.]*\s?(?:k|m|grand|thousand|million)?\b)"
_AMOUNT = r"(?P<v>(?:[$£€¥]\s?)?\d[\d,.]*\s?(?:k|m|grand|thousand|million)?\b)"
_WE = r"(?:i|we)(?:'ve| have|'m| am|'re| are)?(?: (?:now|just|since|recently|finally|currently|both|all|actually|only|still))*"
_HAVE = r"(?:'s| has| have|'ve)?(?: (?:now|just|since|recently|finally|only))*"
_WAS = r"(?:i|we)(?:'ve been| have been| was| were| got| just got)(?: (?:just|recently|finally))*"
_YEARS = r"(?:for (?:\w+ ){1,3}years?|for (?:years|ages|a decade)|since (?:19|20)\d\d|all my (?:working )?life)"
_SACKED = r"(?:let go|laid off|fired|sacked|dismissed|made redundant)"
_SIZED = r"(?:'s| is|'re| are|'ve| has| have)?(?: (?:now|just|recently|since))*(?: (?:grown|grew|shrunk|shrank|expanded|increased|risen|fallen|gone|dropped|been|numbers|stands|counts|totals|doubled|tripled|halved))?(?: in size)?(?: (?:up|down|cut|reduced))?(?: to| at)? (?:about |around |roughly |some |just |only |over )?"
_LATELY = r"(?: (?:now|again|these days|at the moment|for now|nowadays|last (?:week|month|year|spring|summer|autumn|winter)|this (?:week|month|year|spring|summer|autumn|winter)|in (?:january|february|march|april|may|june|july|august|september|october|november|december)(?: \d{4})?))?$"

_ROWS = (
    # where he lives
    (rf"(?:my |our )?home(?: for (?:me|us))?(?:'s| is)(?: now)?(?: in)? {_PLACE}", "I live in {v}"),
    (rf"{_WE} (?:resid(?:e|ing)|dwell(?:ing)?|domiciled|liv(?:e|ing)) (?:in|at) {_PLACE}", "I live in {v}"),
    (rf"(?:these days |nowadays |now )?you(?:'ll| will| can)(?: now)? find (?:me|us) in {_PLACE}", "I live in {v}"),
    (rf"i(?:'m| am)(?: now| currently)? an? {_PLACE} (?:resident|dweller)", "I live in {v}"),
    (rf"{_WE} (?:a )?residents? of {_PLACE}", "I live in {v}"),
    (rf"{_WE} ma(?:d|k)(?:e|ing) (?:my |our |a )?home in {_PLACE}", "I live in {v}"),
    (rf"{_WE} made {_PLACE} (?:my|our) (?:new )?home", "I live in {v}"),
    (rf"{_WE} call(?:ing)? {_PLACE} home", "I live in {v}"),
    (rf"{_PLACE} is(?: now)? (?:my|our) (?:new )?home", "I live in {v}"),
    (rf"{_PLACE} is where (?:i|we)(?:'m|'re| am| are)? (?:now )?(?:live|living|based)(?: now)?", "I live in {v}"),
    (rf"{_WE} (?:put down roots|set up home|ended up living|gone to live|went to live|come to live|came to live) in {_PLACE}", "I live in {v}"),
    (rf"our (?:whole )?family(?: has|'s)?(?: just| recently| since)* (?:moved|relocated) to {_PLACE}", "I moved to {v}"),
    # whom he works for
    (rf"{_WE} (?:employed|contracted) by {_FIRM}", "I work at {v}"),
    (rf"{_WE} (?:on the payroll|on the books|on staff|on the staff) (?:at|of) {_FIRM}", "I work at {v}"),
    (rf"i(?:'ve| have) (?:been (?:working )?(?:at|for)|been employed (?:at|by)|worked (?:at|for|with)) {_FIRM} {_YEARS}", "I work at {v}"),
    (rf"my (?:(?:new|current|present|latest) )?(?:employer|workplace)(?:'s| is)(?: now| called)* {_FIRM}", "I work at {v}"),
    (rf"my (?:(?:new|current|present) )?job is (?:now )?(?:at|with) {_FIRM}", "I work at {v}"),
    (rf"{_FIRM}{_HAVE} (?:(?:hired|recruited|employed|poached) me|(?:taken|took) me on)", "I joined {v}"),
    (rf"{_WAS} (?:hired|recruited|taken on|poached|employed) by {_FIRM}", "I joined {v}"),
    (rf"{_WE} (?:found|landed|secured|accepted|took up|taken up|started) (?:a |my |an )?(?:new )?(?:job|position|role|post) (?:at|with) {_FIRM}", "I joined {v}"),
    (rf"{_FIRM}{_HAVE} (?:let me go|laid me off|fired me|sacked me|dismissed me|made me redundant)", "I no longer work at {v}"),
    (rf"{_WAS} {_SACKED} (?:by|from|at) {_FIRM}", "I no longer work at {v}"),
    (rf"{_WE} parted (?:ways|company) with {_FIRM}", "I no longer work at {v}"),
    # what he does
    (rf"(?:by (?:trade|profession)|professionally),? i(?:'m| am) an? {_JOB}", "I work as a {v}"),
    (rf"i(?:'m| am)(?: now| still)? an? {_JOB} by (?:trade|profession)", "I work as a {v}"),
    (rf"i (?:now )?(?:earn|make)(?: my| a)? living as an? {_JOB}", "I work as a {v}"),
    (rf"my (?:day |new |current )?job(?:'s| is) (?:now )?(?:being|working as) an? {_JOB}", "I work as a {v}"),
    (rf"my (?:line of work|trade) is (?:now )?(?:that of )?an? {_JOB}", "I work as a {v}"),
    (rf"i(?:'ve| have)?(?: just| recently| now)* (?:been |was |got )(?:just )?(?:made|appointed|named|hired as)(?: as)? (?:an? |the )?{_JOB}", "I became a {v}"),
    (r"i(?:'ve| have)?(?: just| now| recently| finally)* (?P<v>retired)(?: from .{2,40})?", "I am {v}"),
    # what he can spend
    (rf"(?:my|our|the) budget{_HAVE}(?: is| was| got)?(?: now| just)?(?: been)?(?: (?:\w+ed|cut|set|put|up|down|back))?(?: (?:up|down|back))? (?:to|at) (?:about |around |roughly |just |only )?{_AMOUNT}", "My budget is {v}"),
    (rf"(?:my|our|the) budget (?:stands|sits|comes|tops out|maxes out|amounts|runs)(?: in)?(?: at| to) (?:about |around |roughly |just |only )?{_AMOUNT}", "My budget is {v}"),
    (rf"(?:my|our) (?:absolute |upper |spending |price |new )?(?:ceiling|limit|cap|max(?:imum)?)(?: for this)?(?:'s| is)(?: now)? {_MONEY}", "My budget is {v}"),
    (rf"{_WE} (?:earmarked|allocated|set aside|put aside|ring-?fenced|budgeted|allowed)(?: about| around| roughly| up to)? {_MONEY}(?: for (?:this|it|the project|that))?", "My budget is {v}"),
    (rf"(?:i|we)(?:'d| would|'ll| will| can)(?: now| only)? (?:stretch to|go as high as|go up to|stretch as far as|go to)(?: about| around| roughly)? {_MONEY}", "My budget is {v}"),
    (rf"[a-z][\w ']{{1,24}}? (?:has |have )?(?:just )?(?:cut|raised|increased|reduced|slashed|upped|bumped|set|lowered|doubled|halved|trimmed|put|brought) (?:my|our) budget(?: back)?(?: up| down)? (?:to|at) {_AMOUNT}", "My budget is {v}"),
    (rf"(?:finance|management|the board|head office|accounting|our cfo|my boss){_HAVE} (?:approved|signed off(?: on)?|released|allocated)(?: us)?(?: a budget of)? {_MONEY}(?: for (?:this|it|the project|that))?", "Our budget is {v}"),
    (rf"(?:make|put|set|change|update|raise|lower|increase|reduce|bring) (?:my|our|that|the) budget(?: up| down)?(?: to| at)? {_AMOUNT}", "My budget is {v}"),
    # what he is called, when he was born, whom he is married to
    (rf"my (?:(?:full|legal|married|new) )?name(?:'s| is) now {_NAME}", "My name is {v}"),
    (rf"i(?:'ve| have)?(?: just| now| recently| legally)* changed my (?:full |last |legal )?name to {_NAME}", "My name is {v}"),
    (r"my (?:birthday|date of birth|dob) (?:falls on|is on|'s on|comes on) (?:the )?(?P<v>.{3,25})", "My birthday is {v}"),
    (r"(?:i|we)(?:'ve| have)?(?: just| recently| finally)* (?:tied the knot|got hitched|wed|exchanged vows)", "I got married"),
    (r"(?:my|our) divorce(?: is| was|'s| has been| came)(?: now)? (?:final|finali[sz]ed|through)", "I am divorced"),
    (r"i(?:'m| am)(?: now)? an? (?P<v>married|divorced|single|widowed) (?:man|woman|person|guy|lady)", "I am {v}"),
    # how many they are
    (r"there(?:'s| are)(?: now| about| around| roughly| just| only)* (?P<v>\d[\d,]*) of us(?: now)? (?:in|at) (?:the|our|my) (?:company|team|firm|business|practice)", "We are {v} people"),
    (rf"(?:(?:our|the) )?(?:headcount|staff|workforce){_SIZED}(?P<v>\d[\d,]*)(?: (?:people|employees|strong|members|heads))?", "We are {v} people"),
    (rf"(?:our|the) (?:team|company|firm|business|practice){_SIZED}(?P<v>\d[\d,]*) (?:people|employees|staff|strong|members|heads)", "We are {v} people"),
    (rf"we{_SIZED}(?P<v>\d[\d,]*) (?:people|employees|staff|strong|members|heads)", "We are {v} people"),
)  # fmt: skip
_TABLE = tuple((re.compile(rf"{pattern}{_LATELY}", re.IGNORECASE), plain) for pattern, plain in _ROWS)

_LEAD = re.compile(
    r"^(?:(?:after|following|since|because of|due to|thanks to|as of|from|with|by) (?:(?!\b(?:i|we|my|our)\b)[^,]){3,40}?,? (?=(?:i|we)(?:'| )|(?:my|our) )|(?:as of|from|since) [^,]{3,20} (?=(?:i|we)(?:'| )))",
    re.IGNORECASE,
)
_THEN = re.compile(
    r"^(?P<who>i|we)(?:'ve|'re|'m| have| had)? (?:(?! and ).){3,60} and (?:then |now |since |have |has )*(?P<rest>(?:became|become|moved|relocated|joined|started|went to live|gone to live|settled|work|live|employ|am|are)\b.*)$",
    re.IGNORECASE,
)


def plainly(text: str) -> str | None:
    """The clause in plain words, or None where it is said plainly, or says something else."""
    said = _LEAD.sub("", text, count=1)
    then = _THEN.match(said)
    if then is not None:
        said = f"{then['who']} {then['rest']}"
    for pattern, plain in _TABLE:
        found = pattern.match(said)
        if found is not None:
            return plain.format(**{name: value.strip() for name, value in found.groupdict().items() if value})
    return said if said != text else None
