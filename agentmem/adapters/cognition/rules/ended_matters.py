"""What becomes of a statement to which a turn puts an end, and of what the turn itself says of it."""

from dataclasses import replace

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.certain import without_part, without_place_of_work
from agentmem.adapters.cognition.rules.matters import Matter, reworded_by
from agentmem.adapters.cognition.rules.model import Clause, Finding, Span
from agentmem.adapters.cognition.rules.session import Found, Session, talk_of, withdraw
from agentmem.domain.event import Person
from agentmem.domain.memory import Modality
from agentmem.domain.statement import Turn
from agentmem.language.gists import gist_of


def succeed(clause: Clause, matter: Matter, turn: Turn, session: Session) -> None:
    """End the matter by what the clause itself says of its person, where it says anything that is held."""
    gone, place = matter.finding.content, _said_by(clause, turn, session)
    if place is not None:
        each = session.found[place]
        session.found[place] = replace(each, finding=_as_ended(each.finding, clause, session.window.person))
    if all(each.finding.content != gone or each.by is not None for each in (*session.matters(), *session.of_others())):
        return
    rest = _what_stays(clause, matter, turn, session)
    if place is None or matter.finding.about is not None:
        withdraw(matter.finding, turn.at, session)
    else:
        each = session.found[place]
        session.found[place] = replace(each, finding=replace(each.finding, replaces=(*each.finding.replaces, gone)))
    if rest is not None:
        session.found.append(Found(turn, rest))


def _what_stays(clause: Clause, matter: Matter, turn: Turn, session: Session) -> Finding | None:
    """The statement without what the clause says is over, where it says more."""
    old, talk = matter.finding, talk_of(turn, None, session)
    content = without_place_of_work(matter, clause.text, talk) or without_part(matter, clause.text, talk)
    rest = None if content is None else reworded_by(matter, content, clause.span, talk)
    if rest is None or old.value is None or old.value not in rest.content:
        return rest
    return replace(rest, attribute=old.attribute, value=old.value)


def _as_ended(found: Finding, clause: Clause, person: Person) -> Finding:
    """What is found in a clause that ends something: as denied, where the clause says no more than that it is over."""
    names, alone = (person.label, person.name), all(clause.span.holds(span) for span in found.spans)
    if found.modality is not Modality.STATED or found.kind == "contact" or not alone:
        return found
    if not gist_of(clause.text, names).tells_an_end or _BEGINS_ANOTHER.search(clause.text):
        return found
    return replace(found, modality=Modality.NEGATED, attribute=None, value=None)


_BEGINS_ANOTHER = re.compile(
    r"\b(?:over|switched|moved|changed|gone|on) to\b|\binstead\b|[换改]成|改[用做喝吃去]", re.IGNORECASE
)
"""What says, too, what is so from now on."""


def dispute(clause: Clause, matter: Matter, turn: Turn, session: Session) -> None:
    """Keep with what the clause itself says of its person that it may put an end to the matter."""
    place = _said_by(clause, turn, session)
    if place is not None:
        each, old = session.found[place], matter.finding.content
        if old not in each.finding.replaces:
            session.found[place] = replace(each, finding=replace(each.finding, disputes=(*each.finding.disputes, old)))


def _said_by(clause: Clause, turn: Turn, session: Session) -> int | None:
    """The place of what was found of the person in the clause."""
    for place, each in enumerate(session.found):
        found = each.finding
        own = found.about is None and found.modality is not Modality.HYPOTHESIS and not found.ended
        if each.turn is turn and own and any(_meet(span, clause.span) for span in found.spans):
            return place
    return None


def _meet(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
