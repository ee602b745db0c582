"""Motion with events: event location, contact modes, impacts of a mechanism, the event loop."""
