"""The director: what lasts, what passes, the shortest shot, a burst, and the producer's hand over all of it."""

from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec
import pytest

from controller.views.hall import hall_view
from controller.views.messages import AirView, Out
from scenes.cues import Cue, Sheet, cue_sheet
from scenes.director import NEVER, Director
from scenes.happenings import in_the_open
from scenes.wanted import Wanted
from tests.scenes.views import during, speaking, whole_game, with_seat

SHEET = cue_sheet(None, "en")
SHOT = Out(how="shot", at="night 1")


@dataclass
class Show:
    """A director with a clock that is moved by hand."""

    sheet: Sheet = SHEET
    now: float = 100.0
    wanted: list[Wanted] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.director = Director(self.sheet)

    def see(self, view: AirView, *, told: bool = True) -> "Show":
        """The view is this now."""
        self.director.see(view, self.now, told=told)
        return self.look()

    def look(self) -> "Show":
        """What is wanted now is noted."""
        if (wanted := self.director.advance(self.now)) is not None:
            self.wanted.append(wanted)
        return self

    def go_on(self, seconds: float) -> "Show":
        """Time passes, and the director is woken when it asked for it."""
        until = self.now + seconds
        while self.director.wakes_at <= until:
            assert self.director.wakes_at >= self.now - 1e-9, "it asks to be woken in the past, again and again"
            self.now = max(self.now, self.director.wakes_at)
            self.look()
            self.now += 1e-6
        self.now = until
        return self.look()

    @property
    def scene(self) -> str | None:
        """What OBS is to show."""
        return self.wanted[-1].scene if self.wanted else None

    @property
    def scenes(self) -> list[str | None]:
        """Every scene in order, without repetitions."""
        found: list[str | None] = []
        for one in self.wanted:
            if not found or found[-1] != one.scene:
                found.append(one.scene)
        return found


def test_what_lasts_chooses_the_scene_at_once_when_the_service_starts():
    assert Show().see(during("night")).scene == "Night"


def test_a_situation_goes_on_air_after_the_burst_and_its_own_delay():
    show = Show().see(during("night")).go_on(10)
    show.see(speaking(3))
    assert show.scene == "Night"
    assert show.director.step is not None
    assert show.director.step.at == pytest.approx(show.now + 0.4)
    assert show.go_on(0.39).scene == "Night"
    assert show.go_on(0.02).scene == "Close-up"


def test_a_shot_stays_its_shortest_length_and_a_burst_ends_in_what_holds_last():
    show = Show().see(during("night")).go_on(10)
    show.see(during("morning")).go_on(0.3)
    assert show.scene == "Table"
    show.see(speaking(1)).go_on(0.5).see(speaking(2)).go_on(0.5).see(during("voting")).go_on(5)
    assert show.scenes == ["Night", "Table", "Vote"]


def test_three_presses_within_the_burst_are_one_cut():
    show = Show().see(during("voting")).go_on(10)
    for seat in (1, 2, 3):
        show.see(during("voting" if seat == 2 else "dusk")).go_on(0.05)
    assert show.go_on(3).scenes == ["Vote", "Table"]


def test_a_morning_holds_longer_than_other_shots():
    show = Show().see(during("night")).go_on(10).see(during("morning")).go_on(0.2)
    cut = show.now
    show.see(during("voting")).go_on(2.5)
    assert show.scene == "Table"
    show.go_on(cut + 3.01 - show.now)
    assert show.scene == "Vote"


def test_a_moment_passes_and_the_situation_comes_back():
    cues = {**SHEET.cues, "foul": Cue("foul", scene="table", lasts=3.0)}
    show = Show(replace(SHEET, cues=cues)).see(speaking(1)).go_on(10)
    show.see(with_seat(speaking(1), 4, fouls=1)).go_on(0.3)
    assert show.scene == "Table"
    assert show.director.step is not None
    assert show.director.step.scene == "Close-up"
    show.go_on(2.8)
    assert show.scene == "Table"
    assert show.go_on(0.2).scenes == ["Close-up", "Table", "Close-up"]


def test_of_moments_that_come_together_the_higher_rank_is_taken():
    cues = {
        **SHEET.cues,
        "foul": Cue("foul", scene="table", rank=1),
        "nominated": Cue("nominated", scene="vote", rank=5),
        "left": Cue("left", scene="pause"),
    }
    show = Show(replace(SHEET, cues=cues)).see(speaking(1)).go_on(10)
    together = with_seat(speaking(1), 4, fouls=1, nominated=1)
    show.see(with_seat(together, 5, in_play=False, out=SHOT)).go_on(1)
    assert show.scene == "Vote"


def test_a_moment_that_came_too_late_is_not_shown_any_more():
    cues = {**SHEET.cues, "foul": Cue("foul", scene="table"), "morning": Cue("morning", scene="vote", hold=20)}
    show = Show(replace(SHEET, cues=cues)).see(during("night")).go_on(10).see(during("morning")).go_on(1)
    show.see(with_seat(during("morning"), 4, fouls=1)).go_on(30)
    assert show.scenes == ["Night", "Vote"]


def test_an_undo_leads_back_and_no_moment_plays_again():
    cues = {**SHEET.cues, "foul": Cue("foul", scene="table")}
    show = Show(replace(SHEET, cues=cues)).see(with_seat(during("voting"), 4, fouls=1)).go_on(10)
    show.see(speaking(2), told=False).go_on(5)
    assert show.scene == "Close-up"
    show.see(with_seat(speaking(2), 4, fouls=1), told=False).go_on(5)
    assert show.scenes == ["Vote", "Close-up"]


def test_every_speaker_has_the_camera_of_the_seat():
    sheet = replace(SHEET, cameras={1: "left", 2: "right"}, scenes={**SHEET.scenes, "left": "Cam L", "right": "Cam R"})
    show = Show(sheet).see(speaking(1)).go_on(5).see(speaking(2)).go_on(5).see(speaking(3)).go_on(5)
    assert show.scenes == ["Cam L", "Cam R", "Close-up"]


def test_a_technical_stop_waits_for_no_shot():
    show = Show().see(during("night")).go_on(10).see(during("morning")).go_on(0.3)
    show.see(msgspec.structs.replace(during("morning"), stopped=True))
    assert show.scene == "Break"


# --- the producer


def test_what_the_producer_does_in_obs_wins_until_it_is_released():
    show = Show().see(during("night")).go_on(10)
    show.director.hand("Drone", 1)
    show.look().see(during("morning")).go_on(20)
    assert show.scene == "Drone"
    assert show.director.held is not None
    assert show.director.held.by == "obs"
    assert show.director.step is None
    show.director.release()
    assert show.look().scene == "Table"
    assert show.director.held is None


def test_a_step_that_was_on_its_way_is_cancelled_by_the_hand():
    show = Show().see(during("night")).go_on(10).see(during("morning"))
    step = show.director.step
    assert step is not None
    show.director.hand("Drone", 1)
    show.look().go_on(20)
    assert all(one.id != step.id for one in show.wanted)
    assert show.scene == "Drone"


def test_hold_keeps_what_is_on_air():
    show = Show().see(during("night")).go_on(10)
    show.director.hold()
    assert show.look().see(speaking(1)).go_on(9).scenes == ["Night"]
    show.director.release()
    assert show.look().scene == "Close-up"


def test_hold_leaves_what_is_on_air_where_scenes_are_only_prepared():
    """What was decided last is in the preview then, and the program shows another."""
    show = Show(replace(SHEET, prepare=True)).see(during("night")).go_on(10)
    show.director.hold()
    assert show.look().scene is None
    show.see(speaking(1)).go_on(9)
    assert show.scenes == ["Night", None]
    show.director.release()
    assert show.look().wanted[-1].prepare
    assert show.scene == "Close-up"


def test_cover_is_a_cut_and_gives_the_wheel_back_to_whoever_had_it():
    show = Show().see(during("night")).go_on(10)
    show.director.take("Drone")
    show.look()
    show.director.cover(on=True)
    assert show.look().scene == "Cover"
    assert show.wanted[-1].transition == "Cut"
    show.see(speaking(1)).go_on(5)
    assert show.scene == "Cover"
    show.director.cover(on=False)
    assert show.look().scene == "Drone"
    show.director.release()
    assert show.look().scene == "Close-up"


def test_a_skipped_step_does_not_happen_and_the_one_after_it_does():
    show = Show().see(during("night")).go_on(10).see(during("morning"))
    assert show.director.step is not None
    assert show.director.skip(show.director.step.id)
    assert show.look().go_on(10).scenes == ["Night"]
    assert not show.director.skip("auto-1")
    assert show.see(speaking(1)).go_on(10).scene == "Close-up"


def test_a_step_can_be_taken_at_once():
    show = Show().see(during("night")).go_on(10).see(during("morning")).go_on(0.3).see(speaking(1)).go_on(0.1)
    step = show.director.step
    assert step is not None
    assert step.at > show.now + 1
    assert show.director.go(step.id)
    assert show.look().scene == "Close-up"
    assert show.wanted[-1].id == step.id


def test_texts_follow_also_while_the_wheel_is_held_and_sources_do_not():
    cue = Cue("speech", scene="speaker", texts={"Name": "{seat}. {name}"}, show=(("Close-up", "Frame"),))
    show = Show(replace(SHEET, cues={**SHEET.cues, "speech": cue})).see(during("night")).go_on(5)
    assert show.wanted[-1].items == {("Close-up", "Frame"): False}
    assert show.wanted[-1].texts == {"Name": ""}
    show.director.hold()
    show.look().see(speaking(4)).go_on(5)
    assert show.wanted[-1].texts == {"Name": "4. Северная Пальмира"}
    assert show.wanted[-1].items == {("Close-up", "Frame"): False}
    show.director.release()
    show.look()
    assert show.wanted[-1].items == {("Close-up", "Frame"): True}


def test_nothing_is_due_where_nothing_changes():
    show = Show().see(during("night")).go_on(10)
    assert show.director.wakes_at == NEVER


# --- the whole game


def test_a_whole_game_is_followed_and_every_phase_has_its_scene():
    show, seen = Show(), dict[str, set[str | None]]()
    for _, view in whole_game():
        show.see(view).go_on(8)
        seen.setdefault(view.phase.kind, set()).add(show.scene)
    assert seen == {
        "dealing": {"Break"},
        "acquaintance": {"Night"},
        "night": {"Night"},
        "morning": {"Table"},
        "speech": {"Close-up"},
        "voting": {"Vote"},
        "last_word": {"Close-up"},
        "dusk": {"Table"},
        "over": {"Result"},
    }


def test_the_open_part_is_what_the_hall_has():
    told: set[tuple[int | None, int | None]] = set()
    for snapshot, view in whole_game():
        ours, hall = in_the_open(view), hall_view(snapshot)
        if ours.phase.speech == "revote" and ours.vote is not None:
            # The air holds the ballot that made the tie, the hall is at the next one: its counts were told before.
            assert {(one.seat, one.count) for one in ours.vote.candidates} <= told
            ours = msgspec.structs.replace(ours, vote=hall.vote)
        assert ours == hall
        told |= {(one.seat, one.count) for one in hall.vote.candidates} if hall.vote is not None else set()


def test_the_house_sheet_has_no_fault_and_every_scene_of_its_own(tmp_path: Path):
    assert SHEET.faults == ()
    assert {cue.scene for cue in SHEET.cues.values() if cue.scene} <= SHEET.scenes.keys()
