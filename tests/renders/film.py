"""Lens and sensor: from linear light to a JPEG (numpy and OpenCV)."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.renders.camera import HEIGHT, WIDTH, Camera, rays

Array = NDArray[np.float64]


def bend(light: Array, camera: Camera) -> Array:
    """Resample the ideal picture into the distorted one."""
    u, v = (m.astype(np.float32) for m in rays(camera))
    return cv2.remap(light.astype(np.float32), u, v, cv2.INTER_CUBIC).astype(np.float64)


def darken_corners(light: Array, camera: Camera, strength: float) -> Array:
    """Apply the lens's falloff."""
    v, u = np.indices((HEIGHT, WIDTH))
    r2 = ((u - camera.centre[0]) ** 2 + (v - camera.centre[1]) ** 2) / (WIDTH**2 + HEIGHT**2) * 4
    return light * (1 - strength * r2)[..., None]


def glow(light: Array) -> Array:
    """Let bright parts bleed a little, as small lenses do."""
    return 0.96 * light + 0.04 * cv2.GaussianBlur(light, (0, 0), 25)


def curve(light: Array) -> Array:
    """Return sRGB from linear light, with a shoulder instead of a hard end."""
    soft = np.where(light < 0.7, light, 0.7 + 0.3 * (1 - np.exp(-np.maximum(light - 0.7, 0) / 0.3)))
    safe = np.clip(soft, 0, 1)
    return np.where(safe < 0.0031308, safe * 12.92, 1.055 * np.power(safe, 1 / 2.4) - 0.055)


def develop(
    light: Array, camera: Camera, gains: Array, noise: dict[str, float], rng: np.random.Generator
) -> Array:
    """Return the 8-bit picture (BGR) of linear light."""
    image = darken_corners(glow(np.maximum(bend(light, camera), 0)), camera, noise["vign"])
    image = cv2.GaussianBlur(image, (0, 0), noise["blur"])
    grain = rng.normal(size=image.shape) * np.sqrt(noise["shot"] * np.maximum(image, 0) + noise["read"] ** 2)
    image = curve((image + grain) * gains)
    grey = image.mean(-1, keepdims=True)
    image = np.clip(grey + 1.12 * (image - grey), 0, 1)
    return (image[..., ::-1] * 255 + 0.5).astype(np.uint8)


def save(image: Array, path: Path, quality: float) -> None:
    """Write the JPEG."""
    cv2.imwrite(str(path), image, [cv2.IMWRITE_JPEG_QUALITY, int(quality)])
