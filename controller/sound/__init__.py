"""Night music and cues, played from what the hall's view says; never a source of decisions.

What should sound is a function of what the hall may know (`score.py`), so that no sound can tell a secret. It is played
by mpv, in a thread of its own (`director.py`): nothing at the table ever waits for it.
"""
