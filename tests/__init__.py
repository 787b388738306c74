"""Tests; each folder mirrors a room."""
