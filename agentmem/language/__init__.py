"""Chinese and English as text: normal forms, tokens, clauses, numbers, dates."""
