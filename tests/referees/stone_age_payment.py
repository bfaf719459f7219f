"""All ways to pay in Stone Age, found by trying every number of every kind."""


def all_payments(stock, pieces, kinds=None):
    """Every (wood, clay, stone, gold) out of the stock that makes so many pieces, in exactly `kinds` kinds.

    With kinds=None any number of kinds will do. The empty list: it cannot be paid.
    """
    wood, clay, stone, gold = stock
    found = []
    for w in range(min(wood, pieces) + 1):
        for c in range(min(clay, pieces) + 1):
            for s in range(min(stone, pieces) + 1):
                g = pieces - w - c - s
                if not 0 <= g <= gold:
                    continue
                payment = (w, c, s, g)
                if kinds is None or sum(1 for number in payment if number > 0) == kinds:
                    found.append(payment)
    return found
