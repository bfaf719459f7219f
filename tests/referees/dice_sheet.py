"""The sheet of a player of 7 Wonders Dice: all its spaces, with their numbers, costs, points and effects.

A space knows the building it belongs to and its part of that building; the dice speak of both:

    warehouse    stone, wood, clay, glass, papyrus, textile
    agora        A, B, C
    market       left, right
    barracks     west attack, west defence, east attack, east defence
    university   upper, middle, lower
    guild_court  all
    gallery      laurel, red_leader, green_leader, blue_leader, yellow_leader
    wonder       all

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

BUILDINGS = ("warehouse", "agora", "market", "barracks", "university", "guild_court", "gallery", "wonder")
COLOURS = ("grey", "green", "blue", "red", "yellow", "purple", "black", "white")
SPECIAL = ("black", "purple", "white")
SIDES = ("west", "east")
LANES = {"upper": "black", "middle": "purple", "lower": "white"}    # what the last space of the lane unlocks

# The number of the first space of each part; parts without a number follow the one before.
FIRST_SLOT = {
    "warehouse": 0, "agora": 6, "market left": 16, "market right": 20,
    "west attack": 24, "west defence": 29, "east attack": 31, "east defence": 36,
    "upper": 38, "middle": 41, "lower": 44, "guild_court": 47, "laurel": 51, "leaders": 56, "wonder": 60,
}

# What an effect has to say besides its kind.
EFFECTS = {
    "cross": {"buildings", "up_to"}, "build_free_die": set(), "extra_action": set(), "coins": {"n"},
    "per_space": {"building", "coins", "vp"}, "die_discount": {"n"}, "die_free": {"color"},
    "die_income": {"color", "coins"}, "unlock": {"die"}, "vp": {"n"}, "gallery_vp": set(),
}
NO_EFFECT = {"kind": "none"}


@dataclass(frozen=True)
class Space:
    slot: int                   # its number
    building: str
    part: str
    cost: int                   # the printed construction cost
    vp: int = 0                 # the printed points
    effect: dict = None
    needs: tuple = ()           # the spaces to be crossed before

    @property
    def side(self):
        """West or east, of a space of the barracks."""
        return self.part.split()[0]

    @property
    def is_attack(self):
        return self.building == "barracks" and self.part.endswith("attack")

    @property
    def category(self):
        """The line of the score sheet on which the points of this space are entered."""
        return f"barracks {self.side}" if self.building == "barracks" else self.building.replace("_", " ")


def read_sheet(sheet, board):
    """All spaces of a player's sheet with this board, by number."""
    spaces = {}

    def add(building, part, first_slot, printed, ordered=True):
        slots = []
        for slot, space in enumerate(printed, start=first_slot):
            if slot in spaces:
                raise ValueError(f"two spaces with the number {slot}")
            effect = space.get("effect", NO_EFFECT)
            check_effect(effect)
            needs = tuple(slots) if ordered else ()
            spaces[slot] = Space(slot, building, part, space["cost"], space.get("vp", 0), effect, needs)
            slots.append(slot)
        return first_slot + len(slots)

    slot = FIRST_SLOT["warehouse"]
    for space in sheet["warehouse"]["spaces"]:
        slot = add("warehouse", space["id"], slot, [space])

    slot = FIRST_SLOT["agora"]
    for track in sheet["agora"]["tracks"]:
        slot = add("agora", track["id"], slot, track["spaces"])

    for half in ("left", "right"):
        add("market", half, FIRST_SLOT[f"market {half}"], sheet["market"][half], ordered=False)

    for side in SIDES:
        for track in ("attack", "defence"):
            add("barracks", f"{side} {track}", FIRST_SLOT[f"{side} {track}"], sheet["barracks"][track])

    costs = sheet["university"]["lane_costs"]["value"]
    for lane, die in LANES.items():
        effects = board["university"][lane] + [{"kind": "unlock", "die": die}]
        printed = [{"cost": c, "effect": e} for c, e in zip(costs[lane], effects, strict=True)]
        add("university", lane, FIRST_SLOT[lane], printed)

    add("guild_court", "all", FIRST_SLOT["guild_court"], sheet["guild_court"]["spaces"])

    add("gallery", "laurel", FIRST_SLOT["laurel"], sheet["gallery"]["laurel"])
    slot = FIRST_SLOT["leaders"]
    for leader in sheet["gallery"]["leaders"]:
        slot = add("gallery", f"{leader['id']}_leader", slot, [leader])

    add("wonder", "all", FIRST_SLOT["wonder"], board["wonder"])
    return dict(sorted(spaces.items()))


def check_effect(effect):
    """An effect nobody knows is an error of the sheet, not something to pass over in silence."""
    if effect == NO_EFFECT:
        return
    if effect["kind"] not in EFFECTS:
        raise ValueError(f"unknown effect {effect['kind']!r}")
    if effect.keys() - {"kind"} != EFFECTS[effect["kind"]]:
        raise ValueError(f"an effect {effect['kind']!r} says {sorted(EFFECTS[effect['kind']])}, not {effect}")
    for known, words in ((BUILDINGS, effect.get("buildings", [])), (BUILDINGS, [effect.get("building")]),
                         (COLOURS, [effect.get("color")]), (SPECIAL, [effect.get("die")])):
        for word in words:
            if word is not None and word not in known:
                raise ValueError(f"an effect names {word!r}")
