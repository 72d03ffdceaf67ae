"""A slip put right in a talk: which statements it may be about, and what becomes of the wrong one."""

from dataclasses import replace

from agentmem.adapters.cognition.rules.matters import HELD_BEFORE, Matter
from agentmem.adapters.cognition.rules.model import plain
from agentmem.adapters.cognition.rules.questions import question_in
from agentmem.adapters.cognition.rules.session import Found, Session, remembered, talk_of
from agentmem.adapters.cognition.rules.slips import Correction, corrections, slip_in
from agentmem.domain.memory import Modality
from agentmem.domain.statement import Turn, Withdrawal
from agentmem.language.normal import normalise

_LOOKED_AT = 20_000
"""Characters of a turn."""


def puts_right(turn: Turn, before: Turn | None, session: Session) -> bool:
    """Whether the turn is nothing but a slip put right, which is taken in where it is clear of what."""
    slip = slip_in(plain(turn.text[:_LOOKED_AT]))
    if slip is None:
        return False
    asked = before is not None and before.by_agent and question_in(before.text[:_LOOKED_AT])
    found = corrections(slip, _just_told(turn, session), talk_of(turn, before, session), asked=bool(asked))
    for each in found or ():
        _put_right(each, turn, session)
    return found is None or bool(found)


def _just_told(turn: Turn, session: Session) -> list[Matter]:
    """What the person stated in his last turns, of himself and of others, the latest last."""
    window, turns = session.window, session.window.turns
    spoken = [each for each in (*window.context, *turns[: turns.index(turn)]) if not each.by_agent][-_LAST_TURNS:]
    since = min((each.at for each in spoken if each in window.context), default=None)
    gone = {normalise(each.content) for each in session.withdrawn}
    told = [
        Matter(replace(remembered(held), about=held.about), HELD_BEFORE, None, held.said_at)
        for held in (*window.held, *window.others)
        if since and held.said_at and held.said_at >= since and held.by is None and not held.maybe
    ]
    said = [
        Matter(each.finding, turns.index(each.turn), None, each.turn.at)
        for each in session.found
        if each.turn in spoken and each.finding.modality is Modality.STATED and each.finding.closes is None
    ]
    replaced = {normalise(old) for each in session.found for old in each.finding.replaces} | gone
    kept = (each for each in (*told, *said) if normalise(each.finding.content) not in replaced)
    return sorted(kept, key=lambda each: each.at or turn.at)


_LAST_TURNS = 3
"""Turns of the person back to what he puts right: a slip is noticed soon or not at all."""


def _put_right(correction: Correction, turn: Turn, session: Session) -> None:
    """Take the right statement in; the wrong one was never so, nor what the agent understood by it."""
    matter, window = correction.matter, session.window
    place = next((number for number, each in enumerate(session.found) if each.finding is matter.finding), None)
    if place is not None:
        each = session.found[place]
        session.found[place] = replace(each, finding=replace(each.finding, closes=turn.at, slip=True))
    else:
        old = matter.finding
        known = (
            held for held in (*window.held, *window.others) if (held.content, held.about) == (old.content, old.about)
        )
        ids = [held.memory_id for held in known]
        session.withdrawn += [Withdrawal(content=old.content, at=turn.at, memory_id=each, slip=True) for each in ids]
    heard = (*window.context, *window.turns[: window.turns.index(turn)])
    later = [each for each in heard if each.by_agent and each.at >= (matter.at or turn.at)]
    repeated = [each.turn_id for each in later if correction.wrong.casefold() in each.text.casefold()]
    session.rejected += repeated
    session.found = [each for each in session.found if each.turn.turn_id not in repeated]
    session.found.append(Found(turn, correction.finding))
