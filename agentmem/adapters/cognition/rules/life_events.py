"""What happens in a life and puts an end to what was so before: who leaves a job does it no more, who is home from
hospital is not there.

A row names the state a statement may tell of, and the event, in both languages. The event says nothing of whose it is:
that the two are of the same person is looked at elsewhere.
"""

# ruff: noqa: E501 - patterns read best unbroken

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.model import Finding

_I = re.IGNORECASE
_WORK_EVENT = (
    r"\b(?:retired|laid (?:\w+ )?off|made redundant|new job|promoted|quit|resigned|handed in (?:my|his|her|their) notice|changed jobs|transferred|off nights|on days now|left the|fired|sacked|(?:i'm|i am) (?:now )?an? [\w -]{3,30} now)\b"
    r"|辞职|辞了|跳槽|换了?(?:个|份)?(?:工作|单位|公司)|调岗|转岗|升职|升了|调[到去]|退休|被裁|裁员|去[^,，]{1,10}上班|在[^,，]{1,10}上班了|下岗|转行|改行"
)
_ROWS = (
    (
        r"\b(?:works?|working|worked) (?:as|at|for|in|nights|days)\b|\b(?:is|am) an? (?:[\w-]+ ){0,2}(?:[a-z]+(?:er|or|ist|ian|man|woman)|nurse|chef|clerk|head|teacher)\b|上班|工作|当[^,，]{1,8}(?:员|师|工|长)|是[^,，]{0,8}(?:员|师|工|长|司机|医生|护士|老师)|^在[^,，]{1,10}(?:科|部|厂|店|站|公司)",
        _WORK_EVENT,
    ),
    (
        r"\bpregnant\b|\bexpecting\b|怀孕|怀上|孕期",
        r"\b(?:gave birth|had (?:the|a|our) (?:baby|boy|girl|son|daughter)|(?:was|were) born|baby(?:'s| is| has) (?:here|arrived))\b|生了|生啦|出生了",
    ),
    (
        r"\bin (?:the )?hospital\b|\bneonatal\b|\bintensive care\b|住院",
        r"\b(?:discharged|(?:came|come|is|back|sent) home|out of hospital)\b|出院",
    ),
    (
        r"\b(?:student|stud(?:y|ies|ying)|college|university|uni|degree)\b|大学|读研|念书|在读|学院",
        r"\b(?:graduated|dropped out|finished (?:with )?(?:the |my |his |her )?(?:college|university|uni|school|degree)|left (?:college|school|uni))\b|毕业|退学",
    ),
    (
        r"\b(?:girlfriend|boyfriend|fianc[eé]e?|engaged)\b|[女男]朋友|[女男]友|对象|未婚[妻夫]",
        r"\b(?:split up|broke up|broken up|separated)\b|分手|分了(?:$|[,，。])",
    ),
    (
        r"\b(?:cigarettes?|smok\w+|a day)\b|抽烟|[包根支]烟",
        r"\b(?:(?:quit|stopped|given up|gave up) (?:smoking|the cigarettes)|smoke[- ]free)\b|戒烟|戒了",
    ),
    (
        r"\b(?:crutches|sprained|plaster|a cast|bad (?:back|knee|shoulder)|can't (?:walk|lift))\b|拐杖|拄拐|崴|骨折|石膏|[疼痛]|抬不起|不能[蹲跑跳]",
        r"\b(?:healed|cured|all better|off the crutches|(?:is|are|'s) (?:fine|better|sorted)(?: now| again)?)\b|(?:全|早|基本|都)好了|好多了|痊愈|恢复了",
    ),
)  # fmt: skip
_PAIRS = tuple((re.compile(state, _I), re.compile(event, _I)) for state, event in _ROWS)
_WORK = re.compile(_WORK_EVENT, _I)


def is_ended_by(found: Finding, bare: str, text: str) -> bool:
    """Whether the statement, in these bare words, tells of a state that such an event as the text tells of ends."""
    if found.attribute in ("occupation", "employer") and _WORK.search(text):
        return True
    return any(event.search(text) and state.search(bare) for state, event in _PAIRS)
