"""Coming in with a token, going out again, and in which language and light the pages are shown."""

from collections.abc import Sequence
from typing import Final

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from agentmem.errors import InvalidInput
from agentmem.interfaces.http.problems import RefusedRequest
from agentmem.interfaces.web.page import LANGUAGE_COOKIE, THEME_COOKIE, THEMES, Page, get, own_path, post, text_of
from agentmem.interfaces.web.sign_in import Sessions, cookie_name, give, take
from agentmem.interfaces.web.wording import LANGUAGES

MAX_ENTERING: Final = 16_384
"""Bytes of the form with which somebody enters: nobody is known yet who could send more."""

NEXT: Final = "next"
"""Names the path that is shown after somebody has entered."""

_TERMS, _MEANS = "glossary.", "_means"
YEAR: Final = 365 * 24 * 60 * 60


def routes(sessions: Sessions) -> Sequence[Route]:
    """The pages before and around all others."""

    async def enter(page: Page) -> Response:
        """Where a token is shown; a link that carries one after its `#` is taken by a script."""
        leads = own_path(page.asked(NEXT) or "/")
        return (
            RedirectResponse(leads, 303) if sessions.open_to_all else page.show("enter.html", wrong=False, next=leads)
        )

    async def entered(page: Page) -> Response:
        """In with a token."""
        length = page.request.headers.get("content-length", "")
        if not (length.isascii() and length.isdigit() and int(length[:9]) <= MAX_ENTERING):
            raise RefusedRequest(
                413, "TooLarge", f"a form with a token, of at most {MAX_ENTERING:,} bytes, is taken here"
            )
        form = await page.request.form(max_files=0, max_fields=4)
        client, leads = page.request.client, own_path(text_of(form, NEXT))
        try:
            opened = await sessions.enter(text_of(form, "token"), client.host if client else "")
        except (InvalidInput, RefusedRequest) as error:
            if isinstance(error, RefusedRequest) and error.status_code != 401:
                raise
            return page.show("enter.html", 401, wrong=True, next=leads)
        answer = RedirectResponse(leads, 303)
        # The guard lets in a page's own origin alone: with https:// a proxy stands before, and says so by its settings.
        give(
            answer,
            cookie_name(dict(page.request.scope["headers"])),
            opened,
            secure=page.request.headers.get("origin", "").startswith("https://"),
        )
        return answer

    async def left(page: Page) -> Response:
        """Out again."""
        await page.form()
        headers = dict(page.request.scope["headers"])
        sessions.leave(headers)
        answer = RedirectResponse("/enter", 303)
        take(answer, cookie_name(headers))
        return answer

    return [get("/enter", enter), post("/enter", entered), post("/leave", left)]


async def _words(page: Page) -> Response:
    """What the words of the pages mean."""
    told = (word for word in page.words.texts if word.startswith(_TERMS) and word.endswith(_MEANS))
    return page.show("glossary.html", terms=[word.removeprefix(_TERMS).removesuffix(_MEANS) for word in told])


async def _preferred(page: Page) -> Response:
    """Another language or light from now on."""
    form = await page.form()
    answer = RedirectResponse(own_path(text_of(form, "back")), 303)
    if (language := text_of(form, "language")) in LANGUAGES:
        answer.set_cookie(LANGUAGE_COOKIE, language, max_age=YEAR, samesite="strict", httponly=True)
    if (theme := text_of(form, "theme")) in THEMES:
        answer.set_cookie(THEME_COOKIE, theme, max_age=YEAR, samesite="strict", httponly=True)
    return answer


ROUTES: Final = (post("/preferences", _preferred), get("/words", _words))
