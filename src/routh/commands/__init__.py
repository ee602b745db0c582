"""Commands of the `routh` program, one module each."""
