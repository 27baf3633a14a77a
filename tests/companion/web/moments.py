"""Moments that a game may have, standing still: to be looked at, measured and pictured."""

from __future__ import annotations

from companion.table.seatview import (
    Choice,
    ContentSeen,
    Difference,
    Hints,
    Notice,
    Possible,
    Prompt,
    PutBack,
    Question,
    Result,
    Say,
    StepOffered,
    Threat,
    TurnPlayed,
    UndoAsked,
)
from companion.web.fakes import StillTable, cells, public_view, seat_view, seen_players

BOARD = "0120031204012200002302100"
WORKERS = {"A1": "b2", "A2": "d4", "B1": "d3", "B2": "d2"}
HISTORY = (
    TurnPlayed(1, "A", "A1@b2 A2@d4"),
    TurnPlayed(2, "B", "B1@d3 B2@d1"),
    TurnPlayed(3, "B", "B2:d1>d2 B2^e2"),
)
MOVES = tuple(
    StepOffered(f"A1:b2>{c}", "move", "A1", ("b2", c)) for c in ("a1", "b1", "c1", "c2", "a3", "b3", "c3")
)
BUILDS = (StepOffered("A1+c4", "build", "A1", ("c4",)), StepOffered("A1^c4", "build", "A1", ("c4",)))
TOO_HIGH = {"space": "a2", "from": "b2", "level": 3, "stands": 1, "rise": 2}
PUT_BACK = (
    PutBack("block", "block", "a3", None, "put.blocks_off", {"space": "a3", "count": 1}),
    PutBack("worker", "worker", "a2", "b2", "put.worker_from", {"from": "a2", "space": "b2"}),
)
AT_B3 = cells(BOARD, WORKERS | {"A1": "b3"})
THREAT = Threat("B", "hint.threat", {"player": "Ben", "space": "e4"}, ("e4",))
MOMENTS: dict[str, dict[str, object]] = {
    "move": {"prompt": Prompt("A", "move", MOVES, False), "hints": Hints("threats", (THREAT,), None)},
    "build": {
        "prompt": Prompt("A", "build", BUILDS, True),
        "now": Say("phase.build"),
        "turn": ("A1:b2>b3",),
        "board": AT_B3,
        "players": seen_players(("atlas", "minotaur")),
    },
    "illegal": {"notice": Notice("illegal", "reason.too_high.2", TOO_HIGH, PUT_BACK)},
    "sync": {
        "sync": (Difference("d3", ContentSeen(2, "B"), ContentSeen(2, "")),),
        "camera": "moved",
    },
    "question": {
        "board": AT_B3,
        "turn": ("A1:b2>b3", "A1+b4"),
        "now": Say("phase.build"),
        "players": seen_players(("demeter", "minotaur")),
        "question": Question(
            "q1",
            "A",
            "ask.second_build",
            {},
            (Choice("done", "ask.done_turn", {}), Choice("more", "step.block", {"space": "c4"}, ("c4",))),
        ),
    },
    "asked": {
        "undo": UndoAsked("B", 1, {"A": None}),
        "provisional": True,
        "players": seen_players(("apollo", "hecate")),
        "board": cells(BOARD, {"A1": "b2", "A2": "d4"}),
        "history": (*HISTORY[:1], TurnPlayed(2, "B", "+e2")),
        "hints": Hints("threats", (), Possible("hecate", ("a1", "e5"))),
    },
    "paused": {"paused": True, "end_offered_by": "B"},
    "over": {
        "phase": "over",
        "to_move": None,
        "now": Say("phase.over"),
        "board": cells(BOARD, WORKERS | {"A2": "e4"}),
        "history": (*HISTORY, TurnPlayed(4, "A", "A2:d4>e4")),
        "result": Result("A", Say("end.how.up", {"space": "e4"}), {}),
    },
}


def moment(name: str) -> StillTable:
    base = {
        "board": cells(BOARD, WORKERS),
        "players": seen_players(("apollo", "minotaur")),
        "camera": "ok",
        "history": HISTORY,
        "may_undo": True,
    }
    both = {**base, **MOMENTS[name]}
    public = {k: v for k, v in both.items() if k != "question"}
    return StillTable({s: seat_view(s, **both) for s in "AB"}, public_view(**public))
