"""A whole chain as JSON: what the record of a game carries and what phones and `verify` check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Self

from companion.secrets.commit import Owner, Published, Revealed, verify_chain
from companion.secrets.errors import Malformed


@dataclass(frozen=True)
class ChainRecord:
    """One seat's chain: whose it is, what was published, and what was revealed at the end."""

    owner: Owner
    published: tuple[Published, ...]
    revealed: tuple[Revealed, ...]

    def verify(self) -> None:
        """Check everything; raise Broken at the first turn that fails."""
        verify_chain(self.owner, self.published, self.revealed)

    def to_json(self) -> dict[str, object]:
        """Give the chain as JSON values."""
        parts = {"published": self.published, "revealed": self.revealed}
        return {
            "owner": asdict(self.owner),
            **{name: [vars(x) for x in part] for name, part in parts.items()},
        }

    @classmethod
    def from_json(cls, value: object) -> Self:
        """Read a chain back; Malformed if it is none."""
        match value:
            case {"owner": owner, "published": [*published], "revealed": [*revealed]}:
                return cls(
                    parse_owner(owner),
                    tuple(parse_published(entry) for entry in published),
                    tuple(parse_revealed(secret) for secret in revealed),
                )
            case _:
                raise Malformed("a chain has an owner and lists of what was published and revealed")


def parse_owner(value: object) -> Owner:
    """Read whose secret it is."""
    match value:
        case {"game": str(game), "seat": str(seat), "power": str(power), "start": int(start)} if _whole(
            start
        ):
            return Owner(game, seat, power, start)
        case _:
            raise Malformed("an owner is a game, a seat, a power and the turn the chain starts with")


def parse_published(value: object) -> Published:
    """Read one commitment with its link."""
    match value:
        case {"turn": int(turn), "commitment": str(commitment), "link": str(link)} if _whole(turn):
            return Published(turn, commitment, link)
        case _:
            raise Malformed("what is published is a turn, a commitment and a link")


def parse_revealed(value: object) -> Revealed:
    """Read one revealed secret."""
    match value:
        case {"turn": int(turn), "value": dict(secret), "salt": str(salt)} if _whole(turn):
            return Revealed(turn, secret, salt)
        case _:
            raise Malformed("what is revealed is a turn, a value and a salt")


def verify_records(records: Sequence[ChainRecord]) -> bool:
    """Check all chains of a game; say whether every one of them starts with the game, else it proves less."""
    for record in records:
        record.verify()
    return all(record.owner.verifiable for record in records)


def _whole(number: int) -> bool:
    return not isinstance(number, bool) and 0 <= number < 2**31
