"""Behaviour cloning: learn from a data set what its best agent would choose, then play it.

    antiquity dataset dice --agents greedy --games 2000 --out data/dice
    python examples/behaviour_cloning.py data/dice --epochs 3

A network of two layers learns the actions of `--agent` (number 0 unless said otherwise) under their masks, from nine
shards of ten (all, if there are fewer than ten). The others say how often it agrees. Then it plays the
game of the data set, one seat against random ones.
"""

from __future__ import annotations

import argparse

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

from antiquity.arena import play_match
from antiquity.study.shards import read_about, shards_in
from antiquity.study.torch_data import ShardStream


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", help="with the shards of `antiquity dataset`")
    parser.add_argument("--agent", type=int, default=0, help="whose choices to learn, a number")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--deals", type=int, default=100, help="of the match at the end")
    arguments = parser.parse_args()
    torch.manual_seed(0)

    paths = shards_in(arguments.folder)
    about = read_about(paths[0])
    held_out = (0, 10) if len(paths) >= 10 else (0, 1)
    validation = ShardStream(arguments.folder, 4096, shuffle=False, part=held_out)
    training = ShardStream(arguments.folder, 1024)
    if len(paths) >= 10:
        training.paths = [path for path in training.paths if path not in validation.paths]

    first = next(iter(validation))
    columns, actions = first["observation"].shape[1], first["mask"].shape[1]
    network = nn.Sequential(
        nn.Linear(columns, arguments.hidden), nn.ReLU(), nn.Linear(arguments.hidden, actions)
    )
    optimiser = torch.optim.Adam(network.parameters(), lr=1e-3)

    def logits(observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        return network(observations).masked_fill(~masks, -1e9)

    for epoch in range(1, arguments.epochs + 1):
        for batch in DataLoader(training, batch_size=None):
            mine = batch["agent"] == arguments.agent
            scores = logits(batch["observation"][mine], batch["mask"][mine])
            loss = nn.functional.cross_entropy(scores, batch["action"][mine])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        right = asked = 0
        with torch.no_grad():
            for batch in DataLoader(validation, batch_size=None):
                mine = (batch["agent"] == arguments.agent) & (batch["mask"].sum(dim=1) > 1)
                chosen = logits(batch["observation"][mine], batch["mask"][mine]).argmax(dim=1)
                right += int((chosen == batch["action"][mine]).sum())
                asked += int(mine.sum())
        print(
            f"epoch {epoch}: loss {loss.item():.3f}, agrees in {right / max(asked, 1):.1%} of {asked:,} decisions"
        )

    def cloned(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        with torch.no_grad():
            scores = logits(torch.from_numpy(observations), torch.from_numpy(masks.astype(bool)))
        return scores.argmax(dim=1).numpy()

    others = ["random"] * (about["players"] - 1)
    print(play_match(about["game"], [cloned, *others], deals=arguments.deals, **about["options"]))


if __name__ == "__main__":
    main()
