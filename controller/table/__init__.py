"""The one live table: the single writer, its windows, timers, journal and readiness."""
