"""Seats, lamps and the judge's board as things, apart from the pins they are made of."""
