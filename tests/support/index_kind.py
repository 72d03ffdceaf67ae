"""Which index tests use: the one in memory, unless a test is about the embedded one.

Opening the one in memory takes a fourth of what Edge takes. `VARIABLE` says it to commands and to what the tests open
themselves; the fixtures `embedded_index` and `embedded_index_throughout` take it back.
"""

import os

from agentmem.runtime.configuration.settings import EdgeIndexSettings, TransientIndexSettings

VARIABLE = "AGENTMEM_INDEX__KIND"
IN_MEMORY = TransientIndexSettings()
EDGE = EdgeIndexSettings()


def an_index() -> EdgeIndexSettings | TransientIndexSettings:
    """As the variable says."""
    return IN_MEMORY if os.environ.get(VARIABLE) == IN_MEMORY.kind else EDGE
