"""What the mutation run (`tests.soak.mutants`) goes through: the guards of each part, and those that change nothing."""

from pathlib import Path

ROOT = Path(__file__).parents[2]

PARTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "access": (
        ("agentmem/runtime/facade/access.py", "agentmem/runtime/facade/showing.py", "agentmem/domain/scope.py"),
        (
            *("tests/attacks/test_isolation.py", "tests/attacks/test_returns.py", "tests/attacks/test_revocation.py"),
            *("tests/architecture/test_access.py", "tests/architecture/test_guards.py"),
            *("tests/attacks/test_handed_out.py", "tests/attacks/test_talks.py", "tests/unit/domain"),
            *("tests/unit/test_showing.py", "tests/integration/test_cli_token.py", "tests/attacks/test_entrances.py"),
        ),
    ),
    "tokens": (
        (
            *("agentmem/runtime/facade/access_tokens.py", "agentmem/domain/access_token.py"),
            *("agentmem/adapters/journal/keeping.py", "agentmem/interfaces/http/callers.py"),
            *("agentmem/interfaces/http/guard.py", "agentmem/interfaces/http/issued.py"),
        ),
        (
            *("tests/attacks/test_http.py", "tests/attacks/test_issued_tokens.py", "tests/integration/test_serve.py"),
            *("tests/attacks/test_callers.py", "tests/attacks/test_mcp.py"),
            *("tests/contract/journal/test_access_tokens.py", "tests/integration/test_cli_token.py"),
            *("tests/contract/journal/test_dead_letters.py", "tests/contract/journal/test_erasing.py"),
            *("tests/unit/domain", "tests/integration/test_http_direct.py", "tests/integration/test_http.py"),
            *("tests/integration/test_http_agents.py", "tests/integration/test_tracing.py"),
            "tests/web/test_sessions.py",
        ),
    ),
    "sessions": (
        (
            *("agentmem/interfaces/web/sign_in.py", "agentmem/interfaces/web/site.py"),
            *("agentmem/interfaces/web/views/entering.py", "agentmem/interfaces/http/connection.py"),
            "agentmem/interfaces/http/direct.py",
        ),
        (
            *("tests/web/test_sessions.py", "tests/web/test_refusals.py", "tests/web/test_upkeep_pages.py"),
            *("tests/web/test_questions.py", "tests/web/test_talk_page.py", "tests/web/test_chinese.py"),
            *("tests/attacks/test_connections.py", "tests/integration/test_http_direct.py"),
        ),
    ),
    "values": (
        ("agentmem/domain/bounds.py", "agentmem/domain/value.py", "agentmem/runtime/facade/entrance.py"),
        (
            *("tests/unit/domain", "tests/unit/test_entrance.py", "tests/unit/test_input_faults.py"),
            *("tests/attacks/test_entrances.py", "tests/integration/test_poison.py"),
        ),
    ),
    "erasing": (
        ("agentmem/adapters/journal/erasing.py", "agentmem/adapters/journal/removal.py"),
        (
            *("tests/contract/journal/test_erasing.py", "tests/contract/journal/test_copies.py"),
            *("tests/contract/journal/test_storage.py", "tests/contract/journal/test_work_queue.py"),
            *("tests/contract/journal/test_backups.py", "tests/contract/journal/test_dead_letters.py"),
            *("tests/contract/journal/test_inspection.py", "tests/integration/test_erase_copies.py"),
            *("tests/integration/test_erase.py", "tests/integration/test_lineage_kept.py"),
            *("tests/integration/test_hire_erased.py", "tests/integration/test_restore_after_erasure.py"),
            *("tests/integration/test_documents_of_copies.py", "tests/integration/test_erase_behind.py"),
        ),
    ),
    "forgetting": (
        (
            *(str(path.relative_to(ROOT)) for path in sorted((ROOT / "agentmem/memory").glob("request*.py"))),
            *("agentmem/memory/forget.py", "agentmem/memory/forget_plan.py", "agentmem/memory/repeated.py"),
            *("agentmem/memory/cuts.py", "agentmem/memory/wish.py", "agentmem/memory/wish_parts.py"),
            *("agentmem/memory/put_right.py", "agentmem/memory/owned.py", "agentmem/memory/owners.py"),
            "agentmem/memory/told.py",
            *("agentmem/memory/sought.py", "agentmem/memory/wish_words.py", "agentmem/memory/support.py"),
            *("agentmem/memory/retold_entities.py", "agentmem/memory/erase.py"),
            "agentmem/agents/talk/forget_in_talk.py",
            *("agentmem/runtime/facade/forget_requests.py", "agentmem/runtime/host/ahead.py"),
            *("agentmem/language/details.py", "agentmem/language/detail_kinds.py", "agentmem/language/people.py"),
        ),
        (
            *("tests/unit/memory", "tests/unit/rules/test_memory_wishes.py", "tests/attacks/test_forgotten.py"),
            "tests/unit/language/test_people.py",
            *(str(path.relative_to(ROOT)) for path in sorted((ROOT / "tests/integration").glob("test_forg*.py"))),
            *("tests/integration/test_asked_to_forget.py", "tests/integration/test_requests_read_once.py"),
            *("tests/integration/test_imported_requests.py", "tests/integration/test_cli_forget.py"),
            *("tests/integration/test_erase.py", "tests/integration/test_erase_copies.py"),
            *("tests/integration/test_undo_beside_newer.py", "tests/integration/test_undo_after_erasure.py"),
            *("tests/integration/test_entities_taken_back.py", "tests/integration/test_told_of_others.py"),
            *("tests/integration/test_erase_behind.py", "tests/integration/test_communities.py"),
            *("tests/integration/test_lineage_kept.py", "tests/attacks/test_handed_out.py"),
        ),
    ),
}
"""The files whose guards are turned around, and the tests that must notice."""

_BOUNDS = "agentmem/domain/bounds.py"
EQUAL: dict[tuple[str, str], str] = {
    **{
        (_BOUNDS, words): "a short cut: what is done without it finds as little wrong with these values"
        for words in (
            "((value is None) and (value is True) and (value is False))",
            "((not isinstance(value, _LOOKED_INTO)) and (not value))",
        )
    },
    **dict.fromkeys(
        (
            ("agentmem/domain/value.py", "(TYPE_CHECKING)"),
            ("agentmem/domain/value.py", '("pattern" in found)'),
            ("agentmem/runtime/facade/entrance.py", "(not (inspect.iscoroutinefunction(call)))"),
            ("agentmem/runtime/facade/entrance.py", "(not (inspect.isasyncgenfunction(call)))"),
        ),
        "decides while modules are imported, which a fork comes too late for",
    ),
    **{
        ("agentmem/runtime/facade/entrance.py", words): "a call that does not go the quick way goes the other"
        for words in (
            "(len(given) < len(in_order))",
            "(needed < arguments.keys() <= known)",
            "(needed <= arguments.keys() < known)",
        )
    },
    **dict.fromkeys(
        (
            ("agentmem/memory/request.py", "(cuts[found.last][1] < sentence.start)"),
            ("agentmem/memory/request.py", "(part[1] >= start)"),
            ("agentmem/memory/request.py", "(part.start <= sentence.start + joint)"),
            ("agentmem/memory/owners.py", "(start > until)"),
            ("agentmem/memory/owners.py", "(at <= each.start < end)"),
            ("agentmem/memory/owners.py", "(at < each.start <= end)"),
        ),
        "something stands between any two clauses, and before any joint, so that none begins where another ends",
    ),
    (
        "agentmem/memory/request_en.py",
        "((not meant) and (not (told or _OWN.match(meant))))",
    ): "what such a form takes for a thing is one's own, or is called something told",
    (
        "agentmem/interfaces/http/direct.py",
        "(0 < len(agent) < _MAX_AGENT)",
    ): "what does not go the direct way goes the framework's, which answers the same",
    (
        "agentmem/interfaces/http/direct.py",
        '(getattr(each, "endpoint", None) is not self.endpoint)',
    ): "decides while modules are imported, which a fork comes too late for",
    (
        "agentmem/memory/wish.py",
        "((words - _OF_ALL_KIN) or (attributes - {FAMILY}))",
    ): "a wish for kin with a word besides takes what says all its words, with the slot or without",
    (
        "agentmem/memory/retold_entities.py",
        "((plan.meant.everything) or (plan.meant.scope.target is not None))",
    ): "what a wish lets go is about whom the wish is of, and leads to his entity all the same",
    ("agentmem/memory/wish.py", "(len(parts) >= 1)"): "a wish for one thing is the one part that it has",
    ("agentmem/memory/cuts.py", "(start <= place)"): "a stretch that begins at a place takes nothing from before it",
    (
        "agentmem/memory/put_right.py",
        "(clause.cut[0] > begin[-1].cut[1])",
    ): "something stands between any two clauses, so that none begins where another ends",
    (
        "agentmem/interfaces/http/callers.py",
        "((caller.issued is None) or (not self._looked))",
    ): "who is known is looked up anew, which lets nobody else in",
    (
        "agentmem/interfaces/http/issued.py",
        "(0 <= value <= 1e11)",
    ): "in the year 5138 a token begins too late, or ends too far off",
    (
        "agentmem/runtime/facade/access.py",
        "((access.principal.operator) and (not rule.grants))",
    ): "looking through what the operator is told, or through what needs no grant, leaves nothing out",
}
"""What stands in a file after the turn and makes no difference in a trial, with the reason."""
