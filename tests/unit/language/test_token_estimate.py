"""The estimate of tokens, against what real tokenizers made of the same texts."""

import pytest

from agentmem.language.lengths import estimated_tokens

# What o200k_base, cl100k_base, the tokenizer of Qwen, and that of Claude 2 counted.
COUNTED = {
    "软件工程师罗小东希望在社保管理系统中添加自动能力和AI人工智能能力。": (22, 35, 17, 34),
    "这个是我的联系方式 小东 12345678901，邮箱 xiaodong.luo@example.com。": (22, 25, 29, 29),
    "Our company has about two hundred employees, and the budget is 30,000 dollars per year.": (20, 20, 23, 19),
    "Her appointment with Dr. Schneider was moved from Tuesday to next Thursday at 15:30.": (19, 19, 21, 18),
    "前端用 React 和 TypeScript，后端是 Python 3.11，部署在 Kubernetes 上。": (22, 23, 21, 28),
    "Größere Überraschungen gab es für die Gäste aus München nicht.": (15, 19, 18, 19),
    "Меня зовут Иван, мой телефон изменился.": (11, 21, 16, 22),
    "私の電話番号が変わりました。よろしくお願いします。": (12, 24, 14, 28),
    "👍🏽 see you at the café 🚲": (10, 14, 10, 13),
    "9f1c2d3e-4b5a-6789-8abc-def012345678": (23, 23, 31, 23),
}


@pytest.mark.parametrize(("text", "counts"), COUNTED.items())
def test_the_estimate_is_not_below_what_tokenizers_count(text: str, counts: tuple[int, ...]) -> None:
    assert max(counts) <= estimated_tokens(text) <= 4 * min(counts)


def test_a_longer_text_is_never_estimated_at_less() -> None:
    text = "Hello, Welt! 你好，罗小东 12345 ÄÖÜ 👍🏽 ABCDEF hyperparameterisation " * 2
    estimates = [estimated_tokens(text[:end]) for end in range(len(text) + 1)]

    assert estimates == sorted(estimates)
    assert estimates[0] == 0
