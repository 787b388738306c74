"""The rules of play. Pure: no clock, no input or output, no chance; time and chance arrive as data."""
