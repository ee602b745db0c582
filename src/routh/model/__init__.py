"""What the user declares: frozen values with names, checked as they are made. Knows no Numba."""
