"""Forgetting: what is meant goes, what was made of it alone goes with it, what still has other support stays.

Neighbours: `forget_plan` (what is meant, and what becomes of it), `wish` and `sought` (what a question means), `cuts`
(taking words out of a text), `repeated` (what is said once more), `put_right` (what corrects it), `owned` (whose it
is), `support` (whether a memory is still carried), `retold_entities` (entities and communities), `erase` (from here to
what the journal removes).
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from agentmem.domain.memory import GRAPH, MemoryNode, MemoryType, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput, NotFound
from agentmem.language.normal import identifiers_in
from agentmem.ledger.listing import every
from agentmem.memory.cuts import VERBATIM, Cut, NamesOf, is_all_of, made_of, names_in, pieces, saying
from agentmem.memory.fitting import unplead
from agentmem.memory.forget_plan import ENDED_BY_WORD, ForgetPlan, Meant, Traces, reopened, settle
from agentmem.memory.owned import OwnedTurns, TakenByWish, TellingClause
from agentmem.memory.put_right import PutRight
from agentmem.memory.repeated import Repeated, confirmed, shorten, shorten_made, sparing, unrepeat
from agentmem.memory.request import asked_in
from agentmem.memory.request_extent import asks_otherwise
from agentmem.memory.request_named import names_held
from agentmem.memory.retold_entities import retell
from agentmem.memory.sought import Asked
from agentmem.memory.support import is_of_words, rests_on
from agentmem.memory.told import AllTold, ToldByOne, all_in, by_person, names_meant, others_named
from agentmem.memory.wish import Wish, read_wish
from agentmem.memory.wish_parts import parts_of, points_back
from agentmem.ports.ledger import Ledger, Selection

PAGE = 1_000

DEEPEST = 100
"""Steps along which what rests on the forgotten is followed; a chain of memories is at most a few long."""


@dataclass(frozen=True, slots=True)
class Forgetter:
    """Plans what is forgotten; writes nothing. `asked` tells which slots a question asks for."""

    ledger: Ledger
    asked: Asked
    now: Callable[[], datetime]

    async def plan(self, meant: Meant, *, erase: bool = False, drafts: Sequence[MemoryNode] = ()) -> ForgetPlan:
        """What forgetting comes to. `drafts` are what turns seem to say that nobody has read yet. Raises `NotFound`
        where what is meant is not there, `InvalidInput` for a query that names nothing."""
        plan = ForgetPlan(meant, erase, self.now(), await self.ledger.head())
        if meant.query is not None:
            await self._wished(plan, meant.query, drafts)
        elif meant.everything:
            await self._person(plan)
        else:
            await self._named(plan, (meant.source,) if meant.source is not None else meant.ids)
        named = set(meant.ids)
        if not meant.everything:
            await unplead(plan, self.ledger, self.asked)
        await self._cascade(plan)
        if meant.source is not None:
            for node, before in await reopened(self.ledger, plan.gone):
                plan.edit(node, **before)
        await self._think_again(plan, [node for key, node in plan.gone.items() if key not in named])
        await self._look_for_names(plan)
        if not erase:
            await retell(self.ledger, plan)
        return plan

    async def plan_traces(self, traces: Traces) -> ForgetPlan:
        """What erasing comes to in a copy: what it has of it, and what it has made of that since. What says something
        else by now than what was to be cut goes whole."""
        plan = ForgetPlan(traces.meant, True, self.now(), await self.ledger.head())
        if traces.target is not None:
            await self._person(plan)
        named = {*traces.ids, *traces.cuts}
        found = {key: node for key, node in (await self._get(plan, named)).items() if node.within(traces.scope)}
        plan.lost |= named - found.keys()
        plan.gone |= {key: node for key, node in found.items() if key not in traces.cuts}
        for key, (content, stretches) in traces.cuts.items():
            node = found.get(key)
            if node is not None and key not in plan.gone:
                if node.content == content:
                    plan.cut(node, stretches)
                else:
                    plan.drop(node)
        await self._cascade(plan)
        await self._think_again(plan, plan.gone.values())
        await self._look_for_names(plan)
        return plan

    async def _person(self, plan: ForgetPlan) -> None:
        """A person goes with all that is about him, and with the words that others said it in."""
        plan.gone |= {node.memory_id: node for node in await self._held(plan)}
        await self._unsay(plan, list(plan.gone.values()))

    async def _look_for_names(self, plan: ForgetPlan) -> None:
        """Find what others said, and what documents say, that names who is forgotten by a name he is known by: it
        stays, as nobody knows what of it is about him."""
        if not plan.meant.everything or plan.meant.own or plan.early:
            return
        names = NamesOf(name for node in plan.gone.values() for name in names_in(node, plan.meant.scope.target))
        whole = Scope(plan.meant.scope.tenant, plan.meant.scope.agent)
        async for node in every(self.ledger, Selection(whole, types=VERBATIM, limit=PAGE)):
            if node.memory_id not in plan.gone and names.stand_in(plan.state(node).content):
                plan.left.add(node.memory_id)

    async def _named(self, plan: ForgetPlan, ids: Collection[str]) -> None:
        found = await self._get(plan, ids)
        nodes = [node for node in found.values() if node.within(plan.meant.scope)]
        missing = sorted(set(ids) - {node.memory_id for node in nodes})
        if missing:
            raise NotFound(f"agent {plan.meant.scope.agent!r} has no memory {', '.join(missing)}")
        if plan.meant.source is None:
            nodes += await self._earlier(plan, nodes)
        plan.gone |= {node.memory_id: node for node in nodes}
        if plan.meant.source is None:
            said = [*nodes, *await self._as_it_was(nodes)]
            await self._unsay(plan, said)
            if not plan.erase:
                held = await self._held(plan)
                staying = [node for node in held if node.memory_id not in plan.gone]
                self._put_right(plan, said, held, staying)
                unrepeat(plan, held, Repeated(said, self.asked), staying)

    async def _earlier(self, plan: ForgetPlan, nodes: Iterable[MemoryNode]) -> list[MemoryNode]:
        """The values that these had before, as far as one was ended by the other."""
        known = {node.memory_id: node for node in nodes}
        ahead, found = list(known.values()), list[MemoryNode]()
        while ahead:
            wanted = {key for node in ahead if node.memory_type in ENDED_BY_WORD for key in node.supersedes}
            before = await self._get(plan, wanted - known.keys())
            ahead = [node for node in before.values() if node.within(plan.meant.scope)]
            known |= before
            found += ahead
        return found

    async def _as_it_was(self, nodes: Iterable[MemoryNode]) -> list[MemoryNode]:
        """These memories with the other words they had before, such as before somebody corrected them by hand."""
        found: list[MemoryNode] = []
        for node in nodes:
            if not node.revision:
                continue
            states = (entry.change.before for entry in await self.ledger.history(node.tenant, node.memory_id))
            before = {state.content: state for state in states if state is not None and state.evidence}
            found += (state for content, state in before.items() if content != node.content)
        return found

    async def _wished(self, plan: ForgetPlan, query: str, drafts: Sequence[MemoryNode]) -> None:
        held = await self._held(plan)
        turns = {node.memory_id: node for node in held if node.memory_type is MemoryType.CONVERSATION}
        made, known = await self._made_of(plan, turns), {node.memory_id for node in held}
        others = [node for node in (*made, *drafts) if all_in(node, turns) and node.memory_id not in known]
        persons = list(by_person(held, others)) or [([], [])]
        read = [ToldByOne(person, those, OwnedTurns.read(person, those, self.asked)) for person, those in persons]
        told = AllTold(read, turns, made, frozenset(draft.memory_id for draft in drafts))
        for wanted in await self._understood(plan, query, told):
            for each in await self._apart(plan, wanted, told):
                await self._fulfil(plan, each, told, spoken=query)

    async def _apart(self, plan: ForgetPlan, wanted: str, told: AllTold) -> list[str]:
        """A wish as it is, or its parts where each of them takes something and they take nothing as a whole, or one of
        them means whom another names."""
        parts = parts_of(wanted)
        if not parts or (not points_back(wanted) and await self._would_take(plan, wanted, told)):
            return [wanted]
        held = [await self._would_take(plan, part, told) for part in parts]
        return parts if all(held) else [wanted]

    async def _understood(self, plan: ForgetPlan, query: str, told: AllTold) -> tuple[str, ...]:
        """What a query asks for, thing by thing, as the same words in a talk would: what may be meant is meant where
        the memory holds it. Raises `InvalidInput` where it plainly asks for nothing."""
        heard = asked_in(query)
        if heard.unsure or heard.doubtful:
            held = [wish for wish in heard.doubtful if await self._holds(plan, wish, told)]
            names = names_held(heard.unsure, told.facts, told.turns.values(), begged=heard.begged)
            heard = asked_in(query, (*held, *names))
        if not heard.wishes and asks_otherwise(query):
            raise InvalidInput(f"{query[:60]!r} does not ask to forget anything")
        return heard.wishes or (query,)

    async def _holds(self, plan: ForgetPlan, wanted: str, told: AllTold) -> bool:
        each = await self._apart(plan, wanted, told)
        return len(each) > 1 or await self._would_take(plan, wanted, told)

    async def _would_take(self, plan: ForgetPlan, wanted: str, told: AllTold) -> bool:
        tried = ForgetPlan(plan.meant, plan.erase, plan.now, plan.head)
        try:
            await self._fulfil(tried, wanted, told)
        except InvalidInput:
            return False
        return bool(tried.gone or tried.edited)

    async def _fulfil(self, plan: ForgetPlan, wanted: str, told: AllTold, *, spoken: str | None = None) -> None:
        """Let go what one wish means. `spoken`: the words it was read out of."""
        own, of_one = plan.meant.own, plan.meant.scope.target is not None
        for person, those, owned in told.read:
            cast = owned.talk.cast
            wish = read_wish(wanted, self.asked, cast.selves, known=cast.names, own=own, of_one=of_one, spoken=spoken)
            if wish.everything:
                await self._all_but(plan, wish, [*person, *those], owned, spoken or wanted)
                continue
            facts = [node for node in (*person, *those) if node.memory_type is not MemoryType.CONVERSATION]
            sure = plan.meant.scope.target is not None
            taken = (
                owned.taken_whole(wish, facts, plan.now)
                if wish.forget.whole
                else owned.taken(wish, facts, plan.now, sure=sure)
            )
            await self._take(plan, wish, taken, person, facts, told.unmade)
            if wish.forget.whole:
                await self._of_others(plan, wish, owned, told)

    async def _take(
        self,
        plan: ForgetPlan,
        wish: Wish,
        taken: TakenByWish,
        held: Sequence[MemoryNode],
        facts: Sequence[MemoryNode],
        unmade: Collection[str],
    ) -> None:
        """Let go what is taken, what it was made of, what puts it right and what repeats it. What is `unmade` is no
        memory yet."""
        over = {node.memory_id for node in taken.nodes}
        staying = [node for node in facts if node.memory_id not in over]
        made = [node for node in staying if node.memory_id not in unmade]
        for turn, cuts in taken.spared.items():
            alone = {cut for cut in cuts if is_all_of(taken.nodes, turn, cut) and not made_of(staying, turn, cut)}
            plan.spare(turn, cuts if wish.keep else cuts - alone)
        said = [
            node for node in taken.nodes if node.memory_id in unmade or not shorten(plan, wish.forget, node, self.asked)
        ]
        said += await self._as_it_was(said)
        await self._unsay(plan, [node for node in said if not taken.tell_all_of(node)], staying)
        self._put_right(plan, said, held, staying)
        cuts = [(each.turn, self._told_by(wish, each)) for each in taken.clauses]
        words = [turn.content[slice(*cut)] for turn, found in cuts for cut in found]
        codes = {code for said_so in words for _, _, code in identifiers_in(said_so)}
        repeated = Repeated(said, self.asked, frozenset(codes if wish.of_contacts else ()))
        unrepeat(plan, [node for node in held if node.memory_id not in taken.others], repeated, staying)
        for turn, found in cuts:
            if turn.memory_id not in plan.gone:
                plan.cut(turn, sparing(turn, found, repeated, staying))
            shorten_made(plan, turn, found, made)
        turns = [node for node in held if node.memory_type is MemoryType.CONVERSATION]
        for answer, cut in confirmed(turns, [(turn, cut) for turn, found in cuts for cut in found]):
            if answer.memory_id not in plan.gone:
                plan.cut(answer, sparing(answer, [cut], repeated, staying))

    def _told_by(self, wish: Wish, placed: TellingClause) -> list[Cut]:
        """The stretches of its turn by which a clause tells what is meant."""
        start = placed.part.start
        return [(start + begin, start + stop) for begin, stop in wish.told_of(placed.part.text)]

    def _put_right(
        self, plan: ForgetPlan, said: Iterable[MemoryNode], held: Iterable[MemoryNode], staying: Sequence[MemoryNode]
    ) -> None:
        """Take out what puts the values of these right."""
        for turn, cut in PutRight.beside(held, staying, self.asked).clauses_of(said):
            if turn.memory_id not in plan.gone:
                plan.cut(turn, [cut])

    async def _all_but(
        self, plan: ForgetPlan, wish: Wish, held: Sequence[MemoryNode], owned: OwnedTurns, spoken: str
    ) -> None:
        """Let all go that is held, but what is to be kept of it. Raises `InvalidInput` where something is to be kept
        and nothing of the kind is held, unless it is his name: then that is not understood."""
        facts = [node for node in held if node.memory_type not in VERBATIM]
        staying, clauses = owned.kept(wish, facts, plan.now)
        if wish.keep and not (staying or clauses or wish.keeps_only_his_name):
            raise InvalidInput(f"{spoken[:60]!r} keeps something that is not remembered, so it is not clear what goes")
        gone = [node for node in facts if node not in staying]
        for turn, cuts in clauses.items():
            plan.spare(turn, cuts)
        if not plan.meant.own:
            await self._unsay(plan, gone, staying)
        for node in gone:
            plan.drop(node)
        for turn in held:
            if turn.memory_type in VERBATIM and turn.memory_id not in plan.gone:
                kept = clauses.get(turn.memory_id, ())
                cuts = [
                    cut
                    for cut in pieces(turn.content)
                    if not any(cut[0] < end and start < cut[1] for start, end in kept)
                ]
                if cuts:
                    plan.cut(turn, cuts)
                    shorten_made(plan, turn, cuts, staying)

    async def _made_of(self, plan: ForgetPlan, turns: Collection[str]) -> list[MemoryNode]:
        """What was read out of these turns, whomever it is about."""
        made = await self._get(plan, await self.ledger.naming(plan.meant.scope, turns))
        return [node for node in made.values() if is_of_words(node) and node.memory_type not in GRAPH]

    async def _of_others(self, plan: ForgetPlan, wish: Wish, owned: OwnedTurns, told: AllTold) -> None:
        """What was said of somebody whom the wish means as a whole, goes wherever he is named in it and whatever was
        made of it."""
        found = (name for node in told.made for name in others_named(node, wish, plan.meant.scope.target))
        names = names_meant(owned.talk.cast, wish, found)
        meant = [node for node in told.made if node.target_name in names and all_in(node, told.turns)]
        meant = [node for node in meant if not wish.keeps(node, self.asked)]
        await self._unsay(plan, meant)
        for node in meant:
            plan.drop(node)
        known = NamesOf(names)
        for turn in told.turns.values():
            said = [cut for cut in pieces(turn.content) if known.stand_in(turn.content[slice(*cut)])]
            if said:
                plan.cut(turn, said)

    async def _unsay(self, plan: ForgetPlan, nodes: Iterable[MemoryNode], staying: Collection[MemoryNode] = ()) -> None:
        """Take the words these memories were made of out of the turns they stand in, but the values of others, those
        `staying` among them."""
        facts = [node for node in nodes if is_of_words(node)]
        said_in = {part.memory_id for node in facts for part in node.evidence} - plan.gone.keys()
        turns = await self._get(plan, said_in)
        if plan.meant.own:
            turns = {key: turn for key, turn in turns.items() if turn.target_id == plan.meant.scope.target}
        if not turns:
            return
        names = await self.ledger.naming(plan.meant.scope, turns.keys())
        others = await self.ledger.get(plan.meant.scope.tenant, names - {node.memory_id for node in facts})
        for node in facts:
            for part in node.evidence:
                turn = turns.get(part.memory_id)
                if turn is not None:
                    beside = [other for other in (*others.values(), *staying) if other.memory_id not in plan.gone]
                    said = saying(node, turn.content, part, beside)
                    if not (plan.erase or _holds(node)):
                        # Words may have been cut from the turn, and not only blotted out, by an earlier version.
                        said = [cut for cut in said if node.value is None or node.value in turn.content[slice(*cut)]]
                    if said:
                        plan.cut(turn, said)

    async def _cascade(self, plan: ForgetPlan) -> None:
        """Follow what rests on the forgotten until nothing changes any more. Entities are made anew of what stays."""
        looked_at: set[str] = set()
        for _ in range(DEEPEST):
            ahead = {*plan.gone, *plan.cuts} - looked_at
            if not ahead:
                return
            looked_at |= ahead
            naming, between = await self._naming(plan, ahead)
            names = {*naming, *plan.named, *plan.cuts}
            found = await self._get(plan, names)
            plan.named |= found.keys()
            plan.lost |= names - found.keys()
            found |= between
            sources = {source for node in found.values() for source in rests_on(node)}
            known = await self.ledger.get(plan.meant.scope.tenant, sources)
            for node in found.values():
                if node.memory_type in GRAPH:
                    plan.gone |= {node.memory_id: node} if plan.erase else {}
                elif node.memory_id not in plan.gone:
                    settle(plan, plan.edited.get(node.memory_id, (node, node))[0], known)

    async def _naming(self, plan: ForgetPlan, ahead: set[str]) -> tuple[set[str], dict[str, MemoryNode]]:
        """What names these in any state; and what is made of the entities and communities among them. A memory that
        only mentions whom an entity tells of is not made of that entity, and its history says nothing of what goes."""
        graph = {key for key in ahead if key in plan.gone and plan.gone[key].memory_type in GRAPH}
        scope = plan.meant.scope
        naming = await self.ledger.naming(scope, ahead - graph)
        if not graph:
            return naming, {}
        mentioning = await self._get(plan, await self.ledger.naming(scope, graph) - naming)
        made = {key: node for key, node in mentioning.items() if node.memory_type in GRAPH or rests_on(node) & graph}
        return naming, made

    async def _think_again(self, plan: ForgetPlan, gone: Iterable[MemoryNode]) -> None:
        """Let the next reflection look as if they were new at the observations from which more was concluded together
        with what is forgotten."""
        concluded = [node for node in gone if node.memory_type not in GRAPH and not is_of_words(node)]
        sources = {key for node in concluded for key in rests_on(node) if key not in plan.gone}
        for node in (await self.ledger.get(plan.meant.scope.tenant, sources)).values():
            known = plan.state(node)
            if known.memory_type is MemoryType.OBSERVATION and known.obs_reflected and _holds(known):
                plan.edit(node, obs_reflected=0)

    async def _get(self, plan: ForgetPlan, ids: Collection[str]) -> dict[str, MemoryNode]:
        """Memories by id; who erases sees what was forgotten before."""
        return await self.ledger.get(plan.meant.scope.tenant, ids, forgotten=plan.erase) if ids else {}

    async def _held(self, plan: ForgetPlan) -> list[MemoryNode]:
        """What may be meant, with what holds no longer. Where the clock was set back, as when a scenario is played
        again, what is not known yet is left alone."""
        statuses = tuple(StoreStatus) if plan.erase else ()
        wanted = Selection(plan.meant.scope, statuses=statuses, limit=PAGE)
        found = [node async for node in every(self.ledger, wanted)]
        known = [node for node in found if node.created_at <= plan.now]
        plan.early = bool(found) and not known
        return known


def _holds(node: MemoryNode) -> bool:
    return node.store_status is StoreStatus.VALID
