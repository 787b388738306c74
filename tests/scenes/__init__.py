"""OBS: the director alone, the link against a fake OBS, and all of it against the real one."""
