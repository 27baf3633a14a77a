"""The one declaration: what is not in it is not sent, and the AsyncAPI document says the same."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jinja2
import jsonschema
import pytest
from pydantic import ValidationError

from companion.bus import asyncapi
from companion.bus import messages as m
from companion.bus.homeassistant import discovery
from companion.bus.outgoing import state
from companion.bus.topics import (
    AVAILABILITY,
    BUTTON,
    COMMAND,
    COMMANDS,
    DISCOVERY,
    HEALTH,
    LED,
    REPLY,
    STATE,
    TOPICS,
    Packet,
    Topic,
    UndeclaredError,
    declared,
    packet,
    parse,
    removal,
)
from companion.bus.users import User, access_lines
from companion.bus.wording import Wording
from companion.table.seatview import Say
from companion.table.tables import Tables
from tests.companion.bus.conftest import PLAIN

DATA = Path(__file__).parents[2] / "data" / "mqtt"
HEALTHY = m.Health(session="0" * 16, accepted=0, refused={}, connects=1)


class ChattyHealth(m.Health):
    more: str = "undeclared"


def test_a_message_with_a_field_of_its_own_is_not_sent() -> None:
    with pytest.raises(UndeclaredError):
        packet(HEALTH, ChattyHealth(session="0" * 16, accepted=0, refused={}, connects=1), table="t1")
    with pytest.raises(ValidationError):
        m.Health.model_validate({"session": "0" * 16, "accepted": 0, "refused": {}, "connects": 1, "more": 1})


@pytest.mark.parametrize("table", ["", "+", "#", "a/b", "t 1", "ä", "x" * 41, "t1\n"])
def test_a_table_name_that_is_no_level_of_a_topic_is_not_sent_to(table: str) -> None:
    with pytest.raises(UndeclaredError):
        packet(HEALTH, HEALTHY, table=table)
    with pytest.raises(UndeclaredError):
        removal(STATE, table=table)


def test_undeclared_topics_values_and_pairs_are_not_sent() -> None:
    with pytest.raises(UndeclaredError):
        packet(Topic("new", "new", "out", (m.Health,), ""), HEALTHY, table="t1")
    with pytest.raises(UndeclaredError):
        packet(STATE, HEALTHY, table="t1")
    with pytest.raises(UndeclaredError):
        packet(LED, m.Led(seq=0, brightness=1, colours=["000000"] * 25), table="t1", shape="star")
    with pytest.raises(UndeclaredError):
        packet(HEALTH, HEALTHY)
    with pytest.raises(UndeclaredError):
        button = m.Button.model_validate({"schema": 1, "transaction": "x", "button": 1})
        packet(BUTTON, button, table="t1")
    assert declared(packet(HEALTH, HEALTHY, table="t1"))
    assert not declared(Packet("santorini/v1/t1/secret", b"", 1, False))
    assert not declared(Packet("santorini/v1/t1/reply/steal", b"", 1, False))
    assert not declared(Packet("santorini/v1/t1/cmd/end", b"", 1, False)), "what comes in never goes out"


def test_every_address_is_taken_apart_again() -> None:
    usual = {"table": "t1", "verb": "end", "about": "end", "shape": "ring", "seat": "A"}
    for topic in TOPICS:
        values = {name: usual[name] for name in topic.parameters}
        found = parse(topic.filled(values), topic.way)
        assert found is not None
        assert (found.topic, dict(found.values)) == (topic, values)
        assert parse(topic.filled(values) + "/more", topic.way) is None


def test_only_facts_that_the_text_names_travel() -> None:
    said = Wording().say(Say("phase.wait", {"player": "Ada", "other": "A1 is on c3"}))
    assert said.facts == {"player": "Ada"}
    assert "Ada" in said.text
    assert "c3" not in said.model_dump_json()


def test_a_fact_that_cannot_be_said_does_not_stop_the_rest() -> None:
    said = Wording().say(Say("phase.wait", {"player": "Ada", "odd": None, "half": 0.5}))
    assert said.facts == {"player": "Ada"}


def test_the_state_says_what_the_view_says(tables: Tables) -> None:
    view = tables.create(PLAIN).public()
    sent = json.loads(packet(STATE, state(view, "0" * 16, Wording()), table=view.table).payload)
    assert set(sent) == {f.alias or name for name, f in m.State.model_fields.items()}
    assert [space["cell"] for space in sent["board"]][:6] == ["a1", "b1", "c1", "d1", "e1", "a2"]
    assert (sent["seq"], sent["phase"], sent["to_move"]) == (view.seq, "setup", "A")


def test_access_follows_from_the_topics() -> None:
    lines = list(access_lines([User("lights", "lights"), User("t1-A", "seat", "t1", "A")]))
    assert lines == [
        "user lights",
        "topic read santorini/v1/+/availability",
        "topic read santorini/v1/+/led/+",
        "topic read santorini/v1/+/reply/button",
        "topic write santorini/v1/+/button",
        "user t1-A",
        "topic read santorini/v1/t1/availability",
        "topic read santorini/v1/t1/state",
        "topic read santorini/v1/t1/event",
        "topic read santorini/v1/t1/led/+",
        "topic read santorini/v1/t1/health",
        "topic read santorini/v1/t1/reply/open",
        "topic write santorini/v1/t1/seat/A/open",
        "topic read santorini/v1/t1/seat/A/state",
    ]


# ---- AsyncAPI ------------------------------------------------------------------------------------------


def schema(name: str) -> Any:
    return json.loads((DATA / name).read_text("utf-8"))


def faults(document: Any) -> list[str]:
    """What is wrong with an AsyncAPI document: by its schema, and references that lead nowhere."""
    found = [
        e.message
        for e in jsonschema.Draft202012Validator(schema("asyncapi-3.schema.json")).iter_errors(document)
    ]
    return found + [ref for ref in references(document) if not leads_somewhere(document, ref)]


def references(node: Any) -> list[str]:
    if isinstance(node, list):
        return [ref for item in node for ref in references(item)]
    if not isinstance(node, dict):
        return []
    own = [node["$ref"]] if isinstance(node.get("$ref"), str) else []
    return own + [ref for item in node.values() for ref in references(item)]


def leads_somewhere(document: Any, ref: str) -> bool:
    node = document
    for part in ref.removeprefix("#/").split("/"):
        if not isinstance(node, dict) or part not in node:
            return False
        node = node[part]
    return ref.startswith("#/")


def test_the_document_in_docs_is_the_one_that_the_topics_give() -> None:
    assert asyncapi.PLACE.read_text("utf-8") == asyncapi.text(), "run python -m companion.bus.asyncapi"


def test_the_document_is_valid_asyncapi() -> None:
    document = asyncapi.document()
    assert faults(document) == []
    assert set(document["channels"]) == {topic.name for topic in TOPICS}
    for topic in TOPICS:
        assert document["channels"][topic.name]["address"] == topic.address
        bindings = document["operations"][topic.name]["bindings"]["mqtt"]
        assert (bindings["qos"], bindings["retain"]) == (topic.qos, topic.retain)


BREAK: dict[str, Callable[[Any], object]] = {
    "no version": lambda d: d.pop("asyncapi"),
    "another version": lambda d: d.update(asyncapi="2.6.0"),
    "no title": lambda d: d["info"].pop("title"),
    "an unknown field": lambda d: d.update(more=1),
    "an operation without a channel": lambda d: d["operations"]["state"].pop("channel"),
    "an unknown action": lambda d: d["operations"]["state"].update(action="publish"),
    "a channel with an unknown field": lambda d: d["channels"]["state"].update(adress="x"),
    "a reference to nothing": lambda d: d["channels"]["state"]["messages"]["State"].update({"$ref": "#/x"}),
    "a quality of service of 3": lambda d: d["operations"]["led"]["bindings"]["mqtt"].update(qos=3),
    "a server without a protocol": lambda d: d["servers"]["broker"].pop("protocol"),
    "a message with an unknown field": lambda d: d["components"]["messages"]["Led"].update(schema={}),
}


@pytest.mark.parametrize("name", BREAK)
def test_a_broken_document_is_noticed(name: str) -> None:
    document = copy.deepcopy(asyncapi.document())
    BREAK[name](document)
    assert faults(document)


def test_what_is_sent_is_what_the_document_describes(tables: Tables) -> None:
    table = tables.create(PLAIN)
    document = asyncapi.document()
    sent = {
        "State": state(table.public(), "0" * 16, Wording()),
        "Led": m.Led(seq=1, brightness=9, colours=["00ff00"] * 25),
        "Health": HEALTHY,
        "Reply": m.Reply(transaction=None, ok=False, repeated=False, seq=0, problem="encoding", say=None),
    }
    for name, message in sent.items():
        body = json.loads(message.model_dump_json(by_alias=True))
        own = {"$ref": f"#/components/schemas/{name}"} | {"components": document["components"]}
        jsonschema.Draft202012Validator(own).validate(body)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.Draft202012Validator(own).validate(body | {"undeclared": 1})
    assert {message for topic in (COMMAND,) for message in topic.messages} == set(COMMANDS.values())
    assert packet(AVAILABILITY, m.Availability(state="online"), table="t1").payload == b"online"
    assert REPLY.retain is False


# ---- Home Assistant ------------------------------------------------------------------------------------


def ha_faults(message: Any) -> list[str]:
    checker = jsonschema.Draft202012Validator(schema("home-assistant-device.schema.json"))
    return [error.message for error in checker.iter_errors(message)]


def test_discovery_keeps_to_home_assistants_documentation() -> None:
    ready = packet(DISCOVERY, discovery("t1"), table="t1")
    assert ready.topic == "homeassistant/device/santorini_t1/config"
    assert not ready.retain, "retained discovery outlives its device"
    message = json.loads(ready.payload)
    assert ha_faults(message) == []
    assert set(message["components"]) == {
        "turn", "phase", "winner", "camera", "now", "illegal", "confirm", "undo",
    }  # fmt: skip
    ids = [component["unique_id"] for component in message["components"].values()]
    assert len(set(ids)) == len(ids)


HA_BREAK: dict[str, Callable[[Any], object]] = {
    "no device": lambda d: d.pop("device"),
    "no origin": lambda d: d.pop("origin"),
    "an origin without a name": lambda d: d["origin"].pop("name"),
    "a device nobody can tell": lambda d: d["device"].pop("identifiers"),
    "no platform": lambda d: d["components"]["turn"].pop("platform"),
    "no unique id": lambda d: d["components"]["turn"].pop("unique_id"),
    "a sensor without a topic": lambda d: d["components"]["turn"].pop("state_topic"),
    "a button without a topic": lambda d: d["components"]["undo"].pop("command_topic"),
    "a button with a state": lambda d: d["components"]["undo"].update(state_topic="x"),
    "options without an enum": lambda d: d["components"]["phase"].pop("device_class"),
    "an unknown option": lambda d: d["components"]["illegal"].update(colour="red"),
    "a device class of another platform": lambda d: d["components"]["illegal"].update(device_class="enum"),
    "something else at the root": lambda d: d.update(value_template="x"),
    "a topic with a wildcard": lambda d: d["components"]["undo"].update(command_topic="a/+/b"),
}


@pytest.mark.parametrize("name", HA_BREAK)
def test_a_broken_discovery_is_noticed(name: str) -> None:
    message = json.loads(packet(DISCOVERY, discovery("t1"), table="t1").payload)
    HA_BREAK[name](message)
    assert ha_faults(message)


def test_the_templates_say_what_the_table_says(tables: Tables) -> None:
    """Home Assistant fills templates with Jinja; `value_json` is the state."""
    view = tables.create(PLAIN).public()
    value = json.loads(packet(STATE, state(view, "0" * 16, Wording()), table="t1").payload)
    components = discovery("t1").components

    def said(name: str, state_: Any) -> str:
        template = components[name].value_template
        rendered: str = jinja2.Environment(autoescape=False).from_string(template).render(value_json=state_)
        return rendered

    name = {player.seat: player.name for player in view.players}
    assert said("turn", value) == name["A"]
    assert said("phase", value) == "setup"
    assert said("winner", value) == "-"
    assert said("winner", value | {"result": {"winner": "B"}}) == name["B"]
    assert said("camera", value) == "none"
    assert (said("illegal", value), said("illegal", value | {"illegal": True})) == ("OFF", "ON")
    assert said("now", value) == value["now"]["text"]
    press = components["undo"].command_template

    class Now:
        def timestamp(self) -> float:
            return 1234.5

    pressed = jinja2.Environment(autoescape=False).from_string(press).render(now=Now)
    button = m.Button.model_validate_json(pressed)
    assert (button.button, button.transaction) == ("undo", "ha-1234500000")
