"""Analyses of one model: freedom, equilibrium, linearization. They read Systems, Results and Impacts."""
