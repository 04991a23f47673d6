"""The dice workbench: expressions, their chances as charts, and throws that count for nothing."""
