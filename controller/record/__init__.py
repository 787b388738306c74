"""The notation, the protocol form, imports and exports. Reads and writes finished facts, decides nothing."""
