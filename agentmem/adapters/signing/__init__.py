"""What signs and checks files."""
