"""Pure text work in Chinese and English: normal forms, tokens, clauses, numbers, time expressions."""
