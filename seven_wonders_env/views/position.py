"""Positions of 7 Wonders in words.

Of the table: ``age`` (1 to 3), ``turn`` (1 to 6, 7 for a seventh card), ``phase`` ("choose", or "pay", "pick", "last",
"side"). Of a seat: ``board`` (id) and ``side`` ("day", "night", "open"), ``coins``, ``victory`` (points of its tokens),
``defeats``, ``hand``, and what it has played, either

* ``played``: for each Age a list such as ``["build Altar", "stage with Tavern", "sell Well"]``, and ``picks`` from the
  discard for the wonder's stages, or
* ``built`` (cards) and ``stages`` (a number): turns that are not accounted for are filled with stages and sales.

``planned`` is what a seat has revealed while others choose how to pay.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity.game.position import Words, index_of
from antiquity.game.tables import text
from antiquity.kernels import entry
from seven_wonders_env import state as s
from seven_wonders_env.rules.legality import legal
from seven_wonders_env.rules.turn import plan

USES = ("build", "stage with", "sell")
AGES = ("I", "II", "III")


@entry
def _legal(games: Any, tables: Any, seat: int, out: Any) -> Any:
    return legal(games[0], tables[0], seat, out)


@entry
def _plan(games: Any, tables: Any) -> None:
    plan(games[0], tables[0])


def kind_names(tables: NDArray[Any]) -> list[str]:
    """The names of all cards; one that several Ages have says which Age."""
    table = tables[0]
    names = [text(name) for name in table["kind_name"]]
    return [
        f"{name} (Age {AGES[int(table['age_of'][kind])]})" if names.count(name) > 1 else name
        for kind, name in enumerate(names)
    ]


class _Deck:
    """The cards of the Ages that lie nowhere yet."""

    def __init__(self, tables: NDArray[Any], players: int, ages: int, rng: np.random.Generator) -> None:
        self.table, self.players, self.rng = tables[0], players, rng
        self.names = kind_names(tables)
        self.plain = [text(name) for name in self.table["kind_name"]]
        self.cards: list[list[int]] = []
        for age in range(ages):
            size = int(self.table["deck_size"][players - s.MIN_PLAYERS, age])
            self.cards.append(self.table["deck"][players - s.MIN_PLAYERS, age, :size].tolist())
        self.guilds = self.table["guilds"][: int(self.table["guild_count"])].tolist() if ages == 3 else []
        self.guilds_left = players + 2

    def kind(self, name: Any, where: str, age: int | None = None) -> int:
        """The card that a name means, in an Age or in any."""
        ages = self.table["age_of"]
        if isinstance(name, str):
            found = [
                kind
                for kind in range(s.KINDS)
                if name.lower() in (self.names[kind].lower(), self.plain[kind].lower())
                and (age is None or ages[kind] == age)
            ]
            if found:
                # Of one name in several Ages, the one that is still there.
                there = [kind for kind in found if self._lies(kind)]
                return (there or found)[0]
        known = [self.names[kind] for kind in range(s.KINDS) if age is None or ages[kind] == age]
        return self.names.index(known[index_of(name, known, where)])

    def _lies(self, kind: int) -> bool:
        age = int(self.table["age_of"][kind])
        return age < len(self.cards) and (kind in self.cards[age] or kind in self.guilds)

    def take(self, kind: int, where: str) -> int:
        """Take a card out."""
        age = int(self.table["age_of"][kind])
        if age >= len(self.cards):
            raise ValueError(f"{where}: {self.names[kind]} is of Age {AGES[age]}, which has not begun")
        if kind in self.guilds and self.guilds_left:
            self.guilds.remove(kind)
            self.guilds_left -= 1
        elif kind in self.cards[age]:
            self.cards[age].remove(kind)
        else:
            raise ValueError(f"{where}: with {self.players} players there is no further {self.names[kind]}")
        return kind

    def complete(self) -> None:
        """Choose the guilds that nobody has named, and shuffle what is left."""
        if len(self.cards) == 3:
            drawn = self.rng.permutation(self.guilds)[: self.guilds_left].tolist()
            self.cards[2] += drawn
            self.guilds, self.guilds_left = [], 0
        for cards in self.cards:
            self.rng.shuffle(cards)


def place(
    record: NDArray[Any], tables: NDArray[Any], said: Words, seats: list[Words], options: Mapping[str, Any]
) -> None:
    """Fill a record; see :class:`antiquity.game.Game`."""
    game: Any = record[0]
    players = len(seats)
    age = said.take("age", int, 1, low=1, high=3) - 1
    turn = said.take("turn", int, 1, low=1, high=7) - 1
    phase = said.name("phase", s.PHASES, "choose")
    rng = np.random.default_rng([int(game["seed"]), players])
    game["payments"] = options.get("payments", "choose") == "choose"
    game["hands"] = s.NO_CARD
    game["age"], game["turn"] = age, turn
    game["phase"] = phase if phase != s.PAY else (s.LAST if turn == s.EXTRA_TURN else s.CHOOSE)
    _boards(game, tables, seats, phase)
    resolved = min(turn + (phase == s.PICK), s.TURNS)
    deck = _Deck(tables, players, 0 if phase == s.SIDE else age + 1, rng)
    past = [_Past(deck, seat, number) for number, seat in enumerate(seats)]
    hands = [
        [
            deck.take(deck.kind(name, seat.where, age), f"{seat.where}: hand")
            for name in seat.take("hand", list, [])
        ]
        for seat in seats
    ]
    deck.complete()
    picks = [0] * s.MAX_STAGES
    for number, (seat, one) in enumerate(zip(seats, past, strict=True)):
        board = tables[0]["powers"][s.KINDS + 4 * int(game["board"][number]) :][: s.MAX_STAGES]
        for stage, name in enumerate(seat.take("picks", list, [])[: s.MAX_STAGES]):
            if name and board[stage] & s.BUILD_FROM_DISCARD:
                picks[stage] = deck.kind(name, f"{seat.where}: picks") + 1
        one.fill(deck, age, resolved, phase, game)
    game["picks"] = picks
    for number, seat in enumerate(seats):
        for a in range(3):
            for t, action in enumerate(past[number].actions[a]):
                game["history"][a, t, number] = action
        _work_out(game, tables, number)
        game["coins"][number] = seat.take("coins", int, int(tables[0]["start_coins"]), low=0, high=65_535)
        game["victory"][number] = seat.take("victory", int, 0, low=0, high=255)
        game["defeats"][number] = seat.take("defeats", int, 0, low=0, high=255)
    _deal(game, deck, seats, hands, age, resolved, phase, turn)
    for action in game["history"][:, :, :players].ravel().tolist():
        if action and (action - s.CARD_ACTIONS) % s.USES == s.SELL:
            game["discard"][(action - s.CARD_ACTIONS) // s.USES] += 1
    for pick in picks:
        if pick and not game["discard"][pick - 1]:
            raise ValueError(f"picks: {deck.names[pick - 1]} was never sold")
        if pick:
            game["discard"][pick - 1] -= 1
    _ask(record, tables, seats, deck, phase)
    for seat in seats:
        seat.finish()


def _boards(game: Any, tables: NDArray[Any], seats: list[Words], phase: int) -> None:
    ids = [text(name) for name in tables[0]["board_id"]]
    wanted = [seat.name("board", ids, "") if "board" in seat else -1 for seat in seats]
    free = [board for board in range(s.BOARDS) if board not in wanted]
    for number, seat in enumerate(seats):
        side = seat.name("side", ("day", "night", "open"), "open" if phase == s.SIDE else "day")
        wonder = wanted[number] if wanted[number] >= 0 else free.pop(0)
        game["board"][number] = s.SIDES * wonder + (side == 1)
        game["open_sides"] |= (side == 2) << number


class _Past:
    """What a seat has played, Age by Age."""

    def __init__(self, deck: _Deck, seat: Words, number: int) -> None:
        self.seat, self.number = seat, number
        self.actions: list[list[int]] = [[], [], []]
        self.stages = 0
        self.exact = "played" in seat
        if self.exact:
            for age, entries in enumerate(seat.take("played", list)[:3]):
                for words in entries if isinstance(entries, list) else []:
                    self.actions[age].append(self._entry(deck, words, age))
            return
        for name in seat.take("built", list, []):
            kind = deck.take(deck.kind(name, f"{seat.where}: built"), f"{seat.where}: built")
            self.actions[int(deck.table["age_of"][kind])].append(s.CARD_ACTIONS + s.USES * kind + s.BUILD)
        self.stages = seat.take("stages", int, 0, low=0, high=s.MAX_STAGES)

    def _entry(self, deck: _Deck, words: Any, age: int) -> int:
        where = f"{self.seat.where}: played"
        for use, verb in enumerate(USES):
            if isinstance(words, str) and words.startswith(f"{verb} "):
                kind = deck.take(deck.kind(words[len(verb) + 1 :], where, age), where)
                return s.CARD_ACTIONS + s.USES * kind + use
        raise ValueError(f"{where}: {words!r} does not begin with one of {', '.join(USES)}")

    def fill(self, deck: _Deck, age: int, resolved: int, phase: int, game: Any) -> None:
        """Fill the turns that are not accounted for with stages and sales."""
        for a in range(age + 1 if phase != s.SIDE else 0):
            whole = a < age or (resolved == s.TURNS and phase not in (s.LAST, s.PAY) and phase != s.PICK)
            wanted = s.TURNS + 1 if whole else resolved
            if a == age and resolved == s.TURNS and not whole:
                power = self._plays_last(deck, game)
                wanted = s.TURNS + (0 if power else 1)
            if len(self.actions[a]) > wanted or (self.exact and len(self.actions[a]) != wanted):
                raise ValueError(
                    f"{self.seat.where}: in Age {AGES[a]} it has played {len(self.actions[a])} cards, and by then "
                    f"it is {wanted}, the last one left over included"
                )
            while len(self.actions[a]) < wanted:
                left_over = len(self.actions[a]) == s.TURNS
                use = s.STAGE if self.stages and not left_over else s.SELL
                self.stages -= use == s.STAGE
                if not deck.cards[a]:
                    raise ValueError(f"there are not enough cards of Age {AGES[a]} for what was said")
                self.actions[a].append(s.CARD_ACTIONS + s.USES * deck.cards[a].pop() + use)
        if self.stages:
            raise ValueError(f"{self.seat.where}: there were not enough turns for so many wonder stages")

    def _plays_last(self, deck: _Deck, game: Any) -> bool:
        built = self.stages + sum(
            (action - s.CARD_ACTIONS) % s.USES == s.STAGE for actions in self.actions for action in actions
        )
        first = s.KINDS + s.MAX_STAGES * int(game["board"][self.number])
        return bool(
            np.bitwise_or.reduce(deck.table["powers"][first : first + built], initial=0) & s.PLAY_LAST_CARD
        )


def _items(game: Any, tables: NDArray[Any], seat: int) -> Iterator[int]:
    """Everything that a seat has built."""
    board, stages = int(game["board"][seat]), 0
    for action in game["history"][:, :, seat].ravel().tolist():
        if action:
            kind, use = divmod(action - s.CARD_ACTIONS, s.USES)
            if use == s.BUILD:
                yield kind
            elif use == s.STAGE:
                yield s.KINDS + s.MAX_STAGES * board + stages
                stages += 1
    for stage, pick in enumerate(game["picks"].tolist()):
        item = s.KINDS + s.MAX_STAGES * board + stage
        if pick and stage < stages and tables[0]["powers"][item] & s.BUILD_FROM_DISCARD:
            yield pick - 1


def _work_out(game: Any, tables: NDArray[Any], seat: int) -> None:
    """What follows from a seat's cards and stages."""
    table = tables[0]
    board = int(game["board"][seat])
    game["own"][seat] = game["sell"][seat] = table["start"][board]
    for item in _items(game, tables, seat):
        if item < s.KINDS:
            game["city"][seat, item >> 6] |= np.uint64(1 << (item & 63))
            game["built"][seat, table["colour"][item]] += 1
        else:
            game["built"][seat, s.STAGES_COLUMN] += 1
        for name in ("own", "sell", "shields", "science"):
            game[name][seat] += table[name][item]
        game["discounts"][seat] |= table["discounts"][item]
        game["powers"][seat] |= table["powers"][item]


def _deal(
    game: Any,
    deck: _Deck,
    seats: list[Words],
    hands: list[list[int]],
    age: int,
    resolved: int,
    phase: int,
    turn: int,
) -> None:
    """Give everybody the cards that were named, and others up to as many as there must be."""
    for number, seat in enumerate(seats):
        if phase == s.SIDE:
            size = 0
        elif resolved < s.TURNS:
            size = s.TURNS - resolved + 1
        else:
            played = phase == s.PICK and turn == s.EXTRA_TURN
            size = int(bool(int(game["powers"][number]) & s.PLAY_LAST_CARD) and not played)
        hand = hands[number]
        if len(hand) > size:
            raise ValueError(f"{seat.where}: hand has {len(hand)} cards; at this moment it is {size}")
        while len(hand) < size:
            if not deck.cards[age]:
                raise ValueError(f"there are not enough cards of Age {AGES[age]} for what was said")
            hand.append(deck.cards[age].pop())
        game["hands"][number, :size] = sorted(hand)
        game["hand_size"][number] = size
    if phase != s.SIDE and any(deck.cards):
        raise ValueError(
            "not all cards were played or are held: more turns have passed than this position says"
        )


def _ask(record: NDArray[Any], tables: NDArray[Any], seats: list[Words], deck: _Deck, phase: int) -> None:
    """Say who decides; what is planned is revealed, and who has several ways to pay is asked."""
    game: Any = record[0]
    players = len(seats)
    planned = [seat.take("planned", str, "") for seat in seats]
    if phase == s.SIDE:
        game["deciders"] = game["open_sides"]
    elif phase == s.PICK:
        found = [
            seat
            for seat in range(players)
            if (game["history"][game["age"], game["turn"], seat] - s.CARD_ACTIONS) % s.USES == s.STAGE
            and game["history"][game["age"], game["turn"], seat]
        ]
        first = [
            s.KINDS + s.MAX_STAGES * int(game["board"][seat]) + int(game["built"][seat, 7]) - 1
            for seat in found
        ]
        found = [
            seat
            for seat, item in zip(found, first, strict=True)
            if tables[0]["powers"][item] & s.BUILD_FROM_DISCARD
        ]
        if not found:
            raise ValueError('phase "pick": nobody has just built a stage that picks from the discard')
        game["picker"], game["deciders"] = found[0] + 1, 1 << found[0]
    else:
        holders = [seat for seat in range(players) if game["hand_size"][seat]]
        game["deciders"] = sum(1 << seat for seat in holders)
    if phase == s.PAY:
        for seat, words in enumerate(planned):
            if not words and not game["hand_size"][seat]:
                continue
            verb = next((use for use, verb in enumerate(USES) if words.startswith(f"{verb} ")), None)
            if verb is None:
                raise ValueError(
                    f"seat {seat}: planned = {words!r}: in the phase \"pay\" say such as 'build Altar'"
                )
            kind = deck.kind(words[len(USES[verb]) + 1 :], f"seat {seat}: planned", int(game["age"]))
            game["chosen"][seat] = s.CARD_ACTIONS + s.USES * kind + verb
        for seat in range(players):
            legal = np.zeros(3 * s.HAND, np.uint16)
            count = _legal(record, tables, seat, legal) if game["chosen"][seat] else 0
            if game["chosen"][seat] and game["chosen"][seat] not in legal[:count]:
                raise ValueError(f"seat {seat}: planned = {planned[seat]!r} is not possible here")
        _plan(record, tables)
        game["chosen"] = 0
        if game["phase"] != s.PAY:
            raise ValueError('phase "pay": with these plans nobody has several ways to pay')
    elif any(planned):
        raise ValueError('planned goes with phase = "pay"')


def words(games: NDArray[Any], index: int, tables: NDArray[Any]) -> dict[str, Any]:
    """A record in words; see :class:`antiquity.game.Game`."""
    game: Any = games[index]
    players = int(game["num_players"])
    names = kind_names(tables)
    plain = [text(name) for name in tables[0]["kind_name"]]
    ids = [text(name) for name in tables[0]["board_id"]]
    found: dict[str, Any] = {
        "age": int(game["age"]) + 1,
        "turn": int(game["turn"]) + 1,
        "phase": s.PHASES[int(game["phase"])],
    }

    def entry_of(action: int) -> str:
        kind, use = divmod(action - s.CARD_ACTIONS, s.USES)
        return f"{USES[use]} {plain[kind]}"

    seats: list[dict[str, Any]] = []
    for seat in range(players):
        board, side = divmod(int(game["board"][seat]), s.SIDES)
        said: dict[str, Any] = {
            "board": ids[board],
            "side": "open" if game["open_sides"] >> seat & 1 else ("day", "night")[side],
            "coins": int(game["coins"][seat]),
            "victory": int(game["victory"][seat]),
            "defeats": int(game["defeats"][seat]),
            "hand": [plain[kind] for kind in game["hands"][seat][: int(game["hand_size"][seat])].tolist()],
            "played": [
                [entry_of(action) for action in game["history"][age, :, seat].tolist() if action]
                for age in range(int(game["age"]) + 1)
            ],
        }
        first = s.KINDS + s.MAX_STAGES * int(game["board"][seat])
        if (
            any(tables[0]["powers"][first : first + s.MAX_STAGES] & s.BUILD_FROM_DISCARD)
            and game["picks"].any()
        ):
            said["picks"] = [names[pick - 1] if pick else "" for pick in game["picks"].tolist()]
        if game["planned"][seat]:
            said["planned"] = entry_of(int(game["planned"][seat]))
        seats.append(said)
    return found | {"seats": seats}
