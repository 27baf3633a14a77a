"""Camera model, piece profiles, pose and colours of one table."""
