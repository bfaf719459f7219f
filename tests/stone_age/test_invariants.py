"""What holds at every moment of every game of Stone Age, whatever is played."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from antiquity.testing.table import Table
from stone_age.policies import buys
from stone_age_env import GAME, plain_state
from stone_age_env.data.tables import read_table
from stone_age_env.state import (
    CASH,
    FEED_NOTHING,
    FOREST,
    HUNT,
    HUT,
    NUM_ACTIONS,
    PAIRS,
    PAY_COUNT,
    PHASE_BASE,
    PHASES,
    TAKE_DIE,
)

TABLE = read_table("base")
LADDER = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1], [2, 1, 1], [2, 2, 1], [2, 2, 2], [3, 2, 2], [3, 3, 2]]
LADDER += [[3, 3, 3], [4, 3, 3], [4, 4, 3], [4, 4, 4]]

GAMES = st.fixed_dictionaries(
    {
        "players": st.integers(2, 4),
        "seed": st.integers(0, 2**63 - 1),
        "max_rounds": st.sampled_from([3, 8, 30]),
        # How the next action is picked, over and over: position in the legal list, in thousandths.
        "choices": st.lists(st.integers(0, 999), min_size=1, max_size=40),
        "buys": st.booleans(),
    }
)


def picked(case: dict[str, Any], step: int, legal: list[int]) -> int:
    if case["buys"]:
        legal = [action for action in legal if buys(action)] or legal
    choices: list[int] = case["choices"]
    return legal[choices[step % len(choices)] * len(legal) // 1000]


def check_pieces(table: Table) -> None:
    """People, cards, tiles: none is lost, none comes from nowhere; limits hold."""
    view, n = plain_state(table.games, 0, table.tables), table.num_players
    cards = [card for owned in (*view["cards"], *view["extra"]) for card in owned]
    assert sorted(cards + view["deck"] + [card for card in view["open"] if card is not None]) == list(
        range(36)
    )
    assert sum(view["buildings"]) + sum(map(len, view["piles"])) == 7 * n
    for seat in range(n):
        people, placed = view["people"][seat], view["placed"][seat]
        assert 5 <= people <= 10
        # All are at home or at work, but for a newcomer of this round (one at most: a hut takes one pair).
        newcomer = people - view["in_hand"][seat] - sum(placed)
        assert newcomer in (0, 1)
        if view["phase"] == "place":
            assert newcomer == 0 and not any(view["used"][seat])
        assert view["tools"][seat] in LADDER and 0 <= view["agriculture"][seat] <= 10
        for value, used in zip(view["tools"][seat], view["used"][seat], strict=True):
            assert value or not used
        assert placed[HUT] in (0, 2) and all(placed[place] <= 1 for place in (0, 1, *range(8, 16)))
        assert sum(view["one_use"][seat]) + view["free_cards"][seat] <= len(view["cards"][seat])
    for place in range(16):
        there = [view["placed"][seat][place] for seat in range(n)]
        seats = sum(map(bool, there))
        if FOREST <= place < HUNT:
            assert sum(there) <= 7 and seats <= {2: 1, 3: 2, 4: 4}[n]
        elif place != HUNT:
            assert seats <= 1
    village = sum(any(view["placed"][seat][place] for seat in range(n)) for place in range(3))
    assert village <= (3 if n == 4 else 2)
    assert sum(view["dice"]) <= n and (view["phase"] == "lottery" or not any(view["dice"]) or view["over"])


def check_decision(table: Table) -> list[int]:
    """One decider with at least two actions of the phase's own numbers; all others wait."""
    [decider] = table.deciders()
    for seat in range(table.num_players):
        legal = table.legal(seat)
        if seat != decider:
            assert legal == [0]
            continue
        phase = int(table.record["phase"])
        assert len(legal) >= 2 and legal == sorted(set(legal))
        assert PHASE_BASE[phase] <= legal[0] and legal[-1] < min(PHASE_BASE[phase] + 64, NUM_ACTIONS)
        assert len(legal) <= GAME.max_legal
    return table.legal(decider)


def check_step(before: dict[str, Any], action: int, seat: int, after: dict[str, Any]) -> None:
    """What a single action may change, where nothing forced follows that could hide it."""
    if before["phase"] != after["phase"] or before["round"] != after["round"]:
        return
    if (
        before["phase"] == "pay"
        and before["place"] == after["place"]
        and after["pay_kind"] == before["pay_kind"] + 1
    ):
        kind, number = divmod(action - PAY_COUNT, 11)
        assert after["resources"][seat][kind] == before["resources"][seat][kind] - number
        assert after["pay_left"] == before["pay_left"] - number
    if before["phase"] == "feed" and CASH <= action < CASH + len(PAIRS):
        gained = Counter(PAIRS[action - CASH])
        for kind in range(4):
            assert after["resources"][seat][kind] == before["resources"][seat][kind] + gained[kind]
    if before["phase"] == "lottery":
        assert after["dice"][action - TAKE_DIE] < before["dice"][action - TAKE_DIE]


@settings(max_examples=25)
@given(GAMES)
def test_invariants(case: dict[str, Any]) -> None:
    table = Table(GAME, case["players"], seed=case["seed"], max_rounds=case["max_rounds"])
    step = 0
    check_pieces(table)
    rounds = int(table.record["round"])
    while not table.over and step < 400:
        legal = check_decision(table)
        [seat] = table.deciders()
        action = picked(case, step, legal)
        before, scores = plain_state(table.games, 0, table.tables), table.score()
        table.step({seat: action})
        step += 1
        after = plain_state(table.games, 0, table.tables)
        check_step(before, action, seat, after)
        check_pieces(table)
        assert int(table.record["steps"]) == step and not table.record["chosen"].any()
        assert int(table.record["round"]) in (rounds, rounds + 1)
        rounds = int(table.record["round"])
        # Hunger costs ten points each; nothing else takes points scored.
        lost = scores[:, 2] - table.score()[:, 2]
        assert (lost % 10 == 0).all() and (lost >= 0).all()
        assert (table.score()[:, :2] >= scores[:, :2]).all()
        if action == FEED_NOTHING:
            assert lost[seat] >= 10
    if table.over:
        assert table.deciders() == [] and all(table.legal(s) == [0] for s in range(table.num_players))
        view = plain_state(table.games, 0, table.tables)
        open_cards = sum(card is not None for card in view["open"])
        ended = not all(view["piles"]) or open_cards + len(view["deck"]) < 4
        assert ended != view["truncated"]
        if view["truncated"]:
            assert view["round"] + 1 == case["max_rounds"]


@settings(max_examples=25)
@given(GAMES, st.integers(0, 10_000))
def test_no_dead_end(case: dict[str, Any], moment: int) -> None:
    """From any moment every legal action leads on, and a payment once begun can be completed whatever is chosen."""
    table = Table(GAME, case["players"], seed=case["seed"], max_rounds=case["max_rounds"])
    for step in range(moment % 150):
        if table.over:
            return
        [seat] = table.deciders()
        table.step({seat: picked(case, step, table.legal(seat))})
    if table.over:
        return
    [seat] = table.deciders()
    for action in table.legal(seat):
        after = table.copy()
        after.step({seat: action})
        check_pieces(after)
        paid = 0
        while not after.over and PHASES[int(after.record["phase"])] == "pay" and paid < 3:
            assert after.deciders() == [seat]
            before = int(after.record["steps"])
            after.step({seat: after.legal(seat)[case["choices"][0] % len(after.legal(seat))]})
            paid += int(after.record["steps"]) - before
        assert paid <= 3
