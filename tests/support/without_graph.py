"""The built-in workers but those of the graph, which asks the index for each new name: what stands in the place of a
Qdrant server compares it with every vector it has."""

from typing import Final

from agentmem_workers import WORKERS as BUILT_IN
from agentmem_workers.communities import CommunityWorker
from agentmem_workers.graph import GraphWorker

WORKERS: Final = tuple(worker for worker in BUILT_IN if worker not in (GraphWorker, CommunityWorker))
