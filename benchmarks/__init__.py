"""What things cost, each beside a reference in the same run: `python -m benchmarks`. Nothing here is a test."""
