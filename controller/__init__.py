"""The service: the rules of play, the live table, what each audience sees, and everything that serves it."""
