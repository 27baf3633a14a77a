"""Golden games of all 55 powers play through to the letter."""

from __future__ import annotations

import json

import pytest

from companion.cli.main import main
from engine.cards import CARDS
from engine.record import format_record, parse_record, record_of, replayed
from engine.recordjson import record_from_json, record_to_json
from tests.engine.golden import FOLDER, opponent, shows


def test_there_is_one_of_every_power() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == sorted(CARDS)


@pytest.mark.parametrize("name", CARDS)
def test_the_game_is_played_as_it_is_written(name: str) -> None:
    text = (FOLDER / f"{name}.txt").read_text()
    record = parse_record(text)
    assert [player.power for player in record.setup.players] == [name, opponent(name)]
    game = replayed(record)
    assert format_record(record_of(game, seed=record.seed)) == text
    assert record_from_json(json.loads(json.dumps(record_to_json(record)))) == record
    assert shows(game), "the power makes no difference in its game"


def test_random_games_are_printed_in_notation(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["rules", "play", "--powers", "apollo,hecate", "--seed", "7"]
    assert main(words) == 0
    first = capsys.readouterr().out
    assert main(words) == 0
    assert capsys.readouterr().out == first
    assert replayed(parse_record(first)).over


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (["--powers", "apollo,foo"], "players.power"),
        (["--powers", "hades,pan"], "players"),
        (["--powers", "pan,pan"], "players"),
        (["--powers", "a,b,c,d,e"], "powers"),
        (["--powers", "apollo"], "players"),
        (["--powers", "apollo,pan", "--edition", "2020"], "edition"),
        (["--powers", "apollo,pan", "--option", "fast"], "option"),
        (["--powers", "none,none", "--golden-fleece", "hecate"], "golden_fleece"),
        (["--powers", "none,none", "--golden-fleece", "foo"], "golden_fleece: 'foo' is no power"),
        (["--powers", "apollo,pan", "--golden-fleece", "pan"], "golden_fleece"),
        (["--powers", "apollo,pan", "--turns", "-1"], "turns"),
        (["--powers", "hecate,pan", "--hecate-check", "later"], "options.hecate_check"),
    ],
)
def test_what_cannot_be_played_is_named(
    words: list[str], field: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", "play", *words]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"santorini rules play: {field}") and told.count("\n") == 1


def test_an_option_with_two_values_is_part_of_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["rules", "play", "--powers", "hecate,pan", "--hecate-check", "action", "--turns", "8"]
    assert main(words) == 0
    text = capsys.readouterr().out
    assert "[option hecate_check action]" in text
    assert replayed(parse_record(text)).setup.hecate_check == "action"
