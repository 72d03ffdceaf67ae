"""Cognition without a model: windows of turns read by small rules, in Chinese and English.

The flow only: turns in order, the agent's claims held against the customer's next word, findings made into
statements. What is recognised stands in the rules listed in `RULES`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import facts as plain_facts
from agentmem.adapters.cognition.rules import opinions, persons, wishes
from agentmem.adapters.cognition.rules.answers import answers
from agentmem.adapters.cognition.rules.changes import (
    HELD_BEFORE,
    Change,
    Matter,
    Talk,
    called_off,
    changed,
    is_request,
    refuses,
    takes_back,
)
from agentmem.adapters.cognition.rules.contacts import alias_before, read_contacts
from agentmem.adapters.cognition.rules.endings import ceased, interval_of
from agentmem.adapters.cognition.rules.findings import pair_in
from agentmem.adapters.cognition.rules.judging import judged, reflected, reviewed
from agentmem.adapters.cognition.rules.model import (
    Act,
    Clause,
    Discourse,
    Finding,
    Rule,
    Span,
    Who,
    plain,
    sentences,
)
from agentmem.adapters.cognition.rules.paraphrase import AgentClaim, claims_of, rejects
from agentmem.adapters.cognition.rules.persons import introduced, kin_in, kinship
from agentmem.adapters.cognition.rules.phones import only_changed
from agentmem.adapters.cognition.rules.questions import question_in
from agentmem.adapters.cognition.rules.replies import corrected, replied
from agentmem.adapters.cognition.rules.rewording import is_slot, reworded
from agentmem.adapters.cognition.rules.standing import (
    ROLE_PLAY,
    WITHDRAWN,
    carried,
    is_elsewhere,
    is_his_word,
    is_owner_sure,
    may_be_his,
    points_away,
    turned,
    whole,
)
from agentmem.adapters.cognition.rules.utterance import clauses_of, stands_alone
from agentmem.domain.event import Person
from agentmem.domain.memory import Modality
from agentmem.domain.statement import (
    MAX_STATEMENTS,
    Alias,
    Held,
    Pair,
    Quote,
    Reading,
    Statement,
    Turn,
    Window,
    Withdrawal,
)
from agentmem.language.normal import normalise, trigram_similarity
from agentmem.language.time import annotate
from agentmem.memory.request import forget_request
from agentmem.ports.cognition import Judged, Read, Reflected, ReflectionInput

RULES: tuple[Rule, ...] = (
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
    plain_facts.mentions,
)
"""All clause rules; the first that finds something in a clause has it."""

_BESIDE_CONTACT: tuple[Rule, ...] = (persons.names, wishes.contact_preferences)
_TIME_HINT = re.compile(
    r"[年月日号周天点前后晚早晨]|礼拜|星期|\d|day|week|month|year|morn|noon|night|tomorrow|tonight|next|last|ago|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|spring|summer|autumn|winter|quarter",
    re.IGNORECASE,
)
_VAGUE_TIME = re.compile(r"周末|weekends?|年前的?老|每|工作日|weekday|every|last \d+ years", re.IGNORECASE)
_JOKE = re.compile(r"开玩笑|说笑|逗你玩|\b(?:just )?(?:kidding|joking)\b", re.IGNORECASE)
_LONGEST = 20_000


@dataclass(slots=True)
class _Found:
    """A finding with the turn it was found in."""

    turn: Turn
    finding: Finding


@dataclass(slots=True)
class _Session:
    """What one reading has gathered so far."""

    window: Window
    agent_words: re.Pattern | None
    third: str | None = None
    elsewhere: bool = False
    found: list[_Found] = field(default_factory=list[_Found])
    aliases: list[Alias] = field(default_factory=list[Alias])
    rejected: list[str] = field(default_factory=list[str])
    withdrawn: list[Withdrawal] = field(default_factory=list[Withdrawal])

    def matters(self) -> list[Matter]:
        """What the person has stated before and in this window, with what took its place."""
        said = [(HELD_BEFORE, _remembered(held), held.by) for held in self.window.held]
        place = {turn.turn_id: number for number, turn in enumerate(self.window.turns)}
        own = (each for each in self.found if each.finding.modality is Modality.STATED and not each.finding.ended)
        said += [(place[each.turn.turn_id], each.finding, None) for each in own]
        by = {normalise(old): each.finding.content for each in self.found for old in each.finding.replaces}
        gone = {normalise(each.content) for each in self.withdrawn}
        return [
            Matter(finding, turn, by.get(normalise(finding.content), known))
            for turn, finding, known in said
            if finding.closes is None and not (turn == HELD_BEFORE and normalise(finding.content) in gone)
        ]


def _remembered(held: Held) -> Finding:
    return Finding(
        held.content,
        held.kind or "fact",
        held.importance,
        held.language,
        (),
        attribute=held.attribute,
        value=held.value,
        key=held.key,
    )


class RulesCognition:
    """The `Cognition` port by rules. Holds nothing between calls; the same input gives the same output."""

    @property
    def name(self) -> str:
        """Which engine this is."""
        return "rules"

    async def read(self, window: Window) -> Read:
        """Statements of the window's turns, in the order they were said."""
        return Read(read_window(window))

    async def judge(self, pairs: Sequence[Pair]) -> Judged:
        """Every pair decided by comparing words and polarity."""
        return Judged(tuple(verdict for pair in pairs if (verdict := judged(pair)) is not None))

    async def reflect(self, request: ReflectionInput) -> Reflected:
        """Insights that at least two observations carry."""
        return Reflected(reflected(request), reviews=reviewed(request))


def read_window(window: Window) -> Reading:
    """One window, read."""
    session = _Session(window, _agent_words(window.agent_name))
    before = window.context[-1] if window.context else None
    for place, turn in enumerate(window.turns):
        if turn.by_agent:
            _hear_agent(turn, session)
        else:
            reply = next(iter(window.turns[place + 1 :]), None)
            _hear_person(turn, before, reply if reply is not None and reply.by_agent else None, session)
        before = turn
    _add_title(session)
    return Reading(
        statements=_statements(session),
        aliases=tuple(session.aliases),
        rejected=tuple(dict.fromkeys(session.rejected)),
        withdrawn=tuple(session.withdrawn),
    )


def _agent_words(name: str) -> re.Pattern | None:
    """The agent's name and the Latin words in it, as words that may open a clause."""
    parts = {name, *re.findall(r"[A-Z][A-Za-z0-9]+", name)}
    return re.compile("|".join(re.escape(part) for part in sorted(parts, key=len, reverse=True)))


def _called(name: str) -> str:
    """How contents call the agent: an id that was never given a name says nothing there."""
    return "the agent" if re.fullmatch(r"[a-z][a-z0-9_-]*", name) else name


def _claims(turn: Turn, session: _Session) -> list[AgentClaim]:
    return list(claims_of(plain(turn.text[:_LONGEST]), session.window.person, session.window.agent_name))


def _hear_agent(turn: Turn, session: _Session) -> None:
    session.found.extend(_Found(turn, claim.finding) for claim in _claims(turn, session))


def _hear_person(turn: Turn, before: Turn | None, reply: Turn | None, session: _Session) -> None:
    text, moved = corrected(_to_read(plain(turn.text[:_LONGEST])))
    by_agent = before is not None and before.by_agent
    if _JOKE.search(text) or (before is not None and by_agent and ROLE_PLAY.search(before.text)):
        return
    asked = before.text[:_LONGEST] if before is not None and by_agent else ""
    discourse = Discourse(
        session.window.person,
        _called(session.window.agent_name),
        turn,
        question_in(asked),
        third=session.third,
        elsewhere=turned(question_in(asked), plain(asked), session.elsewhere),
    )
    if before is not None and by_agent:
        for found in _answered(before, text, discourse, session):
            _add(session, turn, found)
    if takes_back(plain(turn.text[:_LONGEST]), discourse.asked):
        _take_back(turn, session)
    clauses = [introduced(clause) for clause in clauses_of(text, session.agent_words, discourse.person.name)]
    change = partial(_change, turn=turn, before=before, reply=reply, session=session)
    for found in _findings(text, clauses, discourse, change):
        whole = (Span(0, len(turn.text)),)
        _add(session, turn, replace(found, spans=whole) if moved else found)
    _call_names(text, discourse, session)
    named = [clause.subject.person for clause in clauses if clause.subject.person]
    session.third = named[-1] if named else discourse.third
    session.elsewhere = discourse.elsewhere


def _to_read(text: str) -> str:
    """The text with blanks for the sentences that ask to forget, and for what was taken back: neither is told again."""
    withdrawn = list(WITHDRAWN.finditer(text))
    if withdrawn:
        text = f"{' ' * withdrawn[-1].end()}{text[withdrawn[-1].end() :]}"
    for sentence in sentences(text):
        if forget_request(text[sentence.start : sentence.end]) is not None:
            text = f"{text[: sentence.start]}{' ' * (sentence.end - sentence.start)}{text[sentence.end :]}"
    return text


def _change(
    clause: Clause, turn: Turn, before: Turn | None, reply: Turn | None, session: _Session
) -> Change | None:
    """What the clause changes of what was stated before it; what it calls off is over."""
    asked = before.text if before is not None and before.by_agent else ""
    person = session.window.person
    names = tuple(name for name in (person.label, person.name, person.title) if name)
    place = session.window.turns.index(turn)
    talk = Talk(session.matters(), names, turn.at, place, asked)
    if is_request(clause) and (reply is None or refuses(reply.text)):
        return None
    change = changed(clause, talk)
    if change is None:
        for matter in called_off(clause, talk):
            _withdraw(matter.finding, turn.at, session)
    return change


def _take_back(turn: Turn, session: _Session) -> None:
    """End what the person said in the turn before, where the talk has not gone on since."""
    earlier = [each.turn for each in session.found if not each.turn.by_agent and each.turn is not turn]
    turns = session.window.turns
    if earlier and turns.index(turn) - turns.index(earlier[-1]) <= _JUST_SAID:
        for each in [each for each in session.found if each.turn is earlier[-1]]:
            _withdraw(each.finding, turn.at, session)


_JUST_SAID = 2
"""Turns from what was said to what takes it back: the agent may have answered in between."""


def _withdraw(finding: Finding, at: datetime, session: _Session) -> None:
    for place, each in enumerate(session.found):
        if each.finding is finding:
            session.found[place] = replace(each, finding=replace(finding, closes=at))
            return
    session.withdrawn.append(Withdrawal(content=finding.content, at=at))


Changing = Callable[[Clause], Change | None]
"""What a clause changes of what was said before it."""


def _findings(text: str, clauses: list[Clause], discourse: Discourse, change: Changing) -> Iterator[Finding]:
    """Contacts of the whole turn, then the answer to what was asked, then clause by clause."""
    doubtful = [clause.span for clause in clauses if clause.act in (Act.QUESTION, Act.CONDITIONAL, Act.REPORTED)]
    yield from read_contacts(text, discourse, doubtful)
    used: list[Clause] = []
    denying = rejects(text.strip())
    opening = change(clauses[0]) if clauses else None
    if opening is None or not opening.whole:
        for found, clause in answers(clauses, discourse):
            used.append(clause)
            yield _in_place(found, opening) if clause is clauses[0] else found
    for clause in _resolved(clauses, discourse):
        if clause not in used and not (denying and clause.text.startswith("是")):
            yield from _told(clause, discourse, opening if clause.span == clauses[0].span else change(clause))
        if clause.subject.who is not Who.NONE:
            discourse.subject = clause.subject
        discourse.elsewhere = is_elsewhere(clause.subject, discourse.elsewhere)


def _told(clause: Clause, discourse: Discourse, change: Change | None) -> Iterator[Finding]:
    """What the rules find in the clause, the first of it in the place of what the clause changes; where they find nothing,
    or only both together can be understood, the changed statement."""
    if change is not None and change.whole:
        yield change.finding
        return
    found = list(_by_rules(clause, discourse))
    own = next((each for each in found if each.about == _about(change) and each.modality is Modality.STATED), None)
    for each in found:
        yield _in_place(each, change) if each is own else each
    if change is not None and own is None:
        yield change.finding


def _about(change: Change | None) -> str | None:
    return None if change is None else change.finding.about


def _in_place(found: Finding, change: Change | None) -> Finding:
    return found if change is None else replace(found, replaces=change.finding.replaces)


def _resolved(clauses: Iterable[Clause], discourse: Discourse) -> Iterator[Clause]:
    """The clauses with he and she named, where only one other person was named before them in the turn, or the talk was
    about one before it."""
    named: set[str] = set()
    before = discourse.third if discourse.elsewhere else None
    last: Clause | None = None
    for clause in clauses:
        if last is not None and not clause.opens_sentence:
            clause = carried(clause, last)
        if clause.subject.person is None and _ONE_OTHER.fullmatch(clause.subject.words):
            other = next(iter(named)) if len(named) == 1 else None if named else before
            clause = replace(clause, subject=replace(clause.subject, person=other))
        if clause.subject.person is not None:
            named.add(clause.subject.person)
        before, last = None, clause
        yield clause


_ONE_OTHER = re.compile(r"(?:现在|目前|最近|平时|主要|而|,)*[他她]|he|she", re.IGNORECASE)


def _by_rules(clause: Clause, discourse: Discourse) -> Iterator[Finding]:
    if persons.nicknames(clause.text, discourse) or forget_request(clause.text) is not None:
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
    if found:
        _move_topic(found[-1], discourse)
        yield from found


def _slots(clause: Clause, discourse: Discourse) -> list[Finding]:
    """The values of his own that the clause gives: a slot and a value say enough, whatever else is left open."""
    found = _read_anew(clause, discourse) if may_be_his(clause, discourse) else []
    if any(is_slot(item.attribute) and item.about is None for item in found):
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


def _answered(before: Turn, text: str, discourse: Discourse, session: _Session) -> Iterator[Finding]:
    """What the reply makes of the agent's last claims; a denial takes them back."""
    claims = _claims(before, session)
    if claims and rejects(text.strip()):
        session.rejected.append(before.turn_id)
        session.found = [found for found in session.found if found.turn.turn_id != before.turn_id]
    yield from replied(text.strip(), claims, before.turn_id, discourse)


def _call_names(text: str, discourse: Discourse, session: _Session) -> None:
    turn = discourse.turn
    called = [(name, start, end) for name, start, end in persons.nicknames(text, discourse)]
    before = alias_before(text, discourse)
    if before is not None:
        called.append((before[0], before[1].start, before[1].end))
    for name, start, end in called:
        if end <= len(turn.text) and name.strip() == name:
            session.aliases.append(Alias(name=name, quotes=(Quote(turn_id=turn.turn_id, start=start, end=end),)))


def _add(session: _Session, turn: Turn, found: Finding) -> None:
    """Take a finding in, unless the window has said it already."""
    content = normalise(found.content)
    for held in session.found:
        same = (
            held.finding.layer == found.layer
            and held.finding.modality == found.modality
            and held.finding.about == found.about
        )
        if same and (
            normalise(held.finding.content) == content
            or (found.cited and trigram_similarity(held.finding.content, found.content) > 0.75)
        ):
            return
    session.found.append(_Found(turn, found))


def _add_title(session: _Session) -> None:
    """His title says what he is, once he has spoken of himself."""
    person = session.window.person
    own = [
        held
        for held in session.found
        if held.finding.about is None
        and held.finding.modality is Modality.STATED
        and held.finding.layer == "observation"
        and held.finding.attribute != "name"
    ]
    if person.title is None or not own:
        return
    first = own[0]
    title = persons.titled(person.label, person.title, first.finding.spans[:1])
    session.found.insert(session.found.index(first), _Found(first.turn, title))


def _statements(session: _Session) -> tuple[Statement, ...]:
    kept = session.found
    if len(kept) > MAX_STATEMENTS:
        best = sorted(range(len(kept)), key=lambda i: (-kept[i].finding.importance, i))[:MAX_STATEMENTS]
        kept = [kept[i] for i in sorted(best)]
    made = [_statement(held, session.window.person) for held in kept]
    final = {normalise(held.finding.content): item.content for held, item in zip(kept, made, strict=True)}
    return tuple(
        item.revised(replaces=tuple(final.get(normalise(old), old) for old in item.replaces)) if item.replaces else item
        for item in made
    )


def _statement(held: _Found, person: Person) -> Statement:
    found, turn = held.finding, held.turn
    content = found.content
    begins, ends = _interval(found, turn)
    undated = not found.dated and found.kind not in ("contact", "name")
    if undated and _TIME_HINT.search(content) and not (_VAGUE_TIME.search(content)):
        content = annotate(content, turn.at)
    relation, mentions = pair_in(content, found.about or person.name, found.attribute, found.value)
    return Statement(
        layer=found.layer,
        about=_printable(found.about),
        content=content[:2_000],
        modality=found.modality,
        kind=found.kind,
        key=found.key,
        mentions=mentions,
        relation=relation,
        replaces=found.replaces,
        attribute=found.attribute,
        value=found.value[:500] if found.value else None,
        importance=found.importance,
        valid_at=begins,
        invalid_at=turn.at if found.ended else found.closes or ends,
        language=found.lang,
        quotes=tuple(_quotes(found, turn)),
    )


def _interval(found: Finding, turn: Turn) -> tuple[datetime | None, datetime | None]:
    if found.kind == "contact" or found.ended or found.cited:
        return None, None
    words = " ".join(turn.text[span.start : span.end] for span in found.spans)
    return interval_of(words, found.attribute, turn.at)


def _quotes(found: Finding, turn: Turn) -> Iterable[Quote]:
    for span in found.spans:
        start, end = max(0, span.start), min(len(turn.text), span.end)
        yield Quote(turn_id=turn.turn_id, start=min(start, max(0, end - 1)), end=max(end, 1))
    for turn_id, span in found.cited:
        yield Quote(turn_id=turn_id, start=span.start, end=span.end)


def _printable(name: str | None) -> str | None:
    return name.strip()[:200] if name and name.strip() else None
