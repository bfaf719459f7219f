"""Masked PPO by self-play in one file: what `antiquity train` does, without files, processes and opponents.

    python examples/ppo.py --game seven_wonders --cpu-seconds 60

Every seat of every game is played by one network, which learns from all of them. Six things make it work:

* Whole games. Hundreds of games are played to their ends, then learnt from. Rewards come at the end (half the win, half
  a squashed lead), so nothing is cut off and nothing is bootstrapped across games.
* Decision rows. Only seats that have a choice are computed and trained on; each seat's decisions are a chain of their
  own, whoever decides in between.
* Lists of legal actions instead of masks over all actions: the lists hold 8 actions on average, the masks 258.
* Greedy's own values of the legal actions (the verb `appraise`) are added to the logits, with a weight that is learnt.
  Without them self-play takes hundreds of times as long in 7 Wonders and gets nowhere in Stone Age; in 7 Wonders Dice
  they do harm, so there they are left out.
* Live columns: at a table of four, about half of the observation is always zero.
* bfloat16, where the processor multiplies it natively.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, fields
from itertools import pairwise

import numpy as np
import torch
from torch import nn

from antiquity import Batch
from antiquity.agents import Network, NetworkAgent
from antiquity.arena import play_match
from antiquity.game import make_game
from antiquity.game.random import RESERVED, mix

TRAINING = RESERVED + 40  # purpose of our seeds; see antiquity.game.random


@dataclass
class Args:
    game: str = "seven_wonders"
    players: int = 0  # the game's default
    cpu_seconds: float = 60.0
    decisions: int = 0  # or: how many to train on, which makes a run repeatable
    seed: int = 0
    games: int = 0  # some 40,000 decisions: 512, in Stone Age 64, in 7 Wonders Dice 192
    hidden: tuple[int, ...] = (256, 256)
    trust: float = 1.0  # weight of greedy's values at the start
    epochs: int = 2
    minibatch: int = 2048
    learning_rate: float = 1e-3  # falls linearly to a tenth, like the entropy bonus
    entropy: float = 0.01
    clip: float = 0.2
    value_weight: float = 0.5
    gradient_norm: float = 0.5
    lam: float = 0.95
    bf16: bool = True


class Model(nn.Module):
    """A shared trunk; logits, value, and the weights of the appraisals."""

    def __init__(self, inputs, hidden, actions, appraisals, trust):
        super().__init__()
        sizes = [inputs, *hidden]
        layers = []
        for size, after in pairwise(sizes):
            layers += [nn.Linear(size, after), nn.ReLU()]
        self.trunk = nn.Sequential(*layers)
        self.policy = nn.Linear(sizes[-1], actions)
        self.value = nn.Linear(sizes[-1], 1)
        nn.init.orthogonal_(self.policy.weight, 0.01)  # all actions alike at first ...
        self.appraisal = nn.Linear(sizes[-1], appraisals) if appraisals else None
        for head in (self.value, self.appraisal):
            if head is not None:
                nn.init.zeros_(head.weight)
                nn.init.zeros_(head.bias)
        nn.init.zeros_(self.policy.bias)
        if self.appraisal is not None:
            with torch.no_grad():
                self.appraisal.bias[0] = trust  # ... but for greedy's opinion

    def forward(self, observations, legal, counts, appraisals):
        found = self.trunk(observations)
        logits = self.policy(found).gather(1, legal).float()
        if self.appraisal is not None:
            weights = self.appraisal(found).float()
            logits = logits + torch.bmm(appraisals, weights[:, :, None])[:, :, 0]
        slots = torch.arange(legal.shape[1])
        logits = logits.masked_fill(slots >= counts[:, None], -1e9)
        return logits, self.value(found).float()[:, 0]


def live_columns(game, players):
    """The columns of an observation that are ever anything but zero, found by playing."""
    batch = Batch(game, 128, players, seed=12_345, copy=False, autoreset=False)
    batch.reset()
    rows, used = batch.rows(), np.zeros(batch.observation_size, bool)
    random = np.random.default_rng(12_345)
    while len(rows.game):
        used |= rows.observations.any(axis=0)
        greedy, uniform = batch.sample_rows("greedy"), batch.sample_rows("random", salt=1)
        rows = batch.step_rows(np.where(random.random(len(greedy)) < 0.5, greedy, uniform))
    return np.flatnonzero(used)


def advantages(steps, outcome, lam):
    """Generalised advantages and returns: of each seat's decisions, backwards from what the game brought it."""
    after, gain = outcome.copy(), np.zeros_like(outcome)
    gains = []
    for game, seat, values in reversed(steps):
        found = after[game, seat] - values + np.float32(lam) * gain[game, seat]
        after[game, seat], gain[game, seat] = values, found
        gains.append(found)
    joined = np.concatenate(gains[::-1])
    return torch.from_numpy(joined), torch.from_numpy(joined + np.concatenate([step[2] for step in steps]))


def stacked(parts):
    """One behind the other; lists of actions become as wide as the widest."""
    if parts[0].ndim == 1:
        return torch.cat(parts)
    out = parts[0].new_zeros(sum(map(len, parts)), max(part.shape[1] for part in parts), *parts[0].shape[2:])
    start = 0
    for part in parts:
        out[start : start + len(part), : part.shape[1]] = part
        start += len(part)
    return out


@torch.no_grad()
def play(model, batch, columns, args, seed, bf16):
    """Play one game in every slot; returns all decisions in which there was a choice, as eight tensors."""
    generator = torch.Generator().manual_seed(mix(seed, TRAINING, 3) >> 1)
    batch.reset(seed=mix(mix(seed, TRAINING, 4), TRAINING, 0))
    rows = batch.rows()
    outcome = np.zeros((batch.num_games, batch.num_seats), np.float32)
    steps, kept = [], []
    while len(rows.game):
        legal, counts, appraisals = batch.choices(rows.game, rows.seat)
        choosing = np.flatnonzero(counts > 1)
        actions = legal[:, 0].astype(np.int64)  # forced moves are made, and not learnt from
        width = int(counts[choosing].max()) if len(choosing) else 1
        options = torch.from_numpy(legal[choosing, :width].astype(np.int64))
        observations = torch.from_numpy(rows.observations[choosing].take(columns, axis=1))
        observations = observations.bfloat16() if bf16 else observations
        number, values_of = torch.from_numpy(counts[choosing]), torch.from_numpy(appraisals[choosing, :width])
        with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
            logits, values = model(observations, options, number, values_of)
        chances = torch.log_softmax(logits, 1)
        # Gumbel's trick: the greatest of the perturbed logarithms is a draw.
        noise = torch.rand(chances.shape, generator=generator).clamp_(1e-9, 1 - 1e-7)
        slots = (chances - (-noise.log()).log()).argmax(1, keepdim=True)
        actions[choosing] = options.gather(1, slots)[:, 0].numpy()
        kept.append((observations, options, number, values_of, slots[:, 0], chances.gather(1, slots)[:, 0]))
        steps.append((rows.game[choosing].copy(), rows.seat[choosing].copy(), values.numpy()))
        rows = batch.step_rows(actions)
        outcome += rows.rewards
    return *(stacked(parts) for parts in zip(*kept, strict=True)), *advantages(steps, outcome, args.lam)


def update(model, optimizer, rollout, done, args, seed, bf16):
    """Two epochs of PPO; returns entropy and value error (in units of the returns' variance) of the last."""
    observations, legal, counts, appraisals, slots, before, gains, returns = rollout
    size = len(slots)
    mean, spread = gains.double().mean().item(), gains.double().var(correction=0).item() ** 0.5
    gains = (gains - mean) / (spread + 1e-8)
    variance = max(returns.double().var(correction=0).item(), 1e-3)
    for group in optimizer.param_groups:
        group["lr"] = args.learning_rate * (1 - 0.9 * done)
    generator = torch.Generator().manual_seed(seed)
    totals = np.zeros(2)
    for _ in range(args.epochs):
        totals[:] = 0
        order = torch.randperm(size, generator=generator)
        for rows in order.tensor_split(max(1, round(size / args.minibatch))):
            width = int(counts[rows].max())
            with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
                logits, values = model(
                    observations[rows], legal[:, :width][rows], counts[rows], appraisals[:, :width][rows]
                )
            chances = torch.log_softmax(logits, 1)
            ratio = (chances.gather(1, slots[rows][:, None])[:, 0] - before[rows]).exp()
            clipped = ratio.clamp(1 - args.clip, 1 + args.clip)
            gained = torch.minimum(ratio * gains[rows], clipped * gains[rows]).sum()
            chaos = -(chances.exp() * chances.clamp(min=-30)).sum()
            error = ((values - returns[rows]) ** 2).sum()
            loss = -gained - args.entropy * (1 - 0.9 * done) * chaos + args.value_weight * error / variance
            optimizer.zero_grad(set_to_none=True)
            (loss / len(rows)).backward()
            nn.utils.clip_grad_norm_(model.parameters(), args.gradient_norm)
            optimizer.step()
            totals += chaos.item(), error.item()
    return totals[0] / size, totals[1] / size / variance


def network(model, columns):
    """The model as plain arrays, for kernels and policy files."""
    array = lambda tensor: tensor.detach().numpy().copy()  # noqa: E731
    heads = {"policy": model.policy, "appraisal": model.appraisal}
    heads = {
        name: (array(head.weight.T), array(head.bias)) for name, head in heads.items() if head is not None
    }
    return Network.make(
        columns=columns,
        hidden=[(array(layer.weight.T), array(layer.bias)) for layer in model.trunk[::2]],
        value=(array(model.value.weight[0]), array(model.value.bias)),
        **heads,
    )


def measure(model, columns, game, players, deals=100):
    """One seat, taking the most probable action, against greedy in all others."""
    policy = NetworkAgent(game, network(model, columns), deterministic=True)
    return play_match(game, [policy, *["greedy"] * (players - 1)], deals=deals, seed=1)


def train(args, told=print):
    """Train; returns the model, the columns that it reads, and (entropy, value error) of every update."""
    torch.set_num_threads(1)
    game = make_game(args.game)
    players = args.players or game.default_players
    bf16 = args.bf16 and torch.cpu._is_avx512_bf16_supported()
    columns = live_columns(game, players)
    torch.manual_seed(args.seed)
    appraisals = 0 if game.name == "dice" else game.appraisal.size
    model = Model(len(columns), args.hidden, game.num_actions, appraisals, args.trust)
    optimizer = torch.optim.Adam(model.parameters(), args.learning_rate, eps=1e-5, fused=True)
    games = args.games or {"stone_age": 64, "dice": 192}.get(game.name, 512)
    batch = Batch(game, games, players, seed=0, reward="mix", copy=False, autoreset=False)
    told(f"{game.title}, {players} players; greedy's values {'are' if appraisals else 'are not'} read")
    curve, spent, decisions, done = [], 0.0, 0, 0.0
    while done < 1.0:
        started = time.process_time()
        seed = mix(args.seed, TRAINING, len(curve) << 8)
        rollout = play(model, batch, columns, args, seed, bf16)
        curve.append(update(model, optimizer, rollout, done, args, seed >> 1, bf16))
        spent += time.process_time() - started
        decisions += len(rollout[4])
        done = min(1.0, decisions / args.decisions if args.decisions else spent / args.cpu_seconds)
        if len(curve) % 20 == 0:
            entropy, error = curve[-1]
            told(
                f"{done:4.0%}  {decisions / spent:,.0f} decisions/s  entropy {entropy:.2f}  value error {error:.2f}\n"
                f"{measure(model, columns, game, players)}"
            )
    return model, columns, curve


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for field in fields(Args):
        kind = {bool: lambda text: text == "true", tuple: lambda text: tuple(map(int, text.split(",")))}
        parse = kind.get(type(field.default), type(field.default))
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=parse, default=field.default)
    args = Args(**vars(parser.parse_args()))
    model, columns, _ = train(args)
    game = make_game(args.game)
    players = args.players or game.default_players
    print(f"one policy against {players - 1} greedy, fresh deals; par is {1 / players:.0%}")
    print(measure(model, columns, game, players, deals=500))
    path = NetworkAgent(game, network(model, columns), deterministic=True).save(f"{game.name}_policy.npz")
    print(f"{path} can sit at a table: antiquity play {game.name} --against {path}")


if __name__ == "__main__":
    main()
