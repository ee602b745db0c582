"""Puts this folder on the import path: `reference` and `random_mechanisms` serve the tests of all folders."""
