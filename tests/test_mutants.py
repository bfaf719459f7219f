"""The lists of deliberate faults: they can still be applied. ``make mutants`` shows that the tests catch them."""

from __future__ import annotations

import pytest

from mutants.run import ROOT, Game, Mutant, lists

LISTS = lists()
MUTANTS = [mutant for game in LISTS for mutant in game.mutants]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.file}: {mutant.why}")
def test_mutant_can_be_applied(mutant: Mutant) -> None:
    assert mutant.file.startswith(f"{mutant.game}_env/") and mutant.why
    source = (ROOT / mutant.file).read_text(encoding="utf-8")
    compile(mutant.applied(source), mutant.file, "exec")


@pytest.mark.parametrize("game", LISTS, ids=lambda game: game.name)
def test_every_part_of_a_game_is_tried(game: Game) -> None:
    assert len(game.mutants) >= 12
    assert {mutant.file.split("/")[1] for mutant in game.mutants} >= {"rules", "seats"}
    assert len({mutant.applied((ROOT / mutant.file).read_text()) for mutant in game.mutants}) == len(
        game.mutants
    )
