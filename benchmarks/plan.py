"""Which lines a run measures, in groups of those that are measured in turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from antiquity import make_game
from benchmarks import machine
from benchmarks.measures import KINDS, Spec, bytes_of_outputs, tally_of

BATCH = 1024
"""Games of a batch where the size isn't what is varied."""
THREADED = 4096
"""Games of a batch that threads share."""
CAP = 8 * 2**30
"""Bytes of outputs that a group may hold; half of the machine's memory if that is less."""

LONGEST = 20e6
"""Decisions that the smallest repetition may have; rollouts of very many long games take too long."""

VARIANTS: dict[str, list[dict[str, Any]]] = {"seven_wonders": [{"payments": "cheapest"}, {"sides": "choose"}]}
"""By game: other rules worth a line of their own, at the default number of players."""

SWEPT = ("rollout_random", "step", "step_rows", "step_fresh", "step_bytes", "bytes_table")
"""Kinds that are measured over sizes of the batch."""
SHARED = ("rollout_random", "step", "step_rows")
"""Kinds that are measured over threads."""


@dataclass(frozen=True)
class Effort:
    """How much a run does."""

    repetitions: int
    seconds: float
    """Of a repetition, about."""
    sizes: tuple[int, ...]
    all_players: bool
    warm_starts: int


FULL = Effort(5, 0.12, (64, 256, 1024, 4096, 8192, 16384, 65536), all_players=True, warm_starts=7)
QUICK = Effort(3, 0.06, (64, 1024, 8192), all_players=False, warm_starts=3)
"""About a minute a game, most of it the one cold start."""


@dataclass(frozen=True)
class Group:
    """Lines that are measured in turn, so that they may be compared with each other."""

    purpose: str
    """``"players"``, ``"sizes"`` or ``"threads"``: what varies in it."""
    specs: tuple[Spec, ...]
    clock: str = "cpu"


def groups(game: str, effort: Effort) -> tuple[list[Group], list[str]]:
    """The groups of a game, and what was left out of them and why."""
    left_out: list[str] = []
    rules = make_game(game)
    kinds = [kind for kind in KINDS if all(getattr(rules, need) for need in KINDS[kind].needs)]
    found = [_players(game, kind, effort) for kind in kinds]
    found += [_sizes(game, kind, effort, left_out) for kind in SWEPT if kind in kinds]
    if machine.usable_cores() > 1:
        found += [_threads(game, kind) for kind in SHARED]
    else:
        left_out.append(f"{game}, threads: this process may run on one core only")
    return found, left_out


def _players(game: str, kind: str, effort: Effort) -> Group:
    rules = make_game(game)
    counts = (
        range(rules.min_players, rules.max_players + 1) if effort.all_players else [rules.default_players]
    )
    games = BATCH if KINDS[kind].batched else 1
    specs = [Spec(kind, game, players, games) for players in counts]
    specs += [
        Spec(kind, game, rules.default_players, games, options=options) for options in VARIANTS.get(game, [])
    ]
    return Group("players", tuple(specs))


def _sizes(game: str, kind: str, effort: Effort, left_out: list[str]) -> Group:
    players = make_game(game).default_players
    allowed = room = min(CAP, machine.physical_memory() // 2)
    chosen: list[Spec] = []
    for size in effort.sizes:
        spec = Spec(kind, game, players, size)
        room -= bytes_of_outputs(spec)
        decisions = size * tally_of(spec).decisions if kind.startswith("rollout") else 0.0
        if room < 0:
            left_out.append(f"{spec}: the arrays of all sizes would need more than {allowed / 2**30:.1f} GiB")
        elif decisions > LONGEST:
            left_out.append(f"{spec}: {decisions / 1e6:.0f} million decisions in a single rollout")
        else:
            chosen.append(spec)
    return Group("sizes", tuple(chosen))


def _threads(game: str, kind: str) -> Group:
    players = make_game(game).default_players
    counts, most = [1], min(16, machine.usable_cores())
    while counts[-1] * 2 <= most:
        counts.append(counts[-1] * 2)
    specs = [Spec(kind, game, players, THREADED, threads) for threads in counts]
    return Group("threads", tuple(specs), clock="wall")
