"""One game in words: what everybody chose, decision by decision, and the points at the end."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from antiquity.agents import AgentLike, make_agent
from antiquity.agents.base import Decisions, checked_actions
from antiquity.batch import Batch
from antiquity.game import Game, make_game
from antiquity.study.recording import Recorder


def game_log(
    game: str | Game,
    agents: Sequence[AgentLike],
    *,
    seed: int = 0,
    replay: str | os.PathLike[str] | None = None,
    **game_options: Any,
) -> str:
    """Play one game, agent k in seat k, and describe it.

    Args:
        game: a game's name, or a Game.
        agents: one for each seat.
        seed: of the stream that the game is the first of.
        replay: where the game is written as a replay (see :mod:`antiquity.study.replay`); None: nowhere.
        game_options: the game's own options.

    Raises:
        ValueError, TypeError, KeyError: the agents or the options are invalid; the message says why.
    """
    game = make_game(game)
    line_up = [make_agent(agent, game) for agent in agents]
    batch = Batch(game, num_players=len(line_up), seed=seed, autoreset=False, **game_options)
    recorder = None if replay is None else Recorder(batch, agents=[agent.name for agent in line_up])
    batch.reset()
    lines = [f"{game.title}, {len(line_up)} players, seed {seed}", ""]
    lines += [f"seat {seat}: {agent.name}" for seat, agent in enumerate(line_up)]
    rows = batch.rows()
    seats = rows.seat
    while len(seats):
        lines += ["", f"decision {int(batch.games[0]['steps']) + 1}"]
        actions = np.zeros(len(seats), np.int64)
        for row, seat in enumerate(seats):
            asked = Decisions(game, batch.games, batch.tables, np.zeros(1, np.int64), seats[row : row + 1])
            actions[row] = checked_actions(line_up[seat], asked)[0]
            words = game.describe(batch.games, 0, batch.tables, int(seat), int(actions[row]))
            lines.append(f"  {seat} {line_up[seat].name}: {words}")
        seats = batch.step_rows(actions).seat
    if recorder is not None and replay is not None:
        recorder.replays[0].write(replay)
    columns = (*game.categories, "total", "tie-break")
    width = max(8, *(len(agent.name) + 3 for agent in line_up))
    lines += ["", " " * width + "".join(f"{column:>11s}" for column in columns) + "       rank"]
    ranks = batch.ranks()[0]
    for seat, agent in enumerate(line_up):
        points = "".join(f"{int(value):11d}" for value in batch.scores()[0, seat])
        lines.append(f"{f'{seat} {agent.name}':{width}s}{points}{int(ranks[seat]):11d}")
    return "\n".join(lines) + "\n"
