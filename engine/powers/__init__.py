"""One short file for each god and hero power."""
