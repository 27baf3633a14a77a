"""The AsyncAPI 3 document of all topics: `python -m companion.bus.asyncapi` writes docs/asyncapi.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from pydantic.json_schema import models_json_schema

from companion.bus import messages as m
from companion.bus.homeassistant import own_version
from companion.bus.incoming import LARGEST
from companion.bus.topics import AVAILABILITY, COMMAND, COMMANDS, NOTES, PARAMETERS, REPLY, TOPICS, Topic

BINDING: Final = "0.2.0"
REFERENCE: Final = "#/components/schemas/{model}"
TYPES: Final = {"json": "application/json", "word": "text/plain", "bytes": "application/octet-stream"}
PLACE: Final = Path(__file__).parents[2] / "docs" / "asyncapi.json"
Json = dict[str, Any]


def document() -> Json:
    """Make the document, from the point of view of the companion: `send` is what it sends."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Santorini companion on MQTT",
            "version": "1.0.0",
            "description": f"Topics and messages of the table companion. Messages to it hold {LARGEST} bytes "
            "at most; see docs/mqtt.md.",
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "servers": {"broker": _server()},
        "channels": {topic.name: _channel(topic) for topic in TOPICS},
        "operations": {topic.name: _operation(topic) for topic in TOPICS},
        "components": {
            "messages": {form.__name__: _message(topic, form) for topic in TOPICS for form in topic.messages},
            "schemas": _schemas(),
            "securitySchemes": {"password": {"type": "userPassword", "description": "one user a role"}},
        },
    }


def _server() -> Json:
    will = {
        "topic": AVAILABILITY.address,
        "qos": AVAILABILITY.qos,
        "message": "offline",
        "retain": AVAILABILITY.retain,
    }
    return {
        "host": "127.0.0.1:1883",
        "protocol": "mqtt",
        "protocolVersion": "3.1.1",
        "description": "the private broker, or any other",
        "security": [{"$ref": "#/components/securitySchemes/password"}],
        "bindings": {"mqtt": {"cleanSession": True, "lastWill": will, "bindingVersion": BINDING}},
    }


def _channel(topic: Topic) -> Json:
    channel: Json = {
        "address": topic.address,
        "description": topic.about,
        "messages": {f.__name__: {"$ref": f"#/components/messages/{f.__name__}"} for f in topic.messages},
    }
    if topic.parameters:
        channel["parameters"] = {name: _parameter(name) for name in topic.parameters}
    return channel


def _parameter(name: str) -> Json:
    choices = {"enum": list(PARAMETERS[name])} if name in PARAMETERS else {}
    return {"description": NOTES[name]} | choices


def _operation(topic: Topic) -> Json:
    operation: Json = {
        "action": "send" if topic.way == "out" else "receive",
        "channel": {"$ref": f"#/channels/{topic.name}"},
        "summary": topic.about,
        "messages": [{"$ref": f"#/channels/{topic.name}/messages/{f.__name__}"} for f in topic.messages],
        "bindings": {"mqtt": {"qos": topic.qos, "retain": topic.retain, "bindingVersion": BINDING}},
    }
    if topic is COMMAND or topic.name in ("button", "seat_open"):
        operation["reply"] = {
            "channel": {"$ref": f"#/channels/{REPLY.name}"},
            "messages": [{"$ref": f"#/channels/{REPLY.name}/messages/{m.Reply.__name__}"}],
        }
    return operation


def _message(topic: Topic, form: type[m.Wire]) -> Json:
    message: Json = {"name": form.__name__, "summary": summary(form), "contentType": TYPES[topic.body]}
    if topic.body == "json":
        message["payload"] = {"$ref": REFERENCE.format(model=form.__name__)}
    elif topic.body == "word":
        message["payload"] = {"type": "string", "enum": ["online", "offline"]}
    else:
        message["payload"] = {"type": "string", "format": "binary"}
    if topic is COMMAND:
        verbs = ", ".join(verb for verb, wanted in COMMANDS.items() if wanted is form)
        message["description"] = f"for the verbs: {verbs}"
    return message


def summary(form: type[m.Wire]) -> str:
    """Give the first line of a message's own description."""
    return (form.__doc__ or form.__name__).strip().splitlines()[0]


def _schemas() -> Json:
    forms = dict.fromkeys(form for topic in TOPICS if topic.body == "json" for form in topic.messages)
    _, found = models_json_schema(
        [(form, "validation") for form in forms], by_alias=True, ref_template=REFERENCE
    )
    schemas: Json = found["$defs"]
    return schemas


def text() -> str:
    """Write the document."""
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PLACE.write_text(text(), encoding="utf-8")
    print(f"{PLACE.name}: {len(TOPICS)} topics, companion {own_version()}")
