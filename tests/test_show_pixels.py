"""Pixels, render modes, notebooks and windows."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import re
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import RecordVideo

import antiquity  # noqa: F401 (registers the ids)
import dice_env
import seven_wonders_env
import stone_age_env
from antiquity.batch import Batch
from antiquity.envs.parallel import ParallelGameEnv
from antiquity.envs.single import SingleAgentEnv
from antiquity.envs.vector import GameVectorEnv
from antiquity.render import modes
from antiquity.render.notebook import CELL, Picture, picture
from antiquity.render.window import Window

pixels = pytest.importorskip("antiquity.render.pixels")
pytest.importorskip("resvg_py")

PACKAGES: tuple[Any, ...] = (seven_wonders_env, dice_env, stone_age_env)


@pytest.mark.parametrize("package", PACKAGES)
def test_frames_of_one_size(package: Any) -> None:
    env = package.parallel_env(num_players=3, render_mode="rgb_array")
    env.reset(seed=0)
    first = env.render()
    assert first.dtype == np.uint8 and first.ndim == 3 and first.shape[1:] == (1280, 3)
    assert first.shape[0] % 2 == 0
    for _ in range(3):
        env.step(env.sample_actions())
    second = env.render()
    assert second.shape == first.shape and (second != first).any()
    env.close()


def test_letters_are_drawn() -> None:
    box = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20">{}</svg>'
    text = '<text x="2" y="15" font-family="Arial, \'DejaVu Sans\', sans-serif">Mg</text>'
    assert pixels.to_png(box.format(text)) != pixels.to_png(box.format(""))


def test_width_and_theme() -> None:
    batch = Batch("dice", 1, 2)
    batch.reset(0)
    light, dark = (pixels.to_rgb(batch.draw(), width=320, theme=theme) for theme in ("light", "dark"))
    assert light.shape == dark.shape and light.shape[1] == 320
    assert light.mean() > 150 and dark.mean() < 100
    assert light.flags.c_contiguous


def test_aec_and_single_and_vector() -> None:
    aec = dice_env.env(num_players=2, render_mode="rgb_array")
    aec.reset(seed=0)
    assert isinstance(aec.render(), np.ndarray)
    vector = GameVectorEnv("dice", num_envs=2, num_players=2, render_mode="rgb_array")
    vector.reset(seed=0)
    frames = vector.render()
    assert frames is not None and len(frames) == 2 and frames[0].shape == frames[1].shape
    single = SingleAgentEnv("dice", 2, render_mode="rgb_array")
    with pytest.raises(ValueError, match="reset"):
        single.render()
    single.reset(seed=0)
    assert isinstance(single.render(), np.ndarray)
    ElementTree.fromstring(single.draw(0))


def test_gymnasium_records_a_video(tmp_path: Path) -> None:
    """Frames of one size and kind are what the encoder needs; the encoder itself runs where moviepy is installed."""
    env = (
        RecordVideo(
            gymnasium.make(
                "antiquity/Dice-v0", num_players=2, render_mode="rgb_array", disable_env_checker=True
            ),
            str(tmp_path),
            episode_trigger=lambda episode: episode == 0,
            disable_logger=True,
        )
        if _has("moviepy")
        else _Frames(gymnasium.make("antiquity/Dice-v0", num_players=2, render_mode="rgb_array"))
    )
    _, info = env.reset(seed=0)
    for _ in range(6):
        _, _, terminated, truncated, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        assert not terminated and not truncated
    if isinstance(env, _Frames):
        assert len(env.frames) == 7
        assert len({frame.shape for frame in env.frames}) == 1
        assert all(isinstance(frame, np.ndarray) and frame.dtype == np.uint8 for frame in env.frames)
        env.close()
    else:
        env.close()
        (film,) = tmp_path.glob("*.mp4")
        assert film.stat().st_size > 1000


def _has(module: str) -> bool:
    import importlib.util

    return importlib.util.find_spec(module) is not None


class _Frames(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Takes frames when RecordVideo does: after reset and after every step, with its demand on the mode."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        assert env.render_mode not in {None, "human", "ansi"}
        self.frames: list[Any] = []

    def reset(self, **arguments: Any) -> Any:
        result = super().reset(**arguments)
        self.frames.append(self.render())
        return result

    def step(self, action: Any) -> Any:
        result = super().step(action)
        self.frames.append(self.render())
        return result


def test_modes_that_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    assert modes.listed() == ["ansi", "human", "rgb_array"]
    monkeypatch.setenv("DISPLAY", ":0")
    assert modes.listed(dice_env.GAME) == ["ansi", "human", "rgb_array", "window"]
    assert modes.listed(dataclasses.replace(dice_env.GAME, draw=None)) == ["ansi", "human"]


def test_a_game_without_a_picture_says_so() -> None:
    plain = dataclasses.replace(dice_env.GAME, draw=None)
    with pytest.raises(ValueError, match="no picture"):
        ParallelGameEnv(plain, render_mode="rgb_array")
    env = ParallelGameEnv(plain)
    env.reset(seed=0)
    with pytest.raises(ValueError, match="use render"):
        env.draw()
    assert set(env._repr_mimebundle_()) == {"text/plain"}


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pixels.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"antiquity\[show\]"):
        dice_env.parallel_env(render_mode="rgb_array")
    env = dice_env.parallel_env(render_mode="human")
    assert env.render_mode == "human"


def test_a_window_without_a_screen_is_refused_with_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    if sys.platform in ("darwin", "win32"):
        pytest.skip("there is always a screen")
    env = dice_env.parallel_env(render_mode="window")
    with pytest.raises(RuntimeError, match="rgb_array"):
        env.reset(seed=0)
    env.close()


class _Tk:
    """Stands in for the toolkit: remembers what it was asked to show."""

    class TclError(Exception):
        pass

    def __init__(self) -> None:
        self.shown: list[bytes] = []
        self.open = True

    def Tk(self) -> _Tk:  # noqa: N802
        return self

    def PhotoImage(self, master: Any, data: bytes) -> bytes:  # noqa: N802
        return data

    def Label(self, master: Any, borderwidth: int) -> _Tk:  # noqa: N802
        return self

    def configure(self, image: bytes) -> None:
        self.shown.append(image)

    def winfo_screenwidth(self) -> int:
        return 800

    def title(self, text: str) -> None:
        assert text == "7 Wonders Dice"

    def destroy(self) -> None:
        self.open = False

    def resizable(self, *_: Any) -> None: ...

    def protocol(self, *_: Any) -> None: ...

    def pack(self) -> None: ...

    def update(self) -> None: ...


def test_a_window_shows_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    toolkit = _Tk()
    monkeypatch.setitem(sys.modules, "tkinter", toolkit)
    env = dice_env.parallel_env(num_players=2, render_mode="window")
    env.reset(seed=0)
    env.step(env.sample_actions())
    assert len(toolkit.shown) == 2 and toolkit.shown[0] != toolkit.shown[1]
    twin = copy.deepcopy(env)
    assert twin._screen is not None and twin._screen._window is None
    assert pickle.loads(pickle.dumps(env)).render_mode == "window"
    env.close()
    assert not toolkit.open
    env.close()
    monkeypatch.setitem(sys.modules, "tkinter", None)
    with pytest.raises(RuntimeError, match="tkinter"):
        Window("7 Wonders Dice")


def test_notebooks_show_the_picture() -> None:
    env = seven_wonders_env.parallel_env(num_players=3)
    assert set(env._repr_mimebundle_()) == {"text/plain"}
    env.reset(seed=0)
    bundle = env._repr_mimebundle_()
    assert bundle["image/svg+xml"] == picture(env.batch).svg and bundle["text/plain"] == repr(env)
    assert env.draw("player_1") != env.draw()
    with pytest.raises(ValueError, match="no agent"):
        env.draw("player_9")
    single = SingleAgentEnv("seven_wonders")
    single.reset(seed=0)
    assert "image/svg+xml" in single._repr_mimebundle_()


def test_pictures_can_be_read_in_the_cell_of_a_notebook() -> None:
    for game, players in (("seven_wonders", 7), ("stone_age", 4), ("dice", 7)):
        batch = Batch(game, 1, players, seed=3)
        batch.reset()
        batch.step(batch.sample())
        svg = picture(batch)._repr_svg_()
        wide = float(re.findall(r'viewBox="0 0 (\d+)', svg)[0])
        sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)"', svg)]
        # Shown at its own width where there is room, and never wider than the cell.
        assert "max-width:100%" in svg and len(sizes) > 50
        assert min(sizes) * min(1.0, 800 / wide) >= 11


def test_pictures_are_saved(tmp_path: Path) -> None:
    batch = Batch("stone_age", 3)
    batch.reset(0)
    shown = picture(batch, 2, 1)
    assert isinstance(shown, Picture) and batch.game.draw_at is not None
    assert shown._repr_svg_() == batch.game.draw_at(batch.games, 2, batch.tables, 1, CELL)
    ElementTree.parse(shown.save(tmp_path / "table.svg"))
    assert 'class="aq dark"' in shown.save(tmp_path / "dark.svg", theme="dark").read_text(encoding="utf-8")
    assert shown.save(tmp_path / "table.png", width=200).read_bytes()[:4] == b"\x89PNG"
    assert shown.rgb(width=200).shape[1] == 200
    with pytest.raises(ValueError, match=r"\.svg or \.png"):
        shown.save(tmp_path / "table.gif")
    with pytest.raises(ValueError, match="seat"):
        batch.draw(0, 7)
