"""Models that ship with the library: one module each, with model(), start(), run() and where useful figures(folder)."""
