"""Says in plain words what works on this machine and what to do about what does not."""

from companion.doctor.checks import CHECKS, Finding, Probe, RealProbe, examine

__all__ = ["CHECKS", "Finding", "Probe", "RealProbe", "examine"]
