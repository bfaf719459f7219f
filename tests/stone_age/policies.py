"""Ways of playing that bring about what random play seldom does."""

from __future__ import annotations

import random

from antiquity.testing import Table
from stone_age_env import state as s


def buys(action: int) -> bool:
    """Whether it buys a card or a building."""
    return s.BUY_CARD <= action < s.DECLINE_CARD or s.BUILD <= action < s.DECLINE_BUILDING


def buyer(rng: random.Random, table: Table, seat: int, legal: list[int]) -> int:
    """Gathers before it buys, and buys what it can: cards and buildings of all kinds, many payments."""
    if rng.random() < 0.1:
        return rng.choice(legal)
    gather = [action for action in legal if s.RESOLVE_ACTIONS <= action < s.BUY_CARD]
    if legal[0] < s.RESOLVE_ACTIONS and rng.random() < 0.6:
        return rng.choice(legal[-10:])
    return rng.choice(gather or [action for action in legal if buys(action)] or legal)


def miser(rng: random.Random, table: Table, seat: int, legal: list[int]) -> int:
    """Keeps what it has: hoards of resources, cards of free resources kept for long, hunger rather than payment."""
    if rng.random() < 0.25:
        return rng.choice(legal)
    kept = [action for action in legal if not s.CASH <= action < s.STOP and action != s.FEED_RESOURCES]
    return rng.choice((kept or legal)[: max(1, len(legal) // 2)])


def hermit(rng: random.Random, table: Table, seat: int, legal: list[int]) -> int:
    """Wants no cards and no buildings."""
    shops = range(s.PLACE_CARD, s.RESOLVE_ACTIONS)
    return rng.choice([action for action in legal if action not in shops and not buys(action)] or legal)
