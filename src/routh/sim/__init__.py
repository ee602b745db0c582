"""Runs: from declarations to results."""
