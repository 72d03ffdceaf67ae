"""Reflection on the page: what runs changed, what one would change, and taking one back."""

import re
from datetime import UTC
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from agentmem.domain.change import Change
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Grant, Scope
from agentmem.domain.statement import Insight
from agentmem.interfaces.web.views.reflection import MAX_CHANGES, ShownRun, changed, grouped, shown_changes
from agentmem.interfaces.web.wording import words_of
from agentmem.ports.cognition import Reflected, ReflectionInput
from agentmem.ports.ledger import RunSummary
from tests.support.cognition import ScriptedCognition
from tests.support.nodes import AGENT, NOON, TENANT, a_memory
from tests.support.served import Served, served
from tests.support.site import csrf_of, sent, visitor

HERE = f"/agents/{AGENT}/reflection"


class Concluding(ScriptedCognition):
    """Concludes one thing from all it is shown."""

    async def reflect(self, request: ReflectionInput) -> Reflected:
        sources = tuple(node.memory_id for node in request.observations)
        content = "Tom is at home in Oslo <b>."
        return Reflected((Insight(attribute="home", value="Oslo", content=content, source_ids=sources),))


async def remember(server: Served) -> None:
    """Enough for a reflection to conclude something."""
    for text in ("I live in Oslo.", "I like tea <b>.", "I like coffee.", "I work at Initech."):
        await server.app.add(AGENT, "Tom", text)


async def _preview(client: httpx.AsyncClient, about: str) -> httpx.Response:
    return await sent(client, f"{HERE}/preview", {"about": about}, on=HERE)


async def test_what_would_change_is_shown_and_nothing_is_written_until_it_is_run(tmp_path: Path) -> None:
    async with served(tmp_path, Concluding()) as server, visitor(server) as client:
        await remember(server)
        assert "No reflection has changed anything yet." in (await client.get(HERE)).text
        preview = await sent(client, f"{HERE}/preview", {"about": ""}, on=HERE)
        assert "What reflecting now would change" in preview.text
        assert '<span class="mark">Added</span>' in preview.text
        assert "<ins>Tom is at home in Oslo &lt;b&gt;.</ins>" in preview.text
        assert 'href="/memories/' not in preview.text
        assert "<b>" not in preview.text
        assert (await client.get(f"{HERE}/preview")).headers["location"] == HERE
        assert await server.app.records.reflections(Scope(TENANT, AGENT)) == []
        about = re.search(r'name="about" value="([^"]*)"', (await _preview(client, "Tom")).text)
        assert about is not None
        done = await sent(client, HERE, {"about": about[1]}, on=HERE)
        assert (done.status_code, done.headers["location"]) == (303, HERE)
        listed = (await client.get(HERE)).text
        assert "Reflection done. Runs: " in listed
        [run, *_] = await server.app.records.reflections(Scope(TENANT, AGENT))
        assert f'href="{HERE}/{run.run}"' in listed
        page = (await client.get(f"{HERE}/{run.run}")).text
        assert "<ins>" in page
        assert "Undo this run" in page
        assert f'name="run" value="{run.run}"' in page
        assert f'name="run" value="{run.run}"' in listed


async def test_a_preview_with_nothing_to_do_says_so_and_leads_back(tmp_path: Path) -> None:
    async with served(tmp_path) as server, visitor(server) as client:
        preview = (await _preview(client, "")).text
        assert "Reflecting now would change no memory." in preview
        assert f'<a class="button" href="{HERE}">Back to the reflections</a>' in preview


async def test_a_run_that_was_taken_back_is_marked_and_runs_that_changed_nothing_are_folded(tmp_path: Path) -> None:
    async with served(tmp_path, Concluding()) as server, visitor(server) as client:
        await remember(server)
        await server.app.reflect(Scope(TENANT, AGENT))
        [run, *_] = await server.app.records.reflections(Scope(TENANT, AGENT))
        assert "undone since" not in (await client.get(HERE)).text
        await sent(client, "/undo", {"run": run.run, "back": HERE}, on=HERE)
        undone = (await client.get(HERE)).text
        assert run.acts["reflect"] > 0
        assert f"Memories changed back: {sum(run.acts.values()) - run.acts['reflect']}." in undone
        assert "undone since" in undone
        page = (await client.get(f"{HERE}/{run.run}")).text
        assert "was removed again when it was undone" in page
        assert "No memory changes." not in page


async def test_what_was_undone_is_held_back_and_can_be_redone_later(tmp_path: Path) -> None:
    async with served(tmp_path, Concluding()) as server, visitor(server) as client:
        await remember(server)
        await server.app.reflect(Scope(TENANT, AGENT))
        [run, *_] = await server.app.records.reflections(Scope(TENANT, AGENT))
        path, concluded = f"{HERE}/{run.run}", "<ins>Tom is at home in Oslo &lt;b&gt;.</ins>"
        assert "is held back" not in (await client.get(HERE)).text
        for _ in range(2):
            await sent(client, "/undo", {"run": run.run, "back": path}, on=path)
            assert "<p>Undone. Memories changed back: " in (await client.get(path)).text
            for page in (await client.get(HERE), await sent(client, f"{HERE}/preview", {"about": ""}, on=HERE)):
                assert "What was undone is held back" in page.text
                assert concluded not in page.text
            again = (await client.get(path)).text  # as after a reload: the notice is gone
            found = re.search(r'name="run" value="([^"]+)"', again)
            assert found is not None
            assert ">Redo</button>" in again
            await sent(client, "/undo", {"run": found[1], "back": path}, on=path)
            redone = (await client.get(path)).text
            assert "<p>Redone. Memories changed: " in redone
            assert ">Redo</button>" not in redone
            assert concluded in redone
            await sent(client, "/undo", {"run": found[1], "back": path}, on=path)
            assert "It had already been redone." in (await client.get(path)).text
            assert ">Undo this run</button>" in redone


@pytest.mark.parametrize("cron", [None, "0 3 * * *"])
async def test_the_page_tells_when_reflection_runs_by_itself(tmp_path: Path, cron: str | None) -> None:
    async with served(tmp_path, Concluding()) as server, visitor(server) as client:
        policy = {"reflect": {"observations": 4, "cron": cron}}
        await server.app.know_agent(Persona.model_validate({"id": AGENT, "name": "Seller", "memory": policy}))
        page = (await client.get(HERE)).text
        assert "when 4 new observations have gathered, or fewer with an importance of 30 in all." in page
        assert ("By the clock (0 3 * * *): next " in page) == (cron is not None)
        assert "Last run: " not in page
        await remember(server)
        await server.app.reflect(Scope(TENANT, AGENT))
        assert "Last run: " in (await client.get(HERE)).text


def test_neighbours_that_changed_nothing_are_told_together() -> None:
    def run(seq: int, **acts: int) -> ShownRun:
        return ShownRun(
            RunSummary(str(seq), NOON, seq, (), acts, taken_back=False), {}, changed(acts), acts.get("reflect", 0)
        )

    groups = grouped(
        [run(5, reflect=2), run(4, reflect=1), run(3, add=1), run(2, merge=1, reflect=3), run(1, reflect=9)]
    )
    assert [[each.run.seq for each in group.runs] for group in groups] == [[5, 4], [3], [2], [1]]
    assert [group.quiet for group in groups] == [True, False, False, True]


async def test_a_memory_leads_to_the_reflection_that_only_looked_at_it_and_undoes_nothing(
    tmp_path: Path,
) -> None:
    async with served(tmp_path, Concluding()) as server, visitor(server) as client:
        await remember(server)
        [report, *_] = await server.app.reflect(Scope(TENANT, AGENT))
        looked = next(
            each for each in (await server.app.records.of_run(report.run)).entries if each.change.act == "reflect"
        )
        page = (await client.get(f"/memories/{looked.memory_id}")).text
        history = page.partition('id="history"')[2].partition("</section>")[0]
        link = f"{HERE}/{quote(report.run)}"
        assert link in history
        assert "Undo this run" in (await client.get(link)).text
        assert f'value="{report.run}"' not in history


async def test_there_may_be_nothing_to_change_and_nobody_to_look_at(tmp_path: Path) -> None:
    async with served(tmp_path) as server, visitor(server) as client:
        await sent(client, HERE, {"about": ""}, on=HERE)
        assert "There was nothing to change." in (await client.get(HERE)).text
        assert (await sent(client, HERE, {"about": "Nobody <b>"}, on=HERE)).status_code == 422
        assert (await client.get(HERE, params={"before": "x"})).status_code == 422
        assert (await client.get(f"{HERE}/nothing")).status_code == 404


@pytest.mark.parametrize("grants", [[Grant.READ], [Grant.TALK]])
async def test_who_may_not_write_reflects_on_nothing(tmp_path: Path, grants: list[Grant]) -> None:
    async with served(tmp_path, Concluding()) as server:
        await remember(server)
        async with visitor(server, await server.token({AGENT: grants})) as client:
            csrf = csrf_of(await client.get("/"))
            for path in (HERE, f"{HERE}/preview"):
                assert (await client.post(path, data={"csrf": csrf, "about": ""})).status_code == 404
            assert (await client.get(HERE)).status_code == (200 if Grant.READ in grants else 404)
        assert await server.app.records.reflections(Scope(TENANT, AGENT)) == []


async def test_who_sees_one_person_sees_no_run_about_another(tmp_path: Path) -> None:
    async with served(tmp_path, Concluding()) as server:
        await remember(server)
        [report, *_] = await server.app.reflect(Scope(TENANT, AGENT))
        async with visitor(server, await server.token({AGENT: [Grant.READ]}, about="Ann")) as client:
            assert "No reflection has changed" in (await client.get(HERE)).text
            assert (await client.get(f"{HERE}/{report.run}")).status_code == 404


def test_what_was_only_looked_at_is_counted() -> None:
    before = a_memory("I live in Oslo.")
    added = Change(act="add", after=before)
    looked = Change(act="reflect", before=before, after=before.revised(obs_reflected=1))
    told = shown_changes([added, looked], words_of("en"), UTC)
    assert ([each.act for each in told["changes"]], told["looked_at"], told["more"]) == (["add"], 1, 0)
    many = shown_changes([added] * (MAX_CHANGES + 2), words_of("en"), UTC)
    assert (len(many["changes"]), many["more"]) == (MAX_CHANGES, 2)
