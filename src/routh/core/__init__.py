"""Numba kernels. They import numpy and numba only, know no names and never raise."""
