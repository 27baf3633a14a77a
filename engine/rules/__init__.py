"""The machinery that plays the rules; the texts of the powers are in `engine.powers`."""
