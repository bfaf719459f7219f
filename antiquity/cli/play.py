"""Command ``play``: a person against agents."""

from __future__ import annotations

import contextlib
import importlib.util
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from antiquity.agents import shipped_policy
from antiquity.cli.common import GameName, Options, console, read_options
from antiquity.game import Game, make_game
from antiquity.game.checks import fresh_seed
from antiquity.play.opening import Opening, Set
from antiquity.play.saved import free_path
from antiquity.play.session import Session
from antiquity.play.terminal import farewell, play_in_terminal
from antiquity.play.watching import Watching


def play(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="a game's name, see `antiquity games`")
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="AGENT,...",
            help="who plays the other seats, clockwise from your left neighbour; the game's expert if none",
        ),
    ] = None,
    seat: Annotated[int | None, typer.Option(help="where you sit; 0 if none", min=0)] = None,
    seed: Annotated[
        int | None, typer.Option(help="of the game; another one each time if none", min=0)
    ] = None,
    option: Options = None,
    terminal: Annotated[bool, typer.Option("--terminal", help="play here, without a page")] = False,
    save: Annotated[
        Path | None, typer.Option(help="the game's new file; runs/play/GAME-SEED.jsonl if none")
    ] = None,
    resume: Annotated[Path | None, typer.Option(help="go on with a saved game")] = None,
    step: Annotated[
        int | None,
        typer.Option(
            help="with --resume: play on from after this step, as a new game, and in any --seat", min=0
        ),
    ] = None,
    port: Annotated[int, typer.Option(help="of the local page; 0 takes a free one", min=0, max=65535)] = 0,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="open the page in your browser")
    ] = True,
) -> None:
    """Play against agents, in a local web page or in the terminal.

    Agents are random, greedy, search and expert (with options: search:simulations=2000), policy, or files of trained
    policies. Unless you say who plays, it is the expert where the game brings a policy, and search elsewhere. The page
    is served to this machine alone and works offline. The game is saved after each of your decisions.

    Example: antiquity play seven_wonders --against search,greedy,greedy

    Example: antiquity play stone_age --against runs/stone_age/policy.npz --terminal

    Example: antiquity play --resume runs/play/dice-42.jsonl

    Example: antiquity play --resume runs/play/dice-42.jsonl --step 12 --seat 1
    """
    if not terminal:
        _require_server()
    names = None if against is None else split_agents(against)
    options = read_options(option)
    title = "Antiquity"
    make: Callable[[], Session]
    if save is not None and save.exists():
        raise ValueError(
            f"--save {save}: there is a file already, and games are not overwritten; name another"
        )
    if resume is not None:
        if game is not None or seed is not None or (step is None and (save is not None or seat is not None)):
            raise ValueError(
                "--resume goes on with the game of its file: give no GAME and --seed with it, and --save and --seat "
                "only where --step says from where on it is to become another game"
            )
        if step is None:
            make = partial(Session.resume, resume, against=names, options=options)
        else:
            save = save or free_path(resume.with_name(f"{resume.stem}-from-{step}.jsonl"))
            make = partial(
                Session.play_on, resume, step, seat=seat, against=names, save=save, options=options
            )
    elif step is not None:
        raise ValueError("--step goes with --resume FILE")
    elif game is None:
        raise ValueError("name a GAME (see `antiquity games`), or a saved game: --resume FILE")
    else:
        found = make_game(game)
        seed = fresh_seed() if seed is None else seed
        names = names or [default_opponent(found)] * (found.default_players - 1)
        save = save or free_path(Path("runs", "play", f"{found.name}-{seed}.jsonl"))
        make = partial(Session, found, names, seat=seat or 0, seed=seed, save=save, **options)
        title = found.title
    if terminal:
        with contextlib.closing(make()) as session:
            play_in_terminal(session)
        return
    opening = _served(make, title, port, browser)
    if opening.ready:
        console.print(farewell(opening.result()))


def watch(
    game: GameName,
    agents: Annotated[
        str | None,
        typer.Option(
            metavar="AGENT,...", help="who plays, one for each seat; the game's expert in all if none"
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="of the game; another one each time if none", min=0)
    ] = None,
    save: Annotated[Path | None, typer.Option(help="where the game is written at its end")] = None,
    option: Options = None,
    port: Annotated[int, typer.Option(help="of the local page; 0 takes a free one", min=0, max=65535)] = 0,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="open the page in your browser")
    ] = True,
) -> None:
    """Watch agents play, live in a local page, with pace and pause.

    Example: antiquity watch stone_age --agents expert,greedy
    """
    _require_server()
    found = make_game(game)
    if save is not None and save.exists():
        raise ValueError(
            f"--save {save}: there is a file already, and games are not overwritten; name another"
        )
    names = split_agents(agents) if agents else [default_opponent(found)] * found.default_players
    make = partial(Watching, found, names, seed=seed, save=save, **read_options(option))
    _served(make, found.title, port, browser)


def _served(make: Callable[[], Set], title: str, port: int, browser: bool) -> Opening[Set]:
    """Set up a game and serve it until Ctrl-C; the page is there while kernels are compiled."""
    from antiquity.play.server import serve

    opening = Opening(make, title)
    with contextlib.closing(opening), contextlib.suppress(KeyboardInterrupt):
        opening.wait()
        game = opening.result() if opening.ready else opening
        serve(game, port=port, browser=browser, say=console.print)
    return opening


def default_opponent(game: Game) -> str:
    """Who plays unless somebody is named: the best agent that the game brings."""
    return "search" if shipped_policy(game) is None else "expert"


def split_agents(text: str) -> list[str]:
    """``"search:simulations=9,rollout=greedy,greedy"`` as ``["search:simulations=9,rollout=greedy", "greedy"]``."""
    names: list[str] = []
    for part in text.split(","):
        if names and ":" in names[-1] and "=" in part and ":" not in part:
            names[-1] += f",{part}"
        else:
            names.append(part.strip())
    if not all(names):
        raise ValueError(f"--against {text}: name an agent for each seat, such as search,greedy,greedy")
    return names


def _require_server() -> None:
    if not all(map(importlib.util.find_spec, ("starlette", "uvicorn"))):
        raise ImportError(
            'the page needs Starlette and uvicorn: pip install "antiquity[play]"; or play in the terminal: --terminal'
        )
