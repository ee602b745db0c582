"""The equations of motion with loops and contacts: accelerations, projection, what is read off a state."""
