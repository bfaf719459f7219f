"""What holds in every position of every game, and that looking changes nothing."""

from __future__ import annotations

import contextlib
import random
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from antiquity.game import CUT_OFF, ENDED, WAIT, Layout, require_sound
from antiquity.render.text import NARROWEST, WIDTH
from antiquity.testing.table import Table

ROOM = 32
"""Elements on both sides of an array handed to a kernel, which it must not touch."""
MARK = 12_345
"""What stands in them."""
_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def require(holds: Any, table: Table, expected: str, seat: int | None = None) -> None:
    """AssertionError, saying where the game stands and what was expected, unless it holds."""
    if not holds:
        raise AssertionError(f"{table.where(seat)}: {expected}")


@contextlib.contextmanager
def located(table: Table, what: str) -> Iterator[None]:
    """Errors of the game's own code, such as an index out of bounds, become an AssertionError that says where."""
    try:
        yield
    except AssertionError:
        raise
    except Exception as error:
        raise AssertionError(f"{table.where()}: {what} raised {type(error).__name__}: {error}") from error


@contextlib.contextmanager
def unchanged(table: Table, verb: str) -> Iterator[None]:
    """What happens inside must leave the record as it is."""
    before = table.games.copy()
    with located(table, verb):
        yield
    if table.games.tobytes() != before.tobytes():
        names = ", ".join(differing(table.games, before))
        raise AssertionError(f"{table.where()}: {verb} must change nothing, and has changed {names}")


def differing(one: NDArray[Any], other: NDArray[Any]) -> list[str]:
    """The fields in which two records differ."""
    return [name for name in one.dtype.names or () if one[name].tobytes() != other[name].tobytes()]


def guarded(shape: int | tuple[int, ...], dtype: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """An array of zeros, and the larger one that it lies in; :func:`intact` sees whether the rest was touched."""
    size = int(np.prod(shape))
    whole = np.full(size + 2 * ROOM, MARK, dtype)
    inner = whole[ROOM : ROOM + size]
    inner[:] = 0
    return inner.reshape(shape), whole


def intact(whole: NDArray[Any]) -> bool:
    """Whether nothing was written beside the array."""
    return bool((whole[:ROOM] == MARK).all() and (whole[-ROOM:] == MARK).all())


def check_position(table: Table, rng: random.Random, steps: int) -> None:
    """See that all verbs but determinize keep their contracts in this position.

    Args:
        steps: decisions resolved so far.
    """
    check_header(table, steps)
    with unchanged(table, "check"):
        check_allowed(table)
    with unchanged(table, "legal"):
        lists = [check_legal(table, seat) for seat in range(table.num_players)]
    with unchanged(table, "observe"):
        rows = [_observation(table, seat) for seat in range(table.num_players)]
    with unchanged(table, "observe_seats"):
        _several(table, rng, rows)
    with unchanged(table, "reveal"):
        _state(table)
    with unchanged(table, "score"):
        _score(table)
    with unchanged(table, "greedy"):
        for seat in table.deciders():
            for noise in (0, rng.getrandbits(63)):
                action = table.greedy(seat, noise)
                require(action in lists[seat], table, f"greedy chose {action}, legal are {lists[seat]}", seat)
    with unchanged(table, "describe"):
        for seat, actions in enumerate(lists):
            _words(table, seat, actions)


def check_header(table: Table, steps: int) -> None:
    """What every record says in the same way."""
    game, deciders = table.record, table.deciders()
    require(
        int(game["steps"]) == steps, table, f"Antiquity counts steps, here to {steps}; a game leaves them"
    )
    require(int(game["seed"]) == table.seed, table, f"the seed must stay {table.seed}, and is {game['seed']}")
    require(not game["chosen"].any(), table, f"chosen must be clear between decisions, not {game['chosen']}")
    require(not game["forfeits"], table, "forfeits must be 0: nobody has acted illegally")
    require(
        int(game["deciders"]) >> table.num_players == 0,
        table,
        f"deciders is {int(game['deciders']):#b}, beyond the {table.num_players} seats",
    )
    require(
        int(game["over"]) in (0, ENDED, CUT_OFF), table, f"over is 0, ENDED or CUT_OFF, not {game['over']}"
    )
    require(deciders or table.over, table, "somebody must decide, or the game be over")
    require(not (deciders and table.over), table, f"the game is over, and seats {deciders} decide")


def check_allowed(table: Table) -> None:
    """A position that was reached is not refused when it comes from outside."""
    try:
        require_sound(table.game, table.games, table.tables)
    except ValueError as error:
        raise AssertionError(
            f"{table.where()}: check must let pass what play has reached: {error}"
        ) from error


def check_legal(table: Table, seat: int) -> list[int]:
    """The seat's legal actions, once they are as they should be."""
    game = table.game
    out, whole = guarded(game.max_legal, np.uint16)
    n = table.legal_into(seat, out)
    require(n <= game.max_legal, table, f"{n} legal actions, more than max_legal={game.max_legal}", seat)
    require(intact(whole), table, f"legal wrote beyond max_legal={game.max_legal} elements", seat)
    legal = [int(action) for action in out[: max(n, 0)]]
    if seat not in table.deciders():
        require(legal == [WAIT], table, f"a seat that waits has WAIT alone, not {legal}", seat)
        return legal
    require(n >= 1, table, "a seat that decides has at least one legal action", seat)
    require(WAIT not in legal, table, f"a seat that decides never has WAIT: {legal}", seat)
    require(legal == sorted(set(legal)), table, f"legal actions must ascend: {legal}", seat)
    require(
        legal[-1] < game.num_actions,
        table,
        f"action {legal[-1]} is not below num_actions={game.num_actions}",
        seat,
    )
    require(table.legal(seat) == legal, table, "legal must list the same when asked again", seat)
    return legal


def _within(table: Table, values: NDArray[np.float32], layout: Layout, what: str, seat: int | None) -> None:
    with np.errstate(invalid="ignore"):
        wrong = np.flatnonzero(~((values >= layout.low) & (values <= layout.high)))
    if len(wrong):
        place = int(wrong[0])
        each = next(field for field in layout if field.start <= place < field.start + field.size)
        require(
            False,
            table,
            f"{what} field {each.name}[{place - each.start}] is {values[place]}, "
            f"declared from {each.low:g} to {each.high:g}",
            seat,
        )


def _observation(table: Table, seat: int) -> NDArray[np.float32]:
    game = table.game
    short, long = game.layout, game.observation_layout(memory=True)
    row, whole = guarded(long.size, np.float32)
    table.observe_into(seat, row)
    require(intact(whole), table, "observe wrote outside its row", seat)
    _within(table, row, long, "observation", seat)
    require(_same(table.observe(seat, memory=True), row), table, "observe must write the same again", seat)
    alone, whole = guarded(short.size, np.float32)
    table.observe_into(seat, alone)
    require(intact(whole), table, "observe without memory wrote outside its row", seat)
    if game.bytes:
        _bytes(table, row, long, seat)
    if game.seat_blocks:
        _blocks_left_out(table, row, seat)
    require(
        _same(row[: short.size], alone), table, "the memory part must not change what stands before it", seat
    )
    return row


def _blocks_left_out(table: Table, row: NDArray[np.float32], seat: int) -> None:
    """Without blocks of seats that are never there, everything else is the same."""
    game, layout = table.game, table.game.observation_layout(memory=True)
    for players in range(table.num_players, game.max_players):
        here = game.observation_layout(True, players)
        found, whole = guarded(here.size, np.float32)
        table.observe_into(seat, found)
        require(intact(whole), table, f"observe wrote outside a row of {players} seats", seat)
        wanted = np.concatenate([row[layout.slice(each.name)] for each in here])
        if not _same(found, wanted):
            at = int(np.argmax(found != wanted))
            name = next(each.name for each in here if each.start <= at < each.start + each.size)
            said = (
                f"observe without the blocks beyond {players} seats must write the same, and {name} differs"
            )
            raise AssertionError(f"{table.where(seat)}: {said}")


def _same(one: NDArray[Any], other: NDArray[Any]) -> bool:
    return one.tobytes() == other.tobytes()


def _bytes(table: Table, row: NDArray[np.float32], layout: Layout, seat: int) -> None:
    """Bytes stand for the same numbers, or for the nearest that they can."""
    least, most = (layout.floats(np.full(layout.size, byte, np.uint8)) for byte in (0, 255))
    found = layout.floats(table.observe(seat, memory=True, dtype=np.uint8))
    wrong = ~np.isclose(found, np.clip(row, least, most), rtol=1e-6, atol=1e-6)
    if wrong.any():
        at = int(np.argmax(wrong))
        name = next(each.name for each in layout if each.start <= at < each.start + each.size)
        said = f"the bytes of {name} (element {at}) stand for {found[at]:g}, and the floats say {row[at]:g}"
        raise AssertionError(f"{table.where(seat)}: {said}")


def _several(table: Table, rng: random.Random, rows: list[NDArray[np.float32]]) -> None:
    n = table.num_players
    for seats in ((1 << n) - 1, rng.randrange(1, 1 << n)):
        wanted = [seat for seat in range(n) if seats >> seat & 1]
        out, whole = guarded((len(wanted), len(rows[0])), np.float32)
        table.observe_seats(seats, out)
        require(intact(whole), table, f"observe_seats wrote outside its rows, for seats {wanted}")
        for row, seat in zip(out, wanted, strict=True):
            require(
                _same(row, rows[seat]), table, f"observe_seats for seats {wanted} must equal observe", seat
            )


def _state(table: Table) -> None:
    out, whole = guarded(table.game.state_layout.size, np.float32)
    table.reveal_into(out)
    require(intact(whole), table, "reveal wrote outside its array")
    _within(table, out, table.game.state_layout, "state", None)
    require(_same(table.reveal(), out), table, "reveal must write the same again")


def _score(table: Table) -> None:
    game, n = table.game, table.num_players
    results = []
    for before in (-77, 77):
        out, whole = guarded((game.max_players, len(game.categories) + 2), np.int32)
        out[:] = before
        table.score_into(out)
        require(intact(whole), table, "score wrote outside its array")
        results.append(out)
    points = results[0]
    require(_same(points, results[1]), table, "score must write every element, and the same when asked again")
    require(not points[n:].any(), table, "score rows of absent seats must be 0")
    for seat, row in enumerate(points[:n].tolist()):
        require(
            sum(row[:-2]) == row[-2],
            table,
            f"the categories {row[:-2]} must add up to the total, which is {row[-2]}",
            seat,
        )


def _words(table: Table, seat: int, actions: list[int]) -> None:
    for action in actions:
        text = table.words(seat, action)
        require(isinstance(text, str) and text, table, f"describe must give action {action} words", seat)
        if table.game.describe_openly is not None:
            text = table.game.describe_openly(table.games, 0, table.tables, seat, action)
            require(isinstance(text, str) and text, table, f"describe_openly has no words for {action}", seat)


def check_views(table: Table) -> None:
    """See that texts and pictures can be made of this position, for everybody."""
    game, n = table.game, table.num_players
    with unchanged(table, "render"):
        for seat in (None, *range(n)):
            for width in (NARROWEST, WIDTH):
                text = table.text(seat, width)
                require(isinstance(text, str) and text.strip(), table, "render must give a text", seat)
                widest = max(len(_ESCAPES.sub("", line)) for line in text.splitlines())
                require(
                    widest <= width, table, f"render for {width} columns has a line of {widest} columns", seat
                )
    if game.seen_scores is not None:
        with unchanged(table, "seen_scores"):
            for seat in range(n):
                shape = game.seen_scores(table.games, 0, table.tables, seat).shape
                wanted = (game.max_players, len(game.categories) + 2)
                require(shape == wanted, table, f"seen_scores must have shape {wanted}, not {shape}", seat)
    if game.draw is not None:
        with unchanged(table, "draw"):
            for seat in (None, *range(n)):
                _picture(table, seat)


def _picture(table: Table, seat: int | None) -> None:
    assert table.game.draw is not None
    try:
        root = ElementTree.fromstring(table.game.draw(table.games, 0, table.tables, seat))
    except ElementTree.ParseError as error:
        raise AssertionError(f"{table.where(seat)}: draw must give well-formed SVG: {error}") from error
    require(root.tag.endswith("svg"), table, f"draw must give an SVG, not <{root.tag}>", seat)
    if seat is None:
        return
    offered = {int(each) for node in root.iter() for each in node.get("data-actions", "").split()}
    legal = set(table.legal(seat))
    require(offered <= legal, table, f"the picture offers {sorted(offered - legal)}, which are illegal", seat)
