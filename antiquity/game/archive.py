"""Reading numpy archives (npz) that others have made: without pickle, and within bounds.

An archive of a few kilobytes may claim any size: what it unpacks to is bounded before anything is unpacked, and the
shape of an array is compared with the bytes that are there before an array is made.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import zipfile
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from antiquity.game.files import one_line, regular

LEAST_BOUND: Final = 64 << 20
"""Bytes that any archive may unpack to."""
MOST_PACKED: Final = 50
"""A larger archive may unpack to so many times its own size."""
LONGEST_TEXT: Final = 1 << 20
"""Bytes of a JSON text."""


class Archive:
    """An open archive; see :func:`reading`."""

    def __init__(self, archive: zipfile.ZipFile, most: int) -> None:
        self._archive = archive
        self._left = most
        self.names = frozenset(name.removesuffix(".npy") for name in archive.namelist())

    def array(self, name: str) -> NDArray[Any]:
        """An array."""
        file = io.BytesIO(self._member(f"{name}.npy"))
        version = np.lib.format.read_magic(file)
        read = {
            (1, 0): np.lib.format.read_array_header_1_0,
            (2, 0): np.lib.format.read_array_header_2_0,
        }.get(version)
        if read is None:
            raise ValueError(f"{name} has the unknown format {version}")
        shape, fortran, dtype = read(file)
        if dtype.hasobject:
            raise ValueError("Object arrays cannot be loaded")
        data = file.getbuffer()[file.tell() :]
        if min(shape, default=0) < 0 or math.prod(shape) * dtype.itemsize != len(data):
            raise ValueError(
                f"{name} has {len(data)} bytes, and not those of an array {dtype}{list(shape)}"[:300]
            )
        found = np.empty(math.prod(shape), dtype)
        if len(data):
            found.view(np.uint8)[:] = np.frombuffer(data, np.uint8)
        return found.reshape(shape[::-1]).T if fortran else found.reshape(shape)

    def json(self, name: str) -> Any:
        """A JSON text that is the bytes of an array."""
        return self._parsed(self.array(name).tobytes())

    def json_member(self, name: str) -> Any:
        """A JSON text that is a member of its own."""
        return self._parsed(self._member(name))

    def _parsed(self, text: bytes) -> Any:
        if len(text) > LONGEST_TEXT:
            raise ValueError(f"a text of it is longer than {LONGEST_TEXT >> 20} MiB")
        return json.loads(text)

    def _member(self, name: str) -> bytes:
        info = self._archive.getinfo(name)
        self._left -= info.file_size
        if self._left < 0:
            raise ValueError(
                f"it would unpack to {info.file_size >> 20} MiB and more, out of proportion to its size"
            )
        with self._archive.open(info) as member:
            # To a number of bytes: without one, all that is packed is unpacked first, whatever the directory says.
            return member.read(info.file_size)


@contextlib.contextmanager
def reading(path: str | os.PathLike[str], what: str, content: bytes | None = None) -> Iterator[Archive]:
    """Open an archive; whatever goes wrong while it is read says, in one line, that the file is no `what`.

    Args:
        path: of the file.
        what: it should be, in words.
        content: of the file, where it has been read already; it may then unpack to :data:`LEAST_BOUND` alone.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is damaged or forged.
    """
    try:
        most = LEAST_BOUND if content is not None else max(LEAST_BOUND, MOST_PACKED * regular(path))
        with zipfile.ZipFile(path if content is None else io.BytesIO(content)) as archive:
            yield Archive(archive, most)
    except FileNotFoundError:
        raise
    # Damage reaches the parsers of zip, deflate, npy and JSON, which raise whatever they like.
    except Exception as error:
        raise ValueError(f"{path} is damaged or no {what}: {one_line(error)}") from error
