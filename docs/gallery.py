"""The gallery: every game at every table, and the pages that Antiquity writes, all made from the code as it is."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from antiquity.agents import make_agent
from antiquity.agents.base import Decisions
from antiquity.arena import tournament
from antiquity.arena.report import as_html
from antiquity.batch import Batch
from antiquity.game import Game
from antiquity.render.svg import with_theme
from antiquity.study.analysis import analyse
from antiquity.study.gif import write_gif
from antiquity.study.insight import play_and_study
from antiquity.study.insight_page import write_insight
from antiquity.study.page import replay_page
from antiquity.study.recording import Recorder
from antiquity.study.replay import Replay

FOLDER = "gallery"
THEMES = ("light", "dark")
SEED = 3


def table_name(game: Game, players: int, theme: str) -> str:
    """The file of a picture."""
    return f"{FOLDER}/{game.name}-{players}-{theme}.svg"


def tables(game: Game, players: int) -> dict[str, str]:
    """The table as seat 0 sees it two thirds through a game of the shipped policy, by the file's name."""
    replay = played(game, players)
    position = next(
        each
        for each in replay.positions()
        if 3 * each.step >= 2 * len(replay.steps) and 0 in each.batch.deciders(0)
    )
    svg = position.batch.draw(0, 0)
    return {table_name(game, players, theme): with_theme(svg, theme) for theme in THEMES}


def played(game: Game, players: int) -> Replay:
    """A game of the shipped policy against itself."""
    agent = make_agent("policy", game)
    batch = Batch(game, 1, players, seed=SEED, autoreset=False)
    recorder = Recorder(batch, agents=["policy"] * players)
    batch.reset()
    rows = batch.rows()
    while len(rows.game):
        step = batch.step_rows(agent.act(Decisions(game, batch.games, batch.tables, rows.game, rows.seat)))
        rows = type(rows)(*step[:4])
    return recorder.replays[0]


def pages(games: Sequence[Game]) -> dict[str, Callable[[], str | bytes]]:
    """What makes each of the pages, by the file's name."""
    wonders, stone, dice = games[0], games[2], games[1]
    return {
        f"{FOLDER}/replay.html": lambda: replay_page(played(wonders, 4), views=[None, 0]),
        f"{FOLDER}/analysis.html": lambda: _analysis(dice),
        f"{FOLDER}/report.html": lambda: as_html(
            tournament(stone, ["policy", "greedy", "random"], players=[2, 3, 4], deals=40, seed=SEED)
        ),
        f"{FOLDER}/insight.html": lambda: _written(
            lambda path: write_insight(
                play_and_study(wonders, ["policy"], 4000, compare=False, sides="random"),
                path,
                f"{wonders.title}: 4,000 games of the shipped policy",
            )
        ).decode(),
        f"{FOLDER}/game.gif": lambda: _written(lambda path: write_gif(played(dice, 3), path, width=640)),
    }


def _analysis(game: Game) -> str:
    replay = played(game, 3)
    return replay_page(replay, views=[0], analysis=analyse(replay, seats=[0]))


def _written(write: Callable[[Path], object]) -> bytes:
    """What `write` writes to a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        write(path)
        return path.read_bytes()


def page(games: Sequence[Game]) -> str:
    """The tables of every game, one behind the other."""
    parts = []
    for game in games:
        parts.append(f"## {game.title}\n")
        for players in range(game.min_players, game.max_players + 1):
            words = f"{game.title}, {players} players, as seat 0 sees it"
            parts.append(
                f'??? {"example" if players == game.default_players else "note"} "{players} players"\n'
            )
            for theme in THEMES:
                name = table_name(game, players, theme)
                parts.append(f"    [![{words}]({name}#only-{theme})]({name})\n")
    return "\n".join(parts)
