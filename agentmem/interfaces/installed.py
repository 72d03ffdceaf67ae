"""Which agentmem answers. Light to load, so that it is told at once."""

from importlib.metadata import PackageNotFoundError, version


def installed_version() -> str:
    """The version of agentmem that answers; 0 where it was not installed."""
    try:
        return version("agentmem-framework")
    except PackageNotFoundError:
        return "0"
