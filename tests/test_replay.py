"""Replays: recorded from everything that steps games, read with checks, played again, shown as a page."""

from __future__ import annotations

import base64
import dataclasses
import gzip
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import TimeLimit

import toy_game
from antiquity import Batch
from antiquity.envs.aec import AECGameEnv
from antiquity.envs.parallel import ParallelGameEnv
from antiquity.envs.single import SingleAgentEnv
from antiquity.study.log import game_log
from antiquity.study.page import replay_page, revealed_with, unseen_choices, write_page
from antiquity.study.recording import Recorder
from antiquity.study.replay import Replay, results
from chromium import Page, chromium, needs_chromium
from env_games import legal_choice

TOY = toy_game.GAME
GAMES = ["dice", "seven_wonders", "stone_age"]
SHORT: dict[str, dict[str, Any]] = {"stone_age": {"max_rounds": 8}}
"""Options of games that are long enough so, and with extra cards in them."""


def recorded(game: Any, *, seed: int = 1, players: int | None = None, **options: Any) -> Replay:
    """One random game, from a batch of one."""
    batch = Batch(game, 1, players, seed=seed, **options)
    recorder = Recorder(batch, agents=[f"agent {seat}" for seat in range(batch.num_seats)])
    batch.reset()
    while not recorder.replays:
        batch.step(batch.sample())
    return recorder.replays[0]


def reread(replay: Replay, folder: Path, **arguments: Any) -> Replay:
    found = Replay.read(replay.write(folder / "game.jsonl"), **arguments)
    assert list(found.lines()) == list(replay.lines())
    return found


@pytest.fixture(scope="module")
def wonders() -> Replay:
    return recorded("seven_wonders", players=3)


# --- recording ---


@pytest.mark.parametrize("name", GAMES)
def test_a_replay_plays_the_very_game_again(name: str, tmp_path: Path) -> None:
    batch = Batch(name, 2, seed=3, autoreset=False)
    recorder = Recorder(batch)
    batch.reset()
    while len(recorder.replays) < 2:
        batch.step(batch.sample("greedy"))
    for place in range(2):
        replay = next(each for each in recorder.replays if each.seed == int(batch.games[place]["seed"]))
        again = reread(replay, tmp_path).check()
        assert again.games[0].tobytes() == batch.games[place].tobytes()
        assert replay.end == "terminated"
        assert replay.scores == results(batch, place)


def test_every_game_of_a_batch_with_autoreset_is_recorded_whole(tmp_path: Path) -> None:
    batch = Batch(TOY, 3, [2, 3, 4], seed=5)
    recorder = Recorder(batch, tmp_path, games=[0, 2])
    batch.reset()
    seeds = set()
    while len(recorder.paths) < 6:
        seeds |= {int(batch.games[place]["seed"]) for place in (0, 2)}
        batch.step_rows(batch.sample_rows())
    replays = [Replay.read(path, game=TOY) for path in recorder.paths]
    assert {replay.seed for replay in replays} <= seeds
    assert {replay.num_players for replay in replays} == {2, 4}
    assert [path.name for path in recorder.paths] == [f"toy-{replay.seed}.jsonl" for replay in replays]
    recorder.stop()
    batch.step_rows(batch.sample_rows())


@pytest.mark.parametrize("kind", [ParallelGameEnv, AECGameEnv])
def test_environments_are_recorded(kind: type, tmp_path: Path) -> None:
    env = kind("seven_wonders", 3, sides="night")
    rng = np.random.default_rng(0)
    with Recorder(env) as recorder:
        env.reset(seed=2)
        if kind is ParallelGameEnv:
            while env.agents:
                env.step({agent: legal_choice(rng, env.action_mask(agent)) for agent in env.agents})
        else:
            for agent in env.agent_iter():
                env.step(None if env.last()[2] else legal_choice(rng, env.action_mask(agent)))
    (replay,) = recorder.replays
    assert replay.options["sides"] == "night"
    assert reread(replay, tmp_path).check().games[0].tobytes() == env.batch.games[0].tobytes()


def first_legal(observations: Any, masks: Any) -> Any:
    return masks.argmax(axis=1)


def finished_games(env: gymnasium.Env[Any, Any], games: int) -> list[tuple[bytes, Any]]:
    """Play games at random: the last records and the infos at the end."""
    rng, found = np.random.default_rng(0), []
    _, info = env.reset(seed=5)
    while True:
        _, _, terminated, truncated, info = env.step(legal_choice(rng, info["action_mask"]))
        if terminated or truncated:
            found.append((env.unwrapped.games.batch.games[0].tobytes(), info))  # type: ignore[attr-defined]
            if len(found) == games:
                return found
            _, info = env.reset()


@pytest.mark.parametrize("name", GAMES)
def test_games_against_opponents_inside_are_recorded(name: str, tmp_path: Path) -> None:
    settings: dict[str, Any] = {"seat": "rotate", "opponents": ["greedy", "random", first_legal]}
    silent = finished_games(SingleAgentEnv(name, 4, **settings), 3)
    env = TimeLimit(SingleAgentEnv(name, 4, **settings), 10_000)
    recorder = Recorder(env)
    games = finished_games(env, 3)
    # Being recorded changes nothing about the games.
    assert [record for record, _ in games] == [record for record, _ in silent]
    assert len(recorder.replays) == 3
    for replay, (record, info) in zip(recorder.replays, games, strict=True):
        assert reread(replay, tmp_path).check().games[0].tobytes() == record
        assert replay.agents[info["seat"]] == "learner"
        around = [replay.agents[(info["seat"] + step) % 4] for step in range(4)]
        assert around == ["learner", "greedy", "random", "first_legal"]
        assert replay.scores[info["seat"]] == {
            key: info[key] for key in ("scores", "total", "tiebreak", "rank")
        }
        assert {choice.seat for step in replay.steps for choice in step} == {0, 1, 2, 3}


def test_a_single_agent_game_is_recorded_from_the_next_one_on(tmp_path: Path) -> None:
    env = SingleAgentEnv("dice", 3, opponents="greedy", max_cycles=9)
    rng = np.random.default_rng(1)
    _, info = env.reset(seed=1)
    env.step(legal_choice(rng, info["action_mask"]))
    with Recorder(env, tmp_path, agents=["me", "one", "other"]) as recorder:
        with pytest.raises(ValueError, match="already"):
            Recorder(env)
        for _ in range(2):
            _, info = env.reset()  # the second time in the middle of a game
            env.step(legal_choice(rng, info["action_mask"]))
            assert 1 <= len(recorder.replay().steps) <= 2 and not recorder.paths
        truncated = False
        while not truncated:
            *_, truncated, info = env.step(legal_choice(rng, env.action_masks().astype(np.int8)))
        (path,) = recorder.paths
        replay = Replay.read(path)
        assert (replay.end, len(replay.steps), replay.agents) == ("truncated", 9, ("me", "one", "other"))
    env.reset()
    env.step(env.legal_actions()[0])
    assert len(recorder.paths) == 1
    with pytest.raises(TypeError, match="environment of one game"):
        Recorder(gymnasium.make_vec("antiquity/Dice-v0", 2, "vector_entry_point"))


@pytest.mark.parametrize("on_illegal", ["lose", "random"])
def test_illegal_actions_of_the_learner_are_recorded(on_illegal: str, tmp_path: Path) -> None:
    env = SingleAgentEnv("seven_wonders", 3, on_illegal=on_illegal)
    recorder = Recorder(env)
    env.reset(seed=1)
    done = env.step(250)[2]  # a payment, and nothing is to be paid
    while not done:
        done = env.step(env.legal_actions()[0])[2]
    replay = reread(recorder.replays[0], tmp_path)
    assert replay.check().games[0].tobytes() == env.games.batch.games[0].tobytes()
    assert replay.steps[0][0].illegal == (on_illegal == "lose")


def test_a_log_leaves_a_replay(tmp_path: Path) -> None:
    told = game_log("seven_wonders", ["greedy", "random", "random"], seed=4, replay=tmp_path / "log.jsonl")
    replay = Replay.read(tmp_path / "log.jsonl")
    assert replay.agents == ("greedy", "random", "random")
    assert all(choice.words in told for step in replay.steps for choice in step)


@pytest.mark.parametrize("way", ["step", "commit"])
@pytest.mark.parametrize("on_illegal", ["lose", "random"])
def test_illegal_actions_are_replayed_as_they_were_taken(on_illegal: str, way: str, tmp_path: Path) -> None:
    batch = Batch("seven_wonders", 1, 3, seed=1, on_illegal=on_illegal, autoreset=False)
    recorder = Recorder(batch)
    batch.reset()
    row = batch.sample()
    row[0, 1] = 250  # a payment, and nothing is to be paid
    if way == "step":
        batch.step(row)
    else:
        for seat in range(3):
            batch.commit(0, seat, int(row[0, seat]))
        batch.resolve(0)
    while not batch.terminated[0]:
        batch.step(batch.sample())
    again = reread(recorder.replays[0], tmp_path)
    assert again.check().games[0].tobytes() == batch.games[0].tobytes()
    first = again.steps[0][1]
    assert first.illegal == (on_illegal == "lose")
    assert (first.action == 250) == first.illegal


def test_games_that_are_cut_off_or_not_over_say_so(tmp_path: Path) -> None:
    assert reread(recorded("seven_wonders", max_cycles=5), tmp_path).end == "truncated"
    assert reread(recorded("stone_age", max_rounds=1), tmp_path).end == "truncated"
    batch = Batch("stone_age", 1, 2, seed=0)
    recorder = Recorder(batch)
    batch.reset()
    assert recorder.replay().steps == ()
    for _ in range(7):
        batch.step(batch.sample())
    replay = reread(recorder.replay(), tmp_path)
    assert (replay.end, len(replay.steps)) == ("unfinished", 7)
    assert replay.check().games[0].tobytes() == batch.games[0].tobytes()


def test_a_refused_step_is_not_recorded() -> None:
    batch = Batch("seven_wonders", 1, 3, seed=1)
    recorder = Recorder(batch)
    batch.reset()
    with pytest.raises(ValueError, match="not legal"):
        batch.step([[250, 250, 250]])
    assert recorder.replay().steps == ()


def test_what_was_not_seen_from_the_beginning_is_not_recorded() -> None:
    batch = Batch(TOY, 1, seed=1, autoreset=False)
    batch.reset()
    batch.step(batch.sample())
    recorder = Recorder(batch)
    with pytest.raises(ValueError, match="from its beginning"):
        recorder.replay()
    while not batch.terminated[0]:
        batch.step(batch.sample())
    assert recorder.replays == []
    with pytest.raises(ValueError, match="already"):
        Recorder(batch)
    with pytest.raises(TypeError, match="not str"):
        Recorder("batch")
    with pytest.raises(ValueError, match="2 agents"):
        Recorder(Batch(TOY, num_players=3), agents=["one", "two"])


# --- reading ---


def test_the_file_can_be_read_without_us(wonders: Replay) -> None:
    head, *steps, last = map(json.loads, wonders.lines())
    assert head == {
        "replay": 1,
        "game": "seven_wonders",
        "version": 1,
        "players": 3,
        "seed": str(wonders.seed),
        "options": {"sides": "day", "boards": None, "cards": "second_edition", "payments": "choose"},
        "tables": wonders.tables,
        "agents": ["agent 0", "agent 1", "agent 2"],
        "max_cycles": None,
    }
    assert [step["step"] for step in steps] == list(range(1, len(steps) + 1))
    assert [choice["seat"] for choice in steps[0]["choices"]] == [0, 1, 2]
    assert steps[0]["choices"][0]["words"].split()[0] in ("build", "sell")
    assert (last["end"], last["steps"]) == ("terminated", len(steps))
    for row in last["scores"]:
        assert sum(row["points"].values()) == row["total"]


def _change(line: int, key: str, value: Any) -> Callable[[list[Any]], None]:
    return lambda lines: lines[line].update({key: value})


def _choice(key: str, value: Any) -> Callable[[list[Any]], None]:
    return lambda lines: lines[1]["choices"][0].update({key: value})


def _swap_words(lines: list[Any]) -> None:
    lines[1]["choices"].reverse()


def _more_points(lines: list[Any]) -> None:
    lines[-1]["scores"][0]["total"] += 1


BROKEN: list[tuple[Callable[[list[Any]], Any], str]] = [
    (_change(0, "replay", 2), "has replay 2"),
    (_change(0, "game", "os"), "not installed"),
    (_change(0, "game", "antiquity.game:GAMES"), "not installed"),
    (_change(0, "version", 9), "version 9"),
    (_change(0, "players", 8), "3 texts|8 texts|3 to 7"),
    (_change(0, "players", True), "players"),
    (_change(0, "seed", "-1"), "seed"),
    (_change(0, "seed", str(1 << 64)), "seed"),
    (_change(0, "seed", "1"), "illegal|by the rules|ends with"),
    (_change(0, "options", {"sides": "noon"}), "sides"),
    (_change(0, "options", {"sides": [["day"]]}), "options"),
    (_change(0, "options", {"no_such": 1}), "no_such"),
    (_change(0, "tables", "0" * 64), "printed game"),
    (_change(0, "tables", "abc"), "SHA-256"),
    (_change(0, "agents", ["one"]), "agents"),
    (_change(0, "max_cycles", 0), "max_cycles"),
    (_change(0, "more", 1), "unknown key 'more'"),
    (_change(1, "step", 2), "has step 2"),
    (_change(1, "choices", []), "by the rules seats"),
    (_change(1, "choices", [1]), "list of objects"),
    (_swap_words, "by the rules seats"),
    (_choice("seat", 5), "from 0 to 2"),
    (_choice("action", 250), "illegal"),
    (_choice("action", 1.0), "action"),
    (_choice("action", "1"), "action"),
    (_choice("words", None), "words"),
    (_choice("illegal", True), "is legal"),
    (_choice("illegal", False), "illegal"),
    (_more_points, "ends with"),
    (_change(-1, "end", "unfinished"), "is terminated"),
    (_change(-1, "end", "won"), "has end"),
    (_change(-1, "steps", 3), "has steps 3"),
    (_change(-1, "scores", []), "scores"),
    (lambda lines: lines.pop(3), "has step"),
    (lambda lines: lines.pop(), "cut off"),
    (lambda lines: lines.insert(2, [1]), "no JSON object"),
    (lambda lines: lines.__setitem__(slice(1, None), []), "fewer than two"),
]


@pytest.mark.parametrize(("break_it", "message"), BROKEN)
def test_a_file_that_is_wrong_is_refused(
    wonders: Replay, tmp_path: Path, break_it: Callable[[list[Any]], Any], message: str
) -> None:
    lines = [json.loads(line) for line in wonders.lines()]
    break_it(lines)
    path = tmp_path / "broken.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    with pytest.raises(ValueError, match=message) as caught:
        Replay.read(path)
    assert str(caught.value).startswith(f"{path}: ")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "fewer than two"),
        (b"\x80\x04N.", "no UTF-8"),
        (b"hello\nworld\n", "no JSON"),
        (b'{"replay": 1}\n{"end": NaN}\n', "NaN"),
        (b'{"replay": 1, "replay": 1}\n{}\n', "twice"),
        (b"[" * 100_000 + b"\n{}\n", "no JSON"),
        (b'{"a": 1}\n{}\n', "no 'replay'"),
        (b'{"replay": 1}\n{"end": "termi', "cut off"),
    ],
)
def test_what_is_no_replay_is_refused(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "no.jsonl"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=message):
        Replay.read(path)
    with pytest.raises(FileNotFoundError):
        Replay.read(tmp_path / "missing.jsonl")


def test_no_file_is_opened_that_a_replay_names(tmp_path: Path) -> None:
    cards = tmp_path / "cheap.toml"
    cards.write_text('extends = "second_edition"\nname = "cheap"\n', encoding="utf-8")
    text = (Path(__file__).parents[1] / "seven_wonders_env/data/second_edition_print.toml").read_text("utf-8")
    cards.write_text(text.replace("second_edition_print", "cheap"), encoding="utf-8")
    replay = recorded("seven_wonders", cards=cards)
    path = replay.write(tmp_path / "game.jsonl")
    with pytest.raises(ValueError, match="opens none by itself"):
        Replay.read(path)
    moved = tmp_path / "elsewhere.toml"
    cards.rename(moved)
    assert Replay.read(path, options={"cards": moved}).check().game is replay.game
    with pytest.raises(ValueError, match="not the one that was played"):
        Replay.read(path, options={"cards": "second_edition"})
    with pytest.raises(ValueError, match="no option 'kards'"):
        Replay.read(path, options={"kards": moved})


def test_positions_tell_what_was_legal(wonders: Replay) -> None:
    steps = []
    for position in wonders.positions():
        steps.append(position.step)
        assert [choice.seat for choice in position.choices] == list(position.legal)
        for choice in position.choices:
            assert choice.action in position.legal[choice.seat]
            assert choice.words == position.words(choice.seat, choice.action)
    assert steps == list(range(len(wonders.steps) + 1))


# --- the page ---


def test_a_page_needs_nothing_else(wonders: Replay, tmp_path: Path) -> None:
    text = write_page(wonders, tmp_path / "game.html").read_text(encoding="utf-8")
    assert "http://" not in text.replace("http://www.w3.org/", "")
    assert "https://" not in text
    assert text == replay_page(wonders)
    assert len(replay_page(wonders, views=[1])) < len(text)
    with pytest.raises(ValueError, match="seats from 0 to 2"):
        replay_page(wonders, views=[3])


def page_data(text: str) -> dict[str, Any]:
    packed = re.search(r'id="data">([^<]+)<', text)
    assert packed is not None
    found: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(packed[1])))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_a_page_for_some_seats_has_only_what_they_see(name: str) -> None:
    replay = recorded(name, seed=6, players=3, **SHORT.get(name, {}))
    everything, data = (page_data(replay_page(replay, views=views)) for views in ([None], [1]))
    assert data["views"] == ["1"] and list(data["points"]) == ["1"]
    for step in data["steps"]:
        for choice in step:
            assert ("words" in choice) == ("legal" in choice) == ("action" in choice) == (choice["seat"] == 1)
    game, differ = replay.game, 0
    for position in replay.positions():
        shown = data["counts"][data["points"]["1"][position.step]]
        seen = position.scores
        if game.seen_scores is not None:
            seen = game.seen_scores(position.batch.games, 0, position.batch.tables, 1)[:3]
        assert shown == seen.tolist()
        assert everything["counts"][everything["points"]["all"][position.step]] == position.scores.tolist()
        differ += shown != position.scores.tolist()
        # When the game is over everything is counted.
        assert shown == position.scores.tolist() or position.choices
    assert bool(differ) == (name != "seven_wonders")


def test_what_a_seat_does_not_see_before_the_end_of_the_turn() -> None:
    assert unseen_choices(recorded("seven_wonders", players=3)) == {}
    replay = recorded("dice", seed=4, players=3)
    unseen, told = unseen_choices(replay), []
    turns = [int(position.batch.games[0]["turn"]) for position in replay.positions()]
    for step, choices in enumerate(replay.steps):
        goes_on = step + 1 < len(replay.steps) and turns[step + 1] == turns[step]
        assert (step in unseen) == goes_on
        told += revealed_with(unseen, step)
        if not goes_on:
            told += [(choice.seat, choice.words) for choice in choices]
    assert unseen
    assert told == [(choice.seat, choice.words) for step in replay.steps for choice in step]


@pytest.fixture(scope="module")
def page(wonders: Replay, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    folder = tmp_path_factory.mktemp("page")
    path = write_page(wonders, folder / "game.html")
    with chromium(folder / "profile") as found:
        found.look(1280, 900)
        found.open(path.as_uri(), "document.body?.dataset.ready === 'yes'")
        yield found


def _text(page: Page, where: str) -> str:
    return str(page.run(f"document.querySelector({where!r}).textContent"))


@needs_chromium
def test_the_page_goes_through_the_game(wonders: Replay, page: Page, tmp_path: Path) -> None:
    last = len(wonders.steps)
    assert _text(page, "#step") == f"0 / {last}"
    assert page.run("document.querySelectorAll('#chart polyline').length") == 3
    for seat, choice in enumerate(wonders.steps[0]):
        assert choice.words in _text(page, f".choice:nth-child({seat + 1}) .chosen")
        assert choice.words in _text(page, f".choice:nth-child({seat + 1}) li.taken")
    assert page.run("document.querySelectorAll('#table svg').length") == 1
    page.run("document.getElementById('forward').click()")
    assert _text(page, "#step") == f"1 / {last}"
    page.run("document.getElementById('last').click()")
    best = max(row["total"] for row in wonders.scores)
    assert f"{best}" in _text(page, "#points tr.total")
    assert "Won by" in _text(page, "#choices") or "Shared by" in _text(page, "#choices")
    page.run("location.hash = '#step=3&view=1'")
    page.wait(f"document.getElementById('step').textContent === '3 / {last}'")
    own = (
        next(choice for choice in wonders.steps[3] if choice.seat == 1)
        if len(wonders.steps[3]) == 3
        else None
    )
    assert own is None or own.words in _text(page, "#choices")
    page.run("document.getElementById('speed').value = '90'; document.getElementById('play').click()")
    page.wait(f"document.getElementById('step').textContent === '{last} / {last}'")
    page.screenshot(tmp_path / "end.png")
    assert (tmp_path / "end.png").stat().st_size > 20_000
    assert page.errors == []


@needs_chromium
def test_points_and_choices_of_a_view_are_what_that_seat_knows(tmp_path: Path) -> None:
    for name in ("stone_age", "dice"):
        replay = recorded(name, seed=6, players=3, **SHORT.get(name, {}))
        text, unseen = replay_page(replay, views=[None, 1]), unseen_choices(replay)
        data = page_data(text)
        differing = [
            step
            for step in range(len(replay.steps))
            if data["points"]["1"][step] != data["points"]["all"][step]
        ]
        steps = [differing[-1], *(step for step in list(unseen)[-1:])]
        with chromium(tmp_path / name) as page:
            path = tmp_path / f"{name}.html"
            path.write_text(text, encoding="utf-8")
            page.open(f"{path.as_uri()}#step=0&view=all", "document.body?.dataset.ready === 'yes'")
            lines = "[...document.querySelectorAll('#chart polyline')].map((each) => each.outerHTML).join()"
            opened = page.run(lines)
            for step in steps:
                page.run(f"location.hash = '#step={step}&view=1'")
                page.wait(f"document.getElementById('step').textContent.startsWith('{step} /')")
                totals = [row[-2] for row in data["counts"][data["points"]["1"][step]]]
                assert _text(page, "#points tr.total") == "total" + "".join(map(str, totals))
                assert "can count them" in _text(page, "#counted")
                shown = _text(page, "#choices")
                others = [choice for choice in replay.steps[step] if choice.seat != 1]
                assert ("not seen before" in shown) == (step in unseen and bool(others))
                for choice in others:
                    assert (choice.words in shown) == (step not in unseen)
            assert page.run(lines) != opened
            # A game that draws for one width alone.
            object.__setattr__(replay, "game", dataclasses.replace(replay.game, draw_at=None))
            alone = write_page(replay, tmp_path / "alone.html").as_uri()
            page.open(alone, f"location.href.startsWith({alone!r}) && document.body?.dataset.ready === 'yes'")
            assert page.run("!!document.querySelector('#table > svg')")
            assert page.errors == []


@needs_chromium
def test_a_seat_in_view_sees_no_secrets_of_others(wonders: Replay, page: Page) -> None:
    for step, choices in enumerate(wonders.steps):
        hidden = [each for each in choices if each.seat != 1 and each.words.startswith("sell ")]
        if not hidden:
            continue
        page.run(f"location.hash = '#step={step}&view=1'")
        page.wait(f"document.getElementById('step').textContent.startsWith('{step} /')")
        shown = _text(page, "#choices")
        assert all(each.words not in shown for each in hidden)
        assert "sell a card" in shown
        return
    pytest.fail("nobody sold a card in the whole game")
