"""token create, list, revoke: who may come in from outside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from agentmem.interfaces.cli.command_context import CommandSession
from agentmem.interfaces.cli.exits import Misuse, usage
from agentmem.interfaces.cli.memory_view import moment, plain_table
from agentmem.interfaces.cli.output import Answer, words

if TYPE_CHECKING:
    from datetime import timedelta

    from agentmem.domain.access_token import AccessToken
    from agentmem.domain.scope import Grant

TokenName = Annotated[str, typer.Argument(metavar="NAME", help="What the token is called.")]


async def create(
    session: CommandSession,
    name: TokenName,
    agents: Annotated[
        list[str] | None,
        typer.Option("--agent", metavar="AGENT=RIGHTS", help="Such as aip_sales=talk,read; `*` means all of them."),
    ] = None,
    about: Annotated[str | None, typer.Option("--about", help="Only what is about this person.")] = None,
    owner: Annotated[bool, typer.Option("--owner", help="Everything, in place of --agent.")] = False,
    expires: Annotated[str | None, typer.Option("--expires", metavar="TIME", help="Such as 30d or 12h.")] = None,
    link: Annotated[
        str | None, typer.Option("--link", metavar="ADDRESS", help="Show a link that opens the page served there.")
    ] = None,
) -> Answer:
    """Make a token and show it, once."""
    session.owner_only()
    with usage():
        rights, lifetime = _rights(agents or ()), _lifetime(expires)
    async with session.opened(index=False) as app:
        with usage():
            made = await app.tokens.create(name, rights, about=about, for_owner=owner, lifetime=lifetime)
    session.terminal.note("keep it: it is shown this once and stored nowhere")
    if link is not None:
        session.terminal.note(f"the page, opened by it: {link.rstrip('/')}/enter#{made.secret}")
    return Answer({"name": name, "token": made.secret}, text=made.secret)


async def list_(session: CommandSession) -> Answer:
    """List the tokens of the tenant, without what they are recognised by."""
    session.owner_only()
    async with session.opened(index=False) as app:
        tokens = await app.tokens.all()
    data = [token.model_dump(mode="json", exclude={"token_id"}) for token in tokens]
    table = plain_table("name", "made", "expires", "lets")
    for token in tokens:
        table.add_row(
            words(token.name), words(moment(token.created_at)), words(moment(token.expires_at)), words(_lets(token))
        )
    return Answer({"tokens": data}, [table if tokens else words("there are no tokens yet")])


async def revoke(session: CommandSession, name: TokenName) -> Answer:
    """Take a token away; what it opened is closed within a second."""
    session.owner_only()
    async with session.opened(index=False) as app:
        await app.tokens.revoke(name)
    return Answer({"revoked": name}, [words(f"{name} opens nothing any more")])


def _rights(given: Sequence[str]) -> dict[str, tuple[Grant, ...]]:
    from agentmem.domain.scope import Grant

    rights: dict[str, tuple[Grant, ...]] = {}
    for one in given:
        agent, _, named = one.rpartition("=")
        kinds = [kind.strip() for kind in named.split(",")]
        if not agent or not set(kinds) <= {grant.value for grant in Grant}:
            raise Misuse(f"--agent {one!r}: must be AGENT=RIGHTS, of {', '.join(Grant)}, such as aip_sales=talk,read")
        rights[agent] = (*rights.get(agent, ()), *map(Grant, kinds))
    return {agent: tuple(dict.fromkeys(kinds)) for agent, kinds in rights.items()}


def _lifetime(text: str | None) -> timedelta | None:
    from pydantic import TypeAdapter, ValidationError

    from agentmem.domain.value import Duration

    if text is None:
        return None
    durations: TypeAdapter[timedelta] = TypeAdapter(Duration)
    try:
        return durations.validate_python(text)
    except ValidationError as error:
        raise Misuse(f"--expires {text!r}: must be a time such as 30d or 12h") from error


def _lets(token: AccessToken) -> str:
    if token.owner:
        return "everything"
    about = f", about {token.about} alone" if token.about is not None else ""
    return "; ".join(f"{agent}: {', '.join(grants)}" for agent, grants in token.agents.items()) + about
