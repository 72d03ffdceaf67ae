"""Talking: one turn of a person in, one reply of an agent with memory out."""
