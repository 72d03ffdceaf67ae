"""What of an agent's memories a contract of hire lets go, and why the rest stays. Pure: memories in, a choice out.

Nothing goes but what the contract names. Of that stays what has ended or is in doubt, what is about a person, names
one, or rests on somebody's words, unless enough people stand behind it and it gives none of them away.
Neighbours: `people` (who is known and by which words), `generality` (what people share and what would give them away),
`renaming` (how it goes).
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from agentmem.agents.copying.generality import KIND, PEOPLE, General, Sayings
from agentmem.agents.copying.identifying_words import People, gives_nobody_away, texts_of
from agentmem.agents.copying.name_matcher import NameMatcher
from agentmem.domain.document import FACT, is_of_document
from agentmem.domain.memory import Ending, MemoryNode, MemoryType, Modality, RecordType
from agentmem.domain.naming import canonical_name
from agentmem.domain.persona import HirePolicy, Persona
from agentmem.domain.value import JsonValue
from agentmem.memory.support import rests_on

LONGEST_CONCLUSION = 200
"""Characters of a text that may leave though it was concluded from what people said."""


Section = tuple[JsonValue, ...]
"""What stands together in a document; of any other memory that memory alone."""


class Reason(StrEnum):
    """Why a memory stays."""

    LAYER = "its layer is not in the contract"
    KIND = "its kind is not in the contract"
    ENDED = "it holds no longer"
    DOUBT = "it is in doubt, or a guess"
    ABOUT = "it is about somebody or something the contract does not name"
    ITEM = "a program keeps it, and only that program knows whose it is"
    WORDS = "it rests on what people said"
    FEW = "fewer people share it than the contract asks for"
    NAMED = "it names somebody, or stands beside what does"


@dataclass(frozen=True, slots=True)
class Choice:
    """What goes as it is, oldest first; of these by id, what rests on people; what goes in words of its own; and how
    many stay, by reason."""

    goes: tuple[MemoryNode, ...]
    concluded: frozenset[str]
    general: tuple[General, ...]
    stays: Mapping[Reason, int]


@dataclass(slots=True)
class Chooser:
    """Takes in all memories of an agent, one by one, then chooses. `now` is when the hire began."""

    persona: Persona
    contract: HirePolicy
    now: datetime
    people: People = field(init=False)
    _sayings: Sayings = field(init=False)
    _offered: list[MemoryNode] = field(init=False, default_factory=list[MemoryNode])
    _came: list[str] = field(init=False, default_factory=list[str])
    _stays: Counter[Reason] = field(init=False, default_factory=Counter[Reason])

    def __post_init__(self) -> None:
        self.people = People(self.persona.memory.attributes)
        self._sayings = Sayings(self.persona.memory.attributes)

    def take(self, node: MemoryNode) -> None:
        """Take in one memory of the agent, of whatever layer and state."""
        self.people.take(node)
        self._sayings.take(node)
        if PEOPLE in node.meta_data:
            self._came.append(node.memory_id)
        refused = _plainly_refused(node, self.contract, self.now)
        if refused is None:
            self._offered.append(node)
        elif node.ending is not Ending.RECORD:
            self._stays[refused] += 1

    def choose(self) -> Choice:
        """What goes of all that was taken in. To be asked once, behind the last memory."""
        judge = Judge(self.people, self.contract, self._let_through())
        reasons = [judge.refused(node) for node in self._offered]
        # Of a document the whole section stays: what stands beside a name may go on about its bearer.
        named = {_section(node) for node in self._offered if judge.names.within("\n".join(texts_of(node))) is not None}
        goes: list[MemoryNode] = []
        for node, reason in zip(self._offered, reasons, strict=True):
            if reason is None and _section(node) not in named:
                goes.append(node)
            else:
                self._stays[reason or Reason.NAMED] += 1
        return Choice(
            goes=tuple(sorted(goes, key=lambda node: (node.timestamp, node.memory_id))),
            concluded=frozenset(node.memory_id for node in goes if judge.rests_on_people(node)),
            general=tuple(self._general(judge)),
            stays=dict(self._stays),
        )

    def still_shared(self) -> frozenset[str]:
        """The ids of what rests, or once rested, on enough people, here or where it came from: of general values and of
        memories."""
        judge = Judge(self.people, self.contract, self._let_through())
        general = self._sayings.general(self.people, judge.besides, self.contract.people, ended=True)
        concluded = (key for key in self.people.trails if judge.widely(key))
        return frozenset((*(item.general_id for item in general), *concluded, *self._came))

    def _general(self, judge: "Judge") -> list[General]:
        contract = self.contract
        wanted = contract.about_customers and MemoryType.INSIGHT in contract.layers
        if not wanted or (contract.kinds is not None and KIND not in contract.kinds):
            return []
        return self._sayings.general(self.people, judge.besides, contract.people)

    def _let_through(self) -> frozenset[str]:
        """The targets the contract names; who ever spoke with the agent is none of them, whatever he is called."""
        wanted = {canonical_name(name) for name in self.contract.targets}
        called = self.people.called.items()
        named = {target for target, names in called if wanted & {canonical_name(name) for name in names}}
        return frozenset(named - self.people.spoke)


def _plainly_refused(node: MemoryNode, contract: HirePolicy, now: datetime) -> Reason | None:
    if node.memory_type not in contract.layers:
        return Reason.LAYER
    if contract.kinds is not None and node.kind not in contract.kinds:
        return Reason.KIND
    if not node.is_valid(now):
        return Reason.ENDED
    if node.record in (RecordType.ITEM, RecordType.SESSION_ITEM):
        return Reason.ITEM
    return Reason.DOUBT if node.needs_review or node.modality is Modality.HYPOTHESIS else None


@dataclass(slots=True)
class Judge:
    """Judges one memory at a time, when everybody is known. `besides` are the targets the contract lets through."""

    people: People
    contract: HirePolicy
    besides: frozenset[str]
    names: NameMatcher = field(init=False)
    anything: NameMatcher = field(init=False)

    def __post_init__(self) -> None:
        self.names = self.people.marks(self.besides)
        self.anything = self.people.marks(self.besides, personal=True)

    def refused(self, node: MemoryNode) -> Reason | None:
        """Why a memory that is offered stays; None where it goes unless somebody is named."""
        if PEOPLE in node.meta_data and not self._may_go_on(node):
            return Reason.FEW
        if node.target_id not in self.besides and not self._of_itself(node):
            return Reason.ABOUT
        behind = self._behind(node.memory_id)
        if behind is None:
            return Reason.WORDS
        return self._unfit(node) if behind else None

    def rests_on_people(self, node: MemoryNode) -> bool:
        """Whether people's words are behind it, here or where it came from."""
        return bool(self._behind(node.memory_id)) or PEOPLE in node.meta_data

    def widely(self, memory_id: str) -> bool:
        """Whether enough people are behind a memory."""
        behind = self._behind(memory_id)
        return bool(behind) and self.people.different(behind or ()) >= self.contract.people

    def _behind(self, memory_id: str) -> frozenset[str] | None:
        behind = self.people.behind(memory_id)
        return None if behind is None else behind - self.besides

    def _may_go_on(self, node: MemoryNode) -> bool:
        """Of what came with an earlier hire and rests on people there: whether this contract wants it."""
        number = node.meta_data[PEOPLE]
        return self.contract.about_customers and isinstance(number, int) and number >= self.contract.people

    def _of_itself(self, node: MemoryNode) -> bool:
        """About the agent, as its documents are and what was concluded from memories. Where somebody who bears its name
        spoke with it, only the documents."""
        if node.target_id not in self.people.itself:
            return False
        if is_of_document(node) and (node.kind == FACT or not node.evidence):
            return True
        # Anybody can file under the agent's name what rests on nothing; what code makes of memories names them.
        made = node.memory_type is not MemoryType.LONGTERM or PEOPLE in node.meta_data or bool(rests_on(node))
        return made and node.target_id not in self.people.spoke

    def _unfit(self, node: MemoryNode) -> Reason | None:
        """Why what was concluded from people's words stays; an observation of them always does."""
        if node.memory_type is MemoryType.OBSERVATION or not self.contract.about_customers:
            return Reason.WORDS
        if not self.widely(node.memory_id):
            return Reason.FEW
        texts = [text for text in texts_of(node.revised(meta_data={}, speaker=None)) if text != node.target_name]
        clean = all(gives_nobody_away(text, self.anything, longest=LONGEST_CONCLUSION) for text in texts)
        return None if clean else Reason.NAMED


def _section(node: MemoryNode) -> Section:
    if not is_of_document(node):
        return (node.memory_id,)
    return node.meta_data.get("assetId"), node.meta_data.get("heading")
