"""From a compiled model to a Result: assembly, runs, analyses of one model. The only place that raises on a status."""
