"""mqtts:// checks the broker's certificate; a broker nobody can vouch for is not talked to."""

from __future__ import annotations

import datetime
import getpass
import ipaddress
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from companion.bus import Bus
from companion.bus.mosquitto import find_mosquitto, free_port
from companion.bus.users import hashed
from companion.table.tables import Tables
from tests.companion.bus.conftest import PLAIN, options
from tests.companion.table.playing import play_some

pytestmark = pytest.mark.broker


def certificate(folder: Path) -> None:
    """A certificate for 127.0.0.1 that vouches for itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    place = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(place, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "key.pem").write_bytes(pem)


@contextmanager
def secure_broker(folder: Path) -> Iterator[int]:
    certificate(folder)
    port = free_port()
    (folder / "users").write_text(f"me:{hashed('word')}\n")
    lines = [
        f"listener {port} 127.0.0.1",
        f"user {getpass.getuser()}",
        "allow_anonymous false",
        f"password_file {folder}/users",
        f"certfile {folder}/cert.pem",
        f"keyfile {folder}/key.pem",
    ]
    (folder / "conf").write_text("\n".join(lines) + "\n")
    words = [find_mosquitto(), "-c", str(folder / "conf")]
    with subprocess.Popen(words, stderr=subprocess.DEVNULL) as broker:
        yield port
        broker.terminate()


# paho leaves the socket of a failed handshake to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("trusted", [True, False])
def test_only_a_broker_with_a_good_certificate_is_talked_to(
    tables: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trusted: bool
) -> None:
    table = tables.create(PLAIN)
    with secure_broker(tmp_path) as port:
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem") if trusted else "/dev/null")
        bus = Bus(tables, f"mqtts://me:word@127.0.0.1:{port}", tmp_path, options())
        bus.start()
        try:
            deadline = time.monotonic() + (30 if trusted else 1.5)
            while bus.links[table.id].connects == 0 and time.monotonic() < deadline:
                time.sleep(0.02)
            assert (bus.links[table.id].connects > 0) is trusted
            play_some(table, seed=1, steps=3)
        finally:
            bus.stop()
