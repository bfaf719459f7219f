"""A transformer on tokens: what ``Settings(network="attention")`` trains, as a baseline beside the layers.

It reads the observation as tokens (:class:`antiquity.batch.Form`): a row for each seat, card, pile and die, of which
only those that are there count. Torch plays it, no kernel: its files are read here alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from antiquity.agents import Agent, Decisions
from antiquity.batch import Form, replacing
from antiquity.game import Game
from antiquity.game.archive import reading
from antiquity.train.model import Heads

FORMAT: Final = 1
"""Number of the file format."""
HEADS: Final = 4
"""Of each attention."""


class Tokens(nn.Module):  # type: ignore[misc]  # torch's types are not read
    """Transformer blocks over the tokens of an observation; the table's token says what came of it.

    Args:
        game: whose observations are read.
        size: of a token inside.
        blocks: how many.
    """

    def __init__(self, game: Game, size: int, blocks: int) -> None:
        super().__init__()
        self.form = Form(game, game.layout, "tokens", np.dtype(np.float32), game.max_players)
        layout = self.form.token_layout
        self._widths = [len(layout.features[kind]) for kind in layout.kinds]
        self.embed = nn.ModuleList(nn.Linear(width, size) for width in self._widths)
        self.blocks = nn.ModuleList(
            nn.TransformerEncoderLayer(size, HEADS, 2 * size, 0.0, batch_first=True, norm_first=True)
            for _ in range(blocks)
        )
        self.norm = nn.LayerNorm(size)

    def forward(self, observations: Tensor) -> Any:
        """[N, size] of observations [N, F]."""
        found = self.form.of(observations.float().numpy())
        present, types = found["present"], self.form.token_layout.types
        # Of no use to any of these rows: padding, which would cost as much as the rest.
        used = present.any(axis=0)
        used[0] = True
        parts, there = [], []
        for number, (width, embed) in enumerate(zip(self._widths, self.embed, strict=True)):
            which = np.flatnonzero(used & (types == number))
            parts.append(embed(torch.from_numpy(found["tokens"][:, which, :width])))
            there.append(present[:, which])
        tokens = torch.cat(parts, 1)
        absent = torch.from_numpy(np.concatenate(there, 1) == 0)
        for block in self.blocks:
            tokens = block(tokens, src_key_padding_mask=absent)
        return self.norm(tokens[:, 0])


class AttentionPolicyValue(Heads):
    """Transformer blocks under the same heads as the layers.

    Args:
        game: what is played.
        hidden: the size of each block, all alike.
        actions, appraisals, trust: see :class:`antiquity.train.model.Heads`.
    """

    def __init__(
        self, game: Game, hidden: Sequence[int], actions: int, appraisals: int, trust: float = 1.0
    ) -> None:
        super().__init__(Tokens(game, hidden[0], len(hidden)), hidden[0], actions, appraisals, trust)
        self.hidden = tuple(hidden)


class AttentionAgent(Agent):
    """A trained transformer as a player.

    Args:
        game: what it plays.
        model: the network.
        deterministic: the most likely action, or one by its probability.
        trained_on: what made it, for its file.
    """

    def __init__(
        self,
        game: Game,
        model: AttentionPolicyValue,
        *,
        deterministic: bool = False,
        trained_on: Mapping[str, Any] | None = None,
    ) -> None:
        self.name = "attention"
        self.game, self.model, self.deterministic = game, model, deterministic
        self.trained_on = dict(trained_on or {})

    @torch.no_grad()
    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """The actions of all rows."""
        counts = torch.from_numpy(decisions.counts)
        width = int(counts.max()) if len(counts) else 1
        legal = torch.from_numpy(decisions.legal[:, :width].astype(np.int64))
        appraisals = torch.from_numpy(decisions.appraisals()[:, :width])
        logits, _ = self.model(torch.from_numpy(decisions.observations), legal, counts, appraisals)
        if self.deterministic:
            slots = logits.argmax(1)
        else:
            reached = torch.softmax(logits.double(), 1).cumsum(1)
            drawn = torch.from_numpy(decisions.uniform())[:, None] * reached[:, -1:]
            slots = torch.minimum((reached <= drawn).sum(1), counts - 1)
        return np.asarray(legal.gather(1, slots[:, None])[:, 0].numpy())

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write it to a file: plain arrays and JSON, whole or not at all."""
        about = {
            "format": FORMAT,
            "game": self.game.name,
            "version": self.game.version,
            "hidden": self.model.hidden,
            "appraisals": 0 if self.model.appraisal is None else self.model.appraisal.out_features,
            "trained_on": self.trained_on,
        }
        arrays = {name: value.detach().numpy() for name, value in self.model.named_parameters()}
        note = np.frombuffer(json.dumps(about).encode(), np.uint8)
        with replacing(path) as partial, open(partial, "wb") as file:
            np.savez_compressed(file, about=note, **arrays)
        return Path(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str], game: Game, *, deterministic: bool = False) -> Self:
        """Read a file that :meth:`save` has written. ValueError if it is none, damaged, or of another game."""
        with reading(path, "transformer") as archive:
            about = archive.json("about")
            for name, wanted in (("format", FORMAT), ("game", game.name), ("version", game.version)):
                if about[name] != wanted:
                    raise ValueError(f"its {name} is {about[name]!r}, and {wanted!r} is wanted")
            hidden, appraisals = about["hidden"], about["appraisals"]
            if not (
                hidden
                and all(type(size) is int and 0 < size <= 1024 for size in hidden)
                and len(hidden) <= 16
            ):
                raise ValueError("its blocks have no sizes that can be")
            if type(appraisals) is not int or not 0 <= appraisals <= game.appraisal.size:
                raise ValueError(f"it reads {appraisals!r} appraisals of an action")
            model = AttentionPolicyValue(game, hidden, game.num_actions, appraisals)
            with torch.no_grad():
                for name, parameter in model.named_parameters():
                    array = archive.array(name)
                    if array.shape != tuple(parameter.shape) or array.dtype != np.float32:
                        raise ValueError(f"{name} has the shape {list(array.shape)}")
                    parameter.copy_(torch.from_numpy(array))
        return cls(game, model, deterministic=deterministic, trained_on=about["trained_on"])
