"""From boards that hands leave to turns, questions and notices; the eyes have one fault each."""

from __future__ import annotations

import pytest

from companion.referee.decisions import Behind, Busy, Illegal, Nothing, OutOfSync
from companion.table.commands import AcceptBoard, Redo, Restore
from tests.companion.live.sitting import HOST, Sit, board_after, changed

pytestmark = pytest.mark.slow


# ---- playing -------------------------------------------------------------------------------------------


def test_a_turn_on_the_board_is_a_turn_in_the_game(sit: Sit) -> None:
    table = sit()
    table.hands("A1:b2>c3 A1+c4")
    assert table.turns == ["A1:b2>c3 A1+c4"]
    table.hands("B1:b4>b3 B1+b4")
    assert table.turns[-1] == "B1:b4>b3 B1+b4" and table.table.public().to_move == "A"


def test_moved_and_not_yet_built_is_a_normal_state(sit: Sit) -> None:
    table = sit()
    table.hands("A1:b2>c3")
    assert table.so_far == ("A1:b2>c3",) and table.turns == []
    prompt = table.table.view("A").prompt
    assert prompt is not None and prompt.kind == "build"
    table.hands("A1+c4")
    assert table.turns == ["A1:b2>c3 A1+c4"]


def test_a_hand_over_the_board_commits_nothing(sit: Sit) -> None:
    table = sit()
    board = board_after(table.table.session.game, "A1:b2>c3 A1+c4")
    assert isinstance(table.look(board, hand=True), Busy)
    assert table.turns == [] and table.so_far == ()


def test_what_is_taken_back_before_the_turn_ends_was_not_played(sit: Sit) -> None:
    table = sit()
    start = table.board
    table.hands("A1:b2>c3")
    table.show(start)
    assert table.so_far == ()
    table.hands("A2:d4>c4 A2+d4")
    assert table.turns == ["A2:d4>c4 A2+d4"]


def test_another_move_replaces_the_one_seen_before(sit: Sit) -> None:
    table = sit()
    start = table.table.session.game
    table.hands("A1:b2>c3")
    table.show(board_after(start, "A1:b2>a2"))
    assert table.so_far == ("A1:b2>a2",)


def test_a_turn_that_may_go_on_is_provisional_and_ends_with_the_next_players_move(sit: Sit) -> None:
    table = sit("demeter", None)
    table.hands("A1:b2>c3 A1+c4")
    assert table.turns == [] and table.table.public().provisional
    assert table.table.view("A").now.key == "phase.second_build", "what is next, not what was"
    table.change(b4="0", b3="0B")
    assert table.turns == ["A1:b2>c3 A1+c4"] and table.so_far == ("B1:b4>b3",)
    assert not table.table.public().provisional


def test_a_provisional_turn_can_go_on_or_be_ended_on_the_phone(sit: Sit) -> None:
    table = sit("demeter", None)
    table.hands("A1:b2>c3 A1+c4")
    table.hands("A1+b2")
    assert table.turns == ["A1:b2>c3 A1+c4 A1+b2"]
    table.hands("B1:b4>b3 B1+b4")
    table.hands("A1:c3>d3 A1+c3")
    table.tap("A", "end")
    table.show(table.board)
    assert table.turns[-1] == "A1:c3>d3 A1+c3" and table.table.public().to_move == "B"


def test_a_whole_turn_of_the_next_player_also_ends_the_one_before(sit: Sit) -> None:
    table = sit("demeter", None)
    table.hands("A1:b2>c3 A1+c4")
    table.change(b4="1", b3="0B")
    assert table.turns == ["A1:b2>c3 A1+c4", "B1:b4>b3 B1+b4"]


def test_two_turns_that_were_quicker_than_the_camera_are_both_read(sit: Sit) -> None:
    table = sit()
    table.change(b2="0", c3="0A", c4="1", b4="1", b3="0B")
    assert table.turns == ["A1:b2>c3 A1+c4", "B1:b4>b3 B1+b4"]
    assert table.table.public().to_move == "A"


def test_two_turns_after_a_move_that_was_seen(sit: Sit) -> None:
    table = sit()
    table.hands("A1:b2>c3")
    table.change(c4="1", b4="1", b3="0B")
    assert table.turns == ["A1:b2>c3 A1+c4", "B1:b4>b3 B1+b4"]


def test_a_win_ends_the_game(sit: Sit) -> None:
    table = sit(board=["00000", "00000", "00000", "23000", "00000"], workers={
        "A1": "a2", "A2": "d4", "B1": "e1", "B2": "a5"})  # fmt: skip
    table.hands("A1:a2>b2")
    assert table.table.public().phase == "over"


def test_a_medusas_stones_are_part_of_her_turn(sit: Sit) -> None:
    table = sit("medusa", None, board=["00000", "00000", "01000", "00000", "00000"])
    table.change(b2="0", b3="1A", a2="1", b4="1")
    assert table.turns == ["A1:b2>b3 A1+a2 [xB1 +b4]"]


def test_what_a_step_brings_with_it_is_asked_for_until_hands_have_done_it(sit: Sit) -> None:
    """The move removes a worker; as long as it stands there the list says so, and nothing is out of step."""
    table = sit("bia", None)
    assert isinstance(table.change(b2="0", b3="0A"), Behind)
    public = table.table.public()
    assert public.sync is None and public.notice is not None and table.so_far == ()
    assert [thing.key for thing in public.notice.put_back] == ["put.worker_off"]
    table.change(b4="0")
    assert " ".join(table.so_far).startswith("A1:b2>b3") and table.table.public().notice is None
    table.change(c3="1")
    assert table.turns == ["A1:b2>b3 [xB1] A1+c3"]


# ---- taps and hands together ---------------------------------------------------------------------------


def test_steps_tapped_ahead_of_the_board_are_not_undone_by_sight(sit: Sit) -> None:
    table = sit()
    start = table.board
    table.tap("A", "A1:b2>c3")
    table.show(start)
    assert table.so_far == ("A1:b2>c3",) and table.table.public().notice is None
    table.hands("A1+c4")
    assert table.turns == ["A1:b2>c3 A1+c4"]


def test_a_turn_tapped_to_its_end_is_shown_until_the_board_follows(sit: Sit) -> None:
    table = sit()
    start = table.board
    table.show(start)
    table.tap("A", "A1:b2>c3", "A1+c4", "end")
    table.show(start)
    notice = table.table.public().notice
    assert notice is not None and notice.kind == "put_back"
    assert {thing.key for thing in notice.put_back} == {"put.worker_from", "put.blocks_on"}
    table.change(b2="0", c3="0A")
    notice = table.table.public().notice
    assert notice is not None and [thing.key for thing in notice.put_back] == ["put.blocks_on"]
    table.change(c4="1")
    assert table.table.public().notice is None and len(table.turns) == 1


def test_an_undone_turn_is_put_back_and_not_played_again_by_sight(sit: Sit) -> None:
    table = sit()
    start = table.board
    table.hands("A1:b2>c3 A1+c4")
    assert table.undo().ok
    assert isinstance(table.show(table.board), Behind)
    notice = table.table.public().notice
    assert table.turns == [] and notice is not None and len(notice.put_back) == 2
    assert isinstance(table.change(c4="0"), Behind)
    assert table.so_far == ()
    table.show(start)
    assert table.table.public().notice is None
    table.hands("A2:d4>c4 A2+d4")
    assert table.turns == ["A2:d4>c4 A2+d4"]


def test_several_turns_are_undone_and_redone_with_their_list(sit: Sit) -> None:
    table = sit()
    table.hands("A1:b2>c3 A1+c4")
    table.hands("B1:b4>b3 B1+b4")
    after = table.board
    assert table.undo(2).ok
    table.show(after)
    notice = table.table.public().notice
    assert notice is not None and len(notice.put_back) == 4 and table.turns == []
    for _ in range(2):
        assert table.table.submit(HOST, Redo(do="redo", seq=table.table.around.seq)).ok
    table.show(after)
    assert table.table.public().notice is None and len(table.turns) == 2


def test_a_board_that_was_accepted_is_undone_and_redone_with_its_list(sit: Sit) -> None:
    table = sit()
    known = table.board
    odd = changed(known, a1="3", e1="2", e5="3dome")
    table.show(odd, 5)
    assert table.table.submit(HOST, AcceptBoard(do="accept_board", seq=table.table.around.seq)).ok
    table.show(odd)
    assert table.table.public().board[0].height == 3 and table.undo().ok
    assert isinstance(table.show(odd), Behind) and table.table.public().sync is None
    notice = table.table.public().notice
    assert notice is not None and len(notice.put_back) == 4 and table.table.public().board[0].height == 0
    table.show(changed(known, e1="2"))
    notice = table.table.public().notice
    assert notice is not None and [thing.key for thing in notice.put_back] == ["put.blocks_off"]
    table.show(known)
    assert table.table.public().notice is None
    assert table.table.submit(HOST, Redo(do="redo", seq=table.table.around.seq)).ok
    table.show(odd)
    assert table.table.public().notice is None and table.table.public().board[0].height == 3


# ---- what is wrong -------------------------------------------------------------------------------------


def test_a_broken_rule_is_named_with_what_to_put_back_and_the_game_goes_on_by_itself(sit: Sit) -> None:
    table = sit(board=["00000", "00000", "00000", "00200", "00000"])
    start = table.board
    assert isinstance(table.change(b2="0", c2="2A", c1="1"), Illegal)
    notice = table.table.public().notice
    assert notice is not None and notice.kind == "illegal" and notice.key.startswith("reason.too_high")
    assert len(notice.put_back) == 2 and table.turns == []
    table.change(c1="0")
    notice = table.table.public().notice
    assert notice is not None and notice.kind == "illegal" and len(notice.put_back) == 1
    table.show(start)
    assert table.table.public().notice is None
    table.hands("A1:b2>b3 A1+b2")
    assert table.turns == ["A1:b2>b3 A1+b2"]


def test_a_mistake_may_be_mended_into_a_lawful_turn_at_once(sit: Sit) -> None:
    table = sit(board=["00000", "00000", "00000", "00200", "00000"])
    table.change(b2="0", c2="2A", c1="1")
    table.change(c2="2", b1="0A")
    assert table.turns == ["A1:b2>b1 A1+c1"]


def test_out_of_step_shows_the_differences_and_takes_the_board_as_it_stands(sit: Sit) -> None:
    table = sit()
    fallen = changed(table.board, a1="3", a2="2dome", e5="3", e4="1", c1="1dome")
    assert isinstance(table.show(fallen, looks=4), OutOfSync)
    sync = table.table.public().sync
    assert sync is not None and {d.cell for d in sync} == {"a1", "a2", "e5", "e4", "c1"}
    assert table.table.view("A").prompt is None
    table.show(fallen, looks=9)
    assert table.table.public().sync == sync, "it stays until somebody has chosen"
    assert table.table.view("A").prompt is None and table.table.public().notice is None
    assert table.table.submit(HOST, AcceptBoard(do="accept_board", seq=table.table.around.seq)).ok
    assert isinstance(table.show(fallen), Nothing)
    assert table.table.public().sync is None and table.table.view("A").prompt is not None


def test_who_accepts_a_board_may_say_who_is_to_move(sit: Sit) -> None:
    table = sit()
    fallen = changed(table.board, a1="3", a2="2dome", e5="3", e4="1", c1="1dome")
    assert table.table.public().sync_next is None
    table.show(fallen, looks=4)
    assert table.table.public().sync_next == "A" and table.table.view("B").sync_next == "A"
    nobody = AcceptBoard(do="accept_board", to_move="C", seq=table.table.around.seq)
    reply = table.table.submit(HOST, nobody)
    assert reply.say is not None and reply.say.key == "error.not_allowed"
    assert table.table.public().sync is not None, "what is refused changes nothing"
    ben = AcceptBoard(do="accept_board", to_move="B", seq=table.table.around.seq)
    assert table.table.submit(HOST, ben).ok
    after = table.table.public()
    assert (after.to_move, after.sync, after.sync_next) == ("B", None, None)
    assert isinstance(table.show(fallen), Nothing)


def test_out_of_step_can_be_restored(sit: Sit) -> None:
    table = sit()
    start = table.board
    table.show(changed(start, a1="3", a2="2dome", e5="3", e4="1", c1="1dome"), looks=4)
    assert table.table.submit(HOST, Restore(do="restore", seq=table.table.around.seq)).ok
    notice = table.table.public().notice
    assert notice is not None and notice.kind == "put_back" and len(notice.put_back) >= 5
    table.show(changed(start, a1="3"))
    notice = table.table.public().notice
    assert notice is not None and len(notice.put_back) == 1
    table.show(start)
    assert table.table.public().notice is None
