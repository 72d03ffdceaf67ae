"""English questions, and the sentence each makes with its answer `{a}`, said to the person as you."""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from agentmem import patterns as re

_I = re.IGNORECASE

QUESTIONS_EN: tuple[tuple[re.Pattern, str], ...] = tuple(
    (re.compile(rf"\b{pattern}\s*$", _I), template)
    for pattern, template in (
        (
            r"(?:what(?:'s| is| are)|could i (?:get|have)|can i (?:get|have)|may i have) (?P<n>your [\w' -]{2,40}?)(?: (?:like|at the moment|right now|currently|please|look like))?",
            "{n} is {a}",
        ),
        (r"how (?:big|large|old|long) is (?P<n>your [\w' -]{2,40})", "{n} is {a}"),
        (r"how much (?:are you|were you) (?:looking|hoping|willing|planning) to spend[\w ]*", "your budget is {a}"),
        (r"how much (?P<n>[\w -]{2,30}?) (?:do|would|did) you (?P<v>\w+)(?P<r>[\w' ]*)", "you {v} {a} of {n}{r}"),
        (r"how many (?P<n>[\w -]{2,30}?) (?:do|would|did|will) you (?P<v>\w+)(?P<r>[\w' ,-]*)", "you {v} {a} {n}{r}"),
        (
            r"how many (?P<n>[\w -]{2,30}?) (?:are there|are you|are on|are in|would be|will be|will|use|would|need)(?P<r>[\w' ,-]*)",
            "you have {a} {n}",
        ),
        (r"how many (?P<n>[\w -]{2,30})", "you have {a} {n}"),
        (
            r"how (?:big|large) (?:a )?(?P<n>[\w -]{2,20}?) (?:do|would|are) you (?P<v>need|want|have|looking for)",
            "you {v} a {n} of {a}",
        ),
        (r"how long have you (?P<v>[\w ]{2,40})", "you have {v} for {a}"),
        (r"how often do you (?P<v>[\w' ]{2,40})", "you {v} {a}"),
        (
            r"how do you (?:currently |usually |normally )?(?P<v>[\w' ]{2,40}?)(?: at the moment| right now| today| now| currently)?",
            "you {v} with {a}",
        ),
        (
            r"where (?:are|is) (?:you|your \w+) (?:guys |all )?(?:based|located|calling from|living|situated)(?: at)?",
            "you are based in {a}",
        ),
        (
            r"(?:do|have) you (?:have |got |need |had )+(?:any )?(?P<n>(?:allergies|dietary \w+|pets|children|kids|preferences?|(?:other )?requirements|medical conditions|injuries|experience|deadlines?|integrations?|concerns|issues|problems|constraints)[\w' ]*)",
            "you have {n}: {a}",
        ),
        (
            r"(?:which|what) (?:city|town|area|country|region|part of \w+) (?:are|do) you (?:based in|live in|located in|in|from)",
            "you are based in {a}",
        ),
        (
            r"(?:which|what) (?:company|firm|organi[sz]ation) (?:are you with|do you work for|are you from)",
            "you work for {a}",
        ),
        (r"when (?:is|are) (?P<n>your [\w' ]+?) (?P<v>up|due|over|starting|ending)", "{n} is {v} {a}"),
        (r"when (?:does|do) (?P<n>your [\w' ]+?) (?P<v>end|expire|run out|start|finish|renew)", "{n} will {v} {a}"),
        (r"any (?:particular |preferred |specific )(?P<n>\w+)(?: in mind| preference)?", "your preferred {n} is {a}"),
        (r"where do you (?P<v>live|work)", "you {v} in {a}"),
        (
            r"what (?:are|were) you (?:currently |mainly )?(?P<v>(?!looking for|interested|using)\w+ing)(?P<r>[\w' ]*)",
            "you are {v} {a}{r}",
        ),
        (r"who (?P<v>handles|does|provides|runs|manages|supplies|looks after)(?P<r>[\w' ]*)", "{a} {v}{r} for you"),
        (
            r"(?:where|what area|which area|what part[\w ]*) (?:are you|would you be) looking[\w ]*",
            "you are looking in {a}",
        ),
        (
            r"(?:when|by when|how soon) (?:do|would|will|did) you (?P<v>need|want|like|have|plan|prefer|hope)(?P<r>[\w' ]*?)(?: by)?",
            "you {v}{r} {a}",
        ),
        (
            r"(?:when|what time|what day|which day|what times|which days)[\w' ]*(?:work|suit|best|good|convenient|come in|prefer|available|free)[\w' ]*",
            "{a} works for you",
        ),
        (
            r"(?:when|what time|what day|which day)(?: and (?:what )?time)? (?:would|should|shall|can|could) (?:you|we|i) (?P<v>[\w' ]{2,40})",
            "you would like to {v} {a}",
        ),
        (
            r"(?:what|which) (?P<n>[\w -]{2,30}?) (?:do|are|would|did) you (?:currently |usually |mainly |mostly )?(?P<v>use|using|want|need|like|prefer|have|work with|drive|run|sell)(?P<r>[\w' ]*)",
            "you {v} {a} as {n}",
        ),
        (
            r"what (?:do|are|would|were|did) you (?:currently |usually |mainly |mostly )?(?P<v>use|using|want|need|like|prefer|looking for|sell|make|drive|interested in|have in mind)(?P<r>[\w' ]*)",
            "you {v} {a}{r}",
        ),
        (
            r"what (?:line of work|industry|sector|business|field|kind of (?:business|work|company)|type of (?:business|work|company))[\w' ]*|what do you do(?: for (?:a living|work))?|what does your (?:company|business|firm) do",
            "your business is {a}",
        ),
        (r"how old (?:is|are) (?P<n>your \w+)", "{n} is {a}"),
        (r"how old are you", "you are {a}"),
    )
)
