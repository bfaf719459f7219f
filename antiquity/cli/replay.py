"""Command ``replay``: look at a recorded game, in the terminal or as a page."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from antiquity.arena.store import Results
from antiquity.batch import write_position
from antiquity.cli.common import AsJson, Options, Place, console, print_json, read_options
from antiquity.render.text import hanging, result_lines, shown, terminal_width
from antiquity.study.gif import write_gif
from antiquity.study.page import open_words, revealed_with, unseen_choices, write_page
from antiquity.study.replay import Position, Replay
from antiquity.study.tournaments import replay_of

Unseen = Mapping[int, list[tuple[int, str]]]
HELP = "enter: on   b: back   a number: to that step   v: next view   q: quit"


def replay(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="a replay, or results, see antiquity.study.replay")
    ],
    html: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="write one self-contained page instead")
    ] = None,
    gif: Annotated[
        Path | None, typer.Option(metavar="FILE.gif", help="write an animated picture instead")
    ] = None,
    every: Annotated[int, typer.Option(help="of the GIF: a frame for every so many steps", min=1)] = 1,
    log: Annotated[bool, typer.Option("--log", help="print what was chosen, all at once")] = False,
    step: Annotated[
        int | None, typer.Option(help="print the table after so many steps, and no more", min=0)
    ] = None,
    position: Annotated[
        Path | None, typer.Option(metavar="FILE.toml", help="with --step: write the position in words")
    ] = None,
    seat: Annotated[
        int | None, typer.Option(help="see with this seat's eyes; all open if none", min=0)
    ] = None,
    deal: Annotated[
        int | None, typer.Option(help="FILE is the results of a tournament: the number of a deal", min=0)
    ] = None,
    players: Annotated[
        int | None, typer.Option(help="of the deal, where the results have several table sizes", min=1)
    ] = None,
    rotation: Annotated[int, typer.Option(help="of the deal's line-up", min=0)] = 0,
    game: Place = None,
    option: Options = None,
    json: AsJson = False,
) -> None:
    """Step through a recorded game, or through a game of a tournament.

    The file is checked: every action against the rules, and the points at the end. An option that names a file, such
    as a changed card table, must be given anew: a replay opens no other file by itself.

    Example: antiquity replay runs/game.jsonl

    Example: antiquity replay runs/game.jsonl --html game.html

    Example: antiquity replay runs/game.jsonl --gif game.gif --every 4

    Example: antiquity replay runs/game.jsonl --option cards=my_cards.toml --log

    Example: antiquity replay t.sqlite --deal 7 --rotation 2
    """
    if deal is not None:
        with Results.open(file, game=game) as results:
            found = replay_of(results, deal, players=players, rotation=rotation, options=read_options(option))
    else:
        found = Replay.read(file, game=game, options=read_options(option), check=False)
    if seat is not None and seat >= found.num_players:
        raise ValueError(f"--seat {seat}: the seats are 0 to {found.num_players - 1}")
    if position is not None:
        if step is None:
            raise ValueError("--position goes with --step: say of which moment")
        batch = _at(found, step).batch
        of = found.game.position_of(batch.games, 0, batch.tables, batch.game_options)
        console.print(f"{write_position(of, position)}: the position after step {step}, in words")
        return
    if html is not None:
        written = write_page(found, html)
        if not json:
            console.print(f"{written}: {written.stat().st_size / 1e6:.1f} MB, open it in a browser")
    elif gif is not None:
        with Console(stderr=True, highlight=False).status("drawing") as status:
            written = write_gif(
                found,
                gif,
                seat=seat,
                every=every,
                told=lambda done, all_: status.update(f"drawing: {done} of {all_}"),
            )
        if not json:
            console.print(f"{written}: {written.stat().st_size / 1e6:.1f} MB")
    elif not json and step is None and not log and sys.stdin.isatty():
        step_through(found, seat)
        return
    elif not json and step is not None:
        print(shown(_screen(found, _at(found, step), seat, unseen_choices(found)), sys.stdout))
        return
    elif not json:
        _print_log(found)
        return
    else:
        found.check()
    if json:
        print_json(_about(found))


def _about(found: Replay) -> dict[str, Any]:
    return {
        "game": found.game.name,
        "players": found.num_players,
        "seed": str(found.seed),
        "options": dict(found.options),
        "agents": list(found.agents),
        "branch": found.branch,
        "end": found.end,
        "steps": len(found.steps),
        "scores": [dict(row) for row in found.scores],
    }


def _name(found: Replay, seat: int) -> str:
    return f"seat {seat}, {found.agents[seat]}" if found.agents[seat] else f"seat {seat}"


def _at(found: Replay, step: int) -> Position:
    if step > len(found.steps):
        raise ValueError(f"--step {step}: the game has {len(found.steps)} steps")
    positions = found.positions()
    for _ in range(step):
        next(positions)
    return next(positions)


def _screen(found: Replay, position: Position, seat: int | None, unseen: Unseen) -> str:
    """The table, and what is chosen on it."""
    view = "all open" if seat is None else f"as {_name(found, seat)} sees it"
    lines = [
        f"step {position.step} of {len(found.steps)}, {view}",
        "",
        position.batch.render(0, seat, terminal_width()).rstrip(),
        "",
    ]
    lines += _choice_lines(found, position, seat, unseen) if position.choices else _result_lines(found)
    return "\n".join(lines)


def _choice_lines(
    found: Replay, position: Position, seat: int | None = None, unseen: Unseen | None = None
) -> Iterator[str]:
    for other, words in [] if seat is None else revealed_with(unseen or {}, position.step):
        if other != seat:
            yield from hanging(f"  {_name(found, other)}, earlier in this turn: ", words, terminal_width())
    for choice in position.choices:
        own = seat is None or seat == choice.seat
        words = choice.words if own else open_words(position.batch, choice.seat, choice.action)
        if not own and position.step in (unseen or {}):
            words = "not seen before the turn is over"
        count = len(position.legal.get(choice.seat, ()))
        others = f" (of {count})" if own and count else ""
        price = position.batch.price(0, choice.seat, choice.action) if own and not choice.illegal else ""
        paid = f" [{price}]" if price else ""
        lost = ", illegal: the game is lost" if choice.illegal else ""
        yield from hanging(
            f"  {_name(found, choice.seat)}: ", f"{words}{paid}{lost}{others}", terminal_width()
        )


def _result_lines(found: Replay) -> Iterator[str]:
    yield f"The end: {found.end}"
    names = [f"seat {seat}" for seat in range(found.num_players)]
    yield from result_lines(names, found.agents, found.scores, terminal_width())


def _print_log(found: Replay) -> None:
    game = found.game
    print(f"{game.title}, {found.num_players} players, seed {found.seed}")
    before = None
    for position in found.positions():
        batch = position.batch
        if before is not None:
            for words in game.news(before, batch.games, batch.tables):
                print("\n".join(hanging("    ", words, terminal_width())))
        if position.choices:
            part = game.heading(batch.games, 0)
            print(f"\nstep {position.step + 1}{f': {part}' if part else ''}")
            print("\n".join(_choice_lines(found, position)))
        before = batch.games.copy()
        for choice in position.choices:
            before["chosen"][0, choice.seat] = choice.action
    print()
    print("\n".join(_result_lines(found)))


def step_through(found: Replay, seat: int | None, ask: Callable[[str], str] = input) -> None:
    """Show a position, ask where to go, show the next one."""
    found.check()
    last = len(found.steps)
    unseen = unseen_choices(found)
    positions = found.positions()
    position = next(positions)
    while True:
        print(shown(_screen(found, position, seat, unseen), sys.stdout))
        try:
            answer = ask(f"[{HELP}] ").strip().lower()
        except EOFError:
            return
        if answer == "q":
            return
        target = position.step
        if answer == "":
            target += 1
        elif answer == "b":
            target -= 1
        elif answer == "v":
            seat = None if seat == found.num_players - 1 else 0 if seat is None else seat + 1
        elif answer.isdecimal():
            target = int(answer)
        else:
            print(f"{answer!r}? {HELP}")
            continue
        if target > last and answer == "":
            return
        target = max(0, min(target, last))
        if target < position.step:
            positions = found.positions()
            position = next(positions)
        while position.step < target:
            position = next(positions)
