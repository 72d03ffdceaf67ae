"""A memory corrected by hand: other words under the same id where it was wrong, one that follows it where it was true
until something changed; ended, brought back, and a dispute of two decided."""

# ruff: noqa: E501 - patterns read best unbroken

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from agentmem import patterns as re
from agentmem.domain.attributes import base_of, slot_of, value_kind, words_of
from agentmem.domain.change import Change, LedgerEntry
from agentmem.domain.document import is_of_document
from agentmem.domain.memory import Ending, MemoryNode, MemoryType, Modality, StoreStatus, local_day
from agentmem.domain.statement import MAX_CONTENT
from agentmem.domain.value import ASKED_WITH, CORRECTED, JsonValue
from agentmem.errors import InvalidInput
from agentmem.language.clauses import clauses, sentences
from agentmem.language.tokens import tokens
from agentmem.memory.relation import JUDGED, Relations, judged_before, told_apart

BY_HAND: Final = "corrected by hand"
"""The reason of a change by which somebody gave a memory other words."""

BROUGHT_BACK: Final = "brought back by hand"
"""The reason of a change by which somebody had a memory hold again that had ended."""

DECIDED: Final = "decided by hand"
"""The reason of a change by which somebody settled a dispute of two memories."""

ENDED_BY_HAND: Final = "ended by hand"
"""The reason of a change by which somebody said that a memory is over."""

PUT_RIGHT: Final = "corrected by the person"
"""The reason of a change by which the person put a slip right at once, which was never true."""

_ENDED: Final = (Ending.ENDED, Ending.SUPERSEDED, Ending.RETIRED, Ending.FADED)


def is_correction(change: Change) -> bool:
    """Whether somebody wrote the memory's words by hand: what it was made of before, if it was, does not say these."""
    before, after = change.before, change.after
    written = after is not None and (before is None or before.content != after.content)
    return written and change.reason == BY_HAND


def act_of(change: Change) -> str:
    """The name of what a change did; words put right by hand are no change of what is true."""
    if change.act == "refresh" and change.reason == BROUGHT_BACK:
        return "bring_back"
    put_right = change.act == "retire" and change.reason == PUT_RIGHT
    return "correct" if put_right or (change.act == "refresh" and is_correction(change)) else change.act


def check_text(node: MemoryNode, text: str) -> None:
    """Raise `InvalidInput` for no words, for other words in a turn, which is quoted as said, and where what was
    understood would be longer than a statement may be."""
    if not text.strip():
        raise InvalidInput("content: must not be empty")
    if node.memory_type is MemoryType.CONVERSATION and text != node.content:
        raise InvalidInput(
            f"memory {node.memory_id} is a turn, kept as it was said: forget it, or correct what was made of it"
        )
    if node.memory_type in (MemoryType.OBSERVATION, MemoryType.INSIGHT) and len(text) > MAX_CONTENT:
        raise InvalidInput(f"content: must have at most {MAX_CONTENT} characters")


def edited(node: MemoryNode, text: str, meta: Mapping[str, JsonValue] | None = None) -> MemoryNode:
    """The memory with this content and, where given, this metadata added.

    It keeps whom it is about, when it is true and what it was made from. Nobody spoke the new words, so its evidence
    goes; who corrects what was inferred states it. It keeps its slot and fills it with the old value where the text
    still says it, with what stands in its place where nothing else was changed, with the one value of the slot's kind
    that the new words name for it, or with what they say it is and not the old value. Else it has none any more.
    """
    said = frozenset(tokens(text))
    stated = text != node.content and node.modality is Modality.INFERRED
    value = _value(node, text)
    return node.revised(
        content=text,
        modality=Modality.STATED if stated else node.modality,
        key=tuple(key for key in node.key if said.issuperset(tokens(key))),
        attribute=node.attribute if value is not None else None,
        value=value,
        relation=node.relation if text == node.content else None,
        evidence=node.evidence if text == node.content else (),
        needs_review=None,
        obs_reflected=0,
        obs_updated=node.obs_updated + 1,
        revision=node.revision + 1,
        meta_data={**_of_the_matter(node, text), **(meta or {})},
    )


def successor(corrected: MemoryNode, *, memory_id: str, timestamp: int, since: datetime, now: datetime) -> MemoryNode:
    """What `edited` made of a memory as one of its own, true from `since` on: written by hand, so nothing said is its
    source, and whatever doubted, disputed or ended the memory before it tells nothing of this one."""
    return corrected.revised(
        memory_id=memory_id,
        run_id=None,
        speaker=None,
        timestamp=timestamp,
        dt=local_day(since),
        valid_at=since,
        invalid_at=None,
        created_at=now,
        source_ids=(),
        depends_on=(),
        conflicts_with=(),
        supersedes=(corrected.memory_id,),
        obs_updated=0,
        revision=1,
        last_access=None,
        meta_data={**corrected.meta_data, CORRECTED: True},
    )


def replaced_by_hand(
    node: MemoryNode, after: MemoryNode, beside: Iterable[MemoryNode], relations: Relations, now: datetime
) -> list[Change]:
    """The memory is over since its `successor` is true; what disputed it disputes that where it gives the slot another
    value, and else nothing."""
    ended = node.ended(at=after.valid_at, now=now, by=after.memory_id).revised(conflicts_with=())
    links: list[Change] = []
    for change in _unlinked_from(node, beside, BY_HAND):
        other = change.after
        if other is not None and is_rival(after, other, relations):
            change = change.revised(after=other.revised(conflicts_with=(*other.conflicts_with, after.memory_id)))
            after = after.revised(conflicts_with=(*after.conflicts_with, other.memory_id))
        links.append(change)
    return [
        Change(act="supersede", before=node, after=ended, reason=BY_HAND),
        *links,
        Change(act="add", before=None, after=after, reason=BY_HAND),
    ]


def can_end(node: MemoryNode) -> bool:
    """Whether it is a fact that may come to an end by itself: a turn stays as it was said, and what a document says
    ends with the document."""
    lasting = node.memory_type is MemoryType.LONGTERM and node.record is None and not is_of_document(node)
    return lasting or node.memory_type in (MemoryType.OBSERVATION, MemoryType.INSIGHT)


def ended_by_hand(
    node: MemoryNode, beside: Iterable[MemoryNode], since: datetime | None, now: datetime
) -> list[Change]:
    """The memory is over since then, or since now, and what disputes it does so no more. Raises `InvalidInput` for what
    does not end by itself or holds no more, and for a `since` at which it did not hold yet, or in the future."""
    if not can_end(node):
        raise InvalidInput(f"memory {node.memory_id} does not end by itself: forget it, or end its document")
    if not node.is_valid(now):
        raise InvalidInput(f"memory {node.memory_id} no longer holds, so it cannot be ended")
    if since is not None and since > now:
        raise InvalidInput("since: lies in the future")
    if since is not None and since <= node.valid_at:
        raise InvalidInput(f"since: the memory holds only from {_begun(node)} on; name a later time, or none for now")
    over = node.ended(at=since or now, now=now).revised(conflicts_with=())
    end = Change(act="end", before=node, after=over, reason=ENDED_BY_HAND)
    return [end, *_unlinked_from(node, beside, ENDED_BY_HAND)]


def _unlinked_from(node: MemoryNode, beside: Iterable[MemoryNode], reason: str) -> list[Change]:
    """Of these, what disputes the memory does so no more."""
    return [
        Change(act="link", before=other, after=_unlinked(other, node), reason=reason)
        for other in beside
        if node.memory_id in other.conflicts_with
    ]


def can_come_back(node: MemoryNode) -> bool:
    """Whether it is a fact that held and ended, and says nothing that another memory says as well."""
    twice = node.ending is Ending.RETIRED and node.superseded_by is not None
    return can_end(node) and node.ending in _ENDED and not twice


def is_rival(node: MemoryNode, other: MemoryNode, relations: Relations) -> bool:
    """Whether the other gives another value of the single-valued slot of this memory for a time in which it holds, and
    was not told apart from it."""
    slot = relations.slot(node)
    overlap = all(
        late.invalid_at is None or early.valid_at < late.invalid_at for early, late in ((node, other), (other, node))
    )
    return (
        slot is not None
        and slot == relations.slot(other)
        and node.memory_type is other.memory_type
        and node.memory_id != other.memory_id
        and other.store_status is StoreStatus.VALID
        and overlap
        and relations.of(node, other) == "replaces"
        and not told_apart(node, other)
    )


def brought_back(
    node: MemoryNode,
    history: Iterable[LedgerEntry],
    others: Iterable[MemoryNode],
    relations: Relations,
    now: datetime,
) -> list[Change]:
    """The memory holds again; of these others, what had taken its place does so no more, and what gives its slot another
    value disputes it, so that the owner can decide between the two. Raises `InvalidInput`, see `_holding_again`."""
    before, node = node, _holding_again(node, history, now)
    changes: list[Change] = []
    for other in others:
        linked = other.conflicts_with
        if is_rival(node, other, relations):
            linked = tuple(dict.fromkeys((*linked, node.memory_id)))
            node = node.revised(conflicts_with=tuple(dict.fromkeys((*node.conflicts_with, other.memory_id))))
        earlier = tuple(key for key in other.supersedes if key != node.memory_id)
        if (linked, earlier) != (other.conflicts_with, other.supersedes):
            after = other.revised(conflicts_with=linked, supersedes=earlier, revision=other.revision + 1)
            changes.append(Change(act="link", before=other, after=after, reason=BROUGHT_BACK))
    return [Change(act="refresh", before=before, after=node, reason=BROUGHT_BACK), *changes]


def _holding_again(node: MemoryNode, history: Iterable[LedgerEntry], now: datetime) -> MemoryNode:
    """The memory as one that holds, up to the end that it had before it ended, if any. Raises `InvalidInput` for one
    that holds, is forgotten, or never held by itself, and where that end is past."""
    if not can_come_back(node):
        raise InvalidInput(f"memory {node.memory_id} has not ended, so it cannot be brought back")
    held = [state for entry in history if (state := entry.change.after) and state.store_status is StoreStatus.VALID]
    end = held[-1].invalid_at if held else None
    if end is not None and end <= now:
        raise InvalidInput(f"memory {node.memory_id} cannot be brought back: its time is over since {end.isoformat()}")
    return node.revised(
        store_status=StoreStatus.VALID,
        ending=None,
        invalid_at=end,
        expired_at=None,
        superseded_by=None,
        obs_updated=node.obs_updated + 1,
        revision=node.revision + 1,
    )


def settled(
    one: MemoryNode, other: MemoryNode, wrong: MemoryNode | None, beside: Iterable[MemoryNode], now: datetime
) -> list[Change]:
    """Two memories that dispute each other, as the owner decides: `wrong` is taken back, was never true and is disputed
    by nothing `beside` it any more; without one, the two concern different things and are told apart from now on.
    Raises `InvalidInput` where they do not dispute each other, or one of them does not hold."""
    if other.memory_id not in one.conflicts_with:
        raise InvalidInput(f"memory {one.memory_id} does not dispute {other.memory_id}")
    for node in (one, other):
        if not node.is_valid(now):
            raise InvalidInput(f"memory {node.memory_id} no longer holds, so it is in no dispute")
    if wrong is not None:
        after = wrong.retired(now=now).revised(conflicts_with=())
        retire = Change(act="retire", before=wrong, after=after, reason=DECIDED)
        return [retire, *_unlinked_from(wrong, beside, DECIDED)]
    return [
        Change(act="link", before=node, after=_told_apart_from(node, against), reason=DECIDED)
        for node, against in ((one, other), (other, one))
    ]


def _told_apart_from(node: MemoryNode, other: MemoryNode) -> MemoryNode:
    return _unlinked(node, other).revised(meta_data={**node.meta_data, JUDGED: [*judged_before(node), other.memory_id]})


def _unlinked(node: MemoryNode, other: MemoryNode) -> MemoryNode:
    rest = tuple(key for key in node.conflicts_with if key != other.memory_id)
    return node.revised(conflicts_with=rest, revision=node.revision + 1)


def check_since(node: MemoryNode, text: str, since: datetime, now: datetime) -> None:
    """Raise `InvalidInput` where the memory cannot have been true until `since`, and these words from then on."""
    if since > now:
        raise InvalidInput("since: lies in the future")
    if since <= node.valid_at:
        raise InvalidInput(
            f"since: the memory holds only from {_begun(node)} on; name a later time, or none if it was wrong all along"
        )
    if text == node.content:
        raise InvalidInput("content: says what the memory says, so nothing has changed")


def _begun(node: MemoryNode) -> str:
    return node.valid_at.isoformat(timespec="minutes")


def _of_the_matter(node: MemoryNode, text: str) -> dict[str, JsonValue]:
    """Its metadata; of other words, without what was made of the old ones, and marked as corrected."""
    if text == node.content:
        return dict(node.meta_data)
    return {**{name: value for name, value in node.meta_data.items() if name != ASKED_WITH}, CORRECTED: True}


def _value(node: MemoryNode, text: str) -> str | None:
    """What the new text says in the place of the old value."""
    if node.attribute is None or node.value is None or text == node.content:
        return node.value
    said = text if _NO_FACT.search(node.content) else _stated(text)
    if node.value in said:
        return node.value
    before, found, after = node.content.partition(node.value)
    bare = text[len(before) : len(text) - len(after)].strip()
    kept = found and text.startswith(before) and text.endswith(after) and len(text) > len(before) + len(after)
    bare = _ONE.sub("", bare)
    if kept and bare:
        return bare
    return _filled(node.attribute, said) or (_instead(node, said) if node.value in text else None)


def _stated(text: str) -> str:
    """The text without the clauses that deny, ask or suppose."""
    parts = [clause for sentence in sentences(text) for clause in clauses(sentence)]
    said = [half for part in parts for half in _BUT.split(f"{part.text}{part.terminator}")]
    kept = [half.strip(" ,，;；") for half in said if not _NO_FACT.search(half)]
    return text if len(kept) == len(said) else ", ".join(kept)


def _filled(attribute: str, said: str) -> str | None:
    """The one value that the text names for the slot; None where it names several, or tells of another."""
    said = said.strip(" .。!！")
    pattern = _BY_KIND.get(value_kind(attribute, {})) or _BY_VERB.get(base_of(slot_of(attribute)))
    found = list(pattern.finditer(said)) if pattern is not None else []
    if value_kind(attribute, {}) not in _TELLING and not found and _names(attribute, said):
        found = list(_BY_COPULA.finditer(said))
    if len(found) != 1 or not (value_kind(attribute, {}) in _TELLING or found[0]["head"] or _names(attribute, said)):
        return None
    return found[0]["v"].strip(" ,，")


def _instead(node: MemoryNode, said: str) -> str | None:
    """What the text says it is, where it denies the old value: 不是会计，是老师."""
    if value_kind(node.attribute, {}) != "title":
        return None
    found = _IS.fullmatch(said.removeprefix(node.target_name).strip(" .。!！"))
    return found["v"] if found else None


def _names(attribute: str, text: str) -> bool:
    """Whether the text names the slot by one of the words people ask for it with."""
    return not frozenset(tokens(words_of(attribute))).isdisjoint(tokens(text))


_ONE = re.compile(r"^(?:一[名位]|an? )", re.IGNORECASE)
_IS = re.compile(r"(?:(?:is )?an? |是(?:一[名位])?)(?P<v>[^,，;；。]{2,40})", re.IGNORECASE)
_BUT = re.compile(r"\bbut\b(?: rather)?|而(?=是)", re.IGNORECASE)
_NO_FACT = re.compile(
    r"[?？]|[吗么]$|\b(?:not|never|no longer|if|maybe|might|used to)\b|n't\b|不|没|如果|可能|以前|曾经", re.IGNORECASE
)
_TELLING = ("email", "phone")
"""Kinds whose values are known by their form alone, whatever word stands before them."""
_BY_KIND: Mapping[str, re.Pattern] = {
    "email": re.compile(r"(?P<head>)(?P<v>[A-Za-z0-9_.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)"),
    "phone": re.compile(r"(?P<head>)(?<![\w.])(?P<v>\+?\(?\d(?:[ ()-]{0,2}\d){5,14})(?![A-Za-z0-9_]|[.,]\d)", re.ASCII),
    "money": re.compile(r"(?P<head>)(?P<v>[$£€¥]?\d[\d,.]*\s?(?:k|万|千|亿|元|块|美元|欧元|million|thousand|euros?|dollars?|pounds?|yuan|[A-Z]{3}\b)*)", re.IGNORECASE),
    "number": re.compile(r"(?P<head>)(?P<v>\d[\d,]*)"),
}  # fmt: skip
_BY_VERB: Mapping[str, re.Pattern] = {
    "city": re.compile(r"(?P<head>\b(?:lives?|living|based|located|moved) (?:in|to) |住在|搬到了?|定居)(?P<v>[^,，;；。]{2,40})$"),
    "employer": re.compile(r"(?P<head>\b(?:works?|working|employed) (?:at|for|by) |\bjoined |就职于|任职于|入职)(?P<v>[^,，;；。]{2,40})$"),
    "occupation": re.compile(r"(?P<head>\b(?:works?|working) as (?:an? )?|\bbecame an? |\b(?:is|am)(?: now)? an? |是一[名位])(?P<v>[^,，;；。]{2,40})$"),
}  # fmt: skip
_BY_COPULA = re.compile(
    r"(?P<head>)(?:\b(?:is|are)(?: now)?\s+(?:in |at |an? )?|(?:现在)?[是为]|[:：])\s*(?P<v>[^,，;；。:：是]{1,60})$",
    re.IGNORECASE,
)
