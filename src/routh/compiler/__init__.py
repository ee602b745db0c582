"""Model → System: the only place where names become indices."""
