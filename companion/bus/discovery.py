"""Home Assistant's device-based discovery, as home-assistant.io/integrations/mqtt describes it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from companion.bus.messages import Wire


class Device(Wire):
    """The device that the entities belong to."""

    identifiers: list[str]
    name: str
    manufacturer: str
    model: str
    sw_version: str


class Origin(Wire):
    """Who sends the discovery."""

    name: str
    sw_version: str


class Component(Wire):
    """One entity. Options that are not set are not sent."""

    platform: Literal["sensor", "binary_sensor", "button"]
    unique_id: Annotated[str, Field(min_length=1)]
    name: str
    state_topic: str | None = None
    value_template: str | None = None
    json_attributes_topic: str | None = None
    json_attributes_template: str | None = None
    command_topic: str | None = None
    command_template: str | None = None
    payload_on: str | None = None
    payload_off: str | None = None
    device_class: Literal["enum", "problem"] | None = None
    options: list[str] | None = None
    entity_category: Literal["diagnostic"] | None = None
    icon: str | None = None
    qos: int | None = None
    retain: bool | None = None


class Discovery(Wire):
    """The whole message: one device with all its entities."""

    device: Device
    origin: Origin
    components: dict[str, Component]
    availability_topic: str
    payload_available: Literal["online"]
    payload_not_available: Literal["offline"]
    qos: int
