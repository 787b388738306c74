"""Fouls, warnings, removals, and the defeat of a team (fiim 6, 7.1 to 7.5; wma 5.6, 5.8; ukraine 5, 6; city)."""

from controller.game.ballot import Proposal
from controller.game.commands import Defeat, Foul, Give, Remove, TechnicalFoul, Waive, Warn
from controller.game.departures import conclude, leave, settle
from controller.game.draft import Draft
from controller.game.events import (
    Disqualified,
    FoulGiven,
    ProposalAnswered,
    SilenceOwed,
    TechnicalFoulGiven,
    VoteCancelled,
    WarningGiven,
)
from controller.game.outcome import Outcome, Reason, Winner
from controller.game.phases import Choosing, Dealing, LastWord, Night, Over
from controller.game.refusal import refuse
from controller.game.roles import Team
from controller.game.rules import Penalty, ThirdFoul
from controller.game.seat import How, Seat
from controller.game.state import State

FOULS_OUT = 4  # fiim 6.5, ukraine 6.5, city: the fourth foul


def present(state: State, number: int, clause: str | None = None) -> Seat:
    """The seat `number` if its player can still be punished: living, or with a last word to say, or just out.

    Raises Refused if there is no such seat or the player has left the table.
    """
    if not 1 <= number <= len(state.seats):
        raise refuse("no_such_seat", seat=number, seats=len(state.seats))
    seat = state.seat(number)
    speaking = isinstance(state.phase, LastWord) and state.phase.seat == number
    at_the_end = state.outcome is not None and seat.left is not None and seat.left.at == state.outcome.at
    if not (seat.in_play or speaking or number in state.last_words or at_the_end):
        raise refuse("has_left", seat=number, clause=clause)
    return seat


def _punishable(state: State, number: int, clause: str | None) -> Seat:
    if isinstance(state.phase, Dealing):
        raise refuse("not_begun", not_now=True)
    line = None if clause is None else state.rules.violation(clause)
    if line is not None and line.after_leaving and 1 <= number <= len(state.seats):
        seat = state.seat(number)
    else:
        seat = present(state, number, clause)
    if clause is not None and line is None:
        raise refuse("no_such_clause", clause_named=clause, ruleset=state.rules.name)
    if seat.disqualified is not None:
        raise refuse("already_removed", seat=number)
    return seat


def check_foul(state: State, command: Foul) -> None:
    """A foul may be given to whoever is at the table, in every phase, the last word included."""
    _punishable(state, command.seat, command.clause)


def give_foul(draft: Draft, command: Foul) -> None:
    """One foul more; the third takes a minute, the fourth sends off (fiim 6.4, 6.5)."""
    _foul(draft, command, str(draft.state.at))


def _foul(draft: Draft, command: Foul, committed: str) -> None:
    seat = draft.state.seat(command.seat)
    if len(seat.fouls) + 1 >= FOULS_OUT:
        if _softened(draft.state, seat, command.clause):
            draft.emit(WarningGiven(command.seat, command.clause))
            return
        if _void(draft.state, command.clause, committed):
            return
    draft.emit(FoulGiven(command.seat, command.clause))
    fouls = len(draft.state.seat(command.seat).fouls)
    if fouls == 3 and draft.state.rules.third_foul is not ThirdFoul.NOTHING:
        draft.emit(SilenceOwed(command.seat))
    if fouls >= FOULS_OUT:
        disqualify(draft, command.seat, How.FOULED, command.clause)


def _softened(state: State, seat: Seat, clause: str | None) -> bool:
    """Whether a warning stands in for the fourth foul: the first time for each of these clauses (wma 5.6.6, 5.6.7)."""
    return clause in state.rules.softened_fourth_foul and all(warning.clause != clause for warning in seat.warnings)


def _void(state: State, clause: str | None, committed: str) -> bool:
    """Whether the fourth foul is not given: the vote in which it was committed has decided the game (wma 5.6.5)."""
    if clause not in state.rules.void_fourth_foul_after_decision or state.outcome is None or not state.ballots:
        return False
    last, outcome = state.ballots[-1], state.outcome
    by_play = outcome.reason not in (Reason.TEAM_DEFEAT, Reason.ANNULLED)
    return by_play and bool(last.leaves) and last.at == outcome.at and committed == str(outcome.at)


def check_warn(state: State, command: Warn) -> None:
    """A warning may be given to whoever is at the table."""
    _punishable(state, command.seat, command.clause)


def warn(draft: Draft, command: Warn) -> None:
    """A warning; it has no consequence of its own."""
    draft.emit(WarningGiven(command.seat, command.clause))


def check_technical(state: State, command: TechnicalFoul) -> None:
    """A technical foul is given as a foul is, where the tournament has them."""
    if not state.rules.technical_fouls_out:
        raise refuse("no_technical_fouls")
    _punishable(state, command.seat, command.clause)


def give_technical(draft: Draft, command: TechnicalFoul) -> None:
    """A light one is only noted; heavy ones are counted apart from the fouls, and the second sends off."""
    draft.emit(TechnicalFoulGiven(command.seat, command.heavy, command.clause))
    if command.heavy and draft.state.seat(command.seat).heavy >= draft.state.rules.technical_fouls_out:
        disqualify(draft, command.seat, How.REMOVED, command.clause)


def check_remove(state: State, command: Remove) -> None:
    """A disqualifying foul may be given to whoever is at the table."""
    _punishable(state, command.seat, command.clause)


def remove(draft: Draft, command: Remove) -> None:
    """A disqualifying foul: out at once, no last word (fiim 6.5)."""
    disqualify(draft, command.seat, How.REMOVED, command.clause)


def disqualify(draft: Draft, number: int, how: How, clause: str | None) -> None:
    """`number` is sent off. One who was shot tonight or is leaving by the vote stays so; the penalty counts."""
    draft.emit(Disqualified(number, how, clause))
    state = draft.state
    if state.outcome is not None:
        return  # fiim 7.12: it does not change the result
    if not state.seat(number).in_play:
        return  # leaving already: no second departure, no vote lost (rules page, reading 19)
    if isinstance(state.phase, Night) and number in {seat for seat, _ in state.rules.victims(state)}:
        return  # shot tonight: leaves in the morning as `shot` (rules page, reading 19)
    leave(draft, ((number, how),))
    state.rules.removed(draft, number, clause)
    if not isinstance(state.phase, Choosing):  # city: the win is checked after the avenger's choice (reading 24)
        settle(draft)


def vote_lost_to(state: State) -> int:
    """The day whose vote a removal now cancels: today's, or the next day's once today's is settled (fiim 7.1, 7.2)."""
    if state.at.day:
        return state.at.number + 1 if state.vote_settled else state.at.number
    return state.at.number + 1


def cancel_vote(draft: Draft) -> None:
    """The nearest or current vote is not held (fiim 7.1), or the next one after a result (7.2)."""
    draft.emit(VoteCancelled(vote_lost_to(draft.state)))


def check_defeat(state: State, command: Defeat) -> None:
    """The defeat of a team is for play alone, where the text knows it (fiim 6.8, wma 5.8)."""
    if not state.rules.team_defeat:
        raise refuse("no_team_defeat", ruleset=state.rules.name, clause="8.6")
    if isinstance(state.phase, Dealing):
        raise refuse("not_begun", not_now=True)
    if state.outcome is not None:
        # While the last black one says the last word, nobody else knows that he was the last.
        raise refuse("game_decided", secret=not isinstance(state.phase, Over))
    if not 1 <= command.seat <= len(state.seats):
        raise refuse("no_such_seat", seat=command.seat, seats=len(state.seats))
    if command.clause is not None and state.rules.violation(command.clause) is None:
        raise refuse("no_such_clause", clause_named=command.clause, ruleset=state.rules.name)


def defeat(draft: Draft, command: Defeat) -> None:
    """The team of `command.seat` has lost, now (fiim 6.8); in wma the offender is disqualified too (5.8)."""
    state = draft.state
    role = state.seat(command.seat).role
    assert role is not None
    if state.rules.defeat_disqualifies and state.seat(command.seat).disqualified is None:
        draft.emit(Disqualified(command.seat, How.REMOVED, command.clause))
    # Red's defeat is black's win, black's and the maniac's is red's (rules page, reading 24).
    winner = Winner.BLACK if role.team is Team.RED else Winner.RED
    conclude(draft, Outcome(winner, Reason.TEAM_DEFEAT, state.at, command.seat), at_once=True)


# --- the judge's queue


def _pending(state: State, proposal_id: str) -> Proposal:
    for proposal in reversed(state.proposals):
        if proposal.id == proposal_id:
            if proposal.given is not None:
                raise refuse("proposal_answered", seat=proposal.seat)
            return proposal
    raise refuse("no_such_proposal")


def check_give(state: State, command: Give) -> None:
    """A waiting proposal may be given while its player is at the table."""
    proposal = _pending(state, command.proposal)
    _punishable(state, proposal.seat, proposal.clause)


def give(draft: Draft, command: Give) -> None:
    """The proposal becomes what the text says: a foul, or in ukraine 5.2.1 a warning."""
    state = draft.state
    proposal = _pending(state, command.proposal)
    sanction = state.rules.proposals[proposal.what]
    draft.emit(ProposalAnswered(proposal.id, given=True))
    if sanction.penalty is Penalty.WARNING:
        draft.emit(WarningGiven(proposal.seat, proposal.clause))
        return
    _foul(draft, Foul(proposal.seat, proposal.clause), proposal.at)


def check_waive(state: State, command: Waive) -> None:
    """A waiting proposal may be waived at any time."""
    _pending(state, command.proposal)


def waive(draft: Draft, command: Waive) -> None:
    """Nothing is given."""
    draft.emit(ProposalAnswered(command.proposal, given=False))


def removes(state: State, command: object) -> bool:
    """Whether `command` would send somebody off: then a counted ballot has its result first (fiim 7.2)."""
    match command:
        case Remove():
            return True
        case Foul(seat, clause):
            return _would_be_out(state, seat, clause)
        case TechnicalFoul(seat, heavy):
            return heavy and state.seat(seat).heavy + 1 >= state.rules.technical_fouls_out
        case Give(proposal_id):
            proposal = _pending(state, proposal_id)
            sanction = state.rules.proposals[proposal.what]
            return sanction.penalty is Penalty.FOUL and _would_be_out(state, proposal.seat, proposal.clause)
        case _:
            return False


def _would_be_out(state: State, number: int, clause: str | None) -> bool:
    seat = state.seat(number)
    return len(seat.fouls) + 1 >= FOULS_OUT and not _softened(state, seat, clause)
