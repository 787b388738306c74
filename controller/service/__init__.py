"""HTTP, Socket.IO, access, settings and the command line: where the rooms are wired together."""
