"""The batch loop: kernels that know no game and are specialised for each by its record type.

They work on a range [start, stop) of the batch, so that shards can run in threads, and write into the arrays they are
passed (:mod:`antiquity.batch.core`). ``work`` [1] holds the settings, counters and scratch space of the shard.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from antiquity.batch.core import Core, Finished, Outputs
from antiquity.batch.rewards import write_rewards
from antiquity.game import CUT_OFF, ENDED, WAIT, flow, random, verbs
from antiquity.kernels import clear_rows, entry, kernel

ON_ILLEGAL = ("raise", "lose", "random")
RAISE, LOSE, RANDOM = range(3)

# What `run` does, in this order.
SPREAD = 1  # take the actions of the decision rows
CHECK = 2  # stop before anything changes when an action is illegal
BEGIN = 4  # reset the counters of the operations below
COMMITTED = 8  # committed choices count before `actions`
PLAY = 16  # one step of every game in progress
RESTART = 32  # begin a new game in the slots that are marked for it
LISTS = 64  # list the legal actions
FULL = 128  # observations and masks of all seats
ROWS = 256  # observations and masks of the deciding seats, one after the other
FLIP = 1 << 20  # noted when all games have been played: tells whether an interrupted step was made


# --- one game -------------------------------------------------------------------------------------------------------


@kernel
def begin(core: Core, i: Any) -> None:
    """The next game of slot i."""
    game, slot = core.games[i], core.slots[i]
    players = np.int64(slot["num_players"])
    flow.begin(game, core.tables[0], players, core.options[players], slot["next"])
    slot["episode"] += np.uint64(1)
    slot["next"] = random.mix(slot["seed"], random.BATCH, np.int64(slot["episode"]))
    slot["totals"][:] = 0
    core.paid[i, :] = 0
    slot["restart"] = 0
    slot["stopped"] = 0
    slot["pending"] = 0


@kernel
def is_listed(legal: Any, i: Any, s: Any, action: Any) -> bool:
    """Whether `action` is one of the legal ones of seat s in game i. No early exit: lists are short."""
    found = False
    for k in range(np.int64(legal[i, s, legal.shape[2] - 1])):
        found |= np.int64(legal[i, s, k]) == action
    return found


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
def legal_in_place(game: Any, legal: Any, i: Any, s: Any) -> Any:
    """The legal action that stands in for an illegal one under ``on_illegal="random"``."""
    count = np.int64(legal[i, s, legal.shape[2] - 1])
    return np.int64(
        legal[i, s, random.below(game["seed"], random.ILLEGAL, random.at(game["steps"], s), count)]
    )


@kernel
def _apply_actions(
    game: Any, tables: Any, slot: Any, work: Any, actions: Any, legal: Any, i: Any, committed: Any
) -> None:
    """Take everybody's action and go on to the next decision."""
    seats = legal.shape[1]
    deciders = np.int64(game["deciders"])
    lost = 0
    for s in range(np.int64(game["num_players"])):
        action = actions[0, i * seats + s]
        if committed and ((deciders >> s) & 1 == 0 or game["chosen"][s] != 0):
            continue
        if work["illegal"] != RAISE and not is_listed(legal, i, s, action):
            if work["illegal"] == LOSE:
                lost |= 1 << s
                continue
            action = legal_in_place(game, legal, i, s)
        if (deciders >> s) & 1:
            flow.choose(game, s, action)
    slot["pending"] = 0
    if lost:
        flow.forfeit(game, lost)
    else:
        flow.advance(game, tables)


@kernel
def write_mask(legal: Any, i: Any, s: Any, mask: Any) -> None:
    """Ones where actions are legal; `mask` holds zeros."""
    for k in range(np.int64(legal[i, s, legal.shape[2] - 1])):
        mask[legal[i, s, k]] = 1


@kernel
def list_seat(game: Any, tables: Any, slot: Any, legal: Any, i: Any, s: Any) -> bool:
    """List the legal actions of a seat: WAIT alone for an absent one, and in a stopped game.

    Returns whether it has something to choose.
    """
    last = legal.shape[2] - 1
    if s >= np.int64(game["num_players"]) or slot["stopped"]:
        legal[i, s, 0] = WAIT
        legal[i, s, last] = 1
        return False
    legal[i, s, last] = flow.legal(game, tables, s, legal[i, s])
    return legal[i, s, 0] != WAIT


@kernel
def list_legal(game: Any, tables: Any, slot: Any, legal: Any, i: Any) -> int:
    """List the legal actions of every seat; returns how many have something to choose."""
    deciding = 0
    for s in range(legal.shape[1]):
        deciding += list_seat(game, tables, slot, legal, i, s)
    return deciding


@kernel
def _keep(core: Core, work: Any, out: Outputs, finished: Finished, i: Any) -> None:
    """Add the game, which has just ended, to the finished ones."""
    game, slot, tables, legal = core.games[i], core.slots[i], core.tables[0], core.legal
    k = np.int64(work["finished"])
    work["finished"] += 1
    record = finished.records[k]
    record["index"] = i
    record["length"] = game["steps"]
    for s in range(work["scores"].shape[0]):
        record["ranks"][s] = work["ranks"][s]
        record["rewards"][s] = out.rewards[i, s] if s < legal.shape[1] else 0
        for column in range(work["scores"].shape[1]):
            record["scores"][s, column] = work["scores"][s, column]
    if game["over"]:
        slot["stopped"] = 1
    list_legal(game, tables, slot, legal, i)
    finished.observations[k, :, :] = 0
    finished.masks[k, :, :] = 0
    players = np.int64(game["num_players"])
    verbs.observe_seats(game, tables, (1 << players) - 1, finished.observations[k, :players])
    for s in range(legal.shape[1]):
        write_mask(legal, i, s, finished.masks[k, s])


# --- a slice of the batch -------------------------------------------------------------------------------------------


@kernel
def _spread(work: Any, actions: Any, legal: Any, start: Any, stop: Any) -> None:
    """Bring the actions of the decision rows to their games and seats."""
    seats = legal.shape[1]
    row = np.int64(work["first_row"])
    for i in range(start, stop):
        for s in range(seats):
            actions[0, i * seats + s] = WAIT
            if legal[i, s, 0] != WAIT:
                actions[0, i * seats + s] = actions[1, row]
                row += 1


@kernel
def _play(core: Core, work: Any, out: Outputs, finished: Finished, i: Any, committed: Any) -> None:
    """One step of a game that goes on."""
    game, slot, tables = core.games[i], core.slots[i], core.tables[0]
    _apply_actions(game, tables, slot, work, core.actions, core.legal, i, committed)
    over = game["over"] == ENDED
    cut = game["over"] == CUT_OFF or (not over and game["steps"] >= work["max_cycles"])
    out.done[0, i] = over
    out.done[1, i] = cut
    write_rewards(game, tables, slot, core.paid, work, out.rewards, i, over, cut)
    if over or cut:
        _keep(core, work, out, finished, i)
        slot["stopped"] = 1
        if work["autoreset"]:
            begin(core, i)


@kernel
def _write_seats(core: Core, out: Outputs, i: Any) -> None:
    """Observations and masks of all seats of a game."""
    game, seats = core.games[i], core.legal.shape[1]
    players = np.int64(game["num_players"])
    row = i * seats
    clear_rows(out.observations, row, row + seats)
    clear_rows(out.masks, row, row + seats)
    for s in range(seats):
        write_mask(core.legal, i, s, out.masks[row + s])
    verbs.observe_seats(game, core.tables[0], (1 << players) - 1, out.observations[row : row + players])


@kernel
def _write_rows(core: Core, out: Outputs, i: Any, row: Any) -> int:
    """Observations and masks of the deciding seats of a game, from `row` on; returns where the next game's begin."""
    end = row
    deciding = 0
    seats = core.legal.shape[1]
    for s in range(seats):
        end += core.legal[i, s, 0] != WAIT
    clear_rows(out.observations, row, end)
    clear_rows(out.masks, row, end)
    end = row
    for s in range(seats):
        if core.legal[i, s, 0] != WAIT:
            deciding |= 1 << s
            core.rows[0, end] = i
            core.rows[1, end] = s
            write_mask(core.legal, i, s, out.masks[end])
            end += 1
    verbs.observe_seats(core.games[i], core.tables[0], deciding, out.observations[row:end])
    return end


@entry
def run(core: Core, works: Any, out: Outputs, finished: Finished, ops: int, start: int, stop: int) -> int:
    """Do `ops` (the bits above, in their order) to the games of a slice.

    Returns:
        `stop` when all is done; less when `finished` is full: make it longer and go on from there, without SPREAD,
        CHECK and BEGIN; -1 - index for the first illegal action that CHECK has found, and nothing is changed.
    """
    work = works[0]
    if ops & SPREAD:
        _spread(work, core.actions, core.legal, start, stop)
    if ops & CHECK:
        offender = _first_illegal(core.slots, core.legal, core.actions, start, stop)
        if offender >= 0:
            return -1 - offender
    if ops & BEGIN:
        if ops & PLAY:
            work["finished"] = 0
        if ops & LISTS:
            work["deciding"] = 0
        if ops & ROWS:
            work["rows"] = work["first_row"]
    for i in range(start, stop):
        game, slot = core.games[i], core.slots[i]
        if ops & PLAY:
            if slot["stopped"]:
                out.rewards[i, :] = 0
                out.done[0, i] = game["over"] == ENDED
                out.done[1, i] = game["over"] != ENDED
            elif work["finished"] == len(finished.records):
                work["flip"] = (ops & FLIP) | 1
                work["at"] = i
                return i
            else:
                _play(core, work, out, finished, i, ops & COMMITTED)
        if ops & RESTART and slot["restart"]:
            begin(core, i)
            out.rewards[i, :] = 0
            out.done[0, i] = False
            out.done[1, i] = False
        if ops & LISTS:
            work["deciding"] += list_legal(game, core.tables[0], slot, core.legal, i)
        if ops & FULL:
            _write_seats(core, out, i)
        if ops & ROWS:
            work["rows"] = _write_rows(core, out, i, np.int64(work["rows"]))
    if ops & PLAY:
        work["flip"] = ops & FLIP
    return stop


@kernel
def put_aside(core: Core, work: Any, i: Any, s: Any, action: Any) -> None:
    """Commit a decider's choice; an illegal one waits in `actions` until all have chosen."""
    game, slot = core.games[i], core.slots[i]
    bit = 1 << s
    if is_listed(core.legal, i, s, action):
        if np.int64(game["deciders"]) & bit:
            flow.choose(game, s, action)
            slot["pending"] = np.int64(slot["pending"]) & ~bit
    elif work["illegal"] == RANDOM:
        flow.choose(game, s, legal_in_place(game, core.legal, i, s))
        core.actions[0, i * core.legal.shape[1] + s] = action
    else:
        game["chosen"][s] = 0
        core.actions[0, i * core.legal.shape[1] + s] = action
        slot["pending"] = np.int64(slot["pending"]) | bit


@entry
def commit(core: Core, works: Any, i: int, s: int, action: int) -> int:
    """One seat's choice.

    Returns how many deciders have not chosen yet; -1 for an illegal action, a game or a seat that is not there.
    """
    if i < 0 or i >= len(core.games) or s < 0 or s >= np.int64(core.games[i]["num_players"]):
        return -1
    if works[0]["illegal"] == RAISE and not is_listed(core.legal, i, s, action):
        return -1
    put_aside(core, works[0], i, s, action)
    game = core.games[i]
    missing = 0
    for t in range(np.int64(game["num_players"])):
        if (np.int64(game["deciders"]) >> t) & 1:
            missing += game["chosen"][t] == 0 and (np.int64(core.slots[i]["pending"]) >> t) & 1 == 0
    return missing


# --- choosing -------------------------------------------------------------------------------------------------------


@entry
def sample_random(core: Core, out: Any, salt: int, rows: int, row: int, start: int, stop: int) -> int:
    """A uniformly random legal action for every seat (`out`: int64[G, S]).

    With `rows`, for the decision rows alone (int64[1, R]).

    Returns:
        The number of decision rows written up to the end of the slice, counted from `row`.
    """
    legal, seats = core.legal, core.legal.shape[1]
    for i in range(start, stop):
        seed = np.uint64(core.games[i]["seed"]) ^ np.uint64(salt)
        for s in range(seats):
            if legal[i, s, 0] == WAIT:
                if not rows:
                    out[i, s] = WAIT
                continue
            n = np.int64(legal[i, s, legal.shape[2] - 1])
            draw = random.below(seed, random.POLICY, random.at(core.games[i]["steps"], s), n)
            action = legal[i, s, np.int64(draw)]
            if rows:
                out[0, row] = action
                row += 1
            else:
                out[i, s] = action
    return row


@entry
def sample_greedy(core: Core, out: Any, salt: int, rows: int, row: int, start: int, stop: int) -> int:
    """As :func:`sample_random`, with the action of the game's greedy agent."""
    legal, seats = core.legal, core.legal.shape[1]
    for i in range(start, stop):
        seed = np.uint64(core.games[i]["seed"]) ^ np.uint64(salt)
        for s in range(seats):
            if legal[i, s, 0] == WAIT:
                if not rows:
                    out[i, s] = WAIT
                continue
            n = np.int64(legal[i, s, legal.shape[2] - 1])
            noise = random.mix(seed, random.POLICY, random.at(core.games[i]["steps"], s))
            action = verbs.greedy(core.games[i], core.tables[0], s, legal[i, s], n, noise)
            if rows:
                out[0, row] = action
                row += 1
            else:
                out[i, s] = action
    return row
