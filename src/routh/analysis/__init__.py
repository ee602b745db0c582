"""Reading of contacts, impacts and results."""
