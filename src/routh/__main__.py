"""`python -m routh`: the command line."""

from routh.cli import entry

entry()
