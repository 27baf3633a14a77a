"""Measurements anyone can rerun: one module a subject, found by its place in this folder."""
