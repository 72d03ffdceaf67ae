"""What takes longer than a test run may: `python -m tests.soak`."""
