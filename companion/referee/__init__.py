"""The referee: the one place where sight and rules meet."""
