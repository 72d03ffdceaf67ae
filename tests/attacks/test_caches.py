"""Nothing that is kept to be faster crosses from one tenant to another: vectors, recalls, answers and replies."""

from pathlib import Path

from agentmem.adapters.cognition.rules.engine import RulesCognition
from agentmem.answers.answer import AskQuery
from agentmem.domain.scope import Principal, Scope
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.app import App
from tests.fixtures.talking_model import Says, Speaker
from tests.support.nodes import AGENT, TENANT
from tests.support.spine import quiet_persona, spine

TENANTS = {TENANT: "555-0142", "globex": "555-0199"}
QUESTION = "What is my phone number?"


async def told(owner: App, text: str, key: str) -> str:
    async with owner.talks.reply(AGENT, "Tom", text, run_id="one", key=key) as reply:
        return await reply.whole()


async def test_the_same_question_of_two_tenants_hits_no_cache_of_the_other(tmp_path: Path) -> None:
    model = Speaker(lambda number, seen: Says(f"{number}: {[n for n in TENANTS.values() if n in seen]}"))
    async with spine(tmp_path, RulesCognition(), speaks=model.chat) as app:
        owners = {tenant: app.for_principal(Principal.owner(tenant)) for tenant in TENANTS}
        for tenant, owner in owners.items():
            await owner.know_agent(quiet_persona().revised(language="en"))
            await owner.say(AGENT, "Tom", f"My phone number is {TENANTS[tenant]}.", end=True)
            await owner.say(AGENT, "Tom", "The same words in both houses.", end=True)
        await app.drain()
        for _ in range(2):  # what is cached at all is cached the second time
            for number, (tenant, owner) in enumerate(owners.items(), start=1):
                scope, theirs = Scope(tenant, AGENT), TENANTS[tenant]
                for text in (QUESTION, "The same words in both houses."):
                    found = await owner.recall(RecallQuery(scope, text, k=50))
                    assert {hit.memory.tenant for hit in found.hits} == {tenant}
                context = await owner.context(RecallQuery(scope, QUESTION))
                answer = await owner.ask(AskQuery(scope, QUESTION, "vector"))
                shown = f"{context.text} {answer}"
                assert [phone for phone in TENANTS.values() if phone in shown] == [theirs]
                assert await told(owner, QUESTION, "key") == f"{number}: {[theirs]}"
    assert len(model.seen) == len(TENANTS)
