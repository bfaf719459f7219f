"""Random games through the kernels and through the referee: both must agree at every decision.

``ANTIQUITY_FUZZ_DECISIONS`` sets how many decisions the long run makes (``make fuzz``); by default the games below.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from antiquity.game.tables import text
from antiquity.testing import Table, compare_with_referee, fuzz, fuzzing
from antiquity.testing.referee import Choose
from dice_env import GAME
from dice_env.data.reading import read_sheet
from dice_env.state import BUILDINGS, DICE, GREYS, PASS, SPECIALS, STOP
from referees.dice import Referee

from .on_kernels import forum, plain_state

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"wonder_bonus": False, "barracks_bonus": "both_sides"},
    {"grey_dice": "six_resources", "middle_bonus": "four_colours"},
    {"barracks_bonus": "both_sides", "middle_bonus": "four_colours", "max_turns": 25},
)


class Remembering(Referee):
    """A referee that works out what a seat may do once, until that seat does something."""

    def __init__(self, *printed: Any, **options: Any) -> None:
        self.known: dict[int, list[int]] = {}
        super().__init__(*printed, **options)

    def legal(self, seat: int) -> list[int]:
        if seat not in self.known:
            self.known[seat] = super().legal(seat)
        return self.known[seat]

    def _carry_out(self, seat: int, action: int) -> None:
        self.known.pop(seat, None)
        super()._carry_out(seat, action)

    def _end_turn(self) -> None:
        self.known.clear()
        super()._end_turn()


class Chance:
    """What the referee asks of chance, answered from the kernel's game: it has gone one step ahead."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.greys: list[str] = [die for die in forum(table) if die in DICE[:GREYS]]

    def deal(self) -> list[str]:
        boards = self.table.record["board"][: self.table.num_players]
        return [text(self.table.tables[0]["board_id"][int(board)]) for board in boards]

    def throw(self, turn: int, dice: list[str]) -> dict[str, tuple[int, int]]:
        lying = forum(self.table)
        assert sorted(dice) == sorted(lying)
        return {die: (quadrant, face) for die, (quadrant, face) in lying.items()}

    def replaced(self, colour: str) -> str:
        assert colour in forum(self.table)
        gone = next(die for die in self.greys if die not in forum(self.table))
        self.greys.remove(gone)
        return gone


def builder(share: float) -> Choose:
    """How a seat plays that prefers building so often: it gets more chains, special dice and bonuses."""

    def choose(rng: random.Random, table: Table, seat: int, legal: list[int]) -> int:
        preferred = [action for action in legal if action not in (PASS, STOP)]
        return rng.choice(preferred if preferred and rng.random() < share else legal)

    return choose


def compare(num_players: int, options: dict[str, Any], seed: int, share: float, sheet: str = "base") -> int:
    """One game through both; returns the number of decisions."""
    table = Table(GAME, num_players, seed=seed, sheet=sheet, **options)
    chance, printed = Chance(table), read_sheet(sheet)
    referee = Remembering(
        printed,
        printed["dice"],
        printed["boards"],
        deal=chance.deal,
        throw=chance.throw,
        replaced=chance.replaced,
        **options,
    )
    return compare_with_referee(
        table,
        referee,
        state=plain_state,
        choose=builder(share),
        # At the start of a turn nothing has changed since the end of the one before.
        score_when=lambda table: len(table.deciders()) < table.num_players,
    )


GAMES_OF = {2: 120, 3: 80, 4: 60, 5: 44, 6: 36, 7: 32}
"""372 in all; make fuzz plays as many as one likes."""
CASES = [(players, number) for players in GAMES_OF for number in range(len(OPTIONS))]


@pytest.mark.parametrize(("num_players", "number"), CASES)
def test_random_games_agree(num_players: int, number: int) -> None:
    for game in range(GAMES_OF[num_players] // len(OPTIONS)):
        seed = 100_000 * num_players + 10_000 * number + game
        compare(num_players, OPTIONS[number], seed, (0.0, 0.7, 0.95)[game % 3])


def random_effect(rng: random.Random, *, deep: bool) -> str:
    """Any effect there is; ``deep``: also one that crosses two spaces, of which a sheet has room for a dozen."""
    buildings = rng.sample(
        ["warehouse", "agora", "market", "barracks", "university", "gallery"], rng.randint(1, 4)
    )
    names = ", ".join(f'"{name}"' for name in buildings)
    colour = rng.choice(["grey", "green", "blue", "red", "yellow", "purple", "black", "white"])
    counted = rng.choice(BUILDINGS)
    inner = rng.choice(
        [
            f'kind = "cross", buildings = [{names}], up_to = {rng.randint(1, 2 if deep else 1)}',
            f'kind = "cross", buildings = [{names}], up_to = 1',
            f'kind = "coins", n = {rng.randint(1, 9)}',
            'kind = "build_free_die"',
            'kind = "extra_action"',
            f'kind = "per_space", building = "{counted}", coins = {rng.randint(0, 3)}, vp = {rng.randint(0, 3)}',
            'kind = "die_discount", n = 1',
            f'kind = "die_free", color = "{colour}"',
            f'kind = "die_income", color = "{colour}", coins = {rng.randint(1, 3)}',
            f'kind = "unlock", die = "{rng.choice(SPECIALS)}"',
            f'kind = "vp", n = {rng.randint(1, 9)}',
            'kind = "gallery_vp"',
        ]
    )
    return f"{{ {inner} }}"


def random_sheet(rng: random.Random, path: Path) -> None:
    """A sheet with other costs and points, and effects where no printed one has any."""
    base = read_sheet("base")
    lines = ['extends = "base"']
    # What all boards change themselves is never read from the tracks.
    listed = set.intersection(*({space["id"] for space in board["spaces"]} for board in base["boards"]))
    for track in base["tracks"]:
        lines += ["[[tracks]]", f'id = "{track["id"]}"', "spaces = ["]
        for space in track["spaces"]:
            if space["id"] in listed:
                continue
            change = f'    {{ id = "{space["id"]}", cost = {rng.randint(0, 6)}'
            if track["id"] != "warehouse":
                if track["id"].startswith(("agora", "guild", "west_attack", "east_attack")):
                    change += f", vp = {rng.randint(0, 7)}"
                if rng.random() < 0.5:
                    change += (
                        f", effect = {random_effect(rng, deep=track['id'] in ('leaders', 'west_attack'))}"
                    )
            lines.append(change + " },")
        lines.append("]")
    for board in base["boards"]:
        lines += ["[[boards]]", f'id = "{board["id"]}"', "spaces = ["]
        for space in board["spaces"]:
            effect = random_effect(rng, deep=space["id"].startswith("wonder"))
            lines.append(f'    {{ id = "{space["id"]}", cost = {rng.randint(0, 6)}, effect = {effect} }},')
        lines.append("]")
    path.write_text("\n".join(lines), encoding="utf-8")


def test_changed_sheets_agree(tmp_path: Path) -> None:
    rng = random.Random(11)
    for number in range(30):
        path = tmp_path / f"sheet_{number}.toml"
        random_sheet(rng, path)
        compare(2 + number % 6, OPTIONS[number % 3], number, (0.3, 0.8, 1.0)[number % 3], str(path))


@pytest.mark.skipif(not fuzzing(), reason="long run: make fuzz")
def test_fuzz(tmp_path: Path) -> None:
    def play(seed: int) -> int:
        players, number = CASES[seed % len(CASES)]
        sheet = "base"
        if seed % 5 == 0:
            sheet = str(tmp_path / "sheet.toml")
            random_sheet(random.Random(seed), Path(sheet))
        return compare(players, OPTIONS[number], seed, (0.0, 0.7, 0.95)[seed % 3], sheet)

    fuzz(play)
