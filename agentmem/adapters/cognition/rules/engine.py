"""Cognition without a model: windows of turns read by small rules, in Chinese and English.

The flow only: turns in order, the agent's claims held against the customer's next word, findings made into
statements. What is recognised stands in the rules listed in `RULES`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import facts as plain_facts
from agentmem.adapters.cognition.rules import opinions, persons, wishes
from agentmem.adapters.cognition.rules.acquaintances import acquaintances_of
from agentmem.adapters.cognition.rules.addresses import without_addresses
from agentmem.adapters.cognition.rules.answers import answers
from agentmem.adapters.cognition.rules.cancellations import cancelled_in
from agentmem.adapters.cognition.rules.changes import Change, changed, is_request, refuses, takes_back
from agentmem.adapters.cognition.rules.comings_and_goings import leaves_out_of_what, with_what_is_counted
from agentmem.adapters.cognition.rules.contact_words import only_changed
from agentmem.adapters.cognition.rules.contacts import alias_before, read_contacts
from agentmem.adapters.cognition.rules.continuations import resolved
from agentmem.adapters.cognition.rules.contrasts import contrasted
from agentmem.adapters.cognition.rules.endings import ceased
from agentmem.adapters.cognition.rules.judging import judged, reflected, reviewed
from agentmem.adapters.cognition.rules.matters import Matter, SpokenSentences, recurs, reworded_by
from agentmem.adapters.cognition.rules.model import (
    Act,
    Clause,
    Discourse,
    Finding,
    Rule,
    Span,
    plain,
)
from agentmem.adapters.cognition.rules.own_attributes import adds, kept, own_attributes
from agentmem.adapters.cognition.rules.paraphrase import AgentClaim, claims_of, rejects
from agentmem.adapters.cognition.rules.persons import introduced, introductions, kin_in, kinship, placed
from agentmem.adapters.cognition.rules.pronouns import Named
from agentmem.adapters.cognition.rules.questions import asks_several, question_in
from agentmem.adapters.cognition.rules.read_backs import read_back
from agentmem.adapters.cognition.rules.replies import corrected, replied
from agentmem.adapters.cognition.rules.rewording import is_slot, reworded
from agentmem.adapters.cognition.rules.sayings import sayings, verbatim
from agentmem.adapters.cognition.rules.session import (
    Found,
    Session,
    add,
    add_title,
    dispute,
    reading_of,
    succeed,
    take_back,
    talk_of,
)
from agentmem.adapters.cognition.rules.slip_corrections import puts_right
from agentmem.adapters.cognition.rules.standing import (
    NOT_MEANT,
    REMINDS,
    ROLE_PLAY,
    go_on,
    is_cut,
    is_his_word,
    is_owner_sure,
    may_be_his,
    points_away,
    stays_beside,
    to_read,
    turned,
    whole,
    without,
)
from agentmem.adapters.cognition.rules.still_so import rechosen
from agentmem.adapters.cognition.rules.succession import SURE, exchange, succeeded
from agentmem.adapters.cognition.rules.utterance import clauses_of, silent_act, stands_alone
from agentmem.adapters.cognition.rules.wholeness import is_whole
from agentmem.domain.memory import Modality
from agentmem.domain.statement import Alias, Pair, Quote, Reading, Turn, Window
from agentmem.memory.request import forget_request
from agentmem.ports.cognition import Judged, Read, Reflected, ReflectionInput, Silence

RULES: tuple[Rule, ...] = (
    kept,
    persons.names,
    wishes.contact_preferences,
    wishes.requests,
    wishes.denied,
    plain_facts.past,
    plain_facts.others,
    plain_facts.business,
    opinions.complaints,
    opinions.opinions,
    wishes.wishes,
    plain_facts.facts,
)
"""All clause rules; the first that finds something in a clause has it."""

_BESIDE_CONTACT: tuple[Rule, ...] = (persons.names, wishes.contact_preferences)
_JOKE = re.compile(r"开玩笑|说笑|逗你玩|\b(?:just )?(?:kidding|joking)\b", re.IGNORECASE)
_LONGEST = 20_000
_SHORTEST = 3
"""Characters in which nothing is said that could be held by itself, or is too large to be meant."""


class RulesCognition:
    """The `Cognition` port by rules. Holds nothing between calls; the same input gives the same output."""

    @property
    def name(self) -> str:
        """Which engine this is."""
        return "rules"

    async def read(self, window: Window) -> Read:
        """Statements of the window's turns, in the order they were said."""
        return Read(read_window(window))

    def why_nothing(self, text: str) -> Silence | None:
        """See `Explaining`."""
        act = silent_act(text)
        return None if act is None or act is Act.ASSERT else act.value

    async def judge(self, pairs: Sequence[Pair]) -> Judged:
        """Every pair decided by comparing words and polarity."""
        return Judged(tuple(verdict for pair in pairs if (verdict := judged(pair)) is not None))

    async def reflect(self, request: ReflectionInput) -> Reflected:
        """Insights that at least two observations carry."""
        return Reflected(reflected(request), reviews=reviewed(request))


def read_window(window: Window) -> Reading:
    """One window, read."""
    own, people = own_attributes(window.attributes), acquaintances_of(window)
    session = Session(window, _agent_words(window.agent_name), own, people)
    before = window.context[-1] if window.context else None
    for place, turn in enumerate(window.turns):
        if turn.by_agent:
            _hear_agent(turn, session)
        else:
            reply = next(iter(window.turns[place + 1 :]), None)
            _hear_person(turn, before, reply if reply is not None and reply.by_agent else None, session)
        before = turn
    add_title(session)
    return reading_of(session)


def _agent_words(name: str) -> re.Pattern | None:
    """The agent's name and the Latin words in it, as words that may open a clause."""
    parts = {name, *re.findall(r"[A-Z][A-Za-z0-9]+", name)}
    return re.compile("|".join(re.escape(part) for part in sorted(parts, key=len, reverse=True)))


def _called(name: str) -> str:
    """How contents call the agent: an id that was never given a name says nothing there."""
    return "the agent" if re.fullmatch(r"[a-z][a-z0-9_-]*", name) else name


def _claims(turn: Turn, session: Session) -> list[AgentClaim]:
    person, agent = session.window.person, session.window.agent_name
    claims = claims_of(plain(turn.text[:_LONGEST]), person, agent)
    return [claim for claim in claims if is_whole(claim.finding, person.label, agent)]


def _hear_agent(turn: Turn, session: Session) -> None:
    session.found.extend(Found(turn, claim.finding) for claim in _claims(turn, session) if not claim.asked)
    if question_in(turn.text[:_LONGEST]):
        session.asked_at = session.window.turns.index(turn)


def _hear_person(turn: Turn, before: Turn | None, reply: Turn | None, session: Session) -> None:
    if puts_right(turn, before, session):
        return
    contrast = _contrast(turn, before, session)
    text, moved = corrected(to_read(without(plain(turn.text[:_LONGEST]), contrast)))
    text = without_addresses(text, session.window.agent_name, session.spoken_of(turn))
    by_agent = before is not None and before.by_agent
    if _JOKE.search(text) or (before is not None and by_agent and ROLE_PLAY.search(before.text)):
        return
    discourse = _discourse(turn, before.text[:_LONGEST] if before is not None and by_agent else "", session)
    discourse.corrected = text if moved else None
    met = session.people.learn(text)
    if before is not None and by_agent:
        for found in _answered(before, text, discourse, session):
            discourse.settled = True
            add(session, turn, found)
    if takes_back(plain(turn.text[:_LONGEST]), discourse.asked):
        take_back(turn, session)
    if contrast is not None:
        add(session, turn, contrast)
    read = clauses_of(text, session.agent_words, discourse.person.name)
    told = with_what_is_counted(each for each in read if not (is_cut(each, text, contrast) or cancelled_in(each)))
    clauses = [placed(introduced(clause), session.people, discourse.person.name) for clause in told]
    over = [each for each in _over(turn, before, reply, session) if not adds(each[0], discourse)]
    change = partial(
        _change,
        spoken=SpokenSentences(plain(turn.text[:_LONGEST])),
        discourse=discourse,
        before=before,
        reply=reply,
        session=session,
    )
    findings = _findings(text, clauses, discourse, change)
    for found in (each for each in findings if is_whole(each, discourse.label, discourse.agent_name)):
        add(session, turn, replace(found, spans=(Span(0, len(turn.text)),)) if moved else found)
    so_far = [each.finding for each in session.found if each.turn is turn]
    for found in (*introductions(text, met, discourse), *read_back(clauses, so_far, reply, session.window, discourse)):
        add(session, turn, found)
    for clause, matter, likely in over:
        (succeed if likely >= SURE else dispute)(clause, matter, turn, session)
    _call_names(text, discourse, session)
    named = [clause.subject.person for clause in clauses if clause.subject.person]
    session.third = Named(session.people, discourse.person.name).after(text, named, discourse.third)
    session.elsewhere, session.beside = discourse.elsewhere, discourse.beside


def _discourse(turn: Turn, asked: str, session: Session) -> Discourse:
    """What is known ahead of a turn that follows these words of the agent."""
    return Discourse(
        session.window.person,
        _called(session.window.agent_name),
        turn,
        question_in(asked),
        third=session.third,
        elsewhere=turned(question_in(asked), plain(asked), session.elsewhere),
        beside=stays_beside(plain(asked), plain(turn.text[:_LONGEST]), session.beside),
        several=asks_several(asked),
        own=session.own,
        people=session.people,
    )


def _over(turn: Turn, before: Turn | None, reply: Turn | None, session: Session) -> list[tuple[Clause, Matter, float]]:
    """What was stated before and is likely over by the turn, each with the clause that says so and how likely; a wish
    that the agent turns down ends nothing."""
    talk = talk_of(turn, before, session)
    if not talk.matters:
        return []
    refused = reply is not None and refuses(reply.text)
    now = exchange(turn.text, "" if reply is None else reply.text, talk)
    found = succeeded(_spoken(turn, session), now)
    return [each for each in found if not (refused and is_request(each[0]))]


def _change(
    clause: Clause,
    spoken: SpokenSentences,
    discourse: Discourse,
    before: Turn | None,
    reply: Turn | None,
    session: Session,
) -> Change | None:
    """What the clause changes of what was stated before it; what is so this once changes nothing that recurs, and what
    stands beside others nothing at all."""
    if adds(clause, discourse):
        return None
    talk = talk_of(discourse.turn, before, session)
    if spoken.only_once(clause):
        talk = replace(talk, matters=[each for each in talk.matters if not recurs(each.finding.content)])
    if not talk.matters:
        return None
    asks = is_request(clause)
    if asks and reply is not None and refuses(reply.text):
        return None
    found = rechosen(clause, talk) or changed(clause, talk)
    return found if found is None or not (asks and reply is None) or wishes.is_wish(found.finding) else None


def _spoken(turn: Turn, session: Session) -> list[Clause]:
    """The clauses of a turn with what it takes back or asks to forget."""
    return list(clauses_of(plain(turn.text[:_LONGEST]), session.agent_words, session.window.person.name))


def _contrast(turn: Turn, before: Turn | None, session: Session) -> Finding | None:
    """An earlier statement as the turn puts it right: `not beef, lamb`."""
    text = plain(turn.text[:_LONGEST])
    found = contrasted(text, talk_of(turn, before, session)) if "?" not in text else None
    return None if found is None else reworded_by(*found, talk_of(turn, before, session))


Changing = Callable[[Clause], Change | None]
"""What a clause changes of what was said before it."""


def _findings(text: str, clauses: list[Clause], discourse: Discourse, change: Changing) -> Iterator[Finding]:
    """Contacts of the whole turn, then the answer to what was asked, then clause by clause."""
    doubtful = [clause.span for clause in clauses if clause.act in (Act.QUESTION, Act.CONDITIONAL, Act.REPORTED)]
    yield from read_contacts(text, discourse, doubtful)
    used: list[Clause] = []
    denying = rejects(text.strip())
    opening = change(clauses[0]) if clauses else None
    if (opening is None or not opening.whole) and not discourse.several:
        for found, clause in answers(clauses, discourse):
            used.append(clause)
            yield _in_place(found, opening) if clause is clauses[0] else found
    for clause in resolved(clauses, discourse, text):
        if clause not in used and not (denying and clause.text.startswith("是")):
            yield from _told(clause, discourse, opening if clause.span == clauses[0].span else change(clause))
        go_on(clause, discourse)


def _told(clause: Clause, discourse: Discourse, change: Change | None) -> Iterator[Finding]:
    """What the rules find in the clause, the first of it in the place of what the clause changes; where they find
    nothing, or only both together can be understood, the changed statement."""
    if change is not None and change.whole:
        yield change.finding
        return
    found = list(_by_rules(clause, discourse))
    about = None if change is None else change.finding.about
    own = next((each for each in found if each.about == about and each.modality is Modality.STATED), None)
    for each in found:
        yield _in_place(each, change) if each is own else each
    if change is None or own is not None:
        return
    if not change.answers:
        yield change.finding
    elif not points_away(clause):
        yield _in_place(replace(verbatim(clause, discourse), asked_with=(change.answers,)), change)


def _in_place(found: Finding, change: Change | None) -> Finding:
    return found if change is None else replace(found, replaces=change.finding.replaces)


def _by_rules(clause: Clause, discourse: Discourse) -> Iterator[Finding]:
    if persons.nicknames(clause.text, discourse) or REMINDS.match(clause.text):
        return
    if forget_request(clause.text) is not None or leaves_out_of_what(clause.text):
        return
    if len(clause.text) > _SHORTEST and NOT_MEANT.search(clause.text):
        return
    kin = list(kinship(clause, discourse))
    yield from kin
    if persons.repeats_name(clause, discourse) or (discourse.claimed and only_changed(clause.text)):
        return
    if kin and (named := kin_in(clause)) is not None and named.whole:
        return
    clause = whole(clause)
    sure = is_owner_sure(clause, discourse) and not points_away(clause)
    if discourse.is_claimed(clause.span):
        found = _first_of(_BESIDE_CONTACT, clause, discourse) if sure else []
    else:
        found = _slots(clause, discourse) or (_read_anew(clause, discourse) if sure and stands_alone(clause) else [])
        if not found and len(clause.text) > _SHORTEST and not points_away(clause) and stands_alone(clause):
            found = list(sayings(clause, discourse))
    if found:
        _move_topic(found[-1], discourse)
        yield from found


def _slots(clause: Clause, discourse: Discourse) -> list[Finding]:
    """The values of his own that the clause gives: a slot and a value say enough, whatever else is left open."""
    found = _read_anew(clause, discourse) if may_be_his(clause, discourse) else []
    if any((is_slot(item.attribute) or item.attribute in discourse.own) and item.about is None for item in found):
        return found
    return reworded(clause, discourse, _read_anew) if is_his_word(clause) else []


def _ceased(clause: Clause, discourse: Discourse) -> Iterator[Finding]:
    """What is no longer so, by the rules that would find it if it were."""
    return ceased(clause, discourse, partial(_first_of, RULES))


def _read_anew(clause: Clause, discourse: Discourse) -> list[Finding]:
    return _first_of(_ALL, clause, discourse)


def _first_of(rules: Iterable[Rule], clause: Clause, discourse: Discourse) -> list[Finding]:
    return next((found for rule in rules if (found := list(rule(clause, discourse)))), list[Finding]())


_ALL: tuple[Rule, ...] = (_ceased, *RULES)


def _move_topic(found: Finding, discourse: Discourse) -> None:
    if found.attribute == "current_system" and found.value:
        discourse.topic = f"{discourse.label}'s {re.sub(r'^(?:an?|the|our|my) ', '', found.value)}"
    elif found.key and found.lang == "en":
        discourse.topic = f"{discourse.label}'s {found.key[-1]}"


def _answered(before: Turn, text: str, discourse: Discourse, session: Session) -> Iterator[Finding]:
    """What the reply makes of the agent's last claims; a denial takes them back."""
    claims = _claims(before, session)
    if claims and rejects(text.strip()):
        session.rejected.append(before.turn_id)
        session.found = [found for found in session.found if found.turn.turn_id != before.turn_id]
    yield from replied(text.strip(), claims, before.turn_id, discourse)


def _call_names(text: str, discourse: Discourse, session: Session) -> None:
    turn = discourse.turn
    called = [(name, start, end) for name, start, end in persons.nicknames(text, discourse)]
    before = alias_before(text, discourse)
    if before is not None:
        called.append((before[0], before[1].start, before[1].end))
    for name, start, end in called:
        if end <= len(turn.text) and name.strip() == name:
            session.aliases.append(Alias(name=name, quotes=(Quote(turn_id=turn.turn_id, start=start, end=end),)))
