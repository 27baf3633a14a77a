"""Tests of the server and the pages."""
