"""What each audience may know, as allow-lists written by hand, and the types of the messages."""
