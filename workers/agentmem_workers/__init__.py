"""The built-in workers: one job per file, loaded by dotted path from the configuration."""

from agentmem_workers.communities import CommunityWorker
from agentmem_workers.conversation import ConversationWorker
from agentmem_workers.extraction import ExtractionWorker
from agentmem_workers.graph import GraphWorker
from agentmem_workers.insight import InsightWorker
from agentmem_workers.longterm import LongTermWorker
from agentmem_workers.observation import ObservationWorker
from agentmem_workers.perception import PerceptionWorker
from agentmem_workers.reflection import ReflectionWorker

WORKERS = (
    ConversationWorker,
    PerceptionWorker,
    ObservationWorker,
    InsightWorker,
    LongTermWorker,
    ExtractionWorker,
    ReflectionWorker,
    GraphWorker,
    CommunityWorker,
)
