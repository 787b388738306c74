"""The house: locks, set-up and the shape of the rooms."""
