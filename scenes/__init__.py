"""OBS: the link, the director and the generated scene collection. A dead OBS never stops a game."""
