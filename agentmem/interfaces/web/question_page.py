"""A page on which a reader asks something: its form, whom and what the fields mean, and the answer at an
address of its own.

What was asked is kept beside his session (`PageSession.keep`), so the address of the answer holds an id and no word of
it, and the answer is there again after the language was changed or the page was loaded anew.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from starlette.datastructures import FormData
from starlette.responses import Response
from starlette.routing import Route

from agentmem.domain.entity import named
from agentmem.domain.memory import MemoryType
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Grant, Scope
from agentmem.errors import InvalidInput
from agentmem.interfaces.lookup import whole_day
from agentmem.interfaces.web.page import Page, get, post, text_of
from agentmem.ports.ledger import Selection
from agentmem.questions.called import short_names
from agentmem.runtime.facade.app import App

MAX_QUESTION: Final = 2_000
"""Characters of a question, and of every other field."""

BETWEEN: Final = ","
"""Between the values of a field of which several may be chosen."""

OFFERED: Final = 50
"""Names that a field offers, of those last spoken with."""

TURNS: Final = 500
"""The last turns, out of which these names are taken: to count whom there is takes a look at each memory."""


@dataclass(frozen=True, slots=True)
class QuestionFields:
    """The fields of the form as they were sent, empty where nothing was given."""

    fields: Mapping[str, str] = field(default_factory=dict[str, str])

    def __getitem__(self, name: str) -> str:
        """What was given for a field; for templates."""
        return self.fields.get(name, "")

    def chosen(self, name: str) -> Sequence[str]:
        """The values of a field of which several may be chosen."""
        return [value for value in self[name].split(BETWEEN) if value]

    def number(self, name: str, otherwise: int) -> int:
        """Raises `InvalidInput` for what is no whole number."""
        if not (given := self[name]):
            return otherwise
        if not (given.isascii() and given.isdigit() and len(given) < 8):
            raise InvalidInput(f"{name}: {given[:20]!r} is no whole number")
        return int(given)

    def moment(self, name: str, app: App) -> datetime | None:
        """A day and time, or the end of a day, in the configured zone where none is named. Raises `InvalidInput`."""
        try:
            return whole_day(self[name], app.settings.zone) or moment_of(self[name], app)
        except InvalidInput as error:
            raise InvalidInput(f"{name}: {error}") from error

    async def scope(self, app: App, agent: str) -> Scope:
        """Of the agent or, where one was named, of what it knows about a person. Raises `InvalidInput`."""
        return await about_whom(app, agent, self["about"])


async def about_whom(app: App, agent: str, name: str) -> Scope:
    """The agent's memory or, where somebody is named, that of him; who may see one person alone sees that one. Raises
    `InvalidInput` for a name that nobody has."""
    if not name:
        return Scope(app.tenant, agent, app.access.own_target(agent))
    found = await _known_as(app, agent, name)
    if not found:
        raise InvalidInput(f"about: nobody is known as {name[:80]!r}")
    return Scope(app.tenant, agent, found[0])


async def whole_name(app: App, agent: str, name: str) -> str:
    """The name of the one person who is called so for short: Olga, where only an Olga Petrova is known; as it is where
    somebody is known by it, or nobody is called so. Raises `InvalidInput` where several are."""
    if not name or await _known_as(app, agent, name):
        return name
    short = name.casefold()
    called = [each for each in await people_known(app, agent) if short in map(str.casefold, short_names(each))]
    if len(called) > 1:
        raise InvalidInput(f"about: several are called {name[:80]!r}: {', '.join(sorted(called))[:200]}")
    return called[0] if called else name


async def _known_as(app: App, agent: str, name: str) -> Sequence[str]:
    """The ids of those known by a name, best first."""
    own, exact = app.access.own_target(agent), named(app.tenant, agent, name)
    if own is not None:
        return [exact] if exact == own else []
    spoke = Selection(Scope(app.tenant, agent, exact), (MemoryType.CONVERSATION,), limit=1)
    return [exact] if await app.memories(spoke) else await app.targets(Scope(app.tenant, agent), name)


def may_talk_as(app: App, scope: Scope, name: str) -> bool:
    """Whether the reader may talk as the person of this scope by giving this name."""
    assert scope.agent is not None
    return named(app.tenant, scope.agent, name) == scope.target and app.access.may(Grant.TALK, scope)


async def people_known(app: App, agent: str) -> Sequence[str]:
    """The names of those last spoken with, as far as the reader may know them."""
    scope = Scope(app.tenant, agent, app.access.own_target(agent))
    if not app.access.may(Grant.READ, scope):
        return []
    said = await app.memories(Selection(scope, (MemoryType.CONVERSATION,), limit=TURNS))
    return list(dict.fromkeys(turn.target_name for turn in said.memories))[:OFFERED]


def moment_of(text: str, app: App) -> datetime | None:
    """What a field for a day, or a day and time, says; None where it is empty. Raises `InvalidInput`."""
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise InvalidInput(f"{text[:40]!r} is no day such as 2026-01-31") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=app.settings.zone)


Answer = Callable[[App, Persona, QuestionFields], Awaitable[Mapping[str, Any]]]
"""From what was asked to what the template shows. Raises `InvalidInput` for what cannot be asked."""


@dataclass(frozen=True, slots=True)
class QuestionPage:
    """The page `name` of an agent, with the `fields` of its form and those of `several` values. What it shows was asked
    once: asking again at each change would have an embedder or a model work for every page left open."""

    name: str
    fields: Sequence[str]
    answer: Answer
    several: Sequence[str] = ()
    choices: Mapping[str, object] = field(default_factory=dict[str, object])

    def routes(self) -> Sequence[Route]:
        """The form, what takes it, and the answer."""
        path = f"/agents/{{agent}}/{self.name}"
        return [get(path, self.blank), post(path, self.asked), get(f"{path}/{{asked}}", self.answered)]

    async def blank(self, page: Page) -> Response:
        """The form alone, about the person whom the address names by id."""
        persona = await page.app.records.agent(page.of_path("agent"))
        return await self._show(page, persona, QuestionFields({"about": await _name_of(page, persona.id)}))

    async def asked(self, page: Page) -> Response:
        """On to the answer."""
        form = await page.form()
        persona = await page.app.records.agent(page.of_path("agent"))
        given = {name: text_of(form, name) for name in self.fields}
        given |= {name: BETWEEN.join(_values(form, name)) for name in self.several}
        for name, value in given.items():
            if len(value) > MAX_QUESTION:
                error = InvalidInput(f"{name}: has {len(value):,} characters, allowed: {MAX_QUESTION:,}")
                return await self._wrong(page, persona, QuestionFields(given), error)
        try:
            given["about"] = await whole_name(page.app, persona.id, given["about"])
        except InvalidInput as error:
            return await self._wrong(page, persona, QuestionFields(given), error)
        assert page.session is not None
        return page.go(f"/agents/{persona.id}/{self.name}/{page.session.keep(given)}")

    async def answered(self, page: Page) -> Response:
        """The form with the answer."""
        persona = await page.app.records.agent(page.of_path("agent"))
        if (kept := page.question()) is None:
            return await self._show(page, persona, QuestionFields(), 410, gone=True)
        question = QuestionFields(kept)
        try:
            told = await self.answer(page.app, persona, question)
        except InvalidInput as error:
            return await self._wrong(page, persona, question, error)
        return await self._show(page, persona, question, told=told)

    async def _wrong(self, page: Page, persona: Persona, question: QuestionFields, error: InvalidInput) -> Response:
        fault = page.fault(self.name, (*self.fields, *self.several), question.fields, error)
        return await self._show(page, persona, question, fault.status, fault=fault)

    async def _show(
        self, page: Page, persona: Persona, question: QuestionFields, status: int = 200, **more: Any
    ) -> Response:
        people = await people_known(page.app, persona.id)
        model = {"page_name": self.name, "told": None, "gone": False, "people": people, **self.choices, **more}
        return page.show(f"{self.name}.html", status, agent=persona, asked=question, **model)


async def _name_of(page: Page, agent: str) -> str:
    """What the person is called whose id the address names; empty where none is named, or to be seen."""
    target = page.asked("person")
    scope = Scope(page.app.tenant, agent, target)
    if target is None or not page.app.access.may(Grant.READ, scope):
        return ""
    there = (await page.app.records.inspecting.overview(scope, limit=1)).people
    return there[0].name if there else ""


def _values(form: FormData, name: str) -> Sequence[str]:
    return [value for value in form.getlist(name) if isinstance(value, str) and BETWEEN not in value]
