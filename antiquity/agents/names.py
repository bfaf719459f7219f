"""Agents by name: ``"greedy"``, ``"search:simulations=500,rollout=greedy"``, ``"runs/policy.npz"``.

A name may carry options behind a colon. Other packages add names by an entry point of the group ``antiquity.agents``::

    [project.entry-points."antiquity.agents"]
    clever = "my_package:make_clever"     # make_clever(game, **options) -> Agent
"""

from __future__ import annotations

import importlib.metadata
import inspect
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from antiquity.agents.base import Agent, CallableAgent
from antiquity.agents.kernel import greedy_agent, random_agent
from antiquity.agents.policy import PolicyAgent
from antiquity.agents.shipped import load_policy
from antiquity.game import Game, make_game

GROUP = "antiquity.agents"
Factory = Callable[..., Agent]
"""``factory(game, **options) -> Agent``"""

AgentLike = Any
"""An :class:`Agent`, a name of :data:`AGENTS` with or without options, the path of a policy file (``.npz``, or ``.zip``
of stable-baselines3), or a function ``(observations float32[R, F], masks int8[R, A]) -> int[R]``."""


def _random(game: Game) -> Agent:
    return random_agent()


def _greedy(game: Game) -> Agent:
    return greedy_agent()


def _policy(game: Game, path: str | None = None, deterministic: bool = True) -> Agent:
    if path is not None and os.path.splitext(path)[1] == ".zip":
        return PolicyAgent(path, deterministic)
    return load_policy(game, path, deterministic)


class _Agents(Mapping[str, Factory]):
    """Name -> what makes the agent for a game: ours, those of entry points, and those added by :meth:`add`."""

    def __init__(self) -> None:
        # Strings are imported on first use.
        self._own: dict[str, Factory | str] = {
            "random": _random,
            "greedy": _greedy,
            "search": "antiquity.agents.search:SearchAgent",
            "external": "antiquity.agents.external:ExternalAgent",
            "policy": _policy,
            "expert": "antiquity.agents.expert:ExpertAgent",
        }

    def add(self, name: str, factory: Factory) -> None:
        """Make ``factory(game, **options)`` known under a name, in this process."""
        if not name.isidentifier():
            raise ValueError(f"the name of an agent is a word, not {name!r}")
        self._own[name] = factory

    def _points(self) -> dict[str, importlib.metadata.EntryPoint]:
        return {point.name: point for point in importlib.metadata.entry_points(group=GROUP)}

    def __getitem__(self, name: str) -> Factory:
        own = self._own.get(name)
        if callable(own):
            return own
        point = importlib.metadata.EntryPoint(name, own, GROUP) if own is not None else self._points()[name]
        try:
            factory = point.load()
        except Exception as error:
            raise ImportError(f"the agent {name!r} is installed as {point.value}, but: {error}") from error
        if not callable(factory):
            raise TypeError(f"the agent {name!r} is installed as {point.value}, which cannot be called")
        return factory  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator[str]:
        return iter([*self._own, *sorted(set(self._points()) - set(self._own))])

    def __len__(self) -> int:
        return len(list(iter(self)))


AGENTS = _Agents()
"""Name -> ``factory(game, **options)``; see also the entry points of the group ``antiquity.agents``."""


def split_name(text: str) -> tuple[str, dict[str, Any]]:
    """Name and options of ``"name:option=value,option=value"``.

    Numbers, ``true`` and ``false`` are read as such. The option ``command`` takes all that follows it. ``external:`` is
    followed by options or by a command, ``policy:`` by options or a path.

    Raises:
        ValueError: an option without a value.
    """
    name, colon, rest = text.partition(":")
    options: dict[str, Any] = {}
    whole = {"external": "command", "policy": "path"}.get(name)
    while rest:
        option, equals, value = rest.partition("=")
        if not equals or not option.strip().isidentifier():
            if whole is not None and whole not in options:
                options[whole] = rest
                break
            raise ValueError(f"agent {text!r}: options are written as {name}:option=value,option=value")
        if option.strip() == "command":
            options["command"] = value
            break
        value, _, rest = value.partition(",")
        options[option.strip()] = _value(value.strip())
    if colon and not options:
        raise ValueError(f"agent {text!r}: there is nothing behind the colon")
    return name, options


def _value(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def make_agent(agent: AgentLike, game: str | Game, **options: Any) -> Agent:
    """The player that ``agent`` means in ``game``: ``make_agent("search", "dice", simulations=500)``.

    Loading a ``.zip`` of stable-baselines3 runs code that is in it: open only files that you trust.

    Args:
        agent: a name, with or without options (``"search:simulations=500"``), the path of a policy file, a function,
            or an agent, which is returned as it is.
        game: what it is to play; a name or a Game.
        options: of an agent that is named or of a policy file; they go before those in the name.

    Raises:
        ValueError: no agent has this name, or it knows no such option, or options for what is not a name.
        TypeError: ``agent`` is nothing that can play.
        FileNotFoundError: there is no such policy file.
    """
    game = make_game(game)
    if isinstance(agent, os.PathLike) or (isinstance(agent, str) and is_path(agent)):
        options = {"path": os.fspath(agent)} | options
        agent = "policy"
    if isinstance(agent, str):
        name, written = split_name(agent)
        options = written | options
        try:
            factory = AGENTS[name]
        except KeyError:
            raise ValueError(
                f"no agent is called {name!r}; known are {', '.join(map(repr, AGENTS))}, "
                "and paths of policy files (.npz, or .zip of stable-baselines3)"
            ) from None
        _check_options(name, factory, game, options)
        made = factory(game, **options)
        if not isinstance(made, Agent):
            raise TypeError(f"the agent {name!r} was to be an Agent, not {type(made).__name__}")
        return made
    if options:
        raise ValueError(f"{', '.join(options)}: options are for agents that are named, such as 'search'")
    if isinstance(agent, Agent):
        return agent
    if callable(agent):
        return CallableAgent(agent)
    raise TypeError(
        f"an agent is a name, the path of a policy file, an Agent or a function, not {type(agent).__name__}"
    )


def is_path(agent: str) -> bool:
    """Whether a text names a policy file rather than an agent."""
    return agent.split(":", maxsplit=1)[0] not in AGENTS and Path(agent).suffix in (".npz", ".zip")


def _check_options(name: str, factory: Factory, game: Game, options: dict[str, Any]) -> None:
    signature = inspect.signature(factory)
    try:
        signature.bind(game, **options)
    except TypeError as error:
        allowed = ", ".join(list(signature.parameters)[1:]) or "none"
        raise ValueError(f"agent {name!r}: {error}; its options are: {allowed}") from None
