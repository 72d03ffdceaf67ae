"""What an English clause does: asks, requests, supposes, doubts, is polite, passes on, or states."""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en as words
from agentmem.adapters.cognition.rules.model import Act

_I = re.IGNORECASE
_QUESTION = re.compile(
    r"^(?:what|how|when|where|who|why|which|whose)\b(?!ever)|^(?:do|does|did|is|are|was|were|has|have|will|would|should|shall|am|can|could|may)\s(?:you|it|there|the|we|i|your|that|this|they|he|she|any|a|my|our|all)\b|"
    r"^(?:isn't|aren't|don't you|doesn't|can't you|won't)\b|^any (?:chance|idea)\b|^not sure (?:if|whether|what|how)",
    _I,
)
_SEEKING = re.compile(
    r"\b(?:love|like|want|wanted|need|hoping|trying|looking|wish|keen|happy|interested|calling|writing|here|curious|just) "
    r"(?:to|in) (?:know|hear|find(?:ing)? out|learn (?:more|about|what|how|if)|ask|understand(?:ing)?|check|see (?:what|how|if|whether|your|some|more)|enquire|inquire|hearing|knowing|learning (?:more|about)|get (?:some|more) info\w*|get (?:an idea|a sense))\b|"
    r"\b(?:wondering|curious|tell me|let me know|show me|explain|asking (?:about|if)|enquir|inquir|question (?:about|for)|interested in (?:hearing|learning|knowing|your (?:prices|pricing|rates)|what))",
    _I,
)
_REQUEST = re.compile(
    r"^(?:please |so |and |also )?(?:(?:could|can|would|will) you(?: guys| please| possibly| maybe| perhaps)*|(?:can|could|may|might) (?:i|we)(?: please| also| maybe| possibly)*|"
    r"would it be possible (?:for you )?to|is it possible (?:for you )?to|(?:is there )?any (?:way|chance) (?:to|you (?:could|can)|we (?:could|can)|i (?:could|can))|is there (?:a|any) way (?:to|you can|we can|you could|we could)|"
    r"would you mind|do you mind|how about you|would you be able to|are you able to) ",
    _I,
)
_CHANGE = re.compile(
    r"^(?:please |also |just |then )*(?:add|adding|include|put|build|create|make|customi[sz]e|integrate|connect|hook|link|set|setting|change|changing|move|moving|swap|switch|upgrade|downgrade|remove|"
    r"cancel|waive|reduce|lower|discount|knock|throw|deliver|install|fit|book|schedule|reschedule|arrange|push|bring|extend|postpone|hold|reserve|keep|"
    r"start|get|have|pay|split|come|pop|try|trial|test drive|view|visit|return|exchange|refund|replace|fix|repair|ship|collect|pick|drop|call|ring|phone|text|email|write|avoid|stop|migrate|import|automate|train|increase|turn|give (?:me|us) (?:a )?(?:discount|trial))\b",
    _I,
)
_TELLING = re.compile(
    r"^(?:please |just |then |also )*(?:tell|explain|describe|introduce|show|walk|remind|clarify|confirm|say|share|repeat|elaborate|get (?:some |more |any )?(?:info|details|idea|a (?:brochure|price list|quote))|have (?:some |more |any )?(?:info|details|a look|a (?:brochure|price list|quote)))",
    _I,
)
_CONDITION = re.compile(
    r"(?:^|\b)(?:hypothetically|imagine|let's say|for example|for instance|pretend|say (?:i|we) (?:had|have|were|was|am|are|want\w*|need\w*)|if|unless|suppose|supposing|what if|assuming|provided|in case|as long as|were (?:i|we) to|should (?:i|we|you) (?:decide|choose|need|want)|had (?:i|we)\b.*would)\b",
    _I,
)
_COURTESY = re.compile(
    r",?\s*\b(?:if (?:possible|you can|you could|that's (?:ok|okay|alright|possible|fine)|you don't mind|you wouldn't mind|that works|at all possible|i may|i can|we can|need be|i'm honest|i'm being honest|that helps|i remember (?:correctly|right))|as if|even if it|in case)\b",
    _I,
)
_DOUBT = re.compile(
    r"\b(?:maybe|perhaps|might|may (?:need|want|be|have|go|move)|possibly|not (?:\w+ )?(?:sure|certain)|no idea|don't know|dunno|unsure|i guess|i suppose|probably|could be|haven't decided|undecided|"
    r"on the fence|(?:'m|am|'re|are|bit|feel|still) torn|toying with|thinking out loud|depends|hard to say|can't say|seems? like|apparently|i doubt|possibility|one day|someday|some day)\b",
    _I,
)
_POLITE = re.compile(
    r"^(?:thanks|thank you|cheers|many thanks|hope (?:you|your|the|all|this|that|everything|to (?:hear|see|speak))|i hope (?:you|your|the|all|this|that|everything|to (?:hear|see|speak))|have a (?:great|good|nice|lovely)|nice (?:to|meeting|talking|chatting)|pleased to|good (?:to|morning|afternoon|evening|luck)|"
    r"great to|lovely to|sorry|no worries|no problem|you're welcome|take care|bye|goodbye|see you|talk (?:soon|later|to you)|speak (?:soon|to you)|happy (?:new year|holidays|birthday)|all the best|best (?:regards|wishes)|kind regards|"
    r"i appreciate|we appreciate|much appreciated|looking forward|i look forward|we look forward|congrat\w*|wish you|i wish you|enjoy|keep up|excuse me|welcome|how are you|hello|hi)\b",
    _I,
)
_REPORT = re.compile(
    r"^(?:i(?:'ve)? (?:heard|read|saw)|they say|people say|apparently|rumou?r|someone (?:said|told)|everyone says|word is)\b|"
    rf"^(?:my|our|a|the) (?:\w+ )?(?:{words.COLLEAGUES}|{words.HOUSEHOLD})s? (?:says?|said|thinks?|told|reckons?|claims?|suggest\w*|swears?|mentioned|feels?)\b|^(?:he|she|they) (?:says?|said|thinks?|told|reckons?|claims?)\b|^[A-Z][a-z]+ (?:says?|said|told|reckons?|thinks?)\b",
    _I,
)
_IRONY = re.compile(
    r"yeah right|oh great|just what (?:i|we) needed|as if\b|sure you do|good luck with that|kidding|joking|lol|haha|very funny|how wonderful|brilliant, another|i could marry|sell (?:me )?a kidney|million dollars|win the lottery|in my dreams|when pigs",
    _I,
)
_IDLE = re.compile(
    r"^(?:(?:i|we)(?:'ll| will|'m| am|'re| are|'d| would|'ve| have| can| could|'m going to)?\s*(?:just |still |also |really |all |need to |have to |want to |got to |gotta |should |must |better )*"
    r"(?:see|understand|get (?:it|that)|know\b(?! \w+ (?:who|that))|think (?:so|about it|it over)|agree|guess|bet|mean|suppose so|suppose|wonder|good|fine|ok|okay|sorry|afraid|listening|here|back(?! (?:at|with|in)\b)|busy right now|just (?:looking|browsing|asking|curious|checking)|looking around|browsing|wait|let you|get back|be in touch|check|look into|have a (?:look|think)|read|call back|ring back|remember(?: now)?|forgot|forget|hear you|can hear|(?:have|got|had) (?:a|an|one|some|two|a few|a couple of|another|just one)? ?(?:quick |other |more )?questions?|was told to|starving|could eat|(?:need )?a (?:minute|moment|sec|second)\b|be quick|dash\b|pick up my|on the (?:train|bus|road|phone|way|line)|didn't (?:catch|hear|get|realise|realize|know)|don't (?:understand|follow|know|get it|get that|mind|think so|remember|see)|call you|ring you|email you|text you|take your|talk to you|thought you|thought it|wish (?:i|we) (?:had|could|were|was|did)|give my right|'d kill|saw (?:a|an|your|the|that|you)|got your|received your|happy (?:to|with that)|glad|not interested|go now|run$|going to go|off now|discuss|talk (?:it|to)|speak to|ask|say|said|see|was (?:just )?(?:asking|wondering|kidding|joking)|calling (?:about|to ask|because)|writing (?:about|to ask)|assume|believe so|can't (?:believe|wait|complain|remember|say|see|thank|imagine|tell)|appreciate|love it$|like it$|like that$|sure$|imagine|saw your|found you|found your)\b)",
    _I,
)
_WORLD = re.compile(
    r"^(?:most|many|some|other) (?:firms|companies|people|businesses|places|gyms|clinics|shops)\b|\b(?:weather|sunny|raining|rain|snow(?:ing)?|traffic|the game|the match|football|world cup|the news|the economy|inflation|stock market|what a day|lovely day|long day|election)\b",
    _I,
)
_SHORT = re.compile(
    r"^(?:that|this|it)(?:'s| is| sounds| works| seems| looks| would be| was| makes| helps| will)?\s*(?:all|not bad|great|good|fine|perfect|ok|okay|right|correct|true|helpful|interesting|nice|lovely|brilliant|amazing|awesome|sense|a deal|everything|enough|it|fair|useful|cool|for now|reasonable)\b",
    _I,
)
_IMPERATIVE = re.compile(
    r"^(?:please |kindly |just |do |then |and |only |always )*(?:don't|do not|never|stop|call|ring|phone|text|email|e-mail|message|whatsapp|contact|reach|book|put|schedule|reschedule|move|cancel|deliver|ship|add|remove|change|make sure|avoid|keep|use|reserve|include|bring|leave|make it|make that)\b(?! (?:is|are|was|has|needs)\b)",
    _I,
)


def act_of(text: str, *, asks: bool) -> Act:
    """The act of one clause; `asks` where a question mark closes it."""
    plain = _COURTESY.sub("", text)
    request = _REQUEST.match(plain)
    if request is not None:
        return _wanted(plain[request.end() :])
    if _CONDITION.search(plain):
        return Act.CONDITIONAL
    if _POLITE.search(plain):
        return Act.POLITE
    if asks or _QUESTION.search(plain) or _SEEKING.search(plain):
        return Act.QUESTION
    if _REPORT.search(plain):
        return Act.REPORTED
    if _IDLE.search(plain) or _IRONY.search(plain) or _WORLD.search(plain) or _SHORT.search(plain):
        return Act.IDLE
    if _DOUBT.search(plain):
        return Act.UNCERTAIN
    return Act.REQUEST if _IMPERATIVE.match(plain) and not _TELLING.match(plain) else Act.ASSERT


def courteous(text: str) -> str:
    """The text without a condition that is mere courtesy (if possible)."""
    return _COURTESY.sub("", text)


def is_conditional(text: str) -> bool:
    """Whether the clause opens a supposition."""
    return _CONDITION.search(_COURTESY.sub("", text)) is not None


def requested(text: str) -> str | None:
    """What is asked for, without the asking: `could you add X` gives `add X`."""
    found = _REQUEST.match(text)
    return text[found.end() :] if found else None


def _wanted(rest: str) -> Act:
    if _TELLING.match(rest):
        return Act.QUESTION
    return Act.REQUEST if _CHANGE.match(rest) else Act.QUESTION
