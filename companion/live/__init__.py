"""A table with a camera: watches, lets the referee decide, and tells the table."""
