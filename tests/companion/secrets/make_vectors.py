"""Write tests/data/secrets/vectors.json anew: python -m tests.companion.secrets.make_vectors

Hashes come from hashlib, canonical texts are written out by hand below. Both implementations (Python and
JavaScript) are tested against the file, so a change here is a change of the format.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from pathlib import Path

VECTORS = Path(__file__).parents[2] / "data" / "secrets" / "vectors.json"

# (JSON as it comes in, its canonical form)
CANONICAL = (
    ("null", "null"),
    (" [ true , false ] ", "[true,false]"),
    ("[0, -0, -0.0, 1.0, 1e3, -17]", "[0,0,0,1,1000,-17]"),
    ("[9007199254740991, -9007199254740991]", "[9007199254740991,-9007199254740991]"),
    ('{"b": 1, "a": {"d": [], "c": {}}}', '{"a":{"c":{},"d":[]},"b":1}'),
    ('{"10": 1, "9": 2, "": 3, "A": 4, "a": 5, "Z": 6}', '{"":3,"10":1,"9":2,"A":4,"Z":6,"a":5}'),
    (r'"\u0000\u001f\b\f\n\r\t\"\\\/\u007f"', '"\\u0000\\u001f\\b\\f\\n\\r\\t\\"\\\\/\x7f"'),
    (r'"\u00e9\u20ac\u2028 \ud83d\ude00"', '"é€\u2028 😀"'),
    # By UTF-16 code units the smiley (D83D …) comes before the ligature (FB33); by code points after it.
    (r'{"\ufb33": 1, "\ud83d\ude00": 2, "\u20ac": 3}', '{"€":3,"😀":2,"\ufb33":1}'),
    ('{"workers": {"A2": "e1", "A1": "c3"}}', '{"workers":{"A1":"c3","A2":"e1"}}'),
)
REFUSED = ("0.5", "[9007199254740992]", "1e999", r'"\ud800"', r'{"\udc00": 1}', "[" * 40 + "]" * 40)
COMMITTED = (
    ("hecate", {"workers": {"A1": "c3", "A2": "e1"}}),
    ("hecate", {"workers": {"A1": "c3", "A2": "d2"}}),
    ("hecate", {"workers": {"A2": "d2"}}),
)


def _canonical(value: object) -> bytes:
    """Enough for the plain values of the chains below, and not the code under test."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _sha(value: object) -> str:
    return hashlib.sha256(_canonical(value)).hexdigest()


def _salt(number: int) -> str:
    return hashlib.sha256(f"salt of vector {number}".encode()).hexdigest()


def _chain(start: int) -> dict[str, object]:
    owner = {"game": "vector-1", "seat": "A", "power": "hecate"}
    previous = _sha({"chain": "santorini chain 1", **owner, "start": start})
    published, revealed = [], []
    for turn, (_, value) in enumerate(COMMITTED, start):
        salt = _salt(turn)
        message = _canonical({**owner, "turn": turn, "value": value})
        commitment = hmac.new(bytes.fromhex(salt), message, hashlib.sha256).hexdigest()
        previous = _sha({"previous": previous, "turn": turn, "commitment": commitment})
        published.append({"turn": turn, "commitment": commitment, "link": previous})
        revealed.append({"turn": turn, "value": value, "salt": salt})
    return {"owner": {**owner, "start": start}, "published": published, "revealed": revealed}


def _single(number: int, power: str, value: dict[str, object]) -> dict[str, object]:
    owner = {"game": f"game {number}", "seat": "B", "power": power}
    message = _canonical({**owner, "turn": 0, "value": value})
    return {
        "owner": {**owner, "start": 0},
        "turn": 0,
        "value": value,
        "salt": _salt(100 + number),
        "message": message.decode(),
        "commitment": hmac.new(bytes.fromhex(_salt(100 + number)), message, hashlib.sha256).hexdigest(),
    }


def _hashes() -> list[dict[str, str]]:
    # Lengths around the ends of a block are where an own SHA-256 goes wrong.
    texts = ["", "abc", *("x" * length for length in (55, 56, 63, 64, 65, 119, 120, 1000))]
    return [{"text": text, "sha256": hashlib.sha256(text.encode()).hexdigest()} for text in texts]


def _macs() -> list[dict[str, str]]:
    keys = ["", "4a656665", "0b" * 20, "aa" * 64, "aa" * 65, "aa" * 131]
    text = "what do ya want for nothing?"
    return [
        {
            "key": key,
            "text": text,
            "hmac": hmac.new(bytes.fromhex(key), text.encode(), hashlib.sha256).hexdigest(),
        }
        for key in keys
    ]


def vectors() -> dict[str, object]:
    """Build the whole file."""
    return {
        "sha256": _hashes(),
        "hmac": _macs(),
        "canonical": [{"json": text, "canonical": form} for text, form in CANONICAL],
        "refused": list(REFUSED),
        "commitments": [
            _single(1, "moerae", {"fate": "c2"}),
            _single(2, "tartarus", {"abyss": "c3"}),
            _single(3, "hecate", {"workers": {"B1": "a1", "B2": "e5"}, "note": "é 😀"}),
        ],
        "chains": [_chain(0), _chain(5)],
    }


if __name__ == "__main__":
    VECTORS.parent.mkdir(parents=True, exist_ok=True)
    VECTORS.write_text(json.dumps(vectors(), indent=1, ensure_ascii=True) + "\n")
    print(f"wrote {VECTORS}")
