"""What machine this is, so that a figure can be read."""

import os
import platform
import resource
import sys
from importlib.metadata import version
from pathlib import Path
from statistics import quantiles


def describe() -> str:
    """Processor, cores, memory, Python and the libraries that matter for speed."""
    names = ("qdrant-edge-py", "sqlalchemy", "pydantic", "numpy")
    libraries = ", ".join(f"{name} {version(name)}" for name in names)
    return (
        f"{_processor()}, {os.cpu_count()} cores, {_memory():.0f} GiB; Python {platform.python_version()}; {libraries}"
    )


def command() -> str:
    """How this measurement was started."""
    return "python -m " + " ".join(
        [f"bench.{Path(sys.argv[0]).stem}".replace("bench.__main__", "bench"), *sys.argv[1:]]
    )


def load() -> float:
    """How many processes wanted a core in the last minute, this one included."""
    return os.getloadavg()[0]


def percentile(samples: list[float], share: float) -> float:
    """The value that `share` (0 to 1) of the samples do not exceed."""
    return quantiles(samples, n=1000, method="inclusive")[round(share * 1000) - 1]


def peak_rss_mb() -> float:
    """The largest resident memory of this process so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def _memory() -> float:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
