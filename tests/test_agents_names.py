"""Names of agents: options, entry points of other packages, and what is said of wrong ones."""

from __future__ import annotations

import importlib.metadata
import types
from typing import Any

import pytest

from antiquity.agents import AGENTS, Agent, make_agent, split_name
from antiquity.agents.kernel import greedy_agent
from antiquity.arena import tournament
from antiquity.game import Game
from arena_games import First
from env_games import TOY


@pytest.mark.parametrize(
    ("text", "name", "options"),
    [
        ("greedy", "greedy", {}),
        ("search:simulations=500,rollout=greedy", "search", {"simulations": 500, "rollout": "greedy"}),
        ("search:milliseconds=2.5,reuse=true", "search", {"milliseconds": 2.5, "reuse": True}),
        ("external:./player --fast", "external", {"command": "./player --fast"}),
        ("external:seconds=1,command=play a=b,c", "external", {"seconds": 1, "command": "play a=b,c"}),
        ("policy:deterministic=true,runs/p.npz", "policy", {"deterministic": True, "path": "runs/p.npz"}),
    ],
)
def test_options_in_names(text: str, name: str, options: dict[str, Any]) -> None:
    assert split_name(text) == (name, options)


@pytest.mark.parametrize("text", ["search:", "search:simulations", "search:=5", "greedy:a-b=1"])
def test_what_is_no_option(text: str) -> None:
    with pytest.raises(ValueError, match=r"agent '.*'"):
        split_name(text)


def make_stranger(game: Game, strength: int = 1) -> Agent:
    """What another package offers."""
    agent = First()
    agent.name = f"stranger {strength}"
    return agent


def make_nothing(game: Game) -> Any:
    return 3


NOT_CALLABLE = 3


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Packages with entry points in the group antiquity.agents."""
    places = {
        "stranger": "make_stranger",
        "nothing": "make_nothing",
        "number": "NOT_CALLABLE",
        "gone": "not_there",
        "greedy": "make_stranger",
    }
    points = [
        importlib.metadata.EntryPoint(name, f"{__name__}:{place}", "antiquity.agents")
        for name, place in places.items()
    ]
    original = importlib.metadata.entry_points

    def entry_points(**how: Any) -> Any:
        return points if how.get("group") == "antiquity.agents" else original(**how)

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)


@pytest.mark.usefixtures("installed")
def test_options_as_arguments() -> None:
    assert make_agent("stranger", "seven_wonders", strength=4).name == "stranger 4"
    assert make_agent("stranger:strength=7", TOY, strength=4).name == "stranger 4"
    with pytest.raises(ValueError, match=r"unexpected keyword argument 'power'.*strength"):
        make_agent("stranger", TOY, power=1)
    with pytest.raises(ValueError, match="strength: options are for agents that are named"):
        make_agent(First(), TOY, strength=1)


@pytest.mark.usefixtures("installed")
def test_agents_of_other_packages() -> None:
    assert {"stranger", "random", "search"} <= set(AGENTS) and len(AGENTS) == len(set(AGENTS))
    assert make_agent("stranger:strength=7", TOY).name == "stranger 7"
    # Nobody takes our names.
    assert make_agent("greedy", TOY).kernel == greedy_agent().kernel
    result = tournament(TOY, ["stranger", "greedy"], players=2, deals=3)
    assert result.tables[0].games == 6
    for name, error, words in (
        ("stranger:weight=1", ValueError, "its options are: strength"),
        ("nothing", TypeError, "to be an Agent, not int"),
        ("number", TypeError, "cannot be called"),
        ("gone", ImportError, "'gone' is installed as"),
    ):
        with pytest.raises(error, match=words):
            make_agent(name, TOY)


def test_names_added_in_this_process() -> None:
    AGENTS.add("mine", make_stranger)
    try:
        assert make_agent("mine", TOY).name == "stranger 1"
        with pytest.raises(ValueError, match="is a word"):
            AGENTS.add("two words", make_stranger)
    finally:
        del AGENTS._own["mine"]
    assert isinstance(make_stranger, types.FunctionType) and "mine" not in AGENTS
