"""Time expressions: texts with the times they name, and how many of them are resolved as they should be."""
