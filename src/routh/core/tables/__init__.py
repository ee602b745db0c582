"""Record tables, integer codes and entry points: the contract between compiler, runs and kernels. No Numba."""
