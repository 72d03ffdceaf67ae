"""The journal in SQL: one adapter for SQLite and PostgreSQL."""

from agentmem.adapters.journal.journal import SqlJournal

__all__ = ["SqlJournal"]
