"""A limit on when somebody may be reached ends when he may be reached at any time, and by nothing less."""

import pytest

from agentmem.domain.statement import Reading
from tests.unit.rules.support import english, over, read


def _read(*lines: str) -> Reading:
    return english(*lines) if lines[0].isascii() else read(*lines)


@pytest.mark.parametrize(
    ("limit", "lifts"),
    [
        ("Please phone me only in the afternoon.", "You can phone me any time now."),
        ("Please don't call me before 9am.", "Feel free to ring me anytime."),
        ("Please only call me after 5.", "It's fine to call me whenever you want."),
        ("不要在早上给我打电话。", "什么时候打都行了。"),
        ("请只在下午给我打电话。", "现在随时可以打电话了。"),
        ("不要在晚上给我打电话。", "随时都可以联系我。"),
    ],
)
def test_any_time_ends_the_limit(limit: str, lifts: str) -> None:
    reading = _read(limit, lifts)
    assert reading.statements[0].content in over(reading)


@pytest.mark.parametrize(
    ("limit", "says"),
    [
        ("Please phone me only in the afternoon.", "You can phone me any time after 6."),
        ("Please phone me only in the afternoon.", "Can I phone you any time?"),
        ("Please phone me only in the afternoon.", "My brother can call any time now."),
        ("Please don't text me after 9pm.", "You can call me any time now."),
        ("Please don't call me at work.", "You can call me any time now."),
        ("不要在晚上给我发微信。", "什么时候打电话都行了。"),
        ("不要在早上给我打电话。", "什么时候打都行？"),
    ],
)
def test_another_way_a_question_and_another_limit_leave_it(limit: str, says: str) -> None:
    reading = _read(limit, says)
    assert reading.statements[0].content not in over(reading)
