"""What one player of Stone Age has, and what it is worth."""

from .stone_age_actions import NUMBER_OF_PLACES

CATEGORIES = [
    "buildings",
    "cards",
    "hunger",
    "culture",
    "farmers",
    "toolmakers",
    "builders",
    "shamans",
    "resources",
]
MOST_PEOPLE = 10
BEST_TOOL = 4


class Player:
    def __init__(self, rules):
        self.rules = rules
        self.people = rules["start_people"]
        self.in_hand = 0  # people on the player's own board who are not newcomers
        self.placed = [0] * NUMBER_OF_PLACES  # people by place
        self.food = rules["start_food"]
        self.resources = [0, 0, 0, 0]  # wood, clay, stone, gold
        self.agriculture = 0
        self.tools = [0, 0, 0]  # values from left to right, 0 is an empty frame
        self.used = [False, False, False]  # marks of this round
        self.one_use = [0, 0, 0, 0]  # unused one-use tools of value 1, 2, 3, 4
        self.free_cards = 0  # unused cards with two resources of free choice
        self.tiles = 0  # buildings taken
        self.cards = []  # cards bought
        self.extra = []  # cards that came face down: only their bottoms count
        self.points = {"buildings": 0, "cards": 0, "hunger": 0}  # points won and lost on the way

    def start_round(self):
        self.in_hand = self.people
        self.used = [False, False, False]

    def take_people_off(self, place):
        """The people of a place go home. How many they were."""
        people = self.placed[place]
        self.placed[place] = 0
        self.in_hand += people
        return people

    # ------------------------------------------------------------------ gains

    def improve_tool(self):
        """One step: the lowest tool +1, the leftmost of equal ones. It stays used if it was; at 4-4-4 nothing."""
        lowest = min(self.tools)
        if lowest < BEST_TOOL:
            self.tools[self.tools.index(lowest)] += 1

    def improve_agriculture(self):
        self.agriculture = min(self.agriculture + 1, self.rules["max_agriculture"])

    def gain_person(self):
        """The newcomer is not in hand before the next round."""
        self.people = min(self.people + 1, MOST_PEOPLE)

    # ------------------------------------------------------------------ tools

    def unused_tools(self):
        """The values of the normal tools that may still be used this round."""
        return sorted(
            {value for value, used in zip(self.tools, self.used, strict=True) if value and not used}
        )

    def unused_one_use_tools(self):
        return [value for value in range(1, 5) if self.one_use[value - 1] > 0]

    def use_tool(self, value):
        """Of equal tools the rightmost is used."""
        for frame in (2, 1, 0):
            if self.tools[frame] == value and not self.used[frame]:
                self.used[frame] = True
                return
        raise ValueError(f"no unused tool of value {value}")

    # ------------------------------------------------------------------ the final count

    def score_sheet(self, all_cards):
        """Points by category, their total, and the number that breaks ties."""
        bottoms = [all_cards[card]["bottom"] for card in self.cards + self.extra]
        sheet = {
            "buildings": self.points["buildings"],
            "cards": self.points["cards"],
            "hunger": self.points["hunger"],
            "culture": culture(bottoms),
            "farmers": figures(bottoms, "farmer") * self.agriculture,
            "toolmakers": figures(bottoms, "toolmaker") * sum(self.tools),
            "builders": figures(bottoms, "builder") * self.tiles,
            "shamans": figures(bottoms, "shaman") * self.people,
            # An unused card with two free resources may be used at any time, so also now.
            "resources": (sum(self.resources) + 2 * self.free_cards) * self.rules["resource_vp"],
        }
        sheet["total"] = sum(sheet[category] for category in CATEGORIES)
        sheet["tiebreak"] = self.agriculture + sum(self.tools) + self.people
        return sheet


def culture(bottoms):
    """Sets of different symbols, each as large as possible; the size of each set squared."""
    symbols = [bottom["symbol"] for bottom in bottoms if "symbol" in bottom]
    points = 0
    while symbols:
        one_set = set(symbols)
        points += len(one_set) ** 2
        for symbol in one_set:
            symbols.remove(symbol)
    return points


def figures(bottoms, person):
    """The people drawn, not the cards."""
    return sum(bottom["figures"] for bottom in bottoms if bottom.get("person") == person)
