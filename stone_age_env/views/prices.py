"""What an action costs or brings, and why one is not possible: in words, from what lies open."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from antiquity.game import WAIT
from antiquity.kernels import entry
from stone_age_env import state as s
from stone_age_env.actions import tile_name
from stone_age_env.data.tables import CHOICE, FIXED
from stone_age_env.rules.payment import stock

from .rolls import roll

_PHASES = (
    "people are being placed",
    "places are being resolved",
    "a roll is waiting for tools",
    "the dice for all are being taken",
    "people are being fed",
    "something is being paid",
)
_OF_PHASE = ("placing people", "resolving places", "tools", "the dice for all", "feeding", "paying")
FULL = "place full"
_VILLAGE = ("a better tool", "one more field", "one more person")


@entry
def _stock(games: Any, index: int, seat: int) -> Any:
    return stock(games[index], seat)


def price(games: NDArray[Any], index: int, tables: NDArray[Any], seat: int, action: int) -> str:
    """What a legal action costs or brings, and why; see :class:`antiquity.game.Game`."""
    game: Any = games[index]
    table = tables[0]
    if action == WAIT:
        return ""
    if action < s.RESOLVE_ACTIONS:
        return _of_placing(game, tables, action)
    if action < s.CASH:
        return _of_resolving(game, tables, seat, action)
    if action < s.STOP:
        return f"+1 {s.RESOURCES[s.PAIRS[action - s.CASH][0]]}, +1 {s.RESOURCES[s.PAIRS[action - s.CASH][1]]}"
    if action < s.TAKE_DIE:
        value = 0 if action == s.STOP else 1 + (action - s.USE_TOOL) % s.MAX_TOOL
        added = f" + {value}" if value else ""
        return f"{roll(game)}{added}: {_yield(game, table, int(game['total']) + value)}"
    if action < s.FEED_RESOURCES:
        face = action - s.TAKE_DIE
        return f"+1 {s.RESOURCES[face]}" if face < len(s.RESOURCES) else _VILLAGE[face - len(s.RESOURCES)]
    if action == s.FEED_RESOURCES:
        return f"-{_number(int(game['pay_left']), 'resource')}"
    if action == s.FEED_NOTHING:
        return f"-{int(table['hunger_penalty'])} points"
    number = (action - s.PAY_COUNT) % s.COUNTS
    kind = (action - s.PAY_COUNT) // s.COUNTS
    left = int(game["pay_left"]) - number
    paid = f"-{number} {s.RESOURCES[kind]}" if number else f"no {s.RESOURCES[kind]}"
    return f"{paid}, then {left} more to pay" if left else f"{paid}, and all is paid"


def _yield(game: Any, table: Any, total: int) -> str:
    good = int(game["gather"])
    divisor = int(table["divisor"][good])
    got = total // divisor
    short = divisor - total % divisor
    return f"+{got} {s.GOODS[good]} ({short} more for the next)"


def _of_placing(game: Any, tables: NDArray[Any], action: int) -> str:
    if action < s.PLACE_RESOURCE:
        return _VILLAGE[action - s.PLACE_ACTIONS]
    if action < s.PLACE_CARD:
        good, people = 0, 1 + action - s.PLACE_HUNT
        if action < s.PLACE_HUNT:
            resource, people = divmod(action - s.PLACE_RESOURCE, s.RINGS)
            good, people = resource + 1, people + 1
        dice = "a die" if people == 1 else f"{people} dice"
        return f"{dice}, 1 {s.GOODS[good]} for every {int(tables[0]['divisor'][good])}"
    if action < s.PLACE_BUILDING:
        return f"to be had for {_number(action - s.PLACE_CARD + 1, 'resource')}"
    return _tile_cost(game, tables, action - s.PLACE_BUILDING)


def _of_resolving(game: Any, tables: NDArray[Any], seat: int, action: int) -> str:
    if action < s.BUY_CARD:
        place = action - s.RESOLVE_ACTIONS
        if place <= s.HUT:
            return _VILLAGE[place]
        people = int(game["placed"][seat, place])
        good = 0 if place == s.HUNT else place - s.FOREST + 1
        dice = "a die is" if people == 1 else f"{people} dice are"
        return f"{dice} thrown, 1 {s.GOODS[good]} for every {int(tables[0]['divisor'][good])}"
    if action < s.DECLINE_CARD:
        spot = action - s.BUY_CARD
        return f"-{_number(spot + 1, 'resource')}"
    if action < s.BUILD:
        return "nothing is paid, the card stays"
    if action < s.DECLINE_BUILDING:
        pile, pieces = divmod(action - s.BUILD, s.MAX_PIECES)
        kind = _top(game, pile)
        if tables[0]["tile_mode"][kind] == FIXED:
            costs = _cost(tables, kind)
            return f"-{costs}: +{int(tables[0]['tile_points'][kind])} points"
        return f"-{_number(pieces + 1, 'resource')}: their value in points"
    return "nothing is paid, the hut stays"


def _top(game: Any, pile: int) -> int:
    return int(game["piles"][pile, int(game["pile_left"][pile]) - 1]) - 1


def _cost(tables: NDArray[Any], kind: int) -> str:
    costs = tables[0]["tile_cost"][kind].tolist()
    return ", ".join(f"{number} {name}" for number, name in zip(costs, s.RESOURCES, strict=True) if number)


def _tile_cost(game: Any, tables: NDArray[Any], pile: int) -> str:
    return f"to be built with {tile_name(tables, _top(game, pile))}" if game["pile_left"][pile] else ""


# --- why not --------------------------------------------------------------------------------------------------------


def why_not(games: NDArray[Any], index: int, tables: NDArray[Any], seat: int, action: int) -> str:
    """Why an action is not possible now; see :class:`antiquity.game.Game`."""
    game: Any = games[index]
    if game["over"]:
        return "the game is over"
    if not int(game["deciders"]) >> seat & 1:
        return "it is another seat's turn"
    if not WAIT < action < s.NUM_ACTIONS:
        return "there is a choice to make"
    phase, own = int(game["phase"]), _phases(action)
    if phase not in own:
        return f"{_OF_PHASE[own[0]]} comes at another time: now {_PHASES[phase]}"
    if phase == s.PLACE:
        return _not_placed(game, tables, seat, action)
    have = int(_stock(games, index, seat))
    if s.CASH <= action < s.STOP:
        if game["free_cards"][seat]:
            return "nothing is left to resolve"
        return "you have no card of free resources"
    if phase == s.RESOLVE:
        return _not_resolved(game, tables, seat, action, have)
    if phase == s.TOOLS:
        value = 1 + (action - s.USE_TOOL) % s.MAX_TOOL
        return f"you have no unused {'one-use ' if action >= s.USE_ONE_USE else ''}tool of {value}"
    if phase == s.LOTTERY:
        return f"no die that is left shows {action - s.TAKE_DIE + 1}"
    if phase == s.FEED:
        return f"{_number(int(game['pay_left']), 'resource')} needed, you have {have}"
    return _not_paid(game, seat, action)


def _phases(action: int) -> tuple[int, ...]:
    """The phases that an action belongs to."""
    if action < s.RESOLVE_ACTIONS:
        return (s.PLACE,)
    if action < s.CASH:
        return (s.RESOLVE,)
    if action < s.STOP:
        return (s.RESOLVE, s.FEED)
    if action < s.TAKE_DIE:
        return (s.TOOLS,)
    if action < s.FEED_RESOURCES:
        return (s.LOTTERY,)
    return (s.FEED,) if action < s.PAY_COUNT else (s.PAY,)


def _not_placed(game: Any, tables: NDArray[Any], seat: int, action: int) -> str:
    players = int(game["num_players"])
    hand = int(game["in_hand"][seat])
    placed = game["placed"][:players]
    if action < s.PLACE_RESOURCE:
        place = action - s.PLACE_ACTIONS
        if placed[:, place].any():
            return FULL
        taken = int((placed[:, s.TOOL_MAKER : s.HUT + 1].sum(axis=0) > 0).sum())
        if taken >= s.OPEN_VILLAGE[players - s.MIN_PLAYERS]:
            return f"{taken} of the three village places are taken, which is all with {players} players"
        if game["people"][seat] >= s.MAX_PEOPLE:
            return f"you have all {s.MAX_PEOPLE} people"
        return f"2 people needed, you have {hand} left"
    if action < s.PLACE_CARD:
        place, people = s.HUNT, 1 + action - s.PLACE_HUNT
        if action < s.PLACE_HUNT:
            resource, extra = divmod(action - s.PLACE_RESOURCE, s.RINGS)
            place, people = s.FOREST + resource, extra + 1
        if placed[seat, place]:
            return "you have people there already"
        if place != s.HUNT:
            heads, seats = int(placed[:, place].sum()), int((placed[:, place] > 0).sum())
            if heads == s.RINGS:
                return FULL
            if seats >= s.SEATS_AT_RESOURCE[players - s.MIN_PLAYERS]:
                most = "one player" if seats == 1 else f"{seats} players"
                return f"with {players} at the table only {most} may be there"
            if people > s.RINGS - heads:
                return f"room for {s.RINGS - heads} more"
        return f"{_number(people, 'person')} needed, you have {hand} left".replace("persons", "people")
    if action < s.PLACE_BUILDING:
        spot = action - s.PLACE_CARD
        return "no card lies there" if game["open"][spot] == s.NO_CARD else FULL
    pile = action - s.PLACE_BUILDING
    if pile >= players:
        return f"out of play with {players} players"
    return FULL if game["pile_left"][pile] else "the pile is empty"


def _not_resolved(game: Any, tables: NDArray[Any], seat: int, action: int, have: int) -> str:
    nobody = "none of your people are there"
    if action < s.BUY_CARD:
        return nobody
    if action < s.BUILD:
        spot = (action - s.BUY_CARD) % s.SPOTS
        if not game["placed"][seat, s.CARD_SPOT + spot]:
            return nobody
        return f"{_number(spot + 1, 'resource')} needed, you have {have}"
    if action >= s.DECLINE_BUILDING:
        return nobody
    pile, extra = divmod(action - s.BUILD, s.MAX_PIECES)
    if not game["placed"][seat, s.BUILDING + pile]:
        return nobody
    kind, pieces, table = _top(game, pile), extra + 1, tables[0]
    least, most = int(table["tile_least"][kind]), int(table["tile_most"][kind])
    mode = int(table["tile_mode"][kind])
    if mode in (FIXED, CHOICE):
        most = least
    if not least <= pieces <= most:
        return f"it takes {least} resources" if least == most else f"it takes {least} to {most} resources"
    if mode == FIXED:
        return f"needs {_cost(tables, kind)}; you have {_held(game, seat)}"
    if mode == CHOICE and have >= pieces:
        return f"needs {pieces} of {int(table['tile_kinds'][kind])} kinds; you have {_held(game, seat)}"
    return f"{_number(pieces, 'resource')} needed, you have {have}"


def _held(game: Any, seat: int) -> str:
    held = zip(game["resources"][seat].tolist(), s.RESOURCES, strict=True)
    return ", ".join(f"{number} {name}" for number, name in held if number) or "none"


def _not_paid(game: Any, seat: int, action: int) -> str:
    kind, number = divmod(action - s.PAY_COUNT, s.COUNTS)
    asked, left = int(game["pay_kind"]), int(game["pay_left"])
    if kind != asked:
        return f"now it is said how much {s.RESOURCES[asked]}"
    have = int(game["resources"][seat, kind])
    if number > left:
        return f"only {left} {'is' if left == 1 else 'are'} due"
    if number > have:
        return f"you have {have} {s.RESOURCES[kind]}"
    kinds = int(game["pay_kinds"])
    if kinds != s.ANY_KINDS:
        return f"the rest could not be paid with exactly {kinds - (number > 0)} other kinds"
    return "the rest could not be paid"


def _number(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
