"""From a board as it is to a board as it should be."""

from dataclasses import dataclass

import pytest

from companion.texts import LANGUAGES, put_back, say


@dataclass(frozen=True)
class Stand:
    height: int = 0
    top: str = ""


EMPTY = (Stand(),) * 25
NAMES = {"A": "Ada", "B": "Ben"}


def board(**stands: str):
    """A board from words such as `a1="2A"`: blocks and what is on top (^ is a dome)."""
    cells = list(EMPTY)
    for space, word in stands.items():
        top = "dome" if word[1:] == "^" else word[1:]
        cells["abcde".index(space[0]) + 5 * (int(space[1]) - 1)] = Stand(int(word[0]), top)
    return tuple(cells)


def told(now, wanted, language="en"):
    return [say(language, text) for text in put_back(now, wanted, NAMES)]


def test_nothing_differs():
    assert told(board(a1="2A"), board(a1="2A")) == []


@pytest.mark.parametrize(
    ("now", "wanted", "sentences"),
    [
        ({"b2": "0A"}, {"b1": "0A"}, ["Move the worker from b2 back to b1."]),
        ({"d4": "1"}, {}, ["Take 1 block off d4."]),
        ({"d4": "2"}, {"d4": "0"}, ["Take 2 blocks off d4."]),
        ({}, {"d4": "3"}, ["Put 3 blocks back on d4."]),
        ({"d4": "3^"}, {"d4": "3"}, ["Take the dome off d4."]),
        ({"d4": "3"}, {"d4": "3^"}, ["Put the dome back on d4."]),
        (
            {"d4": "1^"},
            {"d4": "2^"},
            ["Take the dome off d4.", "Put 1 block back on d4.", "Put the dome back on d4."],
        ),
        ({"c3": "2A"}, {"c3": "1A"}, ["Take the block from under the worker on c3."]),
        ({"c3": "0A"}, {"c3": "1A"}, ["Put the block back under the worker on c3."]),
        ({}, {"c3": "0B"}, ["Put the worker back on c3 (Ben)."]),
        ({"c3": "0B"}, {}, ["Take the worker off c3."]),
        (
            {"c3": "0A", "d4": "0B"},
            {"c3": "0B", "d4": "0A"},
            ["Move the worker from d4 back to c3.", "Move the worker from c3 back to d4."],
        ),
    ],
)
def test_each_difference_has_its_sentence(now, wanted, sentences):
    assert told(board(**now), board(**wanted)) == sentences


def test_pieces_come_off_first_and_go_on_last():
    now = board(c3="0A", d4="1")
    wanted = board(b2="0A", e5="1")
    assert told(now, wanted) == [
        "Take 1 block off d4.",
        "Move the worker from c3 back to b2.",
        "Put 1 block back on e5.",
    ]


def test_a_worker_goes_to_the_nearest_place_where_one_of_its_side_is_missing():
    now = board(a1="0A", e5="0A")
    wanted = board(b1="0A", d5="0A")
    assert set(told(now, wanted)) == {
        "Move the worker from a1 back to b1.",
        "Move the worker from e5 back to d5.",
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_it(language):
    assert len(told(board(a1="1A", b1="3^"), board(a2="2B"), language)) == 6
