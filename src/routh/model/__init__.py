"""What the user declares: frozen values, no compiled code."""
