"""The console script: every command explains itself, a bad value is one sentence and exit code 2."""

from __future__ import annotations

import pytest

from companion.cli.main import dispatch, main, names


def test_no_words_list_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    said = capsys.readouterr().out
    assert all(name in said for name in names())


def test_an_unknown_command_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conquer"]) == 2
    assert "there is no command 'conquer'" in capsys.readouterr().err


@pytest.mark.parametrize("name", names())
def test_help_shows_a_working_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([name, "--help"])
    assert stop.value.code == 0
    assert f"example: santorini {name}" in capsys.readouterr().out


@pytest.mark.parametrize("name", names("companion.bench"))
def test_every_bench_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        dispatch([name, "--help"], "companion.bench", "santorini bench")
    assert stop.value.code == 0
    assert f"santorini bench {name}" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["doctor", "--port", "many"], ["doctor", "--sideways"]])
def test_a_bad_value_is_one_sentence_and_exit_code_2(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 2
    said = capsys.readouterr().err.strip()
    assert said.startswith("santorini doctor: ")
    assert "\n" not in said
