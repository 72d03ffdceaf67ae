"""Ways of looking for an answer; each takes a sight and answers what it found."""
