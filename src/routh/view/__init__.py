"""Figures. Matplotlib is imported when a figure is made, not before."""
