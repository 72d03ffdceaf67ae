"""The built-in workers: one job per file, loaded by dotted path from the configuration."""

from workers.communities import CommunityWorker
from workers.conversation import ConversationWorker
from workers.extraction import ExtractionWorker
from workers.graph import GraphWorker
from workers.insight import InsightWorker
from workers.longterm import LongTermWorker
from workers.observation import ObservationWorker
from workers.perception import PerceptionWorker
from workers.reflection import ReflectionWorker

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
