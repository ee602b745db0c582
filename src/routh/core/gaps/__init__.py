"""Signed distance, witness points and curvature of each pair of parts."""
