"""Night music and cues, played from what a view says; never a source of decisions."""
