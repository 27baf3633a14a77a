"""How the network of the second opinion is trained (its lessons, its shape, its seed)."""
