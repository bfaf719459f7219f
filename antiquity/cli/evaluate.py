"""``antiquity evaluate``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from antiquity.agents import NetworkAgent
from antiquity.agents.names import is_path
from antiquity.arena.protocol import PROTOCOLS
from antiquity.arena.protocol import evaluate as play
from antiquity.batch import replacing
from antiquity.cli.common import AsJson, console, print_json
from antiquity.game import make_game


def evaluate(
    policy: Annotated[
        str, typer.Argument(metavar="POLICY", help="a policy file, or an agent's name with --game")
    ],
    protocol: Annotated[str, typer.Option(help=f"what is played: {', '.join(PROTOCOLS)}")] = "v1",
    game: Annotated[str | None, typer.Option(help="what it plays; a policy file says so itself")] = None,
    players: Annotated[
        list[int] | None, typer.Option(help="only tables of this size; may be repeated")
    ] = None,
    against: Annotated[list[str] | None, typer.Option(help="only this opponent; may be repeated")] = None,
    out: Annotated[
        Path | None, typer.Option("--output", "-O", "--out", help="write the JSON here, too")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play a policy by a fixed protocol, so that the figures can be compared with those of others.

    One seat among random, greedy, search, the shipped policy and the shipped expert, at every table size, on fixed
    deals in all seatings. The JSON holds hashes of everything that took part.

    Example: antiquity evaluate runs/seven_wonders/policy.npz --out report.json

    Example: antiquity evaluate search:simulations=300 --game dice --against greedy --players 4
    """
    if game is None:
        if not is_path(policy):
            raise ValueError(f"which game should {policy} play? Say --game")
        game = NetworkAgent.load(policy).game.name
    with Console(stderr=True, highlight=False).status("playing") as status:
        found = play(
            policy,
            make_game(game),
            protocol,
            players=players or (),
            opponents=against or (),
            told=status.update,
        )
    if out is not None:
        with replacing(out) as partial:
            partial.write_text(json.dumps(found.as_dict(), indent=2) + "\n", encoding="utf-8")
    if as_json:
        print_json(found.as_dict())
    else:
        console.print(found.table())
