"""What a removal does to the vote in the sport rulesets (fiim 7.1, 7.2; ukraine 5.2.2, 7.1)."""

from controller.game.draft import Draft
from controller.game.events import BallotCut, PhaseBegan, VoterRemoved, VoteSettled
from controller.game.fouls import cancel_vote
from controller.game.phases import Dusk, LastWord, Morning
from controller.game.seat import How


def vote_is_not_held(draft: Draft, _seat: int, _clause: str | None) -> None:
    """fiim 7.1: the nearest or current vote is not held; 7.2: after a result, the next one."""
    cancel_vote(draft)
    if draft.state.ballot is not None:
        draft.emit(BallotCut(), PhaseBegan(Dusk(), draft.state.at))


COUNTS_AS_THE_VOTE = frozenset({"5.1.12", "5.1.13", "5.1.14"})


def counts_as_the_vote(draft: Draft, seat: int, clause: str | None) -> None:
    """ukraine 7.1: a nominated player removed before or in the vote was voted out, and night falls.

    5.2.2: so was anybody removed for 5.1.12 to 5.1.14, or without a clause (rules page, reading 25). A fourth foul of
    a player who is not nominated leaves the vote as it is; so does a removal at night, or after the vote.
    """
    state = draft.state
    if not state.at.day or state.vote_settled:
        return
    nominated = any(nomination.seat == seat for nomination in state.nominations)
    removed = state.seat(seat).disqualified is How.REMOVED
    if nominated or (removed and (clause is None or clause in COUNTS_AS_THE_VOTE)):
        draft.emit(VoteSettled())
        if not isinstance(state.phase, Morning | LastWord):  # last words of the night are said first
            draft.emit(PhaseBegan(Dusk(), state.at))
    elif state.ballot is not None:
        draft.emit(VoterRemoved(seat))
