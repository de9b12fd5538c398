"""From matched events to a verdict: `diagnose` in verdict.py. Values in, values out; events may come from anywhere."""
