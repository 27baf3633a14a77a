"""Carries lights and buttons over a serial line; knows no game."""
