"""The network's shape and how its lessons are varied (PyTorch; not a dependency of the project)."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.reader.crops import BITS, FOOT, FOOT_RISE, GRAIN, HIGH, LEAN, PLANES, SEATS, STEEPEST, WIDE

WIDTHS = (16, 32, 32, 64, 64)
NOISES = 48
# the planes that hold each seat's colour, and the first one that holds geometry and stays where it is
SEAT = 9
FIXED = 18


def planes_of(crops: Tensor, views: Tensor) -> Tensor:
    """Return what `vision.reader.crops.planes_of` returns, for tensors."""
    count = len(crops)
    plain = crops[:, :12].float() / 255 - 0.5
    bits = torch.stack([((crops[:, 12] & bit) > 0).float() for bit in BITS], 1)
    rise, slope = views[:, 0].view(count, 1, 1), views[:, 1].view(count, 1, 1)
    row = torch.arange(HIGH).view(1, HIGH, 1).float()
    lift = ((FOOT - FOOT_RISE * slope) - row) / GRAIN / rise.clamp(min=LEAN)
    lift = (lift / 2).clamp(-1, STEEPEST).expand(count, HIGH, WIDE)
    level = [plane.expand(count, HIGH, WIDE)[:, None] for plane in (rise, slope)]
    return torch.cat([plain, bits, lift[:, None], *level], 1)


def block(before: int, after: int, stride: int) -> nn.Sequential:
    """Return a convolution with its normalisation."""
    return nn.Sequential(
        nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU(inplace=True)
    )


class Net(nn.Module):
    """Five convolutions and two layers: four heights, then nothing, a dome and three seats' workers."""

    def __init__(self) -> None:
        super().__init__()
        a, b, c, d, e = WIDTHS
        self.body = nn.Sequential(
            block(PLANES, a, 2), block(a, b, 2), block(b, c, 1), block(c, d, 2), block(d, e, 1)
        )
        self.squeeze = nn.Sequential(nn.Conv2d(e, 16, 1), nn.ReLU(inplace=True))
        self.hid = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), nn.Linear(16 * 45, 96), nn.ReLU(inplace=True))
        self.out = nn.Linear(96, 9)

    def forward(self, planes: Tensor) -> Tensor:
        """Return nine logarithms, up to two constants."""
        answer: Tensor = self.out(self.hid(self.squeeze(self.body(planes))))
        return answer


class Several(nn.Module):
    """Networks trained in different ways, asked together."""

    def __init__(self, nets: list[Net]) -> None:
        super().__init__()
        self.nets = nn.ModuleList(nets)

    def forward(self, planes: Tensor) -> Tensor:
        """Return the mean of what they say."""
        answer: Tensor = torch.stack([net(planes) for net in self.nets]).mean(0)
        return answer


def loss_of(out: Tensor, truth: Tensor, weight: Tensor) -> Tensor:
    """Return the weighted cross entropy of height and top."""
    heights = functional.cross_entropy(out[:, :4], truth[:, 0], reduction="none")
    tops = functional.cross_entropy(out[:, 4:], truth[:, 1], reduction="none")
    return ((heights + tops) * weight).sum() / weight.sum()


def swapped(planes: Tensor, truth: Tensor, rng: torch.Generator) -> Tensor:
    """Let seats change their places, in place; return the truth with them."""
    order = torch.stack([torch.randperm(SEATS, generator=rng) for _ in range(len(planes))])
    seats = planes[:, SEAT : SEAT + SEATS].clone()
    index = order[:, :, None, None].expand_as(seats)
    planes[:, SEAT : SEAT + SEATS] = torch.gather(seats, 1, index)
    truth, worker = truth.clone(), truth[:, 1] >= 2
    at = order.argsort(1)[worker].gather(1, (truth[worker, 1] - 2)[:, None])
    truth[worker, 1] = at[:, 0] + 2
    return truth


def varied(planes: Tensor, truth: Tensor, noises: Tensor, rng: torch.Generator) -> tuple[Tensor, Tensor]:
    """Mirror, swap seats, shift by two pixels, change contrast, add noise, leave planes out."""
    count = len(planes)
    mirrored = torch.rand(count, generator=rng) < 0.5
    planes[mirrored] = planes[mirrored].flip(-1)
    truth = swapped(planes, truth, rng)
    right, down = (int(torch.randint(-2, 3, (1,), generator=rng)) for _ in range(2))
    fixed = planes[:, FIXED:].clone()
    planes = torch.roll(planes, (down, right), (2, 3))
    planes[:, FIXED:] = fixed
    offset = torch.zeros(count, PLANES, 1, 1)
    offset[:, :6] = torch.randn(count, 6, 1, 1, generator=rng) * 0.04
    offset[:, 6:12] = torch.randn(count, 6, 1, 1, generator=rng) * 0.05
    scale = torch.ones(count, PLANES, 1, 1)
    scale[:, :12] = 1 + torch.randn(count, 12, 1, 1, generator=rng) * 0.08
    planes = planes * scale + offset
    chosen = noises[torch.randint(0, len(noises), (count,), generator=rng)]
    planes[:, :12] += chosen * (torch.rand(count, 1, 1, 1, generator=rng) * 0.04)
    planes[:, :14][torch.rand(count, 14, generator=rng) < 0.06] = 0
    return planes, truth
