"""Where the store of compiled kernels lies, for whom, and how it is cleaned up."""

from __future__ import annotations

import os
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from antiquity.kernels import cache
from tiny_package import RUN, Runner, python

STRANGER = 54_321  # a user that the system does not know


@pytest.fixture
def folders() -> Iterator[Callable[[], list[Path]]]:
    """The folders as a process finds them that starts now."""

    def found() -> list[Path]:
        cache.folders.cache_clear()
        return cache.folders()

    yield found
    cache.folders.cache_clear()


Found = Callable[[], list[Path]]


def test_the_folders_in_their_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folders: Found) -> None:
    for name in ("one", "two", "three", "four"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("ANTIQUITY_CACHE_DIR", str(tmp_path / "one"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "two"))
    monkeypatch.setenv("HOME", str(tmp_path / "three"))
    assert folders() == [tmp_path / "one"]
    monkeypatch.setenv("ANTIQUITY_CACHE_DIR", "/dev/null/nowhere")
    assert folders() == [tmp_path / "two" / "antiquity"]
    monkeypatch.delenv("ANTIQUITY_CACHE_DIR")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert folders() == [tmp_path / "three" / ".cache" / "antiquity"]
    monkeypatch.setenv("HOME", "/dev/null/nowhere")
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path / "four"))
    assert [found.parent for found in folders()] == [tmp_path / "four"]


def test_no_folder_for_temporary_files(monkeypatch: pytest.MonkeyPatch, folders: Found) -> None:
    def none_usable() -> str:
        raise FileNotFoundError

    for name in ("ANTIQUITY_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.setenv(name, "/dev/null/nowhere")
    monkeypatch.setattr(tempfile, "gettempdir", none_usable)
    assert folders() == []


def test_with_a_folder_of_its_own_a_process_leaves_the_users_alone(run_tiny: Runner, tmp_path: Path) -> None:
    user = {"XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path)}
    assert run_tiny(env=user | {"ANTIQUITY_CACHE_DIR": None}) == (16, {"hits": 0, "misses": 2})
    kept = [path for path in tmp_path.rglob("*.kernel") if "store" not in path.parts]
    assert len(kept) == 2
    assert run_tiny(env=user) == (16, {"hits": 0, "misses": 2})
    assert run_tiny(env=user | {"ANTIQUITY_CACHE_DIR": None}) == (16, {"hits": 1, "misses": 0})


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners of files are a matter of Unix")
def test_a_temporary_folder_that_others_can_write_to_is_not_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folders: Found
) -> None:
    for name in ("ANTIQUITY_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.setenv(name, "/dev/null/nowhere")
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    folder = tmp_path / f"antiquity-{os.getuid()}"
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.warns(UserWarning, match="others can write to it"):
        assert folders() == []
    folder.chmod(0o700)
    assert folders() == [folder]


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give a file away")
def test_the_folder_of_another_user_is_not_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folders: Found
) -> None:
    """Nor a link of theirs to a folder of one's own, nor a file of theirs in it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    (tmp_path / "theirs").mkdir()
    (tmp_path / "own").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "own")
    for name in ("theirs", "link"):
        os.lchown(tmp_path / name, STRANGER, STRANGER)
        monkeypatch.setenv("ANTIQUITY_CACHE_DIR", str(tmp_path / name))
        with pytest.warns(
            UserWarning, match="another user; name a folder of your own in ANTIQUITY_CACHE_DIR"
        ):
            assert folders() == [tmp_path / "user" / "antiquity"]


def test_a_store_that_others_can_write_to_is_not_used(run_tiny: Runner, tmp_path: Path) -> None:
    store = tmp_path / "store"
    assert run_tiny() == (16, {"hits": 0, "misses": 2})
    assert not [path for path in (store, *store.rglob("*")) if path.stat().st_mode & 0o022]
    store.chmod(0o775)
    user = {"XDG_CACHE_HOME": str(tmp_path / "user")}
    assert run_tiny(env=user) == (16, {"hits": 0, "misses": 2})
    assert run_tiny(env=user) == (16, {"hits": 1, "misses": 0})
    store.chmod(0o755)
    assert run_tiny(env=user) == (16, {"hits": 1, "misses": 0})
    told = python(RUN, [tmp_path], env=user | {"ANTIQUITY_CACHE_DIR": str(tmp_path / "user")}).stderr
    assert "UserWarning" not in told
    store.chmod(0o777)
    told = python(RUN, [tmp_path], env=user | {"ANTIQUITY_CACHE_DIR": str(store)}).stderr
    assert told.count("UserWarning") == 1 and f"chmod go-w {store}" in told


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give a file away")
def test_a_file_that_others_have_written_is_not_read(run_tiny: Runner, tmp_path: Path) -> None:
    """It may have been planted while others could still write to the folder."""
    for change in (lambda file: os.chown(file, STRANGER, STRANGER), lambda file: file.chmod(0o666)):
        run_tiny()
        for file in (tmp_path / "store").iterdir():
            change(file)
        assert run_tiny() == (16, {"hits": 0, "misses": 2})
        assert run_tiny() == (16, {"hits": 1, "misses": 0})


def test_with_no_folder_at_all_kernels_still_run(run_tiny: Runner, tmp_path: Path) -> None:
    nowhere = dict.fromkeys(("ANTIQUITY_CACHE_DIR", "XDG_CACHE_HOME", "HOME"), "/dev/null/nowhere")
    (tmp_path / "sitecustomize.py").write_text("import tempfile; tempfile.tempdir = '/dev/null/nowhere'\n")
    for _ in range(2):
        assert run_tiny(env=nowhere) == (16, {"hits": 0, "misses": 2})


def test_without_a_home(run_tiny: Runner, tmp_path: Path) -> None:
    (tmp_path / "temporary").mkdir()
    variables = {
        "ANTIQUITY_CACHE_DIR": None,
        "XDG_CACHE_HOME": None,
        "HOME": "relative",
        "TMPDIR": str(tmp_path / "temporary"),
    }
    assert run_tiny(env=variables) == (16, {"hits": 0, "misses": 2})
    assert run_tiny(env=variables) == (16, {"hits": 1, "misses": 0})


@pytest.fixture
def open_path(tmp_path: Path) -> Iterator[None]:
    """Let a stranger walk down to tmp_path."""
    changed = []
    for folder in (tmp_path, *tmp_path.parents):
        mode = stat.S_IMODE(folder.stat().st_mode)
        if not mode & 0o001:
            changed.append((folder, mode))
            folder.chmod(mode | 0o055)
    yield
    for folder, mode in changed:
        folder.chmod(mode)


BECOME_A_STRANGER = f"""
import os
import numba, numpy
from antiquity.kernels import jit
numba.njit(lambda values: values.sum())(numpy.arange(3.0))  # numba loads the rest of itself, which strangers may not
os.setuid({STRANGER})
"""


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can become another user")
@pytest.mark.usefixtures("open_path")
def test_an_unknown_user_with_a_store_that_can_only_be_read(run_tiny: Runner, tmp_path: Path) -> None:
    shared = tmp_path / "temporary"
    shared.mkdir()
    shared.chmod(0o777)
    (tmp_path / "store").mkdir(mode=0o755)
    stranger = {"HOME": None, "XDG_CACHE_HOME": None, "TMPDIR": str(shared)}
    # Nothing of one's own but what is among the temporary files.
    assert run_tiny(env=stranger, before=BECOME_A_STRANGER) == (16, {"hits": 0, "misses": 2})
    assert run_tiny(env=stranger, before=BECOME_A_STRANGER) == (16, {"hits": 1, "misses": 0})
    assert {path.stat().st_uid for path in shared.rglob("*.kernel")} == {STRANGER}
    # A store that root has filled, as in an image built ahead.
    for path in sorted(shared.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    run_tiny()
    assert run_tiny(env=stranger, before=BECOME_A_STRANGER) == (16, {"hits": 1, "misses": 0})


def test_old_kernels_are_cleaned_up(run_tiny: Runner, tmp_path: Path) -> None:
    store = tmp_path / "store"
    for name, days in (("new", 1), ("earlier/old", 40), ("old", 40)):
        file = store / f"{name}.kernel"
        file.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        file.touch()
        os.utime(file, (time.time() - days * 86_400,) * 2)
    run_tiny()
    assert sorted(file.stem for file in store.rglob("*.kernel") if "tiny" not in file.name) == ["new"]


def test_a_kernel_in_use_is_not_old(run_tiny: Runner, tmp_path: Path) -> None:
    run_tiny()
    for file in (tmp_path / "store").iterdir():
        os.utime(file, (0, 0))
    run_tiny()  # loads the outer kernel alone
    cache._clean.cache_clear()
    cache._clean(tmp_path / "store")
    assert [file.name.partition("-")[0] for file in (tmp_path / "store").iterdir()] == ["tiny.outer.total"]
