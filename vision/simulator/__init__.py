"""A simulated table: camera pictures of any position, with hands; for demo and tests, never for figures."""

from vision.simulator.camera import SimulatedCamera
from vision.simulator.hands import Hand
from vision.simulator.light import Light
from vision.simulator.mat import mat_sheet
from vision.simulator.placing import CAREFUL, Hands
from vision.simulator.pose import camera_at
from vision.simulator.script import Act, Pace
from vision.simulator.table import SimulatedTable

__all__ = [
    "CAREFUL",
    "Act",
    "Hand",
    "Hands",
    "Light",
    "Pace",
    "SimulatedCamera",
    "SimulatedTable",
    "camera_at",
    "mat_sheet",
]
