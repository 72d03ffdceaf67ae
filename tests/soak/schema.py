"""Requests that the OpenAPI document allows, and as many that it does not, to the whole program in this process: none
is answered with a fault of the server, or as the document does not say."""

from pathlib import Path

from agentmem.interfaces.http.api import routes
from tests.support.say import say
from tests.support.schema_cases import try_cases


def soak(folder: Path, cases: int, seed: int) -> bool:
    """About so many; whether all were answered as they must be."""
    operations = sum(map(len, routes().openapi()["paths"].values()))
    each = -(-cases // (2 * operations))
    sound = True
    for wrong in (False, True):
        place = folder / f"schema-{seed}-{wrong}"
        place.mkdir(parents=True)
        tried = try_cases(place, each=each, first=seed, wrong=wrong)
        kind = "beside" if wrong else "within"
        say(f"{tried.count} requests {kind} the document: {dict(sorted(tried.statuses.items()))}")
        for operation, what in tried.wrong.items():
            say(f"{operation}: {what}")
        sound = sound and not tried.wrong
    return sound
