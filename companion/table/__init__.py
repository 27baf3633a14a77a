"""One table: the session of a game, its questions, undo, and what each seat may see of it."""
