"""Agents: what they are asked, and what they answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from antiquity.agents import Agent, CallableAgent, Decisions, checked_actions, make_agent
from antiquity.batch import Batch
from antiquity.game import Game
from env_games import TOY, WONDERS, both_games, same


def ask(game: Game, steps: int, memory: bool = False) -> tuple[Batch, Decisions]:
    """The decisions of a batch after some random steps, together with the batch's own view of them."""
    batch = Batch(game, 20, seed=1, memory=memory)
    batch.reset()
    for _ in range(steps):
        batch.step(batch.sample())
    rows = batch.rows()
    return batch, Decisions(game, batch.games, batch.tables, rows.game, rows.seat)


@both_games
@pytest.mark.parametrize("memory", [False, True])
def test_decisions_show_what_the_batch_shows(game: Game, memory: bool) -> None:
    batch, decisions = ask(game, 2, memory)
    rows = batch.rows()
    asked = decisions.remember(memory)
    assert len(asked) == len(rows.game)
    assert same(asked.observations, rows.observations) and same(asked.masks, rows.masks)
    assert (asked.counts == asked.masks.sum(axis=1)).all()
    for row, count in enumerate(asked.counts):
        assert asked.legal[row, :count].tolist() == np.flatnonzero(asked.masks[row]).tolist()


@both_games
@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_kernel_agents_choose_as_the_batch_does(game: Game, policy: str) -> None:
    batch, decisions = ask(game, 3)
    assert same(make_agent(policy, game).act(decisions), batch.sample_rows(policy))


def test_noise_belongs_to_game_step_and_seat() -> None:
    batch, decisions = ask(TOY, 0)
    noise = decisions.noise
    assert len(set(noise.tolist())) == len(noise)
    some = Decisions(TOY, batch.games, batch.tables, decisions.index[5:9], decisions.seats[5:9])
    assert same(some.noise, noise[5:9])
    uniform = decisions.uniform()
    assert ((uniform >= 0) & (uniform < 1)).all()
    batch.step(batch.sample())
    assert not same(some.noise, noise[5:9])


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (lambda o, m: m.argmax(axis=1) * 1.0, TypeError, "whole numbers"),
        (lambda o, m: m.argmax(axis=1)[:-1], ValueError, "one action for each"),
        (lambda o, m: np.full(len(m), 99), ValueError, "illegal action 99"),
        (lambda o, m: np.full(len(m), -1), ValueError, "illegal action -1"),
        (lambda o, m: np.zeros(len(m), int), ValueError, "illegal action 0 for seat 0; legal are"),
    ],
)
def test_answers_are_checked(answer: Any, error: Any, words: str) -> None:
    _, decisions = ask(TOY, 0)
    with pytest.raises(error, match=words):
        checked_actions(CallableAgent(answer), decisions)


def test_names() -> None:
    agent = make_agent("greedy", TOY)
    assert make_agent(agent, WONDERS) is agent
    assert agent.name == "greedy" and "greedy" in repr(agent)
    assert isinstance(make_agent(lambda o, m: m.argmax(axis=1), TOY), CallableAgent)
    with pytest.raises(ValueError, match=r"'random', 'greedy'"):
        make_agent("clever", TOY)
    with pytest.raises(TypeError, match="int"):
        make_agent(3, TOY)
    with pytest.raises(FileNotFoundError):
        make_agent("nothing.zip", TOY)
    with pytest.raises(FileNotFoundError):
        make_agent("nothing.npz", TOY)


def test_an_agent_may_read_with_memory() -> None:
    seen = []

    def look(observations: Any, masks: Any) -> Any:
        seen.append(observations.shape[1])
        return masks.argmax(axis=1)

    _, decisions = ask(TOY, 0)
    for memory in (False, True):
        CallableAgent(look, memory=memory).act(decisions)
    assert seen == [TOY.layout.size, TOY.layout.size + TOY.memory_layout.size]
    with pytest.raises(TypeError, match="abstract"):
        Agent()  # type: ignore[abstract]
