"""Guards that keep the house in order."""
