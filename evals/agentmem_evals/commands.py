"""The commands of `agentmem eval`; the command line of agentmem looks for them here."""

from collections.abc import Sequence

from agentmem.interfaces.cli.command_context import Action
from agentmem_evals.multihop_command import multihop
from agentmem_evals.retrieval_command import retrieval
from agentmem_evals.time_command import time

COMMANDS: Sequence[Action] = (retrieval, multihop, time)
