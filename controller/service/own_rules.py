"""The tournament's own rules and points: the file that the settings name, read once at the start.

The game on the table keeps the text in the journal and needs the file no more: one that is gone or damaged later stops
nothing but a new table.
"""

from dataclasses import dataclass
from pathlib import Path

from controller.record.lines import RecordFault
from controller.record.replay import fault_line
from controller.record.variant import read_text, variant_of
from controller.service.settings import Settings


@dataclass(frozen=True, slots=True)
class OwnRules:
    """The file's text, empty where there is none; or what is wrong with it."""

    file: Path | None = None
    text: str = ""
    fault: RecordFault | None = None

    def sentence(self, language: str) -> str:
        """What is wrong with the file, and where."""
        assert self.file is not None
        assert self.fault is not None
        return fault_line(self.file, self.fault, language)


def own_rules(settings: Settings) -> OwnRules:
    """What the settings' file says, if they name one."""
    file = settings.variant
    if file is None:
        return OwnRules()
    try:
        text = read_text(file)
        variant_of(text)
    except RecordFault as fault:
        return OwnRules(file, fault=fault)
    return OwnRules(file, text)
