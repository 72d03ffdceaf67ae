"""One spoken turn as events, for callers that know only who spoke to which agent."""

from uuid import uuid4

from pydantic import ValidationError

from agentmem.domain.event import AssetReceived, ConversationEnded, Event, Person, TurnSpoken
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryType, Trust, local_day
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Lane, Scope
from agentmem.errors import InvalidInput
from agentmem.language.normal import canonical_name
from agentmem.ports.clock import Clock
from agentmem.ports.event_log import AFTER_ALL, EventLog
from agentmem.ports.ledger import Ledger, Selection


async def spoken(
    log: EventLog,
    ledger: Ledger,
    clock: Clock,
    tenant: str,
    persona: Persona,
    *,
    person: Person,
    text: str,
    by_agent: bool,
    run_id: str | None,
    key: str | None,
    end: bool,
) -> list[Event]:
    """The turn, and the end of its conversation if it is the last. Without `run_id`, one conversation a day;
    without `key`, every call is a turn of its own. Raises `InvalidInput`."""
    now = clock.now()
    run = run_id or f"say/{local_day(now)}"
    target = entity_id(tenant, persona.id, canonical_name(person.name))
    before = await log.earlier_turns(Lane(tenant, persona.id, target), before=AFTER_ALL, run_id=run, limit=1)
    last = before[-1].event if before else None
    held = last if isinstance(last, TurnSpoken) else None
    talk = Scope(tenant, persona.id, target, run)
    common: dict[str, object] = {
        "tenant": tenant,
        "agent_id": persona.id,
        "agent_name": persona.name,
        "target_id": target,
        "at": now,
        "run_id": run,
    }
    turn: dict[str, object] = {
        **common,
        "event_id": key or f"say/{uuid4()}",
        "person": Person(name=person.name, title=person.title or (held.person.title if held else None)),
        "by_agent": by_agent,
        "text": text,
        "turn_index": (held.turn_index if held else await _turns_copied(ledger, talk)) + 1,
    }
    try:
        said: list[Event] = [TurnSpoken.model_validate(turn)]
        if end:
            said.append(ConversationEnded.model_validate({**common, "event_id": f"{turn['event_id']}/end"}))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise InvalidInput(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    return said


async def _turns_copied(ledger: Ledger, talk: Scope) -> int:
    """The number of the last turn of a talk that has memories but no events, as in a copy; 0 for a new one."""
    newest = await ledger.select(Selection(talk, types=(MemoryType.CONVERSATION,), limit=1))
    turn = newest[0].meta_data.get("turnIndex") if newest else None
    return turn if isinstance(turn, int) else 0


def not_the_owners(event: Event) -> Event:
    """The event as somebody else than the owner takes it in: no document of it counts as the owner's."""
    owners = isinstance(event, AssetReceived) and event.trust is Trust.OWNER
    return event.revised(trust=Trust.PRINCIPAL) if owners else event
