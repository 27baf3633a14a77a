"""Commands and presses: carried out once, and everything that is wrong refused, answered and counted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.companion.bus.conftest import House
from tests.companion.bus.probes import Got, Probe, until
from tests.companion.live.sitting import Sitting
from vision.reading import Content

pytestmark = pytest.mark.broker


@pytest.fixture
def control(house: House) -> Iterator[Probe]:
    with house.probe("control") as probe:
        probe.subscribe("santorini/#").heard("/health")
        yield probe


def answer(probe: Probe, topic: str, payload: Any, about: str, *, retain: bool = False) -> Any:
    """Send something and give the reply that comes next."""
    ending = f"/reply/{about}"
    before = len(probe.on(ending))
    probe.publish(topic, payload, retain=retain)
    probe.wait(lambda: len(probe.on(ending)) > before)
    return probe.on(ending)[before].json


def placed(house: House) -> None:
    """Bring the table to its first turn."""
    from companion.table.commands import Actor, TakeStep

    for seat, steps in (("A", ("A1@b2", "A2@d4")), ("B", ("B1@b4", "B2@d2"))):
        for step in steps:
            seq = house.table.public().seq
            assert house.table.submit(Actor(seat, "seat"), TakeStep(do="step", step=step, seq=seq)).ok


def test_a_command_is_carried_out_and_answered(house: House, control: Probe) -> None:
    reply = answer(control, house.topic("cmd/step"), house.command("t1", step="A1@a1"), "step")
    assert reply == {
        "schema": 1,
        "transaction": "t1",
        "ok": True,
        "repeated": False,
        "seq": house.table.public().seq,
        "problem": None,
        "say": None,
    }
    got = control.heard("/state", lambda got: got.json["board"][0]["worker"] is not None)
    assert got.json["board"][0]["worker"]["id"] == "A1"
    event = control.heard("/event").json
    assert (event["kind"], event["seat"], event["turn"]) == ("step", "A", "A1@a1")


def test_a_refusal_of_the_rules_comes_with_its_reason(house: House, control: Probe) -> None:
    before = house.table.public()
    reply = answer(control, house.topic("cmd/step"), house.command("t1", step="A1:a1>b1"), "step")
    assert reply["problem"] == "refused"
    assert reply["say"]["text"]
    assert house.table.public() == before


def test_what_was_done_and_counted_is_known_on_a_connection_that_was_made_anew(
    house: House, control: Probe
) -> None:
    command = house.command("t1", step="A1@a1")
    first = answer(control, house.topic("cmd/step"), command, "step")
    assert answer(control, house.topic("cmd/step"), b"{", "step")["problem"] == "wrong_schema"
    after = house.table.public()
    house.bus.seal_seats(house.table.id, False)
    until(lambda: [link.lines for link in house.bus.links.values()] == [None] and len(house.bus._tasks) == 1)
    anew = house.bus.links[house.table.id]
    until(lambda: anew.connects > 0)
    told = len(control.on("/reply/step"))

    def told_again() -> bool:
        # What is sent before it listens is lost, as it would be for anybody.
        control.publish(house.topic("cmd/step"), command)
        return len(control.on("/reply/step")) > told

    until(told_again)
    assert control.on("/reply/step")[told].json == first | {"repeated": True}
    assert house.table.public() == after
    assert (anew.inbox.accepted, anew.inbox.refused["wrong_schema"]) == (1, 1)


def test_a_repeated_command_is_answered_again_and_not_done_again(house: House, control: Probe) -> None:
    command = house.command("t1", step="A1@a1")
    first = answer(control, house.topic("cmd/step"), command, "step")
    after = house.table.public()
    again = answer(control, house.topic("cmd/step"), command, "step")
    assert again == first | {"repeated": True}
    assert house.table.public() == after


def test_every_verb_reaches_the_table(house: House, control: Probe) -> None:
    placed(house)
    story: tuple[tuple[str, dict[str, Any], bool], ...] = (
        ("step", {"step": "A1:b2>b3"}, True),
        ("undo", {"turns": 0}, True),
        ("redo", {}, True),
        ("pause", {}, True),
        ("resume", {}, True),
        ("hint_level", {"seat": "A", "level": "off"}, True),
        ("end", {}, False),
        ("pass", {}, False),
        ("undo_answer", {"yes": True}, False),
        ("accept_board", {}, False),
        ("restore", {}, False),
    )
    for number, (verb, more, ok) in enumerate(story):
        command = house.command(f"v{number}", **more)
        reply = answer(control, house.topic(f"cmd/{verb}"), command, verb)
        assert reply["ok"] is ok, (verb, reply)


def test_whoever_accepts_the_board_says_whose_turn_it_is(house: House, control: Probe) -> None:
    placed(house)
    sitting = Sitting(house.table)
    board = list(sitting.board)
    for cell in (0, 4, 20, 24):
        board[cell] = Content(2)
    sitting.show(tuple(board), looks=8)
    topic = house.topic("cmd/accept_board")
    wrong = answer(control, topic, house.command("t1", to_move="E"), "accept_board")
    assert wrong["problem"] == "wrong_schema"
    assert answer(control, topic, house.command("t2", to_move="B"), "accept_board")["ok"]
    now = house.table.public()
    assert (now.to_move, [space.height for space in now.board].count(2)) == ("B", 4)


BAD: dict[str, tuple[Any, str]] = {
    "oversized": (b'{"transaction": "x", "pad": "' + b"a" * 5000 + b'"}', "oversized"),
    "not UTF-8": (b'{"schema": 1, "step": "\xff\xfe"}', "encoding"),
    "not JSON": (b"{", "wrong_schema"),
    "nothing": (b"", "wrong_schema"),
    "a list": (b"[1, 2]", "wrong_schema"),
    "very deep": (b"[" * 4000, "wrong_schema"),
    "a constant that JSON has not": (b'{"schema": 1, "seq": NaN}', "wrong_schema"),
}
FIELDS: dict[str, tuple[dict[str, Any], str]] = {
    "another schema": ({"schema": 2}, "wrong_schema"),
    "an undeclared field": ({"seat": "B"}, "wrong_schema"),
    "a number as text": ({"seq": "0"}, "wrong_schema"),
    "a number with a fraction": ({"seq": 0.5}, "wrong_schema"),
    "a number as truth": ({"seq": True}, "wrong_schema"),
    "a transaction with blanks": ({"transaction": "a b"}, "wrong_schema"),
    "no step": ({"step": ""}, "wrong_schema"),
    "another run": ({"session": "0" * 16}, "replayed"),
    "from the future": ({"seq": 1000}, "out_of_order"),
}


def test_what_is_wrong_is_refused_answered_counted_and_moves_nothing(house: House, control: Probe) -> None:
    before, events = house.table.public(), len(house.table.session.game.deeds)
    topic = house.topic("cmd/step")
    expected: dict[str, int] = {}
    for name, (payload, problem) in BAD.items():
        reply = answer(control, topic, payload, "step")
        assert reply["problem"] == problem, name
        expected[problem] = expected.get(problem, 0) + 1
    for number, (name, (fields, problem)) in enumerate(FIELDS.items()):
        payload = house.command(f"w{number}", step="A1@a1") | fields
        reply = answer(control, topic, payload, "step")
        assert (reply["ok"], reply["problem"]) == (False, problem), name
        expected[problem] = expected.get(problem, 0) + 1
    health = control.heard("/health", lambda got: got.json["refused"] == expected).json
    assert health["accepted"] == 0
    assert house.table.public() == before
    assert len(house.table.session.game.deeds) == events


def test_a_stale_command_is_out_of_order(house: House, control: Probe) -> None:
    old = house.command("t2", step="A2@b1")
    answer(control, house.topic("cmd/step"), house.command("t1", step="A1@a1"), "step")
    before = house.table.public()
    assert answer(control, house.topic("cmd/step"), old, "step")["problem"] == "out_of_order"
    assert house.table.public() == before


def test_a_transaction_is_not_used_for_something_else(house: House, control: Probe) -> None:
    answer(control, house.topic("cmd/step"), house.command("t1", step="A1@a1"), "step")
    before = house.table.public()
    other = house.command("t1", step="A2@b1")
    assert answer(control, house.topic("cmd/step"), other, "step")["problem"] == "replayed"
    assert house.table.public() == before


def test_what_was_kept_by_the_broker_is_not_carried_out_late(house: House, control: Probe) -> None:
    press = {"schema": 1, "transaction": "p1", "button": "undo"}
    control.publish("santorini/v1/later/button", press, retain=True)
    before = len(control.on("/reply/button"))
    later = house.tables.create({"players": [{"seat": "A"}, {"seat": "B"}]}, "later")
    control.wait(lambda: len(control.on("/reply/button")) > before)
    assert control.on("/reply/button")[-1].json["problem"] == "retained"
    assert later.public().seq <= 1


def test_unknown_verbs_and_tables_move_nothing(house: House, control: Probe) -> None:
    with house.witness() as hub:
        hub.subscribe("santorini/#").heard("/health")
        reply = answer(hub, house.topic("cmd/edit_board"), house.command("t1"), "unknown")
        assert reply["problem"] == "unknown"
        hub.publish("santorini/v1/nowhere/cmd/end", house.command("t2"))
        hub.silent("/reply/end")


def test_a_message_that_the_broker_finds_too_large_only_ends_its_own_line(house: House) -> None:
    with house.witness() as hub, house.probe("control") as flooder:
        hub.subscribe("santorini/#").heard("/health")
        flooder._client.publish(house.topic("cmd/end"), b"x" * 100_000, qos=1)
        flooder.wait(lambda: flooder.disconnects > 0)
        house.table.camera("ok")
        hub.heard("/state", lambda got: got.json["camera"] == "ok")


def test_buttons_by_number_and_by_meaning(house: House, control: Probe) -> None:
    placed(house)
    topic = house.topic("button")
    number = 0

    def press(button: object, **more: Any) -> Any:
        nonlocal number
        number += 1
        pressed = {"schema": 1, "transaction": f"b{number}", "button": button} | more
        return answer(control, topic, pressed, "button")

    answer(control, house.topic("cmd/step"), house.command("m", step="A1:b2>b3"), "step")
    assert press("confirm")["ok"] is False, "the turn is not complete"
    answer(control, house.topic("cmd/step"), house.command("n", step="A1+b2"), "step")
    assert press(0, down=False)["ok"] is True
    assert house.table.public().to_move == "A", "letting go does nothing"
    assert press(0)["ok"] is True
    assert house.table.public().to_move == "B"
    assert press(1)["ok"] is True
    asked = control.heard("/state", lambda got: got.json["undo"] is not None).json["undo"]
    assert asked == {"asked_by": "A", "turns": 1}
    assert house.table.public().to_move == "B", "the others have to agree"
    assert press("confirm")["ok"] is True
    assert house.table.public().to_move == "A"
    assert press(9)["ok"] is True, "a button without a meaning is heard and does nothing"
    assert press("launch")["problem"] == "wrong_schema"


def test_a_flood_is_answered_in_order_and_the_game_goes_on(house: House, control: Probe) -> None:
    junk = [json.dumps({"transaction": f"j{n}"}) for n in range(300)]
    for payload in junk:
        control._client.publish(house.topic("cmd/end"), payload, qos=1)
    control.wait(lambda: len(control.on("/reply/end")) == len(junk))
    replies: list[Got] = control.on("/reply/end")
    assert [got.json["transaction"] for got in replies] == [f"j{n}" for n in range(300)]
    reply = answer(control, house.topic("cmd/step"), house.command("t1", step="A1@a1"), "step")
    assert reply["ok"] is True
