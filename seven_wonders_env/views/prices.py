"""What an action costs or brings, and why one is not possible: in words, from what lies open.

Rules document, "costs are met by production, what is missing is bought from the neighbours".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from antiquity.kernels import entry
from seven_wonders_env import state as s
from seven_wonders_env.actions import coins_to_right, kind_name
from seven_wonders_env.rules.legality import has_name, is_free, next_stage
from seven_wonders_env.rules.payment import EMPTY_FRONTIER, NONE, cheapest_payment, frontier, payment_right

from .signs import Symbol, cost, symbols

_WAYS: Final = 3
"""Where the payments begin in what :func:`_facts` writes."""
_FACTS: Final = _WAYS + s.MAX_PAYMENT + 1
MOST_WAYS: Final = 4
"""So many ways to pay are said one by one."""


@entry
def _facts(games: Any, index: int, tables: Any, seat: int, item: int, out: Any) -> None:
    """Whether a card is free and in the city already; the cheapest payment: coins to the left, -1 if there is none.

    Then for every number of coins to the left how many go to the right, -1 where that is no payment worth a thought.
    """
    game, table = games[index], tables[0]
    if item < s.KINDS:
        out[0] = is_free(game, table, seat, item)
        out[1] = has_name(game, table, seat, item)
    word = frontier(game, table, seat, item)
    out[2:] = -1
    if word != EMPTY_FRONTIER:
        out[2] = cheapest_payment(word)
        for to_left in range(s.MAX_PAYMENT + 1):
            right = payment_right(word, to_left)
            if right != NONE:
                out[_WAYS + to_left] = right


@entry
def _next_stage(games: Any, index: int, tables: Any, seat: int) -> Any:
    return next_stage(games[index], tables[0], seat)


def price(games: NDArray[Any], index: int, tables: NDArray[Any], seat: int, action: int) -> str:
    """What a legal action costs or brings, and why; see :class:`antiquity.game.Game`."""
    game: Any = games[index]
    if action >= s.SIDE_ACTIONS or action == s.WAIT:
        return ""
    if action >= s.PAYMENT_ACTIONS:
        to_left = action - s.PAYMENT_ACTIONS
        to_right = int(coins_to_right(games, index, tables, seat, to_left))
        item = _planned_item(games, index, tables, seat)
        return _paid(games, index, tables, seat, item, to_left, to_right)
    kind, use = divmod(action - s.CARD_ACTIONS, s.USES)
    if use == s.SELL:
        return f"+{coins_in_words(int(tables[0]['sell_coins']))}"
    if use == s.BUILD and game["phase"] == s.PICK:
        return "free"
    item = kind if use == s.BUILD else int(_next_stage(games, index, tables, seat))
    found = np.zeros(_FACTS, np.int64)
    _facts(games, index, tables, seat, item, found)
    if use == s.BUILD and found[0]:
        return _why_free(games, index, tables, seat, kind)
    if found[2] < 0:
        return ""
    return ", or ".join(_ways(games, index, tables, seat, item, found))


def _ways(
    games: NDArray[Any], index: int, tables: NDArray[Any], seat: int, item: int, found: NDArray[np.int64]
) -> list[str]:
    """The payments that the seat will have to choose from, the cheapest first."""
    cheapest = int(found[2])
    payments = [(cheapest, int(found[_WAYS + cheapest]))]
    if games[index]["payments"]:
        others = [(left, int(found[_WAYS + left])) for left in range(s.MAX_PAYMENT + 1) if left != cheapest]
        payments += sorted((pair for pair in others if pair[1] >= 0), key=lambda pair: (sum(pair), pair))
    said = [_paid(games, index, tables, seat, item, *pair) for pair in payments[:MOST_WAYS]]
    more = len(payments) - len(said)
    return said + ([f"{more} other {'way' if more == 1 else 'ways'} to pay"] if more else [])


def _why_free(games: NDArray[Any], index: int, tables: NDArray[Any], seat: int, kind: int) -> str:
    game: Any = games[index]
    if cost(tables[0], kind) == ([], 0):
        return "free"
    for parent in range(s.KINDS):
        if _bit(tables[0]["free_from"][kind], parent) and _bit(game["city"][seat], parent):
            return f"free by chain from {kind_name(tables, parent)} (yours)"
    return "free by the power of your wonder"


def _paid(
    games: NDArray[Any], index: int, tables: NDArray[Any], seat: int, item: int, to_left: int, to_right: int
) -> str:
    """What is paid to whom for what, in words."""
    units, bank = cost(tables[0], item)
    total = to_left + to_right + bank
    if total == 0:
        return "your own goods" if units else "free"
    bought = purchase(games, index, tables, seat, item, to_left, to_right)
    parts = [f"{coins_in_words(bank)} to the bank"] if bank and total != bank else []
    for goods, side, coins in zip(bought, ("left", "right"), (to_left, to_right), strict=True):
        if coins:
            paid = f", {coins}" if to_left and to_right else ""
            parts.append(f"{goods_in_words(goods)} from the {side}{paid}")
    kept = int(games[index]["coins"][seat]) - total
    return f"-{coins_in_words(total)}" + (f" ({'; '.join(parts)})" if parts else "") + f", leaves {kept}"


def purchase(
    games: NDArray[Any], index: int, tables: NDArray[Any], seat: int, item: int, to_left: int, to_right: int
) -> tuple[list[str], list[str]]:
    """The goods that are bought from the left and from the right neighbour in a payment."""
    units, _ = cost(tables[0], item)
    prices = _prices(games, index, tables, seat)
    own, left, right = (
        list(_made(games, index, tables, who, sold)) for who, sold in _neighbours(games, index, seat)
    )

    def search(
        place: int, own: list[Symbol], left: list[Symbol], right: list[Symbol], coins: tuple[int, int]
    ) -> tuple[list[str], list[str]] | None:
        if place == len(units):
            return ([], []) if coins == (0, 0) else None
        name = units[place]
        for source, owners in enumerate((own, left, right)):
            due = 0 if source == 0 else int(prices[source - 1, int(name in s.MANUFACTURED)])
            if source and due > coins[source - 1]:
                continue
            for symbol in set(owners):
                if name not in symbol:
                    continue
                rest = (list(own), list(left), list(right))
                rest[source].remove(symbol)
                paid = (coins[0] - due * (source == 1), coins[1] - due * (source == 2))
                found = search(place + 1, rest[0], rest[1], rest[2], paid)
                if found is not None:
                    if source:
                        found[source - 1].insert(0, name)
                    return found
        return None

    return search(0, own, left, right, (to_left, to_right)) or ([], [])


def _neighbours(games: NDArray[Any], index: int, seat: int) -> tuple[tuple[int, bool], ...]:
    """The seat itself and its two neighbours, and whether it is their sale that counts."""
    players = int(games[index]["num_players"])
    return (seat, False), ((seat + 1) % players, True), ((seat - 1) % players, True)


def _made(games: NDArray[Any], index: int, tables: NDArray[Any], seat: int, sold: bool) -> Iterator[Symbol]:
    """The symbols of production of a seat: all of them, or those that its neighbours may buy."""
    game, table = games[index], tables[0]
    column = "sell" if sold else "own"
    board = int(game["board"][seat])
    yield from symbols(table["start"][board])
    for kind in range(s.KINDS):
        if _bit(game["city"][seat], kind):
            yield from symbols(table[column][kind])
    for stage in range(int(game["built"][seat, s.STAGES_COLUMN])):
        yield from symbols(table[column][s.KINDS + board * s.MAX_STAGES + stage])


def _prices(games: NDArray[Any], index: int, tables: NDArray[Any], seat: int) -> NDArray[np.int64]:
    """int64[side, manufactured]: coins for a unit."""
    bits = int(games[index]["discounts"][seat])
    full, low = (int(each) for each in tables[0]["price"])
    sides = ((s.RAW_LEFT, s.MANUFACTURED_LEFT), (s.RAW_RIGHT, s.MANUFACTURED_RIGHT))
    return np.array([[low if bits & bit else full for bit in side] for side in sides], np.int64)


def _planned_item(games: NDArray[Any], index: int, tables: NDArray[Any], seat: int) -> int:
    kind, use = divmod(int(games[index]["planned"][seat]) - s.CARD_ACTIONS, s.USES)
    return kind if use == s.BUILD else int(_next_stage(games, index, tables, seat))


# --- why not --------------------------------------------------------------------------------------------------------

NOT_HELD = "not in your hand"
COMPLETE = "your wonder is complete"
BUILT = "already in your city"


def why_not(games: NDArray[Any], index: int, tables: NDArray[Any], seat: int, action: int) -> str:
    """Why an action is not possible now; see :class:`antiquity.game.Game`."""
    game: Any = games[index]
    phase = int(game["phase"])
    if game["over"]:
        return "the game is over"
    if not int(game["deciders"]) >> seat & 1:
        return "you have nothing to choose now"
    if not s.WAIT < action < s.NUM_ACTIONS:
        return "there is a choice to make"
    if phase == s.SIDE or action >= s.SIDE_ACTIONS:
        return "first the side of your board" if phase == s.SIDE else "sides are chosen before Age I"
    if phase == s.PAY or action >= s.PAYMENT_ACTIONS:
        return "no way to pay for it" if phase == s.PAY else "there is nothing to pay now"
    kind, use = divmod(action - s.CARD_ACTIONS, s.USES)
    found = np.zeros(_FACTS, np.int64)
    _facts(games, index, tables, seat, kind, found)
    if phase == s.PICK:
        if not game["discard"][kind]:
            return "not in the discard"
        return BUILT if use == s.BUILD else "a card from the discard is built and nothing else"
    if kind not in game["hands"][seat, : int(game["hand_size"][seat])]:
        return NOT_HELD
    item = kind
    if use == s.STAGE:
        item = int(_next_stage(games, index, tables, seat))
        if item < 0:
            return COMPLETE
        _facts(games, index, tables, seat, item, found)
    elif found[1]:
        return BUILT
    return _unpaid(games, index, tables, seat, item)


def _unpaid(games: NDArray[Any], index: int, tables: NDArray[Any], seat: int, item: int) -> str:
    """Why an item cannot be paid for."""
    units, bank = cost(tables[0], item)
    missing = _missing(
        units,
        [
            symbol
            for who, sold in _neighbours(games, index, seat)
            for symbol in _made(games, index, tables, who, sold)
        ],
    )
    if missing:
        needed = " and ".join(f"{number} {name}" for name, number in Counter(missing).items())
        return f"needs {needed} more, and nobody sells it"
    coins = int(games[index]["coins"][seat])
    rich = games[index : index + 1].copy()
    rich["coins"][0, seat] = 1_000
    found = np.zeros(_FACTS, np.int64)
    _facts(rich, 0, tables, seat, item, found)
    price_ = int(found[2] + found[_WAYS + found[2]]) + bank if found[2] >= 0 else bank
    return f"costs {coins_in_words(price_)}, you have {coins}"


def _missing(units: Sequence[str], made: list[Symbol]) -> list[str]:
    """The units that no symbol is left for, as few as can be."""
    taken: dict[int, int] = {}

    def place(unit: int, seen: set[int]) -> bool:
        for number, symbol in enumerate(made):
            if units[unit] in symbol and number not in seen:
                seen.add(number)
                if number not in taken or place(taken[number], seen):
                    taken[number] = unit
                    return True
        return False

    return [units[unit] for unit in range(len(units)) if not place(unit, set())]


def _bit(words: Any, kind: int) -> bool:
    return bool(int(words[kind >> 6]) >> (kind & 63) & 1)


def goods_in_words(goods: Sequence[str]) -> str:
    """Such as ``"clay and 2 wood"``."""
    return (
        " and ".join(f"{number} {name}" if number > 1 else name for name, number in Counter(goods).items())
        or "goods"
    )


def coins_in_words(number: int) -> str:
    """Such as ``"1 coin"``."""
    return "1 coin" if number == 1 else f"{number} coins"
