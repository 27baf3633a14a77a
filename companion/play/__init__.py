"""Starts and stops the whole companion."""
