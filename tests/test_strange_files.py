"""Files that are damaged, forged or not what they seem: refused in one line, and nothing that they name is touched."""

from __future__ import annotations

import functools
import io
import json
import os
import random
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dice_env
import seven_wonders_env
import stone_age_env
from antiquity import Batch
from antiquity.batch import Driver
from antiquity.game import GAMES
from antiquity.game.archive import reading
from antiquity.game.tables import TableError
from antiquity.kernels import cache
from antiquity.study.recording import Recorder
from antiquity.study.replay import Replay
from toy_game import GAME

EVIL = """
from pathlib import Path
Path({mark!r}).touch()
from toy_game import GAME
"""


@pytest.fixture
def evil(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Module ``evilmod``, which leaves this mark when it is imported."""
    mark = tmp_path / "imported"
    (tmp_path / "evilmod.py").write_text(EVIL.format(mark=str(mark)))
    monkeypatch.syspath_prepend(tmp_path)
    return mark


def saved(path: Path, **options: Any) -> Path:
    batch = Batch(GAME, 6, seed=1, **options)
    batch.reset()
    batch.step(batch.sample())
    batch.save(path)
    return path


def recorded(path: Path) -> Path:
    batch = Batch(GAME, 1, seed=1, autoreset=False)
    recorder = Recorder(batch)
    batch.reset()
    while batch.deciders():
        batch.step(batch.sample())
    return recorder.replays[0].write(path)


def refused(read: Callable[[], object]) -> str:
    """The one line with which a file is refused."""
    try:
        read()
    except ValueError as error:
        text = str(error)
    else:
        pytest.fail("it was taken")
    assert "\n" not in text and 10 < len(text) < 1000
    return text


def forge(path: Path, change: Callable[[dict[str, Any]], object], **arrays: Any) -> None:
    """Rewrite a saved batch with what `change` does to its settings, and other arrays."""
    with np.load(path) as archive:
        kept = dict(archive)
    about = json.loads(kept["about"].tobytes())
    change(about)
    kept["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    np.savez_compressed(path, **kept | arrays)


# --- what files name ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["evilmod:GAME", "evilmod", "../evilmod", 3, None, ["toy"]])
def test_a_saved_batch_imports_nothing(tmp_path: Path, evil: Path, name: Any) -> None:
    path = saved(tmp_path / "b.npz")
    forge(path, lambda about: about.update(game=name))
    assert "not installed" in refused(lambda: Batch.load(path))
    assert not evil.exists()


def test_a_replay_imports_nothing(tmp_path: Path, evil: Path) -> None:
    path = recorded(tmp_path / "r.jsonl")
    path.write_text(path.read_text().replace('"game": "toy"', '"game": "evilmod:GAME"', 1))
    assert "not installed" in refused(lambda: Replay.read(path))
    assert not evil.exists()


def test_a_saved_batch_opens_no_file_that_it_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a changed sheet lies, says who loads the batch."""
    sheet = tmp_path / "my.toml"
    sheet.write_text('extends = "base"\n[rules]\nstart_coins = 5\n')
    batch = Batch("dice", 2, seed=1, sheet=str(sheet))
    batch.reset()
    path = tmp_path / "b.npz"
    batch.save(path)
    sheet.rename(tmp_path / "moved.toml")
    opened: list[str] = []
    whole = os.stat

    def watched(name: Any, *rest: Any, **how: Any) -> os.stat_result:
        opened.append(str(name))
        return whole(name, *rest, **how)

    monkeypatch.setattr(os, "stat", watched)
    assert "looks like a file" in refused(lambda: Batch.load(path))
    assert str(sheet) not in opened
    monkeypatch.undo()
    again = Batch.load(path, sheet=tmp_path / "moved.toml")
    assert again.games.tobytes() == batch.games.tobytes() and again.tables.tobytes() == batch.tables.tobytes()
    assert "has changed since it was saved" in refused(lambda: Batch.load(path, sheet="base"))
    monkeypatch.chdir(tmp_path)
    forge(path, lambda about: about["settings"]["game_options"].update(sheet="plain"))
    (tmp_path / "plain").write_text("no table")
    assert "looks like a file" in refused(lambda: Batch.load(path))


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners of files are a matter of Unix")
def test_a_store_of_kernels_that_others_can_write_to_is_not_unpickled(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    store.mkdir()
    store.chmod(0o777)
    monkeypatch.setenv("ANTIQUITY_CACHE_DIR", str(store))
    cache.folders.cache_clear()
    with pytest.warns(UserWarning, match=rf"others can write to it, until you `chmod go-w {store}`"):
        assert store not in cache.folders()
    cache.folders.cache_clear()


# --- damage and forgery ---------------------------------------------------------------------------------------------


def test_damaged_archives(tmp_path: Path) -> None:
    """Bits flipped, pieces cut out, in the archive and inside its members: a batch or one line."""
    path = saved(tmp_path / "b.npz")
    whole = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    draw = random.Random(3)
    strange = tmp_path / "strange.npz"
    words: list[str] = []
    for number in range(400):
        data = bytearray(whole)
        if number % 2:  # with right checksums, so that the damage gets further
            name = draw.choice(sorted(members))
            inside = bytearray(members[name])
            at = draw.randrange(min(len(inside), 200))
            inside[at : at + draw.choice((0, 1, 8))] = draw.randbytes(draw.choice((0, 1, 3)))
            buffer = io.BytesIO()
            with zipfile.ZipFile(buffer, "w") as archive:
                for each, content in members.items():
                    archive.writestr(each, bytes(inside) if each == name else content)
            data = bytearray(buffer.getvalue())
        elif number % 4:
            del data[draw.randrange(len(data)) :]
        else:
            for _ in range(draw.randrange(1, 4)):
                data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        strange.write_bytes(data)
        try:
            Batch.load(strange, game=GAME)
        except ValueError as error:
            words.append(str(error))
    assert len(words) > 250
    assert all("\n" not in each and str(strange) in each for each in words)


@pytest.mark.parametrize(
    "change",
    [
        lambda about: about.pop("settings"),
        lambda about: about.update(settings=[]),
        lambda about: about.update(begun="yes"),
        lambda about: about.update(seed=-1),
        lambda about: about.update(seed=[1, 2]),
        lambda about: about.update(seed={"a": 1}),
        lambda about: about["settings"].update(reward="gold"),
        lambda about: about["settings"].update(max_cycles=1e400),
        lambda about: about["settings"].update(threads=10_000),
        lambda about: about["settings"].pop("memory"),
        lambda about: about["settings"].update(game_options=[1]),
        lambda about: about["settings"].update(game_options={"bonus": "many"}),
        lambda about: about["settings"].update(game_options={"game": "dice"}),
        lambda about: about.update(version=float("nan")),
    ],
)
def test_forged_settings(tmp_path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    path = saved(tmp_path / "b.npz")
    forge(path, change)
    assert str(path) in refused(lambda: Batch.load(path, game=GAME))


def test_forged_slots(tmp_path: Path) -> None:
    path = saved(tmp_path / "b.npz")
    with np.load(path) as archive:
        slots = archive["slots"]
    for field, value in (("stopped", 2), ("restart", 9), ("pending", 1), ("num_players", 0)):
        forged = slots.copy()
        forged[field][2] = value
        forge(path, lambda about: None, slots=forged)
        refused(lambda: Batch.load(path, game=GAME))


def header(shape: str, descr: str = "'<f4'") -> bytes:
    text = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}}}\n".encode()
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


@pytest.mark.parametrize(
    "content",
    [
        header("(1000000000000,)"),
        header("(-4, -4)"),
        header("(0, -1)"),
        header("(" * 3000 + ")" * 3000),
        header("(4,)", "'|O'"),
        header("(4,)", "[('a', '<f4'), ('a', '<f4')]"),
        header("(4,)", "'\\N'"),
        header("(4,)", "1" * 5000),
        b"\x93NUMPY\x09\x00",
        b"",
        b"[" * 200_000,
    ],
)
def test_forged_arrays(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.npy", content)
        archive.writestr("note.json", content)

    def read(how: str) -> None:
        with reading(path, "archive") as archive:
            getattr(archive, how)("note.json" if how == "json_member" else "a")

    for how in ("array", "json", "json_member"):
        assert "is damaged or no archive" in refused(functools.partial(read, how))


def test_an_archive_that_unpacks_to_a_thousand_times_its_size(tmp_path: Path) -> None:
    path = saved(tmp_path / "b.npz")
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("more.npy", header("(50000000,)") + bytes(200_000_000))
    tracemalloc.start()

    def read() -> None:
        with reading(path, "archive") as archive:
            archive.array("more")

    assert "out of proportion to its size" in refused(read)
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()
    Batch.load(path, game=GAME)  # which does not read it


@pytest.mark.parametrize(
    "data", [b"[" * 100_000, b"a=" + b"[" * 100_000, b"\xff\xfe", b"a=1\na=1", bytes(2 << 20)]
)
def test_strange_tables_and_replays(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "strange.toml"
    path.write_bytes(data)
    for module, option in ((dice_env, "sheet"), (seven_wonders_env, "cards"), (stone_age_env, "cards")):
        with pytest.raises(TableError) as caught:
            module.parallel_env(**{option: str(path)})
        assert "\n" not in str(caught.value)
    refused(lambda: Replay.read(path))
    path.write_bytes(data + b"\n" + data + b"\n")
    refused(lambda: Replay.read(path))


def test_a_long_replay_is_not_read(tmp_path: Path) -> None:
    path = recorded(tmp_path / "r.jsonl")
    first, *steps, last = path.read_text().splitlines(keepends=True)
    path.write_text("".join([first, *steps * 50_000, last]))
    tracemalloc.start()
    assert "longer than 2 MiB" in refused(lambda: Replay.read(path, game=GAME))
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs on this system")
def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "fifo.toml"
    os.mkfifo(path)
    for read in (
        lambda: Replay.read(path),
        lambda: Batch.load(path),
        lambda: Replay.read(tmp_path),
        lambda: Batch("dice", 1, sheet=str(path)),
    ):
        refused(read)


# --- arrays that were handed out ------------------------------------------------------------------------------------


def test_what_was_handed_out_stays() -> None:
    """Under ``copy=True`` nothing writes to the caller's arrays; the lists of legal actions are read-only."""
    batch = Batch(GAME, 8, seed=1, autoreset=False)
    driver = Driver(batch, np.full(3, -1))
    batch.reset()
    step = batch.step(batch.sample())
    while not step.terminated.any():
        step = batch.step(batch.sample())
    held = [*step, *batch.rows()]
    copies = [np.array(each) for each in held]
    batch.determinize(0, 1, 5)
    driver.begin()
    batch.determinize(3, 1, 5)
    batch.legal_actions(2, 0)
    batch.refresh()
    for each, before in zip(held, copies, strict=True):
        assert np.array_equal(each, before)
    for array in (batch.legal_lists, batch.legal_counts):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    for index, seat in ((0.9, 0), (0, 0.9), ("0", 0)):
        with pytest.raises(TypeError):
            batch.commit(index, seat, 1)  # type: ignore[arg-type]


def test_the_games_of_this_house_are_installed() -> None:
    """Which the tests above rely on: files name games by these names alone."""
    assert {"dice", "seven_wonders", "stone_age"} <= set(GAMES) and "toy" not in GAMES
