"""The sheet of a player of 7 Wonders Dice: all its spaces, with their numbers, costs, points and effects.

A space knows the building it belongs to and its part of that building; the dice speak of both:

    warehouse    stone, wood, clay, glass, papyrus, textile
    agora        agora_a, agora_b, agora_c
    market       market_left, market_right
    barracks     west_attack, west_defence, east_attack, east_defence
    university   upper, middle, lower
    guild_court  guild_court
    gallery      laurel, red_leader, green_leader, blue_leader, yellow_leader
    wonder       wonder

Spaces of a part are crossed in their order, first to last, but for the market, which has no order.

Effects (a space has one or none):

    cross {buildings, up_to}          at once: up to so many spaces of one of these buildings, costs paid
    build_free_die                    at once: an action with a die, its die cost waived
    extra_action                      at once: any action
    coins {n}                         at once: n coins
    per_space {building, coins, vp}   at once coins, at the end points, for each crossed space of a building
    die_discount {n}                  from now on: every die costs n less
    die_free {color}                  from now on: dice of this colour cost nothing
    die_income {color, coins}         from now on: coins whenever a die of this colour is chosen
    unlock {die}                      from now on: this special die may be chosen
    vp {n}                            at the end: n points
    gallery_vp                        at the end: a point for each crossed space of the gallery
"""

from dataclasses import dataclass
from typing import Any

BUILDINGS = ("warehouse", "agora", "market", "barracks", "university", "guild_court", "gallery", "wonder")
COLOURS = ("grey", "green", "blue", "red", "yellow", "purple", "black", "white")
SPECIAL = ("black", "purple", "white")
SIDES = ("west", "east")

# The number of the first space of each track of the data, and the building it belongs to.
TRACKS = {
    "warehouse": (0, "warehouse"),
    "agora_a": (6, "agora"),
    "agora_b": (9, "agora"),
    "agora_c": (12, "agora"),
    "market_left": (16, "market"),
    "market_right": (20, "market"),
    "west_attack": (24, "barracks"),
    "west_defence": (29, "barracks"),
    "east_attack": (31, "barracks"),
    "east_defence": (36, "barracks"),
    "upper": (38, "university"),
    "middle": (41, "university"),
    "lower": (44, "university"),
    "guild_court": (47, "guild_court"),
    "laurel": (51, "gallery"),
    "leaders": (56, "gallery"),
    "wonder": (60, "wonder"),
}
WITHOUT_ORDER = ("warehouse", "market_left", "market_right", "leaders")
EACH_SPACE_A_PART = ("warehouse", "leaders")

# What an effect has to say besides its kind.
EFFECTS = {
    "cross": {"buildings", "up_to"},
    "build_free_die": set(),
    "extra_action": set(),
    "coins": {"n"},
    "per_space": {"building", "coins", "vp"},
    "die_discount": {"n"},
    "die_free": {"color"},
    "die_income": {"color", "coins"},
    "unlock": {"die"},
    "vp": {"n"},
    "gallery_vp": set(),
}
NO_EFFECT = {"kind": "none"}


@dataclass(frozen=True)
class Space:
    slot: int  # its number
    building: str
    part: str
    cost: int  # the printed construction cost
    vp: int  # the printed points
    effect: dict[str, Any]
    needs: tuple[int, ...]  # the spaces to be crossed before

    @property
    def side(self):
        """West or east, of a space of the barracks."""
        return self.part.split("_")[0]

    @property
    def is_attack(self):
        return self.building == "barracks" and self.part.endswith("attack")

    @property
    def category(self):
        """The line of the score sheet on which the points of this space are entered."""
        return f"barracks {self.side}" if self.building == "barracks" else self.building.replace("_", " ")


def read_sheet(sheet, board):
    """All spaces of a sheet with this board, by number. What the board says of a space replaces the sheet's."""
    if {track["id"] for track in sheet["tracks"]} != set(TRACKS):
        raise ValueError(f"the sheet has the tracks {[track['id'] for track in sheet['tracks']]}")
    of_the_board = {space["id"]: space for space in board["spaces"]}
    spaces = {}
    for track in sheet["tracks"]:
        first_slot, building = TRACKS[track["id"]]
        for number, space in enumerate(track["spaces"]):
            printed = {**space, **of_the_board.pop(space["id"], {})}
            slot = first_slot + number
            if slot in spaces:
                raise ValueError(f"two spaces with the number {slot}")
            spaces[slot] = Space(
                slot=slot,
                building=building,
                part=space["id"] if track["id"] in EACH_SPACE_A_PART else track["id"],
                cost=printed["cost"],
                vp=printed.get("vp", 0),
                effect=printed.get("effect", NO_EFFECT),
                needs=() if track["id"] in WITHOUT_ORDER else tuple(range(first_slot, slot)),
            )
            check_effect(spaces[slot].effect)
    if of_the_board:
        raise ValueError(f"the board speaks of unknown spaces {list(of_the_board)}")
    return dict(sorted(spaces.items()))


def check_effect(effect):
    """An effect nobody knows is an error of the sheet, not something to pass over in silence."""
    if effect == NO_EFFECT:
        return
    if effect["kind"] not in EFFECTS:
        raise ValueError(f"unknown effect {effect['kind']!r}")
    if effect.keys() - {"kind"} != EFFECTS[effect["kind"]]:
        raise ValueError(f"an effect {effect['kind']!r} says {sorted(EFFECTS[effect['kind']])}, not {effect}")
    for known, words in (
        (BUILDINGS, effect.get("buildings", [])),
        (BUILDINGS, [effect.get("building")]),
        (COLOURS, [effect.get("color")]),
        (SPECIAL, [effect.get("die")]),
    ):
        for word in words:
            if word is not None and word not in known:
                raise ValueError(f"an effect names {word!r}")
