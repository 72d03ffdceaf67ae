"""A model reads what is new in documents: once, with what was read before beside it, and never instead of the rules."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agentmem.domain.memory import Modality
from agentmem.memory.forget_plan import Meant
from tests.fixtures.scripted_model import prompt_of, scripted
from tests.integration.test_document_facts import facts, told
from tests.integration.test_ingest import ingest, pieces, write
from tests.support.spine import SCOPE, spine

CRANE = "# Cranes\n\nLarch Freight hands every crane over to Anna Berg, says Tom Baker."
OAK = "# Oaks\n\nBolt Scheduler depends on Kafka."

FOUND: dict[str, Any] = {
    "entities": [{"name": "Larch Freight", "summary": "Larch Freight hands its cranes over to Anna Berg."}],
    "relations": [
        {
            "source": "Larch Freight",
            "rel": "hands over to",
            "target": "Anna Berg",
            "quote": "Larch Freight hands every crane over to Anna Berg",
            "others": ["Tom Baker"],
        }
    ],
}


class Reader:
    """A model that finds `found` where it stands, and keeps the prompts it was asked."""

    def __init__(self, answer: Callable[[str], dict[str, Any] | str]) -> None:
        self.prompts: list[str] = []
        self._answer = answer

    @property
    def model(self) -> FunctionModel:
        async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
            self.prompts.append(prompt_of(messages))
            given = self._answer(self.prompts[-1])
            if isinstance(given, str):
                return ModelResponse(parts=[TextPart(given)])
            return ModelResponse(parts=[ToolCallPart(info.output_tools[0].name, given)])

        return FunctionModel(answer, model_name="scripted")


def crane(prompt: str) -> dict[str, Any]:
    return FOUND if "text: Cranes" in prompt else {"entities": [], "relations": []}


async def test_one_call_for_each_new_piece_and_none_for_an_unchanged_one(tmp_path: Path) -> None:
    reader = Reader(crane)
    write(tmp_path, "a.md", CRANE, OAK)
    async with spine(tmp_path, scripted(reader.model)) as app:
        await ingest(app, tmp_path / "docs")
        assert len(reader.prompts) == 2
        by_rules, by_model, described = await facts(app)
        assert told([by_rules]) == [("DEPENDS_ON", ["Bolt Scheduler", "Kafka"])]
        assert told([by_model]) == [("HANDS_OVER_TO", ["Larch Freight", "Anna Berg", "Tom Baker"])]
        assert by_model.content == "Larch Freight hands every crane over to Anna Berg, says Tom Baker."
        assert (described.relation, described.modality) == (None, Modality.INFERRED)
        entity = (await app.graph.show(SCOPE, "Larch Freight"))[0]
        assert "Larch Freight" in entity

        head = await app.journal.ledger.head()
        await ingest(app, tmp_path / "docs")
        assert (len(reader.prompts), await app.journal.ledger.head()) == (2, head)
        write(tmp_path, "a.md", CRANE, OAK.replace("Kafka", "Nats"))
        await ingest(app, tmp_path / "docs")
        assert ["Nats" in prompt for prompt in reader.prompts[2:]] == [True]
        assert by_model.memory_id in [node.memory_id for node in await facts(app)]
        write(tmp_path, "a.md", OAK)
        await ingest(app, tmp_path / "docs")
        assert [node.relation for node in await facts(app)] == ["DEPENDS_ON"]


async def test_what_was_found_before_an_outage_is_not_asked_for_again(tmp_path: Path) -> None:
    failed: list[str] = []

    def answer(prompt: str) -> dict[str, Any]:
        if "text: Part 5" in prompt and not failed:
            failed.append(prompt)
            raise ModelHTTPError(503, "scripted")
        return {"entities": [], "relations": []}

    reader = Reader(answer)
    write(tmp_path, "a.md", *(f"# Part {number}\n\nIt weighs {number} kilos." for number in range(8)))
    async with spine(tmp_path, scripted(reader.model, retries=0)) as app:
        await ingest(app, tmp_path / "docs")
        assert len(await pieces(app)) == 8
        asked = [prompt.partition("text: ")[2][:6] for prompt in reader.prompts]
        assert sorted(asked) == sorted([*(f"Part {number}" for number in range(8)), "Part 5"])
        assert (await app.journal.queue.depth()).dead == 0


async def test_an_answer_that_is_no_use_leaves_pieces_and_the_facts_of_rules(tmp_path: Path) -> None:
    invented = {"source": "Nobody", "rel": "OWNS", "target": "Everything", "quote": "never said"}
    for number, bad in enumerate(("I cannot help with that.", {"relations": [invented]}, {"relations": 7})):

        def answer(_: str, given: dict[str, Any] | str = bad) -> dict[str, Any] | str:
            return given

        folder = tmp_path / str(number)
        write(folder, "a.md", OAK)
        async with spine(folder, scripted(Reader(answer).model)) as app:
            await ingest(app, folder / "docs")
            assert len(await pieces(app)) == 1
            assert [node.relation for node in await facts(app)] == ["DEPENDS_ON"]


async def test_similar_pieces_read_before_stand_beside_a_piece_and_never_itself(tmp_path: Path) -> None:
    reader = Reader(lambda _: {"entities": [], "relations": []})
    said = "The crane that Larch Freight bought from Oslo Cranes stands at the north gate of the harbour"
    async with spine(tmp_path, scripted(reader.model)) as app:
        await ingest(app, write(tmp_path, "a.md", f"# Cranes\n\n{said}."))
        await ingest(app, write(tmp_path, "b.md", f"# Cranes\n\n{said}, and it is red."))
        first, second = reader.prompts
        assert "Section" not in first
        assert second.count("Section") == 1
        assert "Section 1: Cranes The crane" in second
        assert "it is red" not in second.partition("text:")[0]
        write(tmp_path, "b.md", f"# Cranes\n\n{said}, and it is blue.")
        await ingest(app, tmp_path / "docs" / "b.md")
        assert "it is red" not in reader.prompts[2]


async def test_the_facts_a_model_found_are_forgotten_like_others(tmp_path: Path) -> None:
    reader = Reader(crane)
    write(tmp_path, "a.md", CRANE)
    async with spine(tmp_path, scripted(reader.model)) as app:
        await ingest(app, tmp_path / "docs")
        found = next(node for node in await facts(app) if node.relation)
        await app.forget(Meant(SCOPE, ids=(found.memory_id,)))
        write(tmp_path, "a.md", CRANE + " They are red.")
        await ingest(app, tmp_path / "docs")
        assert found.memory_id not in [node.memory_id for node in await facts(app)]
        assert len(reader.prompts) == 2
