"""The notation, the protocol form, imports and exports. Reads and writes finished facts, decides nothing."""

from controller.record.headers import Headers, Sitter
from controller.record.lines import RecordFault
from controller.record.notation import Reading, read
from controller.record.result import result
from controller.record.writer import CannotWrite, write

__all__ = ["CannotWrite", "Headers", "Reading", "RecordFault", "Sitter", "read", "result", "write"]
