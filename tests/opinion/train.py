"""Train the network of the second opinion: python -m tests.opinion.train OUT.pt LESSONS.npz..."""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from tests.opinion.shape import NOISES, Net, Several, loss_of, planes_of, varied
from vision.reader.crops import HIGH, PLANES, WIDE

SEED = 1
BATCH = 128
# of a cell that is hardly in view little can be learned
IN_VIEW, GLIMPSE = 0.25, 0.1
DOME = 1
# domes on low towers are rare in play: without more weight the network would take the height from the dome
ENOUGH_DOMES = 600


@dataclass(frozen=True)
class Lessons:
    """Crops, views, truth and weight of every cell."""

    crops: torch.Tensor
    views: torch.Tensor
    truth: torch.Tensor
    weight: torch.Tensor


def load(files: list[Path], games: re.Pattern[str]) -> Lessons:
    """Read the lessons of the games whose names match."""
    parts = []
    for file in files:
        with np.load(file) as data:
            chosen = np.array([bool(games.search(str(name))) for name in data["game"]])
            parts.append([data[key][chosen] for key in ("crops", "views", "truth", "visible")])
    crops, views, truth, visible = (np.concatenate(column) for column in zip(*parts, strict=True))
    weight = np.where(visible < GLIMPSE, 0.05, np.where(visible < IN_VIEW, 0.3, 1.0)) * dome_weight(truth)
    print(f"{len(truth)} cells, heights {np.bincount(truth[:, 0])}, tops {np.bincount(truth[:, 1])}")
    tensors = (crops, views, truth.astype(np.int64), weight.astype(np.float32))
    return Lessons(*(torch.from_numpy(part) for part in tensors))


def dome_weight(truth: NDArray[np.int64]) -> NDArray[np.float64]:
    """Give domes at rare heights more weight."""
    count = np.bincount(truth[truth[:, 1] == DOME, 0], minlength=4)
    more = np.clip((ENOUGH_DOMES / np.maximum(count, 1)) ** 0.5, 1, 4)
    return np.asarray(np.where(truth[:, 1] == DOME, more[truth[:, 0]], 1.0))


def train(net: Net, lessons: Lessons, epochs: int, rate: float) -> None:
    """Go through the lessons, each time varied anew."""
    rng = torch.Generator().manual_seed(SEED + 1)
    noises = torch.randn(NOISES, 12, HIGH, WIDE, generator=rng)
    count = len(lessons.truth)
    steps = count // BATCH
    chooser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-2)
    pace = torch.optim.lr_scheduler.OneCycleLR(chooser, rate, total_steps=epochs * steps, pct_start=0.15)
    net.train()
    for epoch in range(epochs):
        order, total = torch.randperm(count, generator=rng), 0.0
        for step in range(steps):
            at = order[step * BATCH : (step + 1) * BATCH]
            planes = planes_of(lessons.crops[at], lessons.views[at])
            planes, truth = varied(planes, lessons.truth[at], noises, rng)
            loss = loss_of(net(planes), truth, lessons.weight[at])
            chooser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            chooser.step()
            pace.step()
            total += float(loss.detach())
        print(f"{epoch}: loss {total / steps:.4f}", flush=True)


def export(out: Path, weights: list[Path]) -> None:
    """Join trained networks into the file that the reader loads."""
    nets = []
    for path in weights:
        net = Net()
        net.load_state_dict(torch.load(path))
        nets.append(net)
    torch.onnx.export(
        Several(nets).eval(),
        (torch.zeros(2, PLANES, HIGH, WIDE),),
        str(out),
        dynamo=False,
        opset_version=13,
        input_names=["planes"],
        output_names=["opinion"],
        dynamic_axes={"planes": {0: "cells"}, "opinion": {0: "cells"}},
    )


def main() -> None:
    """Read the command line; train one network or join several."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("inputs", type=Path, nargs="+", help="lessons, or with --onnx trained networks")
    parser.add_argument("--games", default="", help="regular expression: the games to learn from")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--start", type=Path, help="a trained network to go on from")
    parser.add_argument("--onnx", action="store_true", help="write the reader's file from trained networks")
    args = parser.parse_args()
    if args.onnx:
        export(args.out, args.inputs)
        return
    torch.manual_seed(SEED)
    net = Net()
    if args.start:
        net.load_state_dict(torch.load(args.start))
    train(net, load(args.inputs, re.compile(args.games)), args.epochs, args.rate)
    torch.save(net.state_dict(), args.out)


if __name__ == "__main__":
    main()
