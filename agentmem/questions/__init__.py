"""What a question asks: whom it names, which slots, what form of answer. Read once, for recall and for ask."""
