"""Paying in 7 Wonders, by brute force.

A cost names resources; nobody owns resource pieces. A city owns production SYMBOLS, and each symbol gives
one unit a turn to each player who uses it (its owner and both neighbours, independently). A symbol that shows
several resources gives one of them, whichever its user wants. So a payment is an assignment: every unit of the
cost is given to a symbol of its own that can make it, at the price of that symbol:

    own symbols                    0 coins
    symbols the left city sells    resource price (or discount price) to the left neighbour
    symbols the right city sells   the same to the right neighbour

This module tries all assignments and collects what they cost: pairs (coins to the left, coins to the right).
A symbol is written as the sorted tuple of the resources it shows: ("ore",), ("clay", "wood").
"""

from functools import cache, lru_cache

RAW = ("wood", "stone", "clay", "ore")
MANUFACTURED = ("glass", "loom", "papyrus")


def symbols_of(effects):
    """The production symbols among some effects. "Wood 2" is two symbols that each give one wood."""
    symbols = []
    for effect in effects:
        if effect["type"] == "produce":
            for resource, number in effect["resources"].items():
                symbols += [(resource,)] * number
        elif effect["type"] == "produce_choice":
            symbols.append(tuple(sorted(effect["one_of"])))
    return symbols


def possible_payments(cost, own, left, right, left_price, right_price):
    """All pairs (coins to the left, coins to the right) some assignment costs; the empty set: not payable.

    cost: {resource: units}; own, left, right: lists of symbols; left_price, right_price: {resource: coins}.
    """
    # The order of symbols means nothing: sorted, so that equal questions are answered once.
    return _possible_payments(
        tuple(sorted((resource, units) for resource, units in cost.items() if units > 0)),
        tuple(sorted(own)),
        tuple(sorted(left)),
        tuple(sorted(right)),
        tuple(sorted(left_price.items())),
        tuple(sorted(right_price.items())),
    )


@lru_cache(maxsize=50_000)
def _possible_payments(cost, own, left, right, left_price, right_price):
    resources = [resource for resource, _ in cost]
    left_price, right_price = dict(left_price), dict(right_price)

    # Every symbol with the price it asks for each needed resource it shows: {index of resource: (left, right)}.
    offers = []
    for symbol in own:
        offers.append({i: (0, 0) for i, r in enumerate(resources) if r in symbol})
    for symbol in left:
        offers.append({i: (left_price[r], 0) for i, r in enumerate(resources) if r in symbol})
    for symbol in right:
        offers.append({i: (0, right_price[r]) for i, r in enumerate(resources) if r in symbol})
    offers = [offer for offer in offers if offer]  # the others cannot make anything that is needed

    @cache
    def pairs(position, missing):
        """Ways to produce the missing units with the symbols from this position on, each used at most once."""
        if not any(missing):
            return frozenset([(0, 0)])
        if sum(missing) > len(offers) - position:
            return frozenset()
        found = set(pairs(position + 1, missing))  # this symbol is not used
        for i, (to_left, to_right) in offers[position].items():  # or it makes one unit of resource i
            if missing[i] > 0:
                rest = missing[:i] + (missing[i] - 1,) + missing[i + 1 :]
                for more_left, more_right in pairs(position + 1, rest):
                    found.add((to_left + more_left, to_right + more_right))
        return frozenset(found)

    return pairs(0, tuple(units for _, units in cost))


def undominated(payments):
    """The pairs to which no other pair is at least as good on both sides, sorted by coins to the left."""

    def beaten(pair):
        return any(other != pair and other[0] <= pair[0] and other[1] <= pair[1] for other in payments)

    return sorted(pair for pair in payments if not beaten(pair))


def cheapest(payments):
    """Least coins in all; of equals the pair with less to the left."""
    return min(payments, key=lambda pair: (pair[0] + pair[1], pair[0]))
