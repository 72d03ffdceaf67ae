"""A graph is laid out within its frame, always in the same way."""

from agentmem.interfaces.web.graph_drawing import HEIGHT, MAX_DOTS, WIDTH, drawn_around


def test_the_same_graph_is_drawn_the_same_with_who_was_asked_for_in_the_middle() -> None:
    names = {"a": "Ann", "b": "Ben", "c": "Acme"}
    links = [("m1", ["a", "b", "c"]), ("m2", ["b", "a"]), ("m3", ["a", "elsewhere"])]
    drawing = drawn_around("b", names, {"b": 0, "a": 1, "c": 2}, links)
    turned = drawn_around("b", dict(reversed(names.items())), {"b": 0, "a": 1, "c": 2}, reversed(links))
    assert {(dot.entity, dot.x, dot.y) for dot in drawing.dots} == {(dot.entity, dot.x, dot.y) for dot in turned.dots}
    assert (drawing.dots[0].name, drawing.dots[0].x, drawing.dots[0].y) == ("Ben", WIDTH / 2, HEIGHT / 2)
    assert all(0 < dot.x < WIDTH and 0 < dot.y < HEIGHT for dot in drawing.dots)
    assert [(line.ends, line.memory_ids) for line in drawing.lines] == [
        (("Ann", "Ben"), ("m1", "m2")),
        (("Ann", "Acme"), ("m1",)),
    ]


def test_what_is_nearest_and_best_linked_is_drawn_and_the_rest_is_counted() -> None:
    names = {f"n{number:03}": str(number) for number in range(200)}
    steps = {each: 0 if number == 0 else 1 + number // 100 for number, each in enumerate(names)}
    links = [(f"m{number}", ["n000", each]) for number, each in enumerate(names) if number]
    drawing = drawn_around("n000", names, steps, links)
    assert (len(drawing.dots), drawing.left_out) == (MAX_DOTS, 200 - MAX_DOTS)
    assert {dot.step for dot in drawing.dots} == {0, 1}
    assert len(drawing.lines) == MAX_DOTS - 1


def test_an_entity_alone_stands_in_the_middle() -> None:
    drawing = drawn_around("a", {"a": "Ann"}, {"a": 0}, [])
    assert [(dot.x, dot.y) for dot in drawing.dots] == [(WIDTH / 2, HEIGHT / 2)]
    assert drawing.lines == ()
