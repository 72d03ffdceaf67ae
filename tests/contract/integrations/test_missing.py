"""Where a framework is not installed, one line says what to install."""

import subprocess
import sys

import pytest


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("vendor", "module", "extra"),
    [("langgraph", "langgraph", "langgraph"), ("agents", "openai_agents", "openai-agents")],
)
def test_a_missing_extra_is_named(vendor: str, module: str, extra: str) -> None:
    call = f"import sys; sys.modules[{vendor!r}] = None; import agentmem.interfaces.integrations.{module}"
    done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True, timeout=60, check=False)
    last = done.stderr.strip().splitlines()[-1]
    assert f'pip install "agentmem-framework[{extra}]"' in last
