"""The table on MQTT: public state, events and LED frames out, commands and presses in."""

from companion.bus.address import BadAddress, BrokerAddress
from companion.bus.bus import Bus
from companion.bus.mosquitto import LocalBroker, NotInstalled

__all__ = ["BadAddress", "BrokerAddress", "Bus", "LocalBroker", "NotInstalled"]
