"""The graph on the command line."""

import json
from pathlib import Path

from tests.support.cli import agentmem


def test_a_graph_is_shown_walked_and_written(tmp_path: Path) -> None:
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "clerk.yaml").write_text("id: clerk\nname: 前台\nlanguage: zh\n")
    common = ("--data", tmp_path, "--set", f"personas={tmp_path / 'personas'}")
    assert agentmem("say", "clerk", "我在华为公司工作", "--from", "王芳", "--end", *common).code == 0
    assert agentmem("say", "clerk", "我在华为公司工作", "--from", "罗小东", "--end", *common).code == 0
    assert agentmem("worker", "--once", *common).code == 0
    shown = agentmem("graph", "show", "王芳", "--agent", "clerk", "--json", *common).json
    assert any("华为" in line for line in shown["graph"])
    way = agentmem("graph", "path", "王芳", "罗小东", "--agent", "clerk", *common)
    assert way.code == 0, way.err
    assert way.out.startswith("王芳 → ")
    circle = agentmem("graph", "communities", "--agent", "clerk", "--json", *common).json["communities"]
    assert {"王芳", "罗小东"} <= {name for each in circle for name in each["members"]}
    again = agentmem("graph", "rebuild", "--agent", "clerk", "--json", *common).json["communities"]
    assert [each["id"] for each in again] == [each["id"] for each in circle]
    assert agentmem("graph", "communities", "--agent", "nobody", *common).code == 5
    file = tmp_path / "graph.jsonld"
    write = ("graph", "export", file, "--agent", "clerk", "--format", "jsonld")
    written = agentmem(*write, "--json", *common).json
    assert written["links"] >= 2
    names = {item.get("name") for item in json.loads(file.read_text())["@graph"]}
    assert {"王芳", "罗小东"} <= names
    assert agentmem(*write, *common).code == 2
    assert agentmem("graph", "show", "nobody", "--agent", "clerk", *common).code == 5


def test_entities_are_listed_joined_and_parted(tmp_path: Path) -> None:
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "clerk.yaml").write_text("id: clerk\nname: 前台\nlanguage: zh\n")
    common = ("--data", tmp_path, "--set", f"personas={tmp_path / 'personas'}")
    of = ("--agent", "clerk", *common)
    assert agentmem("say", "clerk", "我在华为公司工作", "--from", "王芳", "--end", *common).code == 0
    assert agentmem("say", "clerk", "我在北方银行工作", "--from", "李雷", "--end", *common).code == 0
    assert agentmem("worker", "--once", *common).code == 0
    listed = {each["name"]: each for each in agentmem("graph", "entities", "--json", *of).json["entities"]}
    assert listed["王芳"]["kind"] == "person"
    assert listed["华为公司"]["mentions"] == 1
    merged = agentmem("graph", "merge", "华为公司", "北方银行", "--json", *of).json
    assert "北方银行" in agentmem("graph", "entities", *of).out.split("华为公司", 1)[1].splitlines()[0]
    assert merged["run"] in json.dumps(agentmem("history", merged["one"], "--json", *common).json)
    assert agentmem("undo", merged["run"], *common).code == 0
    assert agentmem("graph", "split", "北方银行", *of).code == 2
    assert agentmem("graph", "merge", "华为公司", "北方银行", *of).code == 0
    assert agentmem("graph", "split", "北方银行", *of).code == 0
    names = {each["name"] for each in agentmem("graph", "entities", "--json", *of).json["entities"]}
    assert {"华为公司", "北方银行"} <= names


def test_what_is_denied_is_drawn_nowhere_and_a_picture_is_short(tmp_path: Path) -> None:
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "clerk.yaml").write_text("id: clerk\nname: DocumentIntake\nlanguage: en\n")
    common = ("--data", tmp_path, "--set", f"personas={tmp_path / 'personas'}")
    (tmp_path / "org.md").write_text(f"# Staff\n\nNina Petrova reports to Captain Olsen. {'She is on duty. ' * 40}\n")
    assert agentmem("ingest", tmp_path / "org.md", "--agent", "clerk", *common).code == 0
    assert agentmem("say", "clerk", "我不用智诊系统了", "--from", "王强", "--end", *common).code == 0
    assert agentmem("worker", "--once", *common).code == 0

    shown = agentmem("graph", "show", "Nina Petrova", "--agent", "clerk", "--json", *common).json["graph"]
    assert not any(line.startswith("(DocumentIntake)") for line in shown)
    assert all(len(line) < 400 for line in shown)
    denied: list[str] = agentmem("graph", "show", "王强", "--agent", "clerk", "--json", *common).json.get("graph", [])
    assert not any("USES" in line for line in denied)
    unknown = agentmem("graph", "path", "Nina Petrova", "Nobody Known", "--agent", "clerk", *common)
    assert (unknown.code, "Nobody Known" in unknown.err) == (5, True)


def test_a_clone_has_its_graph_when_the_command_is_done(tmp_path: Path) -> None:
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "clerk.yaml").write_text("id: clerk\nname: 前台\nlanguage: zh\n")
    common = ("--data", tmp_path, "--set", f"personas={tmp_path / 'personas'}")
    assert agentmem("say", "clerk", "我在华为公司工作", "--from", "王芳", "--end", *common).code == 0
    assert agentmem("clone", "clerk", "twin", *common).code == 0
    of_both = [agentmem("graph", "entities", "--agent", each, "--json", *common).json for each in ("clerk", "twin")]
    here, there = [{(item["name"], item["mentions"]) for item in each["entities"]} for each in of_both]
    assert here == there
    assert ("王芳", 1) in here
