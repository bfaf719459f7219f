"""The driver's kernels: play until a seat outside the kernels must choose, or to the end.

Rollouts, the arena, the environments with opponents and the search all play through it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from antiquity.batch.core import Core
from antiquity.batch.loop import RAISE, begin, is_listed, list_legal, list_seat, put_aside, write_mask
from antiquity.batch.rewards import rank, write_rewards
from antiquity.game import ENDED, WAIT, flow, random, verbs
from antiquity.kernels import clear_rows, entry, kernel

OUTSIDE = -1
"""A seat whose choices come from outside the kernels."""
RANDOM = 0
"""Every legal action with the same chance: the choices of ``Batch.sample()``."""
GREEDY = 1
"""The game's own greedy agent."""
STREAM = 2
"""Uniformly random, from a stream of words instead of the game's seed."""

FULL = 1 << 62
"""In place of the bits of seats: there is no room for the choices of another step."""

PLAYERS = {"random": RANDOM, "greedy": GREEDY}
"""The kernel players, by name."""


@kernel
def choose(player: Any, game: Any, tables: Any, seat: Any, legal: Any, count: Any) -> Any:
    """The action that a kernel player takes among the first `count` of `legal`.

    It follows from the game's seed, the step and the seat, as in :meth:`antiquity.Batch.sample`.
    """
    if count == 1:
        return np.int64(legal[0])
    place = random.at(game["steps"], seat)
    if player == GREEDY:
        noise = random.mix(game["seed"], random.POLICY, place)
        return np.int64(verbs.greedy(game, tables, seat, legal, count, noise))
    return np.int64(legal[random.below(game["seed"], random.POLICY, place, count)])


@kernel
def play_to_end(player: Any, game: Any, tables: Any, legal: Any, word: Any) -> None:
    """Play a game to its end with the same player on every seat.

    `legal`: uint16[L], scratch space. `word`: the first of the stream for STREAM; ignored for others.
    """
    while not game["over"]:
        deciders = np.int64(game["deciders"])
        for seat in range(np.int64(game["num_players"])):
            if (deciders >> seat) & 1:
                count = verbs.legal(game, tables, seat, legal)
                if player == STREAM:
                    word = random.next_word(word)
                    action = np.int64(legal[random.from_word(word, count)])
                else:
                    action = choose(player, game, tables, seat, legal, count)
                flow.choose(game, seat, action)
        flow.advance(game, tables)


@kernel
def _play_on(
    players: Any,
    game: Any,
    tables: Any,
    legal: Any,
    pending: Any,
    forced: Any,
    limit: Any,
    log: Any,
    logged: Any,
) -> Any:
    """Play a game until an outside seat must choose, it is over or it has taken `limit` steps.

    `players` int64[S]: a kernel player, or OUTSIDE. `pending`: bits of outside seats whose action was illegal; once all
    have chosen they forfeit. `forced`: outside seats with one legal action are not asked. `log` uint16[L]: the choices,
    step by step and in each in the order of the seats, from element ``logged[0]`` on; none are kept where L is 0.
    Returns the bits of the seats that must choose, or FULL.
    """
    while not game["over"] and game["steps"] < limit:
        if len(log) and logged[0] + np.int64(game["num_players"]) > len(log):
            return FULL
        deciders = np.int64(game["deciders"])
        outside = 0
        for seat in range(np.int64(game["num_players"])):
            free = (deciders >> seat) & 1 and game["chosen"][seat] == 0 and (pending >> seat) & 1 == 0
            if free and players[seat] == OUTSIDE:
                if forced and verbs.legal(game, tables, seat, legal) == 1:
                    flow.choose(game, seat, np.int64(legal[0]))
                else:
                    outside |= 1 << seat
        if outside:
            return outside
        if pending:
            flow.forfeit(game, pending)
            break
        for seat in range(np.int64(game["num_players"])):
            if (deciders >> seat) & 1 and players[seat] != OUTSIDE:
                count = verbs.legal(game, tables, seat, legal)
                flow.choose(game, seat, choose(players[seat], game, tables, seat, legal, count))
        if len(log):
            for seat in range(np.int64(game["num_players"])):
                if (deciders >> seat) & 1:
                    log[logged[0]] = game["chosen"][seat]
                    logged[0] += 1
        flow.advance(game, tables)
    return 0


@entry
def drive(
    core: Core,
    works: Any,
    players: Any,
    awaited: Any,
    rewards: Any,
    done: Any,
    log: Any,
    logged: Any,
    forced: int,
    start: int,
    stop: int,
) -> None:
    """Begin games in the slots that are marked for it, and play each game until it awaits a choice or ends.

    `players` int64[G, S]; `awaited` int64[G]: bits of the seats whose choice is awaited. `rewards` float32[G, S]: of
    all steps since the last call. `done` bool[2, G]: the games that have ended in this call. `log` uint16[G, L] and
    `logged` int64[G]: the choices of each game, and how many. Legal actions are listed for the seats awaited, and for
    all seats of games that have ended.
    """
    work, tables = works[0], core.tables[0]
    for i in range(start, stop):
        game, slot = core.games[i], core.slots[i]
        rewards[i, :] = 0
        done[0, i] = False
        done[1, i] = False
        awaited[i] = 0
        begins = slot["restart"] != 0
        if begins:
            begin(core, i)
            logged[i] = 0
        if slot["stopped"]:
            continue
        steps = game["steps"]
        pending = np.int64(slot["pending"])
        awaited[i] = _play_on(
            players[i],
            game,
            tables,
            core.legal[i, 0],
            pending,
            forced,
            np.int64(work["max_cycles"]),
            log[i],
            logged[i : i + 1],
        )
        if game["steps"] == steps and not begins:
            # Nothing has happened, but the lists may be those of other seats, or there was no room before.
            for seat in range(np.int64(game["num_players"])):
                if (awaited[i] >> seat) & 1:
                    list_seat(game, tables, slot, core.legal, i, seat)
            continue
        slot["pending"] = 0
        over = game["over"] == ENDED
        cut = not over and awaited[i] == 0
        if game["steps"] != steps:
            write_rewards(game, tables, slot, core.paid, work, rewards, i, over, cut)
        done[0, i] = over
        done[1, i] = cut
        if game["over"]:
            slot["stopped"] = 1
        if awaited[i]:
            for seat in range(np.int64(game["num_players"])):
                if (awaited[i] >> seat) & 1:
                    list_seat(game, tables, slot, core.legal, i, seat)
        else:
            list_legal(game, tables, slot, core.legal, i)
        if over or cut:
            slot["stopped"] = 1


@entry
def first_illegal(core: Core, index: Any, seats: Any, actions: Any) -> int:
    """The first row (int64[R] each) with an illegal action, or -1."""
    for row in range(len(index)):
        if not is_listed(core.legal, index[row], seats[row], actions[row]):
            return row
    return -1


@entry
def commit_rows(core: Core, works: Any, index: Any, seats: Any, actions: Any) -> int:
    """Commit one choice per row: int64[R] each.

    Returns -1, or the first row with an illegal action where that is to be raised; then nothing has changed.
    """
    if works[0]["illegal"] == RAISE:
        for row in range(len(index)):
            if not is_listed(core.legal, index[row], seats[row], actions[row]):
                return row
    for row in range(len(index)):
        put_aside(core, works[0], index[row], seats[row], actions[row])
    return -1


@entry
def observe_rows(
    core: Core, index: Any, seats: Any, observations: Any, masks: Any, start: int, stop: int
) -> None:
    """Row r of `observations` float32[R, F] and `masks` int8[R, A]: seat ``seats[r]`` of game ``index[r]``."""
    for row in range(start, stop):
        i = index[row]
        clear_rows(observations, row, row + 1)
        clear_rows(masks, row, row + 1)
        verbs.observe(core.games[i], core.tables[0], seats[row], observations[row])
        write_mask(core.legal, i, seats[row], masks[row])


@entry
def choices(
    core: Core, index: Any, seats: Any, legal: Any, counts: Any, appraisals: Any, start: int, stop: int
) -> None:
    """Legal actions of seat ``seats[r]`` of game ``index[r]`` and what they are good for, rows `start` to `stop`.

    `legal`: uint16[R, L]; `counts`: int64[R]; `appraisals`: float32[R * L, K].
    """
    most = legal.shape[1]
    for row in range(start, stop):
        i, seat = index[row], seats[row]
        count = np.int64(core.legal[i, seat, most])
        counts[row] = count
        legal[row, :] = 0
        for k in range(count):
            legal[row, k] = core.legal[i, seat, k]
        first = row * most
        clear_rows(appraisals, first, first + most)
        if legal[row, 0] != WAIT:
            out = appraisals[first : first + count]
            verbs.appraise(core.games[i], core.tables[0], seat, legal[row], count, out)


@entry
def roll_out(core: Core, works: Any, totals: Any, player: int, start: int, stop: int) -> None:
    """Play every game to its end; slots marked for a restart begin a new game first. `totals`: int32[G, S]."""
    work, tables = works[0], core.tables[0]
    for i in range(start, stop):
        game, slot = core.games[i], core.slots[i]
        if slot["restart"]:
            begin(core, i)
        play_to_end(player, game, tables, core.legal[i, 0], np.uint64(0))
        slot["stopped"] = 1
        verbs.score(game, tables, work["scores"])
        for s in range(totals.shape[1]):
            totals[i, s] = work["scores"][s, work["scores"].shape[1] - 2]


# --- looking at games as they stand ---------------------------------------------------------------------------------


@entry
def standings(core: Core, index: Any, scores: Any, ranks: Any, start: int, stop: int) -> None:
    """Row r: scores (int32[R, P, C + 2]) and ranks (int64[R, P]) of game ``index[r]`` as it stands."""
    for row in range(start, stop):
        game = core.games[index[row]]
        verbs.score(game, core.tables[0], scores[row])
        rank(scores[row], np.int64(game["num_players"]), np.int64(game["forfeits"]), ranks[row])


@entry
def reveal(core: Core, out: Any, start: int, stop: int) -> None:
    """The whole table of every game. `out`: float32[G, state_layout.size], zeros."""
    for i in range(start, stop):
        verbs.reveal(core.games[i], core.tables[0], out[i])


@entry
def determinize(core: Core, seeds: Any, i: int, seat: int) -> None:
    """Redraw, in game i, what the seat cannot know. `seeds`: uint64[1]."""
    flow.determinize(core.games[i], core.tables[0], seat, seeds[0])
