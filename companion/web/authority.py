"""A small certificate authority of the table's own, for the optional https address.

It is made on this computer, may vouch for addresses on home networks and .local names alone, and its
key never leaves the data folder.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from companion.web.server import Keys, bind

YEARS = 5
LEAF_DAYS = 397  # phones refuse certificates that are valid for longer
RENEW_DAYS = 30
HOME = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8")
HOME_6 = ("fc00::/7", "fe80::/10", "::1/128")


def certificates(folder: Path, addresses: Sequence[str], now: datetime) -> tuple[Keys, Path]:
    """Make or renew what https needs in a folder; returns the server's keys and the authority's file."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    ca_file, ca_key_file = folder / "authority.crt", folder / "authority.key"
    if not (ca_file.exists() and ca_key_file.exists()) or _old(ca_file, now):
        _make_authority(ca_file, ca_key_file, now)
    keys = Keys(folder / "server.crt", folder / "server.key")
    if not keys.chain.exists() or _old(keys.chain, now) or _names(keys.chain) != set(addresses):
        _make_leaf(keys, ca_file, ca_key_file, addresses, now)
    return keys, ca_file


@dataclass(frozen=True)
class SecurePort:
    """A port taken for https, what it needs, and the authority's file to hand out."""

    taken: socket.socket
    keys: Keys
    authority: Path
    address: str


def secure_port(
    folder: Path, host: str, port: int, addresses: Sequence[str], now: datetime | None = None
) -> SecurePort:
    """Take a port for https with certificates from a folder; the first address is the one to be printed."""
    taken = bind(host, port)
    keys, authority = certificates(folder, addresses, now or now_utc())
    shown = f"[{addresses[0]}]" if ":" in addresses[0] else addresses[0]
    return SecurePort(taken, keys, authority, f"https://{shown}:{taken.getsockname()[1]}")


def _old(file: Path, now: datetime) -> bool:
    made = x509.load_pem_x509_certificate(file.read_bytes())
    return made.not_valid_after_utc < now + timedelta(days=RENEW_DAYS)


def _names(file: Path) -> set[str]:
    made = x509.load_pem_x509_certificate(file.read_bytes())
    names = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(name.value) for name in names}


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _builder(
    subject: str, issuer: str, key: ec.EllipticCurvePrivateKey, now: datetime, days: int
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(_name(subject))
        .issuer_name(_name(issuer))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=days))
    )


AUTHORITY = "Santorini table companion (this home only)"


def _make_authority(file: Path, key_file: Path, now: datetime) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    nets = [x509.IPAddress(ipaddress.ip_network(net)) for net in (*HOME, *HOME_6)]
    limits = x509.NameConstraints([*nets, x509.DNSName("local"), x509.DNSName("localhost")], None)
    made = (
        _builder(AUTHORITY, AUTHORITY, key, now, 365 * YEARS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(limits, critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    _keep_key(key_file, key)
    file.write_bytes(made.public_bytes(serialization.Encoding.PEM))


def _make_leaf(keys: Keys, ca_file: Path, ca_key: Path, addresses: Sequence[str], now: datetime) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    signer = serialization.load_pem_private_key(ca_key.read_bytes(), None)
    assert isinstance(signer, ec.EllipticCurvePrivateKey)
    names = x509.SubjectAlternativeName([_general(address) for address in addresses])
    made = (
        _builder(addresses[0], AUTHORITY, key, now, LEAF_DAYS)
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False
        )
        .sign(signer, hashes.SHA256())
    )
    _keep_key(keys.key, key)
    keys.chain.write_bytes(made.public_bytes(serialization.Encoding.PEM) + ca_file.read_bytes())


def _general(address: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(address))
    except ValueError:
        return x509.DNSName(address)


def _usage(signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs,
        key_cert_sign=signs,
        crl_sign=signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _keep_key(file: Path, key: ec.EllipticCurvePrivateKey) -> None:
    file.touch(mode=0o600)
    file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )


def now_utc() -> datetime:
    """Tell the time."""
    return datetime.now(UTC)
