"""Observations of uint8 as what networks take."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from antiquity.game import Layout


class Floats(nn.Module):  # type: ignore[misc]  # torch's types are not read
    """The first layer of a network that is fed with uint8: float32 as :meth:`antiquity.game.Layout.floats` gives it.

    >>> from antiquity import Batch
    >>> batch = Batch("dice", 64, dtype="uint8")
    >>> network = nn.Sequential(Floats(batch.layout), nn.Linear(batch.layout.size, 128))
    """

    def __init__(self, layout: Layout) -> None:
        super().__init__()
        self.register_buffer("scale", torch.tensor(layout.byte_scale), persistent=False)
        self.register_buffer("offset", torch.tensor(layout.byte_offset), persistent=False)

    def forward(self, observations: Tensor) -> Any:
        """float32[..., F] of uint8[..., F]."""
        return (observations.to(self.scale.dtype) + self.offset) * self.scale
