"""What LEDs show and what buttons mean; made from the public view alone."""
