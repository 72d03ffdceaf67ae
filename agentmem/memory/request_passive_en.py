"""How English asks that something be forgotten, or not be kept, without naming who is to do it: "my number should be
deleted", "I don't want my address stored", "I withdraw my consent to keep my address".
"""

# ruff: noqa: E501 - patterns read best unbroken

from dataclasses import dataclass
from typing import Final

from agentmem import patterns as re

LEAD: Final = r"(?:(?:please|okay|ok|now|and|so|hey|hi|hello|oh god|oh no|god|gosh|oops|actually|thanks|thank you|sorry|kindly|well|oh|no|yes|just|also|but|then|listen|look|be so kind as to|do me a favou?r and|feel free to|(?:(?:one|a|my|last|another|small|quick|final|little) )*(?:request|favou?r|wish|question|thing|ps|p\.s\.|note|reminder):)[,!.\s]+)*"
"""What may stand before a request."""

KEEPING: Final = r"(?:keep(?:ing)? (?:track|notes?|records?|tabs)(?: of| on)?|remember(?:ing)?|memori[sz](?:e|ing)|keep(?:ing)?|stor(?:e|ing)|sav(?:e|ing)|record(?:ing)?|(?:hold|hang)(?:ing)? on ?to|hold(?:ing)?|retain(?:ing)?|not(?:e|ing)|logg?(?:ing)?|writ(?:e|ing) down|know(?:ing)?)"
_GONE: Final = r"(?:forgotten|unlearned|deleted|erased|removed|wiped(?: out)?|purged|scrubbed|discarded|dropped|cleared(?: out)?|struck|destroyed|expunged|eliminated|redacted|gone|taken out|crossed out)"
_KEPT: Final = r"(?:stored|saved|kept|remembered|recorded|retained|held|memori[sz]ed|noted|logged|written down|on (?:file|record)|in (?:your |the )?(?:memory|records?|files?|database|system|notes))"
_THING: Final = r"(?P<object>(?:all |every(?:thing)? |any(?:thing)? |what |whatever |the |that |those |this |where |how |who |when )*(?:i|my|our|mine|me|information|info|data|details?|facts?|things?|records?|notes?|you|of|about|on)\b[^,:;.!?]{0,160}?)"
_MODAL: Final = r"(?:should|must|shall|ought to|has to|have to|had to|needs? to|(?:is|are|am|was) to|had better|might as well|may|can|could)"
_STILL: Final = r"(?: (?:please|now|also|all|just|both|really|finally|simply|best|immediately))*"
_WISHED: Final = r"(?:i(?: would|'d)?(?: just| really| only)? (?:want|need|like|prefer|wish|expect|ask|request|insist|demand)(?: for| that| to have| to see| to get)?|(?:please )?make sure(?: that)?|(?:please )?see to it(?: that)?|(?:please )?ensure(?: that)?|please (?:have|get|let|keep)|(?:can|could|may) (?:i|we) (?:have|get|see)|have|get|let)"
_NO_WISH: Final = r"(?:i(?: would|'d)? (?:(?:don't|do not|never|no longer|wouldn't|would not) (?:want|wish|like|need|agree|consent)(?: for| to have| to see| to)?|(?:rather|prefer) not(?: to)? have))"
_FORMS: Final = tuple(
    re.compile(rf"^{LEAD}(?:{form})(?P<rest>(?:\b|(?<=\W)).*)$", re.IGNORECASE | re.DOTALL)
    for form in (
        rf"{_THING} {_MODAL}{_STILL} (?:be|get){_STILL} {_GONE}",
        rf"{_THING} {_MODAL}{_STILL} (?:not|no longer|never){_STILL} be {_KEPT}",
        rf"{_THING} (?:shouldn't|mustn't|needn't|can't|cannot){_STILL} be {_KEPT}",
        rf"{_THING} needs? (?:forgetting|deleting|erasing|removing)",
        rf"{_WISHED} {_THING}{_STILL}(?: (?:to be|to get|is|are|be|being|gets?|was|were|should be|must be))?{_STILL} {_GONE}",
        rf"{_WISHED} {_THING} (?:isn't|is not|aren't|are not|not|no longer|not to be|is no longer|are no longer|to not be|to no longer be|doesn't (?:stay|remain|get)|does not (?:stay|remain|get)|never){_STILL}(?: be)? {_KEPT}",
        rf"{_NO_WISH} {_THING}(?: to (?:be|stay|remain)| being)?{_STILL} {_KEPT}",
    )
)
_POLITE: Final = re.compile(
    rf"^{LEAD}(?:can|could|may){_STILL} {_THING}{_STILL} be{_STILL} {_GONE}(?P<rest>\b.*)$", re.IGNORECASE | re.DOTALL
)
_CONSENT: Final = re.compile(
    rf"^{LEAD}(?:i (?:hereby )?(?:withdraw|revoke|retract|take back)|i no longer (?:give|consent|agree))(?: (?:my|you|the))?(?: (?:consent|permission|agreement))?(?: (?:to|for|that))?(?: (?:you|your))?(?: (?:may|can|to))? {KEEPING}\b\s*(?P<object>[^,:;]*?)(?P<rest>[,:;].*)?$",
    re.IGNORECASE | re.DOTALL,
)

ASKING: Final = (_POLITE, _CONSENT, *_FORMS)
"""One of these matches whatever asks so."""

_FORGOTTEN: Final = re.compile(
    r"\b(?:forgotten|unlearned|forgetting|remembered|consent|permission|agree)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Passive:
    """What is to be gone, in the speaker's words; what follows; and whether a word for forgetting says so."""

    thing: str
    rest: str
    forgets: bool


def passive_in(said: str, *, asks: bool) -> Passive | None:
    """What a sentence wants gone; None where it says nothing of the kind. `asks`: it ends in a question mark."""
    forms = (_POLITE, _CONSENT) if asks else ASKING
    found = next((match for form in forms if (match := form.match(said))), None)
    if found is None:
        return None
    return Passive(found["object"], found["rest"] or "", _FORGOTTEN.search(found.group()) is not None)
