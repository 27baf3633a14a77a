"""Backups: whole, consistent in the middle of a game, sealed, restored into empty places only."""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import sys
import tarfile
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from companion.cli.main import main
from companion.paths import DataFolder, default_data_folder
from companion.secrets import Place, unseal
from companion.store import NewEvent, Store, StoreError, last_seq
from companion.store.backup import BackupProblem, make_backup, restore_backup
from companion.store.games import GameRow, create_game, games
from companion.store.seats import holds
from companion.store.transfer import export_lines
from tests.companion.secrets.canary import assert_silent
from tests.companion.store.test_transfer import CANARY, KEY, fill

pytestmark = pytest.mark.slow

NOW = datetime(2026, 11, 18, 20, 15, tzinfo=UTC)


@pytest.fixture
def played(tmp_path: Path) -> DataFolder:
    """A folder with a game in the middle and a calibration."""
    folder = DataFolder(tmp_path / "played").make()
    with Store.open(folder.database) as store:
        store.write(create_game(GameRow("g1", "table 1", 1000)))
        fill(store)
    folder.calibration.mkdir()
    (folder.calibration / "table 1.json").write_text('{"schema": 1}')
    (folder.calibration / "half written.json.tmp").write_text("{")
    return folder


def exported(address: str | Path) -> tuple[str, ...]:
    with Store.open(address) as store:
        return store.read(export_lines())


def test_there_and_back(played: DataFolder, tmp_path: Path) -> None:
    file, other = tmp_path / "evening.tar.gz", DataFolder(tmp_path / "other")
    made = make_backup(file, played, played.database, NOW)
    assert (made.games, made.calibrations) == (2, 1)
    assert restore_backup(file, other, other.database) == made
    assert exported(other.database) == exported(played.database)
    assert [path.name for path in other.calibration.iterdir()] == ["table 1.json"]
    assert sorted(path.name for path in other.root.iterdir()) == ["calibration", "santorini.db"]
    assert file.stat().st_mode & 0o077 == 0
    assert other.root.stat().st_mode & 0o077 == 0
    with Store.open(other.database) as store:
        assert unseal(KEY, Place("g1", "A", 2), store.events("g1")[1].payload) == {"abyss": CANARY.text}
        assert len(store.read(holds("a token"))) == 1, "the phones stay joined"
        store.append("g2", [NewEvent("step", {}, 1)], expected=12)


def test_secrets_stay_sealed_in_it(played: DataFolder, tmp_path: Path) -> None:
    file = tmp_path / "evening.tar.gz"
    make_backup(file, played, played.database, NOW)
    with tarfile.open(file) as archive:
        parts = {member.name: _content(archive, member) for member in archive}
    assert set(parts) == {"manifest.json", "games.db", "calibration/table 1.json"}
    assert_silent({"the file": file.read_bytes(), **parts}, [CANARY])
    for word in (b"a code", b"a token", bytes(range(32))):
        assert all(word not in part for part in parts.values())


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = archive.extractfile(member)
    assert file is not None
    return file.read()


def test_a_backup_during_play_is_a_game_up_to_some_event(played: DataFolder, tmp_path: Path) -> None:
    over = threading.Event()

    def play(store: Store) -> None:
        number = store.read(last_seq("g2"))
        while not over.is_set():
            number = store.append("g2", [NewEvent("half", {"n": number}, 1)] * 2, number)[-1].seq

    with Store.open(played.database) as store:
        player = threading.Thread(target=play, args=(store,))
        player.start()
        lengths = []
        try:
            for number in range(3):
                before = store.read(last_seq("g2"))
                file = tmp_path / f"{number}.tar.gz"
                make_backup(file, played, played.database, NOW)
                other = DataFolder(tmp_path / f"other {number}")
                restore_backup(file, other, other.database)
                with Store.open(other.database) as restored:
                    events = restored.events("g2")
                assert before <= len(events) <= store.read(last_seq("g2"))
                assert [event.seq for event in events] == list(range(1, len(events) + 1))
                assert len(events) % 2 == 0, "half of an append"
                lengths.append(len(events))
        finally:
            over.set()
            player.join(30)
    assert lengths[0] < lengths[-1]


def test_with_postgresql_and_between_both(played: DataFolder, tmp_path: Path, postgres_url: str) -> None:
    from_file, from_server = tmp_path / "file.tar.gz", tmp_path / "server.tar.gz"
    make_backup(from_file, played, played.database, NOW)
    folder, other = DataFolder(tmp_path / "server"), DataFolder(tmp_path / "other")
    restore_backup(from_file, folder, postgres_url)
    assert exported(postgres_url) == exported(played.database)
    assert not folder.database.exists()
    assert make_backup(from_server, folder, postgres_url, NOW).games == 2
    restore_backup(from_server, other, other.database)
    assert exported(other.database) == exported(played.database)


def test_nothing_is_overwritten(played: DataFolder, tmp_path: Path) -> None:
    file = tmp_path / "evening.tar.gz"
    make_backup(file, played, played.database, NOW)
    whole, before = file.read_bytes(), exported(played.database)
    with pytest.raises(BackupProblem, match="exists already"):
        make_backup(file, played, played.database, NOW)
    assert file.read_bytes() == whole
    with pytest.raises(BackupProblem, match="holds games or settings already"):
        restore_backup(file, played, played.database)
    assert exported(played.database) == before
    other = DataFolder(tmp_path / "other").make()
    other.calibration.mkdir()
    (other.calibration / "table 1.json").write_text("{}")
    with pytest.raises(BackupProblem, match="differs"):
        restore_backup(file, other, other.database)
    assert (other.calibration / "table 1.json").read_text() == "{}"
    assert not other.database.exists()


def test_a_place_that_was_only_started_once_is_empty_enough(played: DataFolder, tmp_path: Path) -> None:
    file, other = tmp_path / "evening.tar.gz", DataFolder(tmp_path / "other").make()
    make_backup(file, played, played.database, NOW)
    with Store.open(other.database) as running:
        restore_backup(file, other, other.database)
        assert len(running.read(games())) == 2


def test_nothing_to_back_up(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "empty").make()
    for content in (None, b""):
        if content is not None:
            folder.database.write_bytes(content)
        with pytest.raises(BackupProblem, match="nothing to back up"):
            make_backup(tmp_path / "x.tar.gz", folder, folder.database, NOW)
        assert not (tmp_path / "x.tar.gz").exists()
    folder.database.write_bytes(b"no database at all, but long enough to be looked at" * 30)
    with pytest.raises(StoreError, match="damaged or no database"):
        make_backup(tmp_path / "x.tar.gz", folder, folder.database, NOW)
    assert [path.name for path in tmp_path.iterdir()] == ["empty"]


def _packed(parts: dict[str, bytes], odd: tarfile.TarInfo | None = None) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, content in parts.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        if odd is not None:
            archive.addfile(odd)
    return buffer.getvalue()


def _manifest(parts: dict[str, bytes], **changes: Any) -> bytes:
    files = {name: {"bytes": len(c), "sha256": hashlib.sha256(c).hexdigest()} for name, c in parts.items()}
    told = {"format": "santorini-backup", "version": 1, "schema": "0001", "files": files}
    return json.dumps({**told, **changes}).encode()


def _built(parts: dict[str, bytes], **changes: Any) -> bytes:
    return _packed({"manifest.json": _manifest(parts, **changes), **parts})


def _link(name: str) -> bytes:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
    return _packed({"manifest.json": _manifest({name: b""})}, member)


EMPTY = b'{"kind":"header","format":"santorini-games","version":1}\n{"kind":"end","rows":0}\n'
BAD: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda whole: b"", "damaged or no backup"),
    "another kind of file": (lambda whole: b"holiday notes " * 50, "damaged or no backup"),
    "cut off": (lambda whole: whole[: len(whole) // 2], "damaged"),
    "a byte changed": (lambda whole: whole[:900] + bytes([whole[900] ^ 255]) + whole[901:], "damaged"),
    "another archive": (lambda whole: _packed({"notes.txt": b"x"}), "no backup of this program"),
    "manifest no JSON": (lambda whole: _packed({"manifest.json": b"{"}), "no backup of this program"),
    "manifest of others": (lambda whole: _built({}, format="others"), "no backup of this program"),
    "later version": (lambda whole: _built({"games.jsonl": EMPTY}, version=2), "later version"),
    "later schema": (lambda whole: _built({"games.jsonl": EMPTY}, schema="9999"), "later version"),
    "no games": (lambda whole: _built({}), "holds no games"),
    "way out": (lambda whole: _built({"games.jsonl": EMPTY, "../../out.json": b"x"}), "do not belong"),
    "way out below": (
        lambda whole: _built({"games.jsonl": b"", "calibration/../x.json": b"x"}),
        "do not belong",
    ),
    "from the root": (lambda whole: _built({"games.jsonl": EMPTY, "/tmp/out.json": b"x"}), "do not belong"),
    "link": (lambda whole: _link("games.jsonl"), "games.jsonl has another size"),
    "missing": (lambda whole: _packed({"manifest.json": _manifest({"games.jsonl": EMPTY})}), "is missing"),
    "changed": (
        lambda whole: _packed(
            {"manifest.json": _manifest({"games.jsonl": EMPTY}), "games.jsonl": EMPTY.upper()}
        ),
        "games.jsonl was changed",
    ),
    "lines of nothing": (lambda whole: _built({"games.jsonl": b"x"}), "not JSON"),
    "database of nothing": (
        lambda whole: _built({"games.db": b"x" * 9999}),
        "games.db): the file is damaged",
    ),
}


@pytest.mark.parametrize("how", BAD)
def test_a_bad_backup_restores_nothing(how: str, played: DataFolder, tmp_path: Path) -> None:
    change, message = BAD[how]
    good, bad, other = tmp_path / "good.tar.gz", tmp_path / "bad.tar.gz", DataFolder(tmp_path / "other")
    make_backup(good, played, played.database, NOW)
    bad.write_bytes(change(good.read_bytes()))
    with pytest.raises(StoreError) as caught:
        restore_backup(bad, other, other.database)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not other.calibration.exists()
    assert not (tmp_path / "out.json").exists()
    if other.database.exists():
        assert len(exported(other.database)) == 2
    restore_backup(good, other, other.database)


def test_what_is_not_in_the_manifest_is_left_in_the_file(tmp_path: Path) -> None:
    parts = {"manifest.json": _manifest({"games.jsonl": EMPTY}), "games.jsonl": EMPTY, "extra.py": b"x"}
    (tmp_path / "x.tar.gz").write_bytes(_packed(parts))
    other = DataFolder(tmp_path / "other")
    restore_backup(tmp_path / "x.tar.gz", other, other.database)
    assert [path.name for path in other.root.iterdir()] == ["santorini.db"]


def test_the_command(played: DataFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, other = str(tmp_path / "evening.tar.gz"), str(tmp_path / "other")
    assert main(["backup", file, "--data", str(played.root)]) == 0
    assert capsys.readouterr().out.startswith("2 games and 1 calibration file are in ")
    assert main(["backup", "--restore", file, "--data", other]) == 0
    assert capsys.readouterr().out == f"restored 2 games and 1 calibration file from {file}\n"
    for words in (["backup", file, "--data", other], ["backup", "--restore", file, "--data", other]):
        assert main(words) == 2
        said = capsys.readouterr().err
        assert said.startswith("santorini backup: ")
        assert said.count("\n") == 1
    assert main(["backup", str(tmp_path / "x" / "y.tar.gz"), "--data", other]) == 2
    assert "cannot be written: No such file" in capsys.readouterr().err
    assert main(["backup", "--restore", str(tmp_path / "no"), "--data", str(tmp_path / "new")]) == 2
    assert "does not exist" in capsys.readouterr().err


def test_a_disk_that_is_full_leaves_no_half_file(played: DataFolder, tmp_path: Path) -> None:
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000));"
        "from companion.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    # The snapshot of a database is larger than the limit, so writing fails half way.
    room = tmp_path / "full"
    room.mkdir()
    words = ["backup", str(room / "x.tar.gz"), "--data", str(played.root)]
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert list(room.iterdir()) == []


def test_where_the_data_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert default_data_folder({"HOME": "/srv/a"}) == Path("/srv/a/.local/share/santorini")
    assert default_data_folder({"HOME": "/srv/a", "XDG_DATA_HOME": "/data"}) == Path("/data/santorini")
    assert default_data_folder({"HOME": "/srv/a", "XDG_DATA_HOME": "x"}) == Path(
        "/srv/a/.local/share/santorini"
    )
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_data_folder() == tmp_path / "santorini"
