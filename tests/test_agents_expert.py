"""The expert: a search guided by a network, in all games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from antiquity import Batch
from antiquity.agents import Decisions, Network, NetworkAgent, make_agent, shipped_policy
from antiquity.agents.expert import ExpertAgent
from antiquity.arena import play_match
from antiquity.game import Game, make_game

GAMES = ("seven_wonders", "stone_age", "dice")


def network(game: Game, *, trust: float = 1.0, seed: int = 0) -> Network:
    """A small random network that trusts greedy."""
    random = np.random.default_rng(seed)
    columns = np.arange(0, game.layout.size, 7)

    def layer(inputs: int, outputs: int) -> tuple[Any, Any]:
        return random.normal(0, 0.1, (inputs, outputs)), np.zeros(outputs)

    appraisal = np.zeros(game.appraisal.size)
    appraisal[0] = trust
    weights, bias = layer(8, 1)
    return Network.make(
        columns=columns,
        hidden=[layer(len(columns), 8)],
        policy=layer(8, game.num_actions),
        value=(weights[:, 0], bias + 0.4),
        appraisal=(np.zeros((8, game.appraisal.size)), appraisal),
    )


@pytest.fixture(scope="module", params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return make_game(request.param)


@pytest.fixture(scope="module")
def path(game: Game, tmp_path_factory: pytest.TempPathFactory) -> str:
    agent = NetworkAgent(game, network(game))
    return str(agent.save(tmp_path_factory.mktemp(game.name) / "policy.npz"))


def decisions(game: Game, players: int, steps: int, seed: int = 3, games: int = 4) -> Decisions:
    """Decisions in the middle of games that greedy plays."""
    batch = Batch(game, games, players, seed=seed)
    batch.reset()
    rows = batch.rows()
    for _ in range(steps):
        rows = batch.step_rows(batch.sample_rows("greedy"))  # type: ignore[assignment]
    return Decisions(game, batch.games.copy(), batch.tables, rows.game, rows.seat)


@pytest.mark.parametrize("most", [False, True])
def test_every_game_and_table_size(game: Game, path: str, most: bool) -> None:
    players = game.max_players if most else game.min_players
    expert = ExpertAgent(game, path, simulations=20)
    asked = decisions(game, players, 9)
    before = asked.games.copy()
    found = expert.search(asked)
    assert (asked.games == before).all()
    for row in range(len(asked)):
        legal = found.legal[row, : found.counts[row]]
        assert found.actions[row] in legal
        tries = found.visits[row]
        assert tries.sum() == (20 if len(legal) > 1 else 0) and not tries[len(legal) :].any()
        assert found.actions[row] == legal[(tries + 0.5 * found.means[row])[: len(legal)].argmax()]
    assert ((found.means >= 0) & (found.means <= 1)).all()


def test_the_same_question_gets_the_same_answer(game: Game, path: str) -> None:
    asked = decisions(game, game.default_players, 12)
    first, second = (ExpertAgent(game, path, simulations=15).search(asked) for _ in range(2))
    np.testing.assert_array_equal(first.visits, second.visits)
    np.testing.assert_array_equal(first.means, second.means)
    other = ExpertAgent(game, path, simulations=15, seed=1).search(asked)
    assert (other.means != first.means).any()
    # Nor does it matter what is asked beside.
    for row in range(len(asked)):
        one = Decisions(
            game, asked.games, asked.tables, asked.index[row : row + 1], asked.seats[row : row + 1]
        )
        alone = ExpertAgent(game, path, simulations=15).search(one)
        np.testing.assert_array_equal(alone.means[0], first.means[row])


def test_it_sees_what_its_seat_sees(game: Game, path: str) -> None:
    """In worlds that look the same to the seat it finds the very same, whatever lies hidden, and whatever will come."""
    expert = ExpertAgent(game, path, simulations=12)
    for steps in (2, 15, 40):
        asked = decisions(game, game.default_players, steps)
        first = expert.search(asked)
        batch = Batch(game, len(asked.games), game.default_players, seed=0)
        batch.reset()
        for row in range(len(asked)):
            batch.set_games(asked.games)
            for world in range(3):
                batch.determinize(int(asked.index[row]), int(asked.seats[row]), 100 + world)
            one = (asked.index[row : row + 1], asked.seats[row : row + 1])
            other = expert.search(Decisions(game, batch.games.copy(), batch.tables, *one))
            np.testing.assert_array_equal(other.visits[0], first.visits[row])
            np.testing.assert_array_equal(other.means[0], first.means[row])


@pytest.mark.parametrize("opponents", ["greedy", "policy", "both"])
def test_opponents_are_modelled(game: Game, path: str, opponents: str) -> None:
    asked = decisions(game, game.default_players, 6)
    found = ExpertAgent(game, path, simulations=12, opponents=opponents).search(asked)
    assert found.visits.sum(axis=1)[found.counts > 1].min() == 12


def test_search_improves_on_its_policy(tmp_path: Path) -> None:
    game = make_game("dice")
    weak = NetworkAgent(game, network(game, trust=0.0), deterministic=True, name="weak")
    expert = ExpertAgent(game, str(weak.save(tmp_path / "weak.npz")), simulations=60)
    result = play_match(game, [expert, weak], deals=8, seed=2)
    shares = {standing.name: standing.win_share for standing in result.standings()}
    assert shares["expert"] > 0.8


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"simulations": 0}, "simulations is 0"),
        ({"exploration": 0}, "exploration is 0"),
        ({"temperature": -1.0}, "temperature is -1"),
        ({"temperature": float("inf")}, "temperature is inf"),
        ({"rollouts": 1.5}, "rollouts is 1.5"),
        ({"opponents": "friends"}, "opponents is 'friends'"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_options_are_checked(game: Game, path: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ExpertAgent(game, path, **options)
    with pytest.raises(TypeError, match="exploration must be a number"):
        ExpertAgent(game, path, exploration="much")  # type: ignore[arg-type]


def test_a_policy_file_recommends_how_to_search(tmp_path: Path) -> None:
    game = make_game("dice")
    advice = {"temperature": 2.0, "rollouts": 0.0, "opponents": "policy"}
    file = NetworkAgent(game, network(game), trained_on={"expert": advice}).save(tmp_path / "policy.npz")
    terms = ExpertAgent(game, str(file)).terms
    assert (terms.temperature, terms.rollouts, terms.exploration) == (2.0, 0.0, 0.15)
    assert ExpertAgent(game, str(file), temperature=5.0).terms.temperature == 5.0
    bad = NetworkAgent(game, network(game), trained_on={"expert": {"rollouts": "all"}}).save(
        tmp_path / "bad.npz"
    )
    with pytest.raises(TypeError, match="rollouts must be a number"):
        ExpertAgent(game, str(bad))


def test_without_a_policy_it_says_what_to_do() -> None:
    toy = make_game("toy_game:GAME")
    assert shipped_policy(toy) is None
    for name in ("expert", "policy"):
        with pytest.raises(ValueError, match="path=FILE"):
            make_agent(name, toy)


def test_a_network_without_a_value_is_refused(tmp_path: Path) -> None:
    game = make_game("dice")
    layer = (np.zeros((game.layout.size, game.num_actions)), np.zeros(game.num_actions))
    file = NetworkAgent(game, Network.of_layers([layer])).save(tmp_path / "policy.npz")
    with pytest.raises(ValueError, match="has no value"):
        ExpertAgent(game, str(file))
