"""Integrators: explicit and implicit Runge-Kutta methods, dense output, samples, the loops of smooth motion."""
