"""The kernels behind one learning seat a game: play on until it has something to choose, or the game ends.

Arrays as in :mod:`antiquity.loops`, and beside them, for G games with S seats:

* ``learners`` int64[G]: the learning seat of each game;
* ``players`` int64[G, S]: who plays each seat: a kernel agent's number, or :data:`OUTSIDE` for all that Python asks,
  the learning seat among them;
* ``given`` int64[G]: bits of the seats whose action for this decision stands in ``actions``;
* ``wanted`` int64[G]: bits of the seats whose action is wanted from outside, 0 when the game has ended;
* ``gained`` float64[G]: rewards of the learning seat, summed up;
* ``results`` int32[G, P, columns] and ``places`` int64[G, P]: scores and ranks of games that have ended.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from antiquity import verbs
from antiquity.agents.kernel import choose
from antiquity.game import CUT_OFF, ENDED
from antiquity.jit import entry, kernel
from antiquity.loops import apply_actions, begin, is_listed, list_legal, write_mask
from antiquity.rewards import write_rewards

OUTSIDE = -1


@kernel
def _wanted(game: Any, players: Any, given: Any, i: Any) -> Any:
    """Bits of the seats whose action must come from outside and isn't there yet."""
    missing = np.int64(game["deciders"]) & ~given[i]
    for s in range(players.shape[1]):
        if players[i, s] != OUTSIDE:
            missing &= ~(1 << s)
    return missing


@kernel
def _fill(game: Any, tables: Any, actions: Any, legal: Any, given: Any, players: Any, i: Any) -> None:
    """WAIT for those that wait, and the kernel agents' choices; what is given stays."""
    seats = legal.shape[1]
    deciders = np.int64(game["deciders"])
    for s in range(np.int64(game["num_players"])):
        if (deciders >> s) & 1 == 0:
            actions[0, i * seats + s] = verbs.WAIT
        elif (given[i] >> s) & 1 == 0:
            count = np.int64(legal[i, s, legal.shape[2] - 1])
            actions[0, i * seats + s] = choose(players[i, s], game, tables, s, legal[i, s], count)


@entry
def play_on(
    games: Any,
    tables: Any,
    options: Any,
    slots: Any,
    work: Any,
    actions: Any,
    legal: Any,
    rewards: Any,
    done: Any,
    learners: Any,
    players: Any,
    given: Any,
    wanted: Any,
    gained: Any,
    results: Any,
    places: Any,
    start: int,
    stop: int,
) -> None:
    """Begin games in the slots that are marked for it; play all on, each until it wants an action or ends.

    A game that wants an action already stays as it is.
    """
    own = work[0]
    for i in range(start, stop):
        game, slot = games[i], slots[i]
        if slot["restart"]:
            begin(game, tables[0], options, slot)
            given[i] = 0
            wanted[i] = 0
            gained[i] = 0
            list_legal(game, tables[0], slot, legal, i)
        while not slot["stopped"]:
            wanted[i] = _wanted(game, players, given, i)
            if wanted[i] != 0:
                break
            _fill(game, tables[0], actions, legal, given, players, i)
            apply_actions(game, tables[0], slot, own, actions, legal, i, False)
            given[i] = 0
            over = game["over"] == ENDED
            cut = game["over"] == CUT_OFF or (not over and game["steps"] >= own["max_cycles"])
            write_rewards(game, tables[0], slot, own, rewards, i, over, cut)
            gained[i] += rewards[i, learners[i]]
            if game["over"]:
                slot["stopped"] = 1
            list_legal(game, tables[0], slot, legal, i)
            if over or cut:
                done[0, i] = over
                done[1, i] = cut
                slot["stopped"] = 1
                for s in range(results.shape[1]):
                    places[i, s] = own["ranks"][s]
                    for column in range(results.shape[2]):
                        results[i, s, column] = own["scores"][s, column]


@entry
def show(
    games: Any,
    tables: Any,
    legal: Any,
    learners: Any,
    index: Any,
    observations: Any,
    masks: Any,
    start: int,
    stop: int,
) -> None:
    """Row r of ``observations`` float32[R, F] and ``masks`` int8[R, A]: the learning seat of game ``index[r]``.

    Whatever stood in them before is gone.
    """
    for row in range(start, stop):
        i = index[row]
        observations[row] = 0.0
        verbs.observe(games[i], tables[0], learners[i], observations[row])
        write_mask(legal, i, learners[i], masks[row])


@entry
def first_illegal(legal: Any, seats: Any, index: Any, chosen: Any) -> int:
    """The first row r in which ``chosen[r]`` is no legal action of seat ``seats[r]`` in game ``index[r]``, or -1."""
    for row in range(len(index)):
        if not is_listed(legal, index[row], seats[row], chosen[row]):
            return row
    return -1
