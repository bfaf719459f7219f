"""``sides="choose"``: the seats choose the sides of their boards, at once and in secret, before any card is seen."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from antiquity import Batch
from antiquity.agents import Decisions, make_agent
from antiquity.play.session import Session
from antiquity.study.recording import Recorder
from antiquity.study.replay import Replay
from antiquity.testing import Table
from seven_wonders_env import GAME
from seven_wonders_env.actions import board_name, side_action, wonder_name
from seven_wonders_env.state import PHASES, SIDE

DAY, NIGHT = side_action("day"), side_action("night")
SOME = ["choose", "day", "choose", "night"]


def table(sides: Any = "choose", players: int = 4, seed: int = 5, **options: Any) -> Table:
    return Table(GAME, players, seed=seed, sides=sides, **options)


def name(game: Table, seat: int) -> str:
    return wonder_name(game.tables, int(game.record["board"][seat]))


# --- the step ---


def test_numbers_are_appended() -> None:
    assert (DAY, NIGHT, GAME.num_actions) == (256, 257, 258)
    assert GAME.version == 1 and GAME.earlier == {0: (256, GAME.layout.size - 1)}
    assert GAME.layout.fields[-1].name == GAME.state_layout.fields[-1].name == "sides"
    with pytest.raises(ValueError, match="side 'dusk': a board has the sides day and night"):
        side_action("dusk")


def test_it_is_one_step_of_all_who_choose() -> None:
    game = table()
    assert game.deciders() == [0, 1, 2, 3] and PHASES[int(game.record["phase"])] == "side"
    assert [game.legal(seat) for seat in range(4)] == [[DAY, NIGHT]] * 4
    wonders = [name(game, seat) for seat in range(4)]
    game.step({0: NIGHT, 1: DAY, 2: NIGHT, 3: DAY})
    assert [int(board) % 2 for board in game.record["board"][:4]] == [1, 0, 1, 0]
    assert [name(game, seat) for seat in range(4)] == wonders
    assert (int(game.record["age"]), int(game.record["turn"]), int(game.record["steps"])) == (0, 0, 1)
    assert game.deciders() == [0, 1, 2, 3] and game.record["phase"] == 0 and not game.record["open_sides"]


def test_seats_with_a_fixed_side_wait() -> None:
    game = table(SOME)
    assert game.deciders() == [0, 2]
    assert [game.legal(seat) for seat in range(4)] == [[DAY, NIGHT], [0], [DAY, NIGHT], [0]]
    game.step({0: NIGHT, 2: NIGHT})
    assert [int(board) % 2 for board in game.record["board"][:4]] == [1, 0, 1, 1]


def test_there_is_no_step_where_nobody_chooses() -> None:
    for sides in ("day", "night", "random", ["day", "random", "night", "day"]):
        assert table(sides).record["phase"] == 0


@pytest.mark.parametrize("side", ["day", "night"])
def test_boards_and_deals_are_those_of_fixed_sides(side: str) -> None:
    """The option adds a step and draws nothing anew: whoever chooses day plays the game of ``sides="day"``."""
    chosen, fixed = table(), table(side)
    chosen.step(dict.fromkeys(range(4), side_action(side)))
    chosen.record["steps"] = 0
    assert chosen.games.tobytes() == fixed.games.tobytes()


def test_a_side_is_asked_for_by_its_name() -> None:
    for sides in (["choose", "day", "day", "dusk"], "either"):
        with pytest.raises(ValueError, match="a side is one of 'day', 'night', 'choose', 'random'"):
            table(sides)


# --- what is seen ---


def test_no_card_is_seen_before() -> None:
    """Nothing is dealt yet, to anybody; the whole table has no hands either."""
    boards = ["gizah", "olympia", "rhodos", "babylon"]
    game, other = table(boards=boards), table(boards=boards, seed=6)
    assert not game.record["hand_size"].any()
    for seat in range(4):
        seen = game.observe(seat, memory=True)
        layout = GAME.observation_layout(True)
        assert not seen[layout.slice("hand")].any() and not seen[GAME.layout.size :].any()
        assert "hand of" not in game.text(seat)
        assert seen.tobytes() == other.observe(seat, memory=True).tobytes()  # whatever will be dealt
    everything = game.reveal()
    for seat in range(4):
        assert not everything[GAME.state_layout.slice(f"seat_{seat}_hand")].any()


def test_a_wonder_is_seen_without_its_side() -> None:
    game = table(SOME)
    boards = [int(board) for board in game.record["board"][:4]]
    for seen, layout, blocks in (
        (game.observe(0), GAME.layout, ("me", "left", "other_1", "right")),
        (game.reveal(), GAME.state_layout, [f"seat_{seat}" for seat in range(4)]),
    ):
        assert seen[layout.slice("sides")] == 1 and not seen[layout.slice("phase")].any()
        for seat, block in enumerate(blocks):
            row = seen[layout.slice(f"{block}_board")]
            if SOME[seat] == "choose":
                assert np.flatnonzero(row).tolist() == [boards[seat], boards[seat] + 1]
                assert row.max() == 0.5 and seen[layout.slice(f"{block}_wonder_size")] == 0
            else:
                assert np.flatnonzero(row).tolist() == [boards[seat]] and row.max() == 1
                assert seen[layout.slice(f"{block}_wonder_size")] > 0
    game.step({0: NIGHT, 2: DAY})
    seen = game.observe(2)
    assert seen[GAME.layout.slice("sides")] == 0 and seen[GAME.layout.slice("phase")].sum() == 1
    assert seen[GAME.layout.slice("other_1_board")][boards[0] + 1] == 1  # what seat 0 chose is open now


@pytest.mark.parametrize("seat", [0, 1, None])
def test_text_and_picture_leave_the_side_open(seat: int | None) -> None:
    game = table(SOME, seed=8)
    draw = GAME.draw
    assert draw is not None
    pages = [game.text(seat), draw(game.games, 0, game.tables, seat)]
    for page in pages:
        for each in (0, 2):
            assert name(game, each) in page and f"{name(game, each)} (" not in page
        assert "chooses" in page or "choose a side" in page
    assert pages[0].count("side open") == 2 and pages[1].count("its side is still open") == 2
    offered = sum(side in pages[0] for side in ("day side of 0", "night side of 0"))
    assert offered == (0 if seat == 1 else 2)
    buttons = set(re.findall(r'data-actions="(\d+)"', pages[1]))
    assert buttons == ({"256", "257"} if seat == 0 else set())
    game.step({0: NIGHT, 2: DAY})
    assert board_name(game.tables, int(game.record["board"][0])).endswith("(night)")
    assert "still open" not in draw(game.games, 0, game.tables, seat)


def test_actions_in_words() -> None:
    game = table()
    wonder = name(game, 1)
    assert game.words(1, DAY) == f"choose the day side of {wonder}"
    assert game.words(1, NIGHT) == f"choose the night side of {wonder}"
    batch = Batch(GAME, 1, 4, seed=5, sides="choose")
    batch.reset()
    with pytest.raises(ValueError, match=r"seat 0: action 1 .* Legal: 256 \(choose the day side of"):
        batch.step(np.full((1, 4), 1))


def test_a_forfeit_leaves_the_sides_open() -> None:
    batch = Batch(GAME, 1, 4, seed=5, sides=SOME, on_illegal="lose", autoreset=False)
    batch.reset()
    batch.step(np.array([[1, 0, DAY, 0]]))
    assert batch.games["over"][0] and batch.ranks()[0].tolist() == [4, 1, 1, 1]
    seen = batch.observations[0, 0][GAME.layout.slice("other_1_board")]
    assert seen.max() == 0.5
    assert batch.render(0, seat=0).count("side open") == 2


# --- agents ---


def test_worlds_differ_in_the_future_alone() -> None:
    """Nothing lies hidden yet, and the others choose again, each side as likely as they play it."""
    game = table()
    for seat in range(4):
        game.commit(seat, NIGHT)
    world = game.copy()
    world.determinize(2, 77)
    assert world.record["chosen"][:4].tolist() == [0, 0, NIGHT, 0]
    assert world.record["seed"] != game.record["seed"]
    world.record["chosen"], world.record["seed"] = game.record["chosen"], game.record["seed"]
    assert world.games.tobytes() == game.games.tobytes()


# By the printed stages; the docstring of greedy.py has the rule.
GREEDY = dict(zip(("ephesos", "gizah", "olympia", "rhodos"), [NIGHT] * 4, strict=True)) | dict(
    zip(("alexandria", "babylon", "halikarnassos"), [DAY] * 3, strict=True)
)


def test_greedy_takes_the_side_worth_more() -> None:
    boards = list(GREEDY)
    game = table(players=7, boards=boards)
    assert [game.greedy(seat) for seat in range(7)] == list(GREEDY.values())


def rigged(folder: Path) -> str:
    """A table in which one stage on Gizah's day side costs nothing and brings as much as a whole game."""
    path = folder / "rigged.toml"
    stage = '{ cost = {}, effects = [{ type = "vp", amount = 50 }] }'
    day = f'[[wonders.sides]]\nside = "day"\nstages = [{stage}]'
    path.write_text(f'extends = "second_edition"\n[[wonders]]\nid = "gizah"\n{day}\n')
    return str(path)


def test_greedy_and_the_search_see_a_side_that_wins(tmp_path: Path) -> None:
    batch = Batch(GAME, 1, 3, seed=3, sides="choose", boards=["gizah", None, None], cards=rigged(tmp_path))
    batch.reset()
    assert batch.sample("greedy")[0, 0] == DAY
    rows = batch.rows()
    asked = Decisions(GAME, batch.games, batch.tables, rows.game, rows.seat)
    assert make_agent("search:simulations=60", GAME).act(asked)[0] == DAY


def test_a_game_is_played_recorded_and_replayed(tmp_path: Path) -> None:
    batch = Batch(GAME, 1, 4, seed=5, sides=SOME, autoreset=False)
    with Recorder(batch, tmp_path) as recorder:
        batch.reset()
        while not batch.games["over"][0]:
            batch.step(batch.sample("greedy"))
    replay = Replay.read(recorder.paths[0])
    assert [choice.seat for choice in replay.steps[0]] == [0, 2]
    assert re.fullmatch(r"choose the (day|night) side of \w+", replay.steps[0][0].words)
    assert replay.lines().__next__().count('"version": 1') == 1


def test_a_person_chooses_a_side_against_agents() -> None:
    session = Session("seven_wonders", ["greedy", "random"], seat=1, seed=2, sides="choose")
    assert session.legal() == [DAY, NIGHT]
    assert 'data-actions="257"' in session.view()["table"] and not session.events
    session.choose(NIGHT)
    chosen = [(seat, words) for _, seat, words in session.events]
    assert [seat for seat, _ in chosen[:3]] == [0, 1, 2]
    assert all(re.match("choose the (day|night) side of", words) for _, words in chosen[:3])


def test_sides_come_out_evenly_at_random() -> None:
    """A random player takes each side about as often, whatever the wonder."""
    batch = Batch(GAME, 400, 5, seed=1, sides="choose")
    batch.reset()
    assert (batch.games["phase"] == SIDE).all()
    nights = (batch.sample() == NIGHT).mean()
    assert 0.45 < nights < 0.55
