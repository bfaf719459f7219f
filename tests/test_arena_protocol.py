"""Evaluation by a protocol: the same lines whatever is asked for, hashes, and the command."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from antiquity.agents import Network, NetworkAgent
from antiquity.arena import protocol
from antiquity.arena.protocol import PROTOCOLS, Opponent, Protocol, evaluate
from antiquity.cli.main import app
from antiquity.game import make_game

DICE = make_game("dice")
SHORT = Protocol("short", 7, (Opponent("random", "random", 6), Opponent("greedy", "greedy", 4)))


def test_the_first_protocol_stays_what_it_is() -> None:
    """Whoever changes this makes figures that were published incomparable: make another protocol instead."""
    first = PROTOCOLS["v1"]
    assert (first.seed, first.slow) == (20_261_201, 40)
    assert [(each.agent, each.deals) for each in first.opponents] == [
        ("random", 250),
        ("greedy", 500),
        ("search:simulations=100", 40),
        ("policy", 250),
        ("expert:simulations=100", 40),
    ]


def test_a_part_of_a_protocol_gives_the_lines_of_the_whole() -> None:
    whole = evaluate("greedy", DICE, SHORT)
    assert [(line.players, line.opponent) for line in whole.lines] == [
        (players, opponent) for opponent in ("random", "greedy") for players in range(2, 8)
    ]
    part = evaluate("greedy", DICE, SHORT, players=(3,), opponents=("greedy",))
    assert part.lines == tuple(line for line in whole.lines if (line.players, line.opponent) == (3, "greedy"))
    for line in whole.lines:
        # An agent among its own kind takes its part, to within the luck of a few deals; it beats random at every table.
        if line.opponent == "random":
            assert line.wins.value > 0.8


def test_the_same_agent_has_par_among_itself() -> None:
    fair = Protocol("fair", 3, (Opponent("greedy", "greedy", 60),))
    (line,) = evaluate("greedy", DICE, fair, players=(4,)).lines
    # The four rotations of a deal are the same game.
    assert line.wins.value == 0.25 and line.points == pytest.approx(line.opponent_points)


def test_a_slow_agent_plays_the_first_of_the_same_deals() -> None:
    short = Protocol("short", 7, SHORT.opponents, slow=2)
    for opponents in (("random",), ("greedy",)):
        (line,) = evaluate("search:simulations=2", DICE, short, players=(2,), opponents=opponents).lines
        assert line.deals == 2


def test_the_report_names_what_took_part(tmp_path: Path) -> None:
    layer = (np.zeros((DICE.layout.size, DICE.num_actions)), np.zeros(DICE.num_actions))
    path = NetworkAgent(DICE, Network.of_layers([layer])).save(tmp_path / "policy.npz")
    found = evaluate(str(path), DICE, SHORT, players=(2,)).as_dict()
    again = evaluate(str(path), DICE, SHORT, players=(2,)).as_dict()
    assert found == again == json.loads(json.dumps(found))
    assert {"agent", *(f"tables_{players}" for players in range(2, 8))} <= set(found["hashes"])
    path.write_bytes(
        NetworkAgent(DICE, Network.of_layers([layer]), trained_on={"a": 1}).save(path).read_bytes()
    )
    assert (
        evaluate(str(path), DICE, SHORT, players=(2,)).as_dict()["hashes"]["agent"]
        != found["hashes"]["agent"]
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": (9,)}, "no table of 9"),
        ({"opponents": ("nobody",)}, "no opponent nobody: random, greedy"),
    ],
)
def test_what_is_not_there(options: dict[str, tuple[object]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        evaluate("greedy", DICE, SHORT, **options)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no protocol 'v0'"):
        evaluate("greedy", DICE, "v0")


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(protocol.PROTOCOLS, "short", SHORT)
    words = ["evaluate", "greedy", "--protocol", "short", "--game", "dice", "--players", "2"]
    out = tmp_path / "report.json"
    result = CliRunner().invoke(app, [*words, "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert "2 (50%)" in result.output and json.loads(out.read_text())["results"][0]["games"] == 12
    assert list(tmp_path.iterdir()) == [out]
    as_json = CliRunner().invoke(app, [*words, "--json"])
    assert json.loads(as_json.stdout) == json.loads(out.read_text())
    refused = CliRunner().invoke(app, ["evaluate", "greedy"])
    assert refused.exit_code != 0 and "Say --game" in str(refused.exception)
