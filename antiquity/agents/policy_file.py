"""Policy files: a trained network as plain arrays in an ``.npz``, with a header in JSON and without any pickle.

Format 2, which this release writes. The arrays are those of :meth:`antiquity.agents.Network.make`: ``columns``
int32[I], ``weights_0`` float32[I, units] and ``bias_0`` float32[units] for each hidden layer, ``policy_weights``
float32[H, A], ``policy_bias`` float32[A], ``value_weights`` float32[H] (float32[0] without a value), ``value_bias``
float32[1], ``appraisal_weights`` float32[H, K], ``appraisal_bias`` float32[K], and ``header`` uint8, a JSON object:

| key | value |
| --- | --- |
| ``format`` | 2 |
| ``game``, ``version`` | what it plays: the game's name, and the version that numbers actions and columns |
| ``memory`` | whether the columns count on into the memory block |
| ``num_actions``, ``inputs`` | A, and the size of the observation in that version of the game |
| ``activation`` | after each hidden layer: ``"relu"`` or ``"tanh"`` |
| ``hidden`` | units of each hidden layer |
| ``appraisals`` | names of the K appraisals that it reads, the game's first ones |
| ``players`` | table sizes that it was trained for |
| ``trained_on`` | what made it, an object: command, seed, decisions, seconds, machine, ... |

Format 1, of release 0.1.0, is still read: ``weights_k`` and ``bias_k`` for each of ``layers``, the last one giving the
logits, over all columns.

A file from a stranger is safe to open: sizes are checked before anything is unpacked, at most 64 MiB in all.
"""

from __future__ import annotations

import json
import os
import reprlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from antiquity.agents.weights import Network
from antiquity.batch import replacing
from antiquity.game import GAMES, Game, make_game
from antiquity.game.archive import LEAST_BOUND, reading
from antiquity.game.files import one_line

FORMAT: Final = 2
MOST_BYTES: Final = LEAST_BOUND
"""Of a policy file, and of all that is in it when it is unpacked."""
MOST_ARRAYS: Final = 256
_ENTRY: Final = b"PK\x01\x02"
"""How an entry of a zip archive's directory begins."""


@dataclass(frozen=True, eq=False)
class Policy:
    """What a policy file holds.

    Attributes:
        game: what it plays.
        network: the network, its columns those of the game as it is here.
        memory: whether it reads observations with the memory block.
        players: table sizes that it was trained for.
        trained_on: what made it.
    """

    game: Game
    network: Network
    memory: bool = False
    players: tuple[int, ...] = ()
    trained_on: Mapping[str, Any] | None = None


def write_policy(path: str | os.PathLike[str], policy: Policy) -> Path:
    """Write a policy file; an interruption leaves no half file behind. Returns its path (``.npz``).

    Raises:
        ValueError: ``trained_on`` holds what JSON does not.
    """
    path = Path(path).with_suffix(".npz")
    game, network = policy.game, policy.network
    used = len(network.appraisal_bias)
    header = {
        "format": FORMAT,
        "game": game.name,
        "version": game.version,
        "memory": policy.memory,
        "num_actions": len(network.policy_bias),
        "inputs": game.observation_layout(policy.memory).size,
        "activation": network.activation,
        "hidden": network.sizes[1:].tolist(),
        "appraisals": appraisal_names(game)[:used],
        "players": list(policy.players or range(game.min_players, game.max_players + 1)),
        "trained_on": dict(policy.trained_on or {}),
    }
    try:
        text = json.dumps(header).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"trained_on must hold what JSON does: {error}") from None
    arrays: dict[str, NDArray[Any]] = {"header": np.frombuffer(text, np.uint8), "columns": network.columns}
    for number, (weights, bias) in enumerate(network.hidden()):
        arrays[f"weights_{number}"] = weights
        arrays[f"bias_{number}"] = bias
    arrays["policy_weights"] = np.ascontiguousarray(network.policy_weights.T)
    arrays["appraisal_weights"] = np.ascontiguousarray(network.appraisal_weights.T)
    for name in ("policy_bias", "value_weights", "value_bias", "appraisal_bias"):
        arrays[name] = getattr(network, name)
    if sum(array.nbytes for array in arrays.values()) + 1024 * len(arrays) > MOST_BYTES:
        raise ValueError(
            f"the network takes more than {MOST_BYTES >> 20} MiB, the most that a policy file may"
        )
    with replacing(path) as partial, open(partial, "wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    return path


def read_policy(path: str | os.PathLike[str], game: str | Game | None = None) -> Policy:
    """Read a policy file.

    Args:
        path: of the file.
        game: the game it is wanted for; another one is refused. None: the installed game that it names.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: no policy file, damaged, too large, for another game or for a version that is not read.
    """
    return parse_policy(policy_bytes(path), path, game)


def policy_bytes(path: str | os.PathLike[str]) -> bytes:
    """What a policy file holds, and no more than one may hold and a byte. Errors as of :func:`read_policy`."""
    if not os.path.isfile(path):
        raise FileNotFoundError(f"no policy file {os.fspath(path)}")
    with open(path, "rb") as file:
        return file.read(MOST_BYTES + 1)


def parse_policy(content: bytes, name: str | os.PathLike[str], game: str | Game | None = None) -> Policy:
    """As :func:`read_policy`, from what a file holds; `name` is for messages."""
    if len(content) > MOST_BYTES or content.count(_ENTRY) > MOST_ARRAYS:
        raise ValueError(
            f"{name} is no policy file: it takes more than {MOST_BYTES >> 20} MiB or holds more than "
            f"{MOST_ARRAYS} arrays"
        )
    with reading(name, "policy file", content) as archive:
        header = archive.json("header")
        arrays = {each: archive.array(each) for each in archive.names - {"header"}}
        if not isinstance(header, dict):
            raise ValueError("its header is no JSON object")
        if strange := [each for each in arrays if arrays[each].dtype.kind not in "fiu"]:
            raise ValueError(f"{strange[0][:80]} is not made of plain numbers")
    if header.get("format") not in (1, FORMAT):
        raise ValueError(
            f"{name} has format {reprlib.repr(header.get('format'))}; this release reads formats 1 and {FORMAT}"
        )
    found = _game(header, name, game)
    version, memory = header.get("version"), header.get("memory", False)
    if isinstance(version, bool) or not found.reads(version):
        raise ValueError(
            f"{name} was trained on version {reprlib.repr(version)} of {found.title}, this is {found.version}: "
            "rules, actions or observations have changed since"
        )
    assert version is not None
    actions, inputs = found.earlier.get(version, (found.num_actions, found.layout.size))
    try:
        if not isinstance(memory, bool):
            raise ValueError(f"memory is {reprlib.repr(memory)}")
        inputs += found.memory_layout.size if memory else 0
        network = (_layers if header["format"] == 1 else _network)(arrays, header, inputs)
        known = len(network.policy_bias)
        if known != header.get("num_actions", actions) or known > actions:
            raise ValueError(f"the network ends in {known} logits; {found.title} has {actions} actions")
        network = _fitted(found, network, inputs, memory)
        names = header.get("appraisals", [])
        if names != appraisal_names(found)[: len(network.appraisal_bias)]:
            raise ValueError(f"{found.title} has no such appraisals: {reprlib.repr(names)}")
        players, trained_on = header.get("players", []), header.get("trained_on", {})
        if not isinstance(trained_on, dict) or not isinstance(players, list):
            raise ValueError("players is a list, trained_on an object")
        if not all(_is_count(each) and each <= found.max_players for each in players):
            raise ValueError(f"players are {reprlib.repr(players)}")
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise ValueError(f"{name} does not hold together: {one_line(error)}") from None
    return Policy(found, network, memory, tuple(players), trained_on)


def _game(header: dict[str, Any], name: object, game: str | Game | None) -> Game:
    named = header.get("game")
    if not isinstance(named, str) or not named.isidentifier() or len(named) > 80:
        raise ValueError(f"{name} is no policy file: it names the game {reprlib.repr(named)}")
    if game is not None:
        found = make_game(game)
        if found.name != named:
            raise ValueError(f"{name} is a policy for {named}, not for {found.title}")
        return found
    if named not in GAMES:  # nothing is imported because a file says so
        raise ValueError(f"{name} is a policy for {named}, which is not installed; give the game as well")
    return make_game(named)


def appraisal_names(game: Game) -> list[str]:
    """The names of a game's appraisals, one for each column."""
    fields = game.appraisal
    return [f"{each.name}_{k}" if each.size > 1 else each.name for each in fields for k in range(each.size)]


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _layers(arrays: dict[str, NDArray[Any]], header: dict[str, Any], inputs: int) -> Network:
    """The network of a file of format 1."""
    number = header["layers"]
    if not _is_count(number) or number > MOST_ARRAYS:
        raise ValueError(f"it says that it has {reprlib.repr(number)} layers")
    layers = [(arrays[f"weights_{k}"], arrays[f"bias_{k}"]) for k in range(number)]
    if layers[0][0].shape[:1] != (inputs,):
        raise ValueError(f"layer 0 has weights {layers[0][0].shape}; it is given {inputs} numbers")
    return Network.of_layers(layers, header["activation"])


def _network(arrays: dict[str, NDArray[Any]], header: dict[str, Any], inputs: int) -> Network:
    """The network of a file of format 2."""
    sizes = header["hidden"]
    if not isinstance(sizes, list) or len(sizes) > MOST_ARRAYS:
        raise ValueError(f"hidden is {reprlib.repr(sizes)}")
    if arrays["columns"].dtype.kind != "i":
        raise ValueError("columns are no whole numbers")
    made = Network.make(
        columns=arrays["columns"],
        hidden=[(arrays[f"weights_{k}"], arrays[f"bias_{k}"]) for k in range(len(sizes))],
        policy=(arrays["policy_weights"], arrays["policy_bias"]),
        value=(arrays["value_weights"], arrays["value_bias"]),
        appraisal=(arrays["appraisal_weights"], arrays["appraisal_bias"]),
        activation=header["activation"],
    )
    if made.sizes[1:].tolist() != sizes or header["inputs"] != inputs:
        raise ValueError(
            f"its header has {reprlib.repr(header['inputs'])} inputs and layers of {reprlib.repr(sizes)}; "
            f"there are {inputs} and {made.sizes[1:].tolist()}"
        )
    return made


def _fitted(game: Game, network: Network, inputs: int, memory: bool) -> Network:
    """A network of a version that showed so many numbers, with the columns of the game as it is here."""
    if network.columns.size and network.columns[-1] >= inputs:
        raise ValueError(f"it reads column {network.columns[-1]}; {game.title} shows {inputs} numbers")
    moved = game.observation_layout(memory).size - inputs
    if not memory or moved == 0:
        return network
    # The memory block comes last, so it has moved.
    columns = network.columns.copy()
    columns[columns >= inputs - game.memory_layout.size] += moved
    columns.flags.writeable = False
    return network._replace(columns=columns)
