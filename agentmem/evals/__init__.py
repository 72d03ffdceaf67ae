"""What shows how well it works: scenarios, and later benchmarks."""
