"""By which rules a game under a header is played and by which points it is counted: the header says all of it.

A tournament's own variant is kept in the header as the text of its file. The journal holds the header, so that a table
that comes back without the file plays on by the same rules.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from controller.catalogue import nearest
from controller.game import RULESETS
from controller.game.refusal import Refusal, refuse
from controller.game.rules import Rules
from controller.record.lines import RecordFault
from controller.record.options import with_option
from controller.record.variant import Variant, variant_of
from controller.scoring.standings import Tournament, tournament_of
from controller.scoring.table import Table
from controller.scoring.tables import SCORINGS, at_stage, rules_for, scoring_table
from controller.table.wishes import VARIANT, Header


class NoSuchTerms(Exception):
    """A header with a ruleset, a scoring or a variant that there is not; the refusal says which."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.code} {dict(refusal.params)}")
        self.refusal = refusal


class NoSuchRuleset(NoSuchTerms):
    """A header with a ruleset that there is not."""

    def __init__(self, ruleset: str) -> None:
        super().__init__(Refusal("no_such_ruleset", {"ruleset": ruleset}))


@lru_cache(maxsize=32)
def _variant(text: str) -> Variant:
    try:
        return variant_of(text)
    except RecordFault as fault:
        raise NoSuchTerms(fault.refusal) from fault


def own_variant(header: Header) -> Variant | None:
    """The tournament's own rules and points, if it has any. Raises NoSuchTerms."""
    return _variant(header.variant) if header.variant else None


def scoring_of(header: Header) -> str:
    """The name of the scoring: the ruleset's own unless another is named."""
    variant = own_variant(header)
    return variant.table.name if variant is not None else header.scoring or header.ruleset


def own_points(header: Header) -> tuple[tuple[str, str], ...]:
    """What the tournament counts otherwise than the scoring's text, as a record says it. Raises NoSuchTerms."""
    variant = own_variant(header)
    return () if variant is None else variant.points


def rules_of(header: Header, rulesets: Mapping[str, Rules]) -> Rules:
    """The rules that a game under `header` is played by. Raises NoSuchTerms, and Refused for an option."""
    variant = own_variant(header)
    if variant is not None:
        rules = variant.rules
    elif header.ruleset in rulesets:
        rules = rules_for(scoring_of(header), rulesets[header.ruleset])
    else:
        raise NoSuchRuleset(header.ruleset)
    for name, value in header.options:
        rules = with_option(rules, name, value)
    return rules


def points_of(header: Header) -> Table:
    """The points by which a game under `header` is counted. Raises NoSuchTerms."""
    variant = own_variant(header)
    if variant is not None:
        return at_stage(variant.table, header.stage)
    return scoring_table(_known_scoring(header), header.stage)


def tournament_under(header: Header) -> Tournament:
    """How the games under `header` add up. Raises NoSuchTerms."""
    variant = own_variant(header)
    return variant.tournament if variant is not None else tournament_of(_known_scoring(header))


def _known_scoring(header: Header) -> str:
    name = scoring_of(header)
    if name not in SCORINGS:
        raise NoSuchTerms(refuse("scoring_unknown", word=name, nearest=nearest(name, SCORINGS)).refusal)
    if SCORINGS[name].ruleset != header.ruleset:
        raise NoSuchTerms(refuse("scoring_of_other_rules", scoring=name, ruleset=header.ruleset).refusal)
    return name


@lru_cache(maxsize=8)
def playable(variant: str) -> tuple[tuple[str, Rules], ...]:
    """What can be played, by name: the rulesets, a club's points on one of them, and the variant of this text."""
    clubs = tuple((name, RULESETS[table.ruleset]) for name, table in SCORINGS.items() if name != table.ruleset)
    own = ((VARIANT, _variant(variant).rules),) if variant else ()
    return (*RULESETS.items(), *clubs, *own)


def under(chosen: str, header: Header, variant: str) -> Header:
    """`header` with the rules and points of this name; `variant` is what stands in the tournament's own file.

    Raises NoSuchTerms.
    """
    if chosen == VARIANT:
        text = header.variant or variant
        if not text:
            raise NoSuchRuleset(chosen)
        return replace(header, ruleset=_variant(text).rules.name, scoring="", variant=text)
    if chosen in SCORINGS and SCORINGS[chosen].ruleset != chosen:
        return replace(header, ruleset=SCORINGS[chosen].ruleset, scoring=chosen, variant="")
    return replace(header, ruleset=chosen, scoring="", variant="")
