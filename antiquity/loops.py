"""The loops over many games: kernels that know no game and are specialised for each by its record type.

:class:`antiquity.Batch` calls them. They work on a slice [start, stop) of the batch, so that slices can run in threads,
and they write into arrays that are handed in. G games with S seats, A actions, observations of F elements, and at most
P players and L legal actions:

* ``games``, ``slots``: [G], the records and, beside each, what the batch remembers of it (:mod:`antiquity.slots`);
* ``tables`` [1]; ``options`` [P + 1], by number of players;
* ``work`` [1]: settings, counters and scratch space of one slice;
* ``actions`` int64[2, G * S]: by game and seat; or, in the second row, one for each decision row;
* ``observations`` float32[G * S, F] and ``masks`` int8[G * S, A]: all seats of all games, or the decision rows;
* ``rewards`` float32[G, S]; ``done`` bool[2, G]: terminated, truncated;
* ``legal`` uint16[G, S, L + 1]: the legal actions of each seat, ascending, and in the last element their number;
* ``where`` int64[2, G * S]: game and seat of each decision row;
* ``ahead`` int64[N]: which memory of a game's rows to ask for ahead, in bytes from the first (:mod:`antiquity.ahead`);
* ``ended`` [K], ``ended_observations`` float32[K, S, F], ``ended_masks`` int8[K, S, A]: the games that have ended.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from antiquity import random, verbs
from antiquity.game import CUT_OFF, ENDED
from antiquity.jit import entry, kernel
from antiquity.prefetch import prefetch, prefetch_line
from antiquity.rewards import write_rewards

ON_ILLEGAL = ("raise", "lose", "random")
RAISE, LOSE, RANDOM = range(3)

BEGIN = 256  # set the counters that the other operations count with back to their beginning
SPREAD = 1  # take the actions of the decision rows
CHECK = 2  # stop before anything changes when an action is illegal
COMMITTED = 4  # what seats have committed counts before `actions`
PLAY = 8  # one step of every game that goes on
RESTART = 16  # begin a new game in the slots that are marked for it
LISTS = 32  # list the legal actions
FULL = 64  # observations and masks of all seats
ROWS = 128  # observations and masks of the deciding seats, one after the other
CLEAR = 512  # zeros first where FULL and ROWS write observations: anything may stand there

SEAT_INDEX = 64
"""Draws for a seat have the index ``steps * SEAT_INDEX + seat``."""


# --- one game -------------------------------------------------------------------------------------------------------


@kernel
def begin(game: Any, tables: Any, options: Any, slot: Any) -> None:
    """The next game of a slot."""
    players = np.int64(slot["num_players"])
    verbs.init(game, tables, players, options[players], slot["next"])
    slot["episode"] += np.uint64(1)
    slot["next"] = random.mix(slot["seed"], random.BATCH, np.int64(slot["episode"]))
    slot["totals"][:] = 0
    slot["restart"] = 0
    slot["stopped"] = 0
    slot["pending"] = 0


@kernel
def is_listed(legal: Any, i: Any, s: Any, action: Any) -> bool:
    """Whether `action` is one of the legal ones of seat s in game i (binary search)."""
    low, high = 0, np.int64(legal[i, s, legal.shape[2] - 1])
    while low < high:
        middle = (low + high) >> 1
        if legal[i, s, middle] < action:
            low = middle + 1
        else:
            high = middle
    return low < legal[i, s, legal.shape[2] - 1] and legal[i, s, low] == action


@kernel
def _first_illegal(slots: Any, legal: Any, actions: Any, start: Any, stop: Any) -> int:
    """Index (game * S + seat) of the first illegal action, or -1."""
    seats = legal.shape[1]
    for i in range(start, stop):
        for s in range(np.int64(slots[i]["num_players"])):
            if not is_listed(legal, i, s, actions[0, i * seats + s]):
                return i * seats + s
    return -1


@kernel
def apply_actions(
    game: Any, tables: Any, slot: Any, work: Any, actions: Any, legal: Any, i: Any, committed: Any
) -> None:
    """Take everybody's action and go on to the next decision."""
    seats = legal.shape[1]
    deciders = np.int64(game["deciders"])
    lost = 0
    for s in range(np.int64(game["num_players"])):
        chosen = np.int64(game["chosen"][s])
        action = actions[0, i * seats + s]
        if committed:
            if (deciders >> s) & 1 == 0 or chosen != 0:
                continue
        if work["illegal"] != RAISE and not is_listed(legal, i, s, action):
            if work["illegal"] == LOSE:
                lost |= 1 << s
                continue
            index = np.int64(game["steps"]) * SEAT_INDEX + s
            count = np.int64(legal[i, s, legal.shape[2] - 1])
            action = np.int64(legal[i, s, random.below(game["seed"], random.ILLEGAL, index, count)])
        if (deciders >> s) & 1:
            verbs.choose(game, tables, s, action)
    slot["pending"] = 0
    if lost:
        game["forfeits"] = lost
        game["over"] = 1
        game["deciders"] = 0
        game["chosen"][:] = 0
        game["steps"] += 1
    else:
        verbs.advance(game, tables)


@kernel
def write_mask(legal: Any, i: Any, s: Any, mask: Any) -> None:
    mask[:] = 0
    for k in range(np.int64(legal[i, s, legal.shape[2] - 1])):
        mask[legal[i, s, k]] = 1


@kernel
def _list_seat(game: Any, tables: Any, slot: Any, legal: Any, i: Any, s: Any) -> bool:
    """List the legal actions of a seat: WAIT alone for an absent one, and in a stopped game.

    Returns whether it has something to choose.
    """
    last = legal.shape[2] - 1
    if s >= np.int64(game["num_players"]) or slot["stopped"]:
        legal[i, s, 0] = verbs.WAIT
        legal[i, s, last] = 1
        return False
    legal[i, s, last] = verbs.legal(game, tables, s, legal[i, s])
    return legal[i, s, 0] != verbs.WAIT


@kernel
def list_legal(game: Any, tables: Any, slot: Any, legal: Any, i: Any) -> None:
    """List the legal actions of every seat."""
    for s in range(legal.shape[1]):
        _list_seat(game, tables, slot, legal, i, s)


@kernel
def _fetch(observations: Any, row: Any, ahead: Any, count: Any, part: Any, parts: Any) -> None:
    """Ask for one of so many parts of the first ``count`` lines of the rows from ``row``."""
    share = (count + parts - 1) // parts
    for k in range(part * share, min((part + 1) * share, count)):
        prefetch_line(observations, row, ahead[k])


@kernel
def _clear(observations: Any, start: Any, stop: Any) -> None:
    for row in range(start, stop):
        observations[row, :] = 0


@kernel
def _deciding(game: Any, seats: Any) -> int:
    """How many seats decide in a game."""
    deciding = 0
    for s in range(seats):
        deciding += (np.int64(game["deciders"]) >> s) & 1
    return deciding


@kernel
def _keep(
    game: Any,
    tables: Any,
    slot: Any,
    work: Any,
    rewards: Any,
    legal: Any,
    ended: Any,
    ended_observations: Any,
    ended_masks: Any,
    i: Any,
) -> None:
    """Add the game, which has just ended, to the ended ones."""
    k = np.int64(work["ended"])
    work["ended"] += 1
    record = ended[k]
    record["index"] = i
    record["length"] = game["steps"]
    scores = work["scores"]
    for s in range(scores.shape[0]):
        record["ranks"][s] = work["ranks"][s]
        record["rewards"][s] = 0
        for column in range(scores.shape[1]):
            record["scores"][s, column] = scores[s, column]
    if game["over"]:
        slot["stopped"] = 1
    list_legal(game, tables, slot, legal, i)
    for s in range(legal.shape[1]):
        if s < np.int64(game["num_players"]):
            record["rewards"][s] = rewards[i, s]
            verbs.observe(game, tables, s, ended_observations[k, s])
        else:
            ended_observations[k, s, :] = 0
        write_mask(legal, i, s, ended_masks[k, s])


# --- a slice of the batch -------------------------------------------------------------------------------------------


@kernel
def _spread(work: Any, actions: Any, legal: Any, start: Any, stop: Any) -> None:
    """Bring the actions of the decision rows to their games and seats."""
    seats = legal.shape[1]
    row = np.int64(work["first_row"])
    for i in range(start, stop):
        for s in range(seats):
            actions[0, i * seats + s] = verbs.WAIT
            if legal[i, s, 0] != verbs.WAIT:
                actions[0, i * seats + s] = actions[1, row]
                row += 1


@entry
def run(
    games: Any,
    tables: Any,
    options: Any,
    slots: Any,
    work: Any,
    actions: Any,
    observations: Any,
    masks: Any,
    rewards: Any,
    done: Any,
    legal: Any,
    where: Any,
    ahead: Any,
    ended: Any,
    ended_observations: Any,
    ended_masks: Any,
    ops: int,
    start: int,
    stop: int,
) -> int:
    """Do `ops` (the bits above, in their order) to the games of a slice.

    Returns:
        `stop` when all is done; less when ``ended`` is full: make it longer and go on from there, without BEGIN, SPREAD
        and CHECK; -1 - index for the first illegal action that CHECK has found, and nothing is changed.
    """
    own = work[0]
    seats = legal.shape[1]
    # While a game is worked on the next one is asked for, a few lines before each part of the work.
    rows = own["deciding"] if ops & ROWS else len(observations)
    far = len(ahead) > 0 and rows * observations.shape[1] > own["cached"]
    parts = 2 + 2 * seats
    if ops & SPREAD:
        _spread(own, actions, legal, start, stop)
    if ops & CHECK:
        offender = _first_illegal(slots, legal, actions, start, stop)
        if offender >= 0:
            return -1 - offender
    if ops & BEGIN:
        if ops & PLAY:
            own["ended"] = 0
        if ops & LISTS:
            own["deciding"] = 0
        if ops & ROWS:
            own["rows"] = own["first_row"]
    for i in range(start, stop):
        game, slot = games[i], slots[i]
        next_row, lines = (i + 1) * seats, len(ahead)
        if far:
            prefetch(games, i + 1)
            if ops & ROWS:  # so many, beyond those asked for before, as this game is likely to use up
                next_row = np.int64(own["rows"]) + seats
                lines = lines // seats * _deciding(game, seats)
            _fetch(observations, next_row, ahead, lines, 0, parts)
        if ops & PLAY:
            if slot["stopped"]:
                rewards[i, :] = 0
                done[0, i] = game["over"] == ENDED
                done[1, i] = game["over"] != ENDED
            else:
                if own["ended"] == len(ended):
                    return i
                apply_actions(game, tables[0], slot, own, actions, legal, i, ops & COMMITTED)
                over = game["over"] == ENDED
                cut = game["over"] == CUT_OFF or (not over and game["steps"] >= own["max_cycles"])
                done[0, i] = over
                done[1, i] = cut
                write_rewards(game, tables[0], slot, own, rewards, i, over, cut)
                if over or cut:
                    _keep(
                        game, tables[0], slot, own, rewards, legal, ended, ended_observations, ended_masks, i
                    )
                    slot["stopped"] = 1
                    if own["autoreset"]:
                        begin(game, tables[0], options, slot)
        if ops & RESTART and slot["restart"]:
            begin(game, tables[0], options, slot)
            rewards[i, :] = 0
            done[0, i] = False
            done[1, i] = False
        if far:
            _fetch(observations, next_row, ahead, lines, 1, parts)
        if ops & LISTS:
            for s in range(seats):
                if far:
                    _fetch(observations, next_row, ahead, lines, 2 + s, parts)
                own["deciding"] += _list_seat(game, tables[0], slot, legal, i, s)
        if ops & FULL:
            row = i * seats
            players = np.int64(game["num_players"])
            for s in range(seats):
                if s >= players:
                    observations[row + s, :] = 0
                write_mask(legal, i, s, masks[row + s])
                if far:
                    _fetch(observations, next_row, ahead, lines, 2 + seats + s, parts)
            if ops & CLEAR:
                _clear(observations, row, row + players)
            verbs.observe_seats(game, tables[0], (1 << players) - 1, observations[row : row + players])
        if ops & ROWS:
            row = np.int64(own["rows"])
            end = row
            deciding = 0
            for s in range(seats):
                if legal[i, s, 0] != verbs.WAIT:
                    deciding |= 1 << s
                    where[0, end] = i
                    where[1, end] = s
                    write_mask(legal, i, s, masks[end])
                    end += 1
                if far:
                    _fetch(observations, next_row, ahead, lines, 2 + seats + s, parts)
            own["rows"] = end
            if ops & CLEAR:
                _clear(observations, row, end)
            verbs.observe_seats(game, tables[0], deciding, observations[row:end])
    return stop


@entry
def commit(
    games: Any, tables: Any, slots: Any, work: Any, actions: Any, legal: Any, i: int, s: int, action: int
) -> int:
    """One seat's choice.

    Returns how many deciders have not chosen yet; -1 for an illegal action, a game or a seat that is not there.
    """
    if i < 0 or i >= len(games) or s < 0 or s >= np.int64(games[i]["num_players"]):
        return -1
    game, slot = games[i], slots[i]
    bit = 1 << s
    if is_listed(legal, i, s, action):
        if np.int64(game["deciders"]) & bit:
            verbs.choose(game, tables[0], s, action)
            slot["pending"] = np.int64(slot["pending"]) & ~bit
    elif work[0]["illegal"] == RAISE:
        return -1
    else:
        game["chosen"][s] = 0
        actions[0, i * legal.shape[1] + s] = action
        slot["pending"] = np.int64(slot["pending"]) | bit
    missing = 0
    for t in range(np.int64(game["num_players"])):
        if (np.int64(game["deciders"]) >> t) & 1:
            missing += game["chosen"][t] == 0 and (np.int64(slot["pending"]) >> t) & 1 == 0
    return missing


@entry
def sample_random(
    games: Any, legal: Any, out: Any, salt: int, rows: int, row: int, start: int, stop: int
) -> int:
    """A uniformly random legal action for every seat (`out`: int64[G * S]); with `rows`, for the decision rows alone.

    Returns:
        The number of decision rows written up to the end of the slice, counted from `row`.
    """
    seats = legal.shape[1]
    for i in range(start, stop):
        seed = np.uint64(games[i]["seed"]) ^ np.uint64(salt)
        base = np.int64(games[i]["steps"]) * SEAT_INDEX
        for s in range(seats):
            if legal[i, s, 0] == verbs.WAIT:
                if not rows:
                    out[i * seats + s] = verbs.WAIT
                continue
            n = np.int64(legal[i, s, legal.shape[2] - 1])
            action = legal[i, s, random.below(seed, random.POLICY, base + s, n)]
            if rows:
                out[row] = action
                row += 1
            else:
                out[i * seats + s] = action
    return row


@entry
def sample_greedy(
    games: Any, tables: Any, legal: Any, out: Any, salt: int, rows: int, row: int, start: int, stop: int
) -> int:
    """As :func:`sample_random`, with the action of the game's greedy agent."""
    seats = legal.shape[1]
    for i in range(start, stop):
        seed = np.uint64(games[i]["seed"]) ^ np.uint64(salt)
        base = np.int64(games[i]["steps"]) * SEAT_INDEX
        for s in range(seats):
            if legal[i, s, 0] == verbs.WAIT:
                if not rows:
                    out[i * seats + s] = verbs.WAIT
                continue
            n = np.int64(legal[i, s, legal.shape[2] - 1])
            noise = random.mix(seed, random.POLICY, base + s)
            action = verbs.greedy(games[i], tables[0], s, legal[i, s], n, noise)
            if rows:
                out[row] = action
                row += 1
            else:
                out[i * seats + s] = action
    return row
