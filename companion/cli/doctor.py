"""`santorini doctor`: what works on this machine, and what to do about what does not."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict

from companion.doctor import Finding, Probe, RealProbe, examine
from companion.doctor.checks import Wanted
from companion.doctor.speed import frame_ms
from companion.paths import add_data_options, data_folder

HELP = "say what works on this machine, and what to do about what does not"
EXAMPLE = "santorini doctor --json > report.json"
MARKS = {"good": "ok ", "optional": " - ", "bad": "BAD"}


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--json", action="store_true", help="for a bug report; holds no secrets")
    parser.add_argument("--fast", action="store_true", help="do not measure the time per picture")
    parser.add_argument("--port", type=int, default=8000, help="the port to look at (8000)")
    add_data_options(parser)


def as_lines(findings: Sequence[Finding]) -> str:
    """Word the findings for a person."""
    rows = []
    for finding in findings:
        rows.append(f"{MARKS[finding.state]} {finding.name:8} {finding.found}")
        if finding.advice:
            rows.append(f"             {finding.advice}")
    return "\n".join(rows)


def report(probe: Probe, wanted: Wanted, as_json: bool) -> tuple[str, int]:
    """Examine the machine; the exit code is 1 where something is bad."""
    findings = examine(probe, wanted)
    code = int(any(finding.state == "bad" for finding in findings))
    if as_json:
        return json.dumps([asdict(finding) for finding in findings], indent=1), code
    return as_lines(findings), code


def run(args: argparse.Namespace) -> int:
    """Print the report."""
    if not args.fast:
        print("Measuring the time per picture; this takes a few seconds …", file=sys.stderr)
    probe = RealProbe((lambda: None) if args.fast else frame_ms)
    text, code = report(probe, Wanted(args.port, data_folder(args).root), args.json)
    print(text)
    return code
