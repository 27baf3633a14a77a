"""Texts that are missing fail the tests of the companion; at run time they fall back to English."""

import os

os.environ["SANTORINI_STRICT_TEXTS"] = "1"
