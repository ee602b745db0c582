"""One impact in contact space: laws, slip flow, slip classes, Painlevé's classes."""
