"""One player of 7 Wonders Dice: what is crossed on the sheet, and what that is worth.

Little is kept in counters: coins, and the points of attacks, which are written down when an attack is made. Every
other question walks over the crossed spaces.
"""

from .dice_sheet import SIDES, SPECIAL

CATEGORIES = (
    "wonder",
    "barracks west",
    "barracks east",
    "agora",
    "market",
    "university",
    "guild court",
    "gallery",
)
FIRST_AGORA_VP = 3  # for the first to cross all spaces of the agora


class Player:
    def __init__(self, board, spaces, coins):
        self.board = board  # the id of the board
        self.spaces = spaces  # all spaces of the sheet, by number
        self.coins = coins
        self.crossed = set()  # numbers of spaces
        self.bonuses = set()  # numbers of bonuses that are crossed
        self.attack = dict.fromkeys(SIDES, 0)  # points of the attacks as written down
        self.stack = []  # what is still to be resolved this turn, the next at the end

    def crossed_spaces(self, building=None):
        return [
            self.spaces[slot]
            for slot in sorted(self.crossed)
            if building in (None, self.spaces[slot].building)
        ]

    def count(self, building):
        """How many spaces of the building are crossed; the barracks are both sides together."""
        return len(self.crossed_spaces(building))

    def defences(self, side):
        return len([space for space in self.crossed_spaces("barracks") if space.part == f"{side}_defence"])

    def open_spaces(self, place):
        """The spaces of a building, or of a part of one, which the order of construction allows to be crossed next."""
        return [
            space
            for space in self.spaces.values()
            if place in (space.building, space.part)
            and space.slot not in self.crossed
            and self.crossed.issuperset(space.needs)
        ]

    def price(self, space):
        """A coin for each resource asked for that the warehouse does not produce; what it produces is never used up."""
        return max(0, space.cost - self.count("warehouse"))

    def effects(self, kind):
        """The effects of this kind on all crossed spaces."""
        return [space.effect for space in self.crossed_spaces() if space.effect["kind"] == kind]

    def die_cost(self, colour, coins_of_quadrant):
        if any(effect["color"] == colour for effect in self.effects("die_free")):
            return 0
        return max(0, coins_of_quadrant - sum(effect["n"] for effect in self.effects("die_discount")))

    def die_income(self, colour):
        return sum(effect["coins"] for effect in self.effects("die_income") if effect["color"] == colour)

    def unlocked(self):
        """The special dice this player may choose."""
        dice = [effect["die"] for effect in self.effects("unlock")]
        return [die for die in SPECIAL if die in dice]

    def is_complete(self, building):
        return self.count(building) == len([s for s in self.spaces.values() if s.building == building])

    def points(self, space):
        """The points of a crossed space as things stand now; attacks are apart."""
        effect = space.effect
        printed = 0 if space.is_attack else space.vp
        if effect["kind"] == "vp":
            return printed + effect["n"]
        if effect["kind"] == "per_space":
            return printed + effect["vp"] * self.count(effect["building"])
        if effect["kind"] == "gallery_vp":
            return printed + self.count("gallery")
        return printed

    def score_sheet(self, first_in_agora):
        """The score as if the game ended now."""
        sheet = dict.fromkeys(CATEGORIES, 0)
        for space in self.crossed_spaces():
            if space.building != "warehouse":
                sheet[space.category] += self.points(space)
        for side in SIDES:
            sheet[f"barracks {side}"] += self.attack[side]
        if first_in_agora:
            sheet["agora"] += FIRST_AGORA_VP
        sheet["total"] = sum(sheet[category] for category in CATEGORIES)
        sheet["tiebreak"] = self.coins
        return sheet
