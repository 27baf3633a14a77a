"""Reads pictures of the board into likelihoods; knows no rules."""
