"""One Home Assistant device a table: turn, phase, winner, camera, illegal, and two buttons."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Final, get_args

from companion.bus.discovery import Component, Device, Discovery, Origin
from companion.bus.topics import AVAILABILITY, BUTTON, STATE
from companion.table.seatview import CameraSays, Phase

NOBODY: Final = "-"
# Home Assistant fills the template in whenever the button is pressed, so every press has its own transaction.
PRESS: Final = (
    '{{"schema": 1, "transaction": "ha-{{{{ (now().timestamp() * 1000000) | int }}}}", "button": "{0}"}}'
)


def own_version() -> str:
    """Give this program's version."""
    try:
        return version("santorini-companion")
    except PackageNotFoundError:
        return "0"


def discovery(table: str) -> Discovery:
    """Describe a table's device."""
    return Discovery(
        device=Device(
            identifiers=[f"santorini_{table}"],
            name=f"Santorini table {table}",
            manufacturer="Santorini companion",
            model="Table",
            sw_version=own_version(),
        ),
        origin=Origin(name="santorini-companion", sw_version=own_version()),
        components=_sensors(table) | _buttons(table),
        availability_topic=AVAILABILITY.filled({"table": table}),
        payload_available="online",
        payload_not_available="offline",
        qos=1,
    )


def _player(path: str) -> str:
    """A template that names the player of a seat."""
    return (
        f"{{% set seat = value_json.{path} %}}"
        "{{ (value_json.players | selectattr('seat', 'eq', seat) | map(attribute='name') | list"
        f" + ['{NOBODY}']) | first }}}}"
    )


def _sensors(table: str) -> dict[str, Component]:
    topic = STATE.filled({"table": table})

    def sensor(name: str, title: str, template: str, choices: tuple[str, ...] = ()) -> Component:
        extra = {"device_class": "enum", "options": list(choices)} if choices else {}
        return Component.model_validate(
            {
                "platform": "sensor",
                "unique_id": f"santorini_{table}_{name}",
                "name": title,
                "state_topic": topic,
                "value_template": template,
            }
            | extra
        )

    winner = f"{{% if value_json.result %}}{_player('result.winner')}{{% else %}}{NOBODY}{{% endif %}}"
    return {
        "turn": sensor("turn", "Turn", _player("to_move")),
        "phase": sensor("phase", "Phase", "{{ value_json.phase }}", get_args(Phase)),
        "winner": sensor("winner", "Winner", winner),
        "camera": sensor("camera", "Camera", "{{ value_json.camera }}", get_args(CameraSays)),
        "now": sensor("now", "Next", "{{ value_json.now.text[:255] }}"),
        "illegal": Component(
            platform="binary_sensor",
            unique_id=f"santorini_{table}_illegal",
            name="Illegal move",
            state_topic=topic,
            value_template="{{ 'ON' if value_json.illegal else 'OFF' }}",
            payload_on="ON",
            payload_off="OFF",
            device_class="problem",
        ),
    }


def _buttons(table: str) -> dict[str, Component]:
    return {
        meaning: Component(
            platform="button",
            unique_id=f"santorini_{table}_{meaning}",
            name=title,
            command_topic=BUTTON.filled({"table": table}),
            command_template=PRESS.format(meaning),
            qos=1,
            retain=False,
        )
        for meaning, title in (("confirm", "Confirm"), ("undo", "Undo"))
    }
