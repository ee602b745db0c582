"""One module per command of `routh`; each registers itself and imports what it needs when it runs."""
