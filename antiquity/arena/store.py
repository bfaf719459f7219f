"""The results file of a tournament: SQLite, one transaction for each finished block.

A block is in the file as a whole or not at all, whatever kills the process; the journal is SQLite's rollback journal,
which works on network folders too, with full synchronisation. Each block carries a hash of its results, so that damage
that SQLite itself cannot see is found when they are read. A damaged file is never written to.

Tables, to be read by anything that reads SQLite: ``plan`` (key, value), ``agents`` (number, name, agent, digest),
``blocks``, ``games`` (players, deal, rotation, length, actions), ``seats`` (players, deal, rotation, seat, agent, rank,
points by category, total, tiebreak), ``incidents``. The actions of a game are 16-bit numbers, little-endian: step by
step, of each step the choices of its deciders in the order of the seats (:meth:`Results.game_played`).

What the games follow from stands in the plan: the printed games, the release, the code of the game and of each agent.
A file is only continued by the same. Files of version 1 of the tables, which had neither this nor the actions, are
read, and not continued. Nothing that a file names is imported or opened.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from antiquity.arena.block import BlockResult
from antiquity.arena.identity import difference
from antiquity.arena.plan import Block, Plan
from antiquity.arena.play import Played
from antiquity.game import Game
from antiquity.game.checks import printable
from antiquity.game.files import installed_game

APPLICATION: Final = 0x416E7471
"""SQLite's application_id of a results file: "Antq"."""
SCHEMA: Final = 2
"""Version of the tables."""
READ: Final = (1, 2)
"""Versions of the tables that are read."""
BUSY: Final = 60.0
"""Seconds to wait for another process that is writing."""


class ResultsError(ValueError):
    """A results file that cannot be used; it is left unchanged."""


@dataclass(frozen=True, eq=False)
class Games:
    """All finished games of one player count, ordered by deal and rotation.

    Attributes:
        players: how many sit at the table.
        deals: int64[G]: number of each game's deal.
        seating: int64[G, S]: numbers of the entrants.
        played: scores, ranks and lengths.
    """

    players: int
    deals: NDArray[np.int64]
    seating: NDArray[np.int64]
    played: Played

    def __len__(self) -> int:
        return len(self.deals)


def _schema(categories: int) -> str:
    points = ", ".join(f"points_{number} INTEGER NOT NULL" for number in range(categories))
    return f"""
    CREATE TABLE plan (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE agents (number INTEGER PRIMARY KEY, name TEXT NOT NULL, agent TEXT NOT NULL, digest TEXT NOT NULL);
    CREATE TABLE blocks (players INTEGER, first INTEGER, stop INTEGER NOT NULL, digest TEXT NOT NULL,
        seconds REAL NOT NULL, worker TEXT NOT NULL, finished REAL NOT NULL,
        PRIMARY KEY (players, first)) WITHOUT ROWID;
    CREATE TABLE games (players INTEGER, deal INTEGER, rotation INTEGER, length INTEGER NOT NULL,
        actions BLOB NOT NULL, PRIMARY KEY (players, deal, rotation)) WITHOUT ROWID;
    CREATE TABLE seats (players INTEGER, deal INTEGER, rotation INTEGER, seat INTEGER, agent INTEGER NOT NULL,
        rank INTEGER NOT NULL, {points}, total INTEGER NOT NULL, tiebreak INTEGER NOT NULL,
        PRIMARY KEY (players, deal, rotation, seat)) WITHOUT ROWID;
    CREATE TABLE incidents (players INTEGER, deal INTEGER, rotation INTEGER, seat INTEGER, step INTEGER,
        agent INTEGER, kind TEXT, detail TEXT);
    PRAGMA application_id = {APPLICATION};
    PRAGMA user_version = {SCHEMA};
    """


class Results:
    """An open results file. ``with Results.create_or_resume(path, plan) as results: ...``"""

    def __init__(
        self, path: str | os.PathLike[str], connection: sqlite3.Connection, game: str | Game | None = None
    ) -> None:
        self.path = Path(path)
        self._db = connection
        with self._reading():
            about = dict(self._db.execute("SELECT key, value FROM plan"))
            self.about: dict[str, Any] = json.loads(about["about"])
            agents = self._db.execute("SELECT name, agent, digest FROM agents ORDER BY number").fetchall()
            self.agents = [tuple(printable(str(each)) for each in row) for row in agents]
            """(name, what it is, digest) of the entrants, in order."""
            self.schema = int(self._db.execute("PRAGMA user_version").fetchone()[0])
            """Version of the file's tables."""
        try:
            self.game: Game = installed_game(self.about["game"], self.about["version"], game)
        except ValueError as error:
            raise ResultsError(f"{path}: {error}") from None
        self.names = tuple(str(name) for name, _, _ in self.agents)
        """Names of the entrants."""

    # --- opening ---

    @classmethod
    def create_or_resume(cls, path: str | os.PathLike[str], plan: Plan) -> Results:
        """The file for a plan: a new one, or the one that holds what has been played of it.

        Raises:
            ResultsError: the existing file belongs to another plan, or is damaged.
        """
        path = Path(path)
        if path.exists() and path.stat().st_size > 0:
            results = cls.open(path, game=plan.game)
            different = difference(results.about, json.loads(json.dumps(plan.about())))
            if different:
                results.close()
                raise ResultsError(
                    f"{path} is of another tournament: {different}. Go on with the same, or give another file"
                )
            return results
        path.parent.mkdir(parents=True, exist_ok=True)
        db = _connect(path)
        try:
            db.executescript("BEGIN IMMEDIATE;" + _schema(len(plan.game.categories)))
            db.execute("INSERT INTO plan VALUES ('about', ?)", (json.dumps(plan.about()),))
            db.execute("INSERT INTO plan VALUES ('categories', ?)", (json.dumps(plan.game.categories),))
            rows = [(n, each.name, each.text, each.digest) for n, each in enumerate(plan.entrants)]
            db.executemany("INSERT INTO agents VALUES (?, ?, ?, ?)", rows)
            db.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            db.close()
            raise ResultsError(f"{path} cannot be written: {error}") from error
        return cls(path, db, plan.game)

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, game: str | Game | None = None) -> Results:
        """An existing file, checked.

        Args:
            game: where the game is found, when it isn't installed.

        Raises:
            FileNotFoundError: there is none.
            ResultsError: it is not a results file, comes from another release, or is damaged.
        """
        path = Path(path)
        if not path.is_file():
            raise FileNotFoundError(f"no results file {path}")
        with open(path, "rb") as file:
            if file.read(16) != b"SQLite format 3\0":
                raise ResultsError(
                    f"{path} is no results file (or its beginning is damaged); it has not been touched"
                )
        db = _connect(path)
        try:
            application = db.execute("PRAGMA application_id").fetchone()[0]
            schema = db.execute("PRAGMA user_version").fetchone()[0]
            if application != APPLICATION:
                raise ResultsError(f"{path} is a SQLite file of something else; it has not been touched")
            if schema not in READ:
                raise ResultsError(
                    f"{path} has tables of version {schema}; this release reads version {SCHEMA}"
                )
            faults = [row[0] for row in db.execute("PRAGMA integrity_check(5)")]
            if faults != ["ok"]:
                raise sqlite3.DatabaseError("; ".join(faults))
            _check_counts(db)
            return cls(path, db, game)
        except (sqlite3.DatabaseError, RecursionError, KeyError, ValueError, TypeError) as error:
            db.close()
            if isinstance(error, ResultsError):
                raise
            raise ResultsError(_damaged(path, error)) from error

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise ResultsError(f"{self.path}: {error}") from error
        except sqlite3.DatabaseError as error:
            raise ResultsError(_damaged(self.path, error)) from error

    # --- writing ---

    def add(self, result: BlockResult) -> bool:
        """Write a finished block; False if the file has it already.

        Raises:
            ResultsError: the file cannot be written; what it holds stays as it is.
        """
        players, first, stop = result.block
        games = [(deal, rotation) for deal in range(first, stop) for rotation in range(players)]
        lengths, played = result.played.lengths.tolist(), result.played
        actions = [
            row.astype("<u2").tobytes() for row in np.split(played.actions, np.cumsum(played.counts)[:-1])
        ]
        seats = np.concatenate([result.seating[:, :, None], played.ranks[:, :, None], played.scores], axis=2)
        rows = [
            (players, *games[game], seat, *values)
            for game, table in enumerate(seats.tolist())
            for seat, values in enumerate(table)
        ]
        holes = ", ".join("?" * len(rows[0]))
        summary = (*result.block, result.digest(), result.seconds, result.worker, time.time())
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                there = self._db.execute(
                    "SELECT 1 FROM blocks WHERE players = ? AND first < ? AND stop > ?",
                    (players, stop, first),
                ).fetchone()
                if there is None:
                    self._db.execute("INSERT INTO blocks VALUES (?, ?, ?, ?, ?, ?, ?)", summary)
                    self._db.executemany(
                        "INSERT INTO games VALUES (?, ?, ?, ?, ?)",
                        [(players, *row[0], *row[1:]) for row in zip(games, lengths, actions, strict=True)],
                    )
                    self._db.executemany(f"INSERT INTO seats VALUES ({holes})", rows)
                    self._db.executemany(
                        "INSERT INTO incidents VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                        [(players, *games[game], *rest) for game, *rest in played.incidents],
                    )
                self._db.execute("COMMIT")
            except BaseException:
                # SQLite has rolled back by itself where the disk is full.
                with suppress(sqlite3.OperationalError):
                    self._db.execute("ROLLBACK")
                raise
        except sqlite3.OperationalError as error:
            raise ResultsError(f"{self.path} cannot be written: {error}; what it holds is kept") from error
        return there is None

    # --- reading ---

    def have(self, players: int) -> list[tuple[int, int]]:
        """The deals that have been played, as [first, stop)."""
        with self._reading():
            query = "SELECT first, stop FROM blocks WHERE players = ? ORDER BY first"
            return [(int(first), int(stop)) for first, stop in self._db.execute(query, (players,))]

    def player_counts(self) -> list[int]:
        """The player counts that have games."""
        with self._reading():
            return [int(row[0]) for row in self._db.execute("SELECT DISTINCT players FROM blocks ORDER BY 1")]

    def games(self, players: int, deals: int | None = None) -> Games:
        """The finished games of a player count, of the first `deals` deals alone if given.

        Raises:
            ResultsError: a block differs from what was written.
        """
        limit = deals if deals is not None else np.iinfo(np.int64).max
        columns = len(self.game.categories) + 2
        with self._reading():
            lengths = self._db.execute(
                "SELECT deal, length FROM games WHERE players = ? AND deal < ? ORDER BY deal, rotation",
                (players, limit),
            ).fetchall()
            # "SELECT *" gives the columns in the order in which they were made.
            seats = self._db.execute(
                "SELECT * FROM seats WHERE players = ? AND deal < ? ORDER BY deal, rotation, seat",
                (players, limit),
            ).fetchall()
            blocks = self._db.execute(
                "SELECT first, stop, digest FROM blocks WHERE players = ? AND stop <= ?", (players, limit)
            ).fetchall()
        game = np.array(lengths, np.int64).reshape(-1, 2)
        table = np.array(seats, np.int64).reshape(len(game), players, columns + 6)
        found = Games(
            players,
            game[:, 0].copy(),
            table[:, :, 4].copy(),
            Played(table[:, :, 6:].astype(np.int32), table[:, :, 5].copy(), game[:, 1].copy()),
        )
        for first, stop, digest in blocks:
            here = slice(*np.searchsorted(found.deals, (first, stop)))
            played = Played(found.played.scores[here], found.played.ranks[here], found.played.lengths[here])
            if BlockResult(Block(players, first, stop), found.seating[here], played).digest() != digest:
                raise ResultsError(
                    _damaged(self.path, f"deals {first} to {stop - 1} are not as they were written")
                )
        return found

    def game_played(self, players: int, deal: int, rotation: int = 0) -> Games:
        """One game, with what was chosen in it (``played.actions``).

        Raises:
            ResultsError: there is no such game, or the file is from before choices were kept.
        """
        if self.schema < 2:
            raise ResultsError(
                f"{self.path} is from a release that did not keep what was chosen in the games"
            )
        place = (players, deal, rotation)
        where = "WHERE players = ? AND deal = ? AND rotation = ?"
        with self._reading():
            row = self._db.execute(f"SELECT length, actions FROM games {where}", place).fetchone()
            seats = self._db.execute(f"SELECT * FROM seats {where} ORDER BY seat", place).fetchall()
        if row is None:
            raise ResultsError(
                f"{self.path} has no deal {deal} in rotation {rotation} with {players} players"
            )
        if not isinstance(row[1], bytes) or len(row[1]) % 2 or len(seats) != players:
            raise ResultsError(
                _damaged(self.path, f"deal {deal} in rotation {rotation} is not as it was written")
            )
        table, chosen = np.array(seats, np.int64)[None], np.frombuffer(row[1], "<u2").astype(np.uint16)
        return Games(
            players,
            np.array([deal]),
            table[:, :, 4].copy(),
            Played(
                table[:, :, 6:].astype(np.int32),
                table[:, :, 5].copy(),
                np.array([row[0]]),
                (),
                chosen,
                np.array([len(chosen)]),
            ),
        )

    def incidents(self) -> list[dict[str, Any]]:
        """The forfeited moves: players, deal, rotation, seat, step, agent (name), kind, detail."""
        names = ("players", "deal", "rotation", "seat", "step", "agent", "kind", "detail")
        with self._reading():
            rows = self._db.execute(
                "SELECT * FROM incidents ORDER BY players, deal, rotation, step, seat"
            ).fetchall()
        return [
            {
                **dict(zip(names, row, strict=True)),
                "agent": self.names[row[5]],
                "kind": printable(str(row[6])),
                "detail": printable(str(row[7])),
            }
            for row in rows
        ]

    def effort(self) -> tuple[float, int]:
        """Seconds of play, all workers together, and the number of blocks."""
        with self._reading():
            seconds, blocks = self._db.execute("SELECT TOTAL(seconds), COUNT(*) FROM blocks").fetchone()
        return float(seconds), int(blocks)


def _connect(path: Path) -> sqlite3.Connection:
    try:
        db = sqlite3.connect(path, timeout=BUSY, isolation_level=None)
        db.execute("PRAGMA synchronous = FULL")
    except sqlite3.OperationalError as error:
        raise ResultsError(f"{path} cannot be opened: {error}") from error
    except sqlite3.DatabaseError as error:
        raise ResultsError(_damaged(path, error)) from error
    return db


def _check_counts(db: sqlite3.Connection) -> None:
    blocks = "SELECT TOTAL((stop - first) * players), TOTAL((stop - first) * players * players) FROM blocks"
    games, seats = db.execute(blocks).fetchone()
    found = [db.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0] for table in ("games", "seats")]
    if found != [int(games), int(seats)]:
        raise sqlite3.DatabaseError(
            f"the blocks have {int(games)} games and {int(seats)} seats, the tables {found}"
        )


def _damaged(path: Path, reason: object) -> str:
    return (
        f"{path} is damaged: {reason}. It has not been touched; what can be read may be saved with "
        f"`sqlite3 {path} .recover`, or give another file to start anew"
    )
