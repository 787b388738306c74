"""Points of a game and standings of a tournament. Scoring tables are data."""
