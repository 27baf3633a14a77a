"""Boards, lines and lamps that need no hardware; the faulty ones are named for their fault."""
