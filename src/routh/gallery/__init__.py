"""One module per paper or puzzle: the claim, the figures, the numbers."""
