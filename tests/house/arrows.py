"""The arrows between rooms, as an import-linter contract: a room may import what its list in pyproject.toml
names and nothing else. An allow-list, so that a new import is refused until somebody has thought about it."""

import sys
from typing import Any

from grimp import ImportGraph
from importlinter.application import output
from importlinter.domain import fields
from importlinter.domain.contract import Contract, ContractCheck

WHOLE_STANDARD_LIBRARY = "standard library"


def stands_in(module: str, package: str) -> bool:
    """Say whether `module` is `package` or lies inside it."""
    return module == package or module.startswith(f"{package}.")


class RoomContract(Contract):
    """One room and what it may import.

    `room` is a package (its own modules are always allowed) or a single module; `may_import` names modules
    with everything inside them, other distributions' top-level names, or "standard library"; `never` names
    what stays forbidden although a wider permission covers it.
    """

    type_name = "room"

    room: Any = fields.StringField()
    may_import: Any = fields.ListField(subfield=fields.StringField())
    never: Any = fields.ListField(subfield=fields.StringField(), required=False)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Compare every import that leaves the room with the room's list."""
        room: str = self.room
        if room not in graph.modules:
            raise ValueError(f"There is no room called {room}: see the contracts in pyproject.toml.")
        modules = [room, *graph.find_descendants(room)]
        wrong = sorted(
            (module, imported, tuple(self.lines(graph, module, imported)))
            for module in modules
            for imported in graph.find_modules_directly_imported_by(module)
            if not self.allows(imported)
        )
        return ContractCheck(kept=not wrong, metadata={"wrong": wrong})

    def allows(self, imported: str) -> bool:
        """Say whether the room's list covers the module `imported`."""
        if any(stands_in(imported, name) for name in self.never or []):
            return False
        if stands_in(imported, self.room):
            return True
        if WHOLE_STANDARD_LIBRARY in self.may_import and imported.split(".")[0] in sys.stdlib_module_names:
            return True
        return any(stands_in(imported, name) for name in self.may_import)

    @staticmethod
    def lines(graph: ImportGraph, importer: str, imported: str) -> list[int]:
        """Return the line numbers at which `importer` imports `imported`."""
        details = graph.get_import_details(importer=importer, imported=imported)
        return [detail["line_number"] for detail in details]

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print one sentence for each import that has to go."""
        for module, imported, lines in check.metadata["wrong"]:
            where = ", ".join(f"l.{line}" for line in lines)
            output.print_error(f"{module} may not import {imported} ({where}).", bold=False)
        output.print_error(f"{self.room} may import: {', '.join(self.may_import)}.", bold=False)
        output.new_line()
