"""What a training run is made of: :class:`Settings`, written down with the run and read again to go on."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any, Final

from antiquity.game import Game, make_game
from antiquity.game.checks import one_of, whole

OWN: Final[dict[str, dict[str, Any]]] = {
    "dice": {"appraisals": False, "games": 192},
    "stone_age": {"games": 64},
}
"""Where a game's settings differ from the defaults: as many games as have some 40,000 decisions of four players."""


@dataclass(frozen=True)
class TableKind:
    """A kind of table that is trained on.

    Attributes:
        players: seats.
        options: the game's own options.
        weight: how often it is played, beside the weights of the others.
    """

    players: int
    options: dict[str, Any] = field(default_factory=dict)
    weight: float = 1.0


@dataclass(frozen=True)
class Settings:
    """The settings of a run. The defaults are those of 7 Wonders; :func:`settings_for` knows the other games'.

    Attributes:
        tables: what is played.
        games: games of a rollout, over all tables and processes.
        network: ``"layers"``, fully connected ones on the vector; or ``"attention"``, transformer blocks on tokens
            (:mod:`antiquity.train.attention`), which no kernel plays: ten times slower, and its policies are no policy
            files.
        hidden: sizes of the trunk's layers; of a transformer's blocks, all alike.
        appraisals: whether the logits read the verb ``appraise``; a number: its first columns alone.
        trust: weight of greedy's value in the logits at the start.
        epochs: how often every decision of a rollout is learnt from.
        minibatch: decisions of one gradient step, over all processes.
        learning_rate, entropy: at the start; both fall linearly to ``*_end`` times that.
        clip: of the ratio of probabilities.
        value_weight: of the value's error, in units of the variance of the returns.
        gradient_norm: the most a gradient may have.
        lam: lambda of the generalised advantages; gamma is 1, since games are rewarded at their end.
        past, greedy, search: shares of the games in which all seats but one are played by a former self, by greedy, or
            by search with 50 simulations; in the rest every seat learns.
        snapshots: former selves that are kept in the course of a run, evenly spaced.
        checks: measurements against greedy in the course of a run, evenly spaced.
        deals: deals of a measurement, each in all seatings.
        bf16: compute in bfloat16; None: where the processor multiplies it natively.
        seed: of everything.
    """

    tables: tuple[TableKind, ...]
    games: int = 512
    network: str = "layers"
    hidden: tuple[int, ...] = (256, 256)
    appraisals: bool | int = True
    trust: float = 1.0
    epochs: int = 2
    minibatch: int = 2048
    learning_rate: float = 1e-3
    learning_rate_end: float = 0.1
    entropy: float = 0.01
    entropy_end: float = 0.1
    clip: float = 0.2
    value_weight: float = 0.5
    gradient_norm: float = 0.5
    lam: float = 0.95
    past: float = 0.0
    greedy: float = 0.0
    search: float = 0.0
    snapshots: int = 20
    checks: int = 10
    deals: int = 100
    bf16: bool | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.tables:
            raise ValueError("tables: give at least one kind of table to train on")
        for name in ("games", "epochs", "minibatch", "snapshots", "checks", "deals"):
            whole(name, getattr(self, name), 1)
        if not self.hidden or min(self.hidden) < 1:
            raise ValueError(f"hidden={self.hidden}: give the size of each layer, such as 256,256")
        one_of("network", self.network, ("layers", "attention"))
        if self.network == "attention" and (len(set(self.hidden)) > 1 or self.hidden[0] % 4 or self.past):
            raise ValueError(
                'network="attention": hidden are blocks of one size, a multiple of 4, such as 64,64; and past is 0, '
                "for former selves are played by kernels"
            )
        shares = (self.past, self.greedy, self.search)
        if min(shares) < 0 or sum(shares) > 1:
            raise ValueError(f"past, greedy and search are shares of the games: {shares} are not")

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, given: dict[str, Any]) -> Settings:
        """From what :meth:`as_dict` gave. ValueError for anything else."""
        try:
            tables = tuple(TableKind(**kind) for kind in given["tables"])
            return cls(**(given | {"tables": tables, "hidden": tuple(given["hidden"])}))
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"no settings of a training run: {error}") from None


def settings_for(game: str | Game, *, players: tuple[int, ...] = (), **changes: Any) -> Settings:
    """The settings that suit a game.

    Greedy's values make self-play learn many times faster where the game has good ones; in Dice they hold it back.

    Args:
        game: a game's name, or a Game.
        players: table sizes, equally often; the game's default alone if none.
        changes: settings that are to differ; ``options`` are the game's own, for all tables.
    """
    game = make_game(game)
    options = changes.pop("options", {})
    kinds = tuple(TableKind(number, options) for number in players or (game.default_players,))
    return Settings(**({"tables": kinds} | OWN.get(game.name, {}) | changes))
