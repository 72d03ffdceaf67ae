"""How true, whole and findable what is remembered of played dialogues is."""
