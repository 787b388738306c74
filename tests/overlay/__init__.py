"""The pages in a real browser, played to by a small fixture service."""
