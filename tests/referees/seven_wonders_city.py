"""What a city of 7 Wonders holds, and what that is worth: symbols, shields, science, coins and points.

Nothing is kept in counters: every question walks over the cards and wonder stages that stand, effect by effect.

Effects (a card or a wonder stage has a list of them):

    produce {resources}                  that many symbols, each gives one unit every turn
    produce_choice {one_of}              one symbol that gives one of these every turn
    trade_discount {goods, side}         buying "raw" or "manufactured" goods from "left", "right" or "both" is cheaper
    coins {amount}                       once, when built
    coins_per {count, amount, cities}    once, when built: amount for each counted thing in these cities
    vp {amount}                          points at the end
    end_vp_per {count, amount, cities}   points at the end: amount for each counted thing in these cities
    end_vp_if_wonder_complete {amount}   points at the end if all stages of the own board stand
    shields {amount}                     military strength, in every conflict from now on
    science {symbol}                     compass, gear or tablet
    science_choice {one_of}              at the end one of these, the best
    power {power}                        one of POWERS

count: "<colour>_cards" or "wonder_stages"; cities: "self", "left", "right" (the neighbours).
"""

from itertools import product

from .seven_wonders_payment import symbols_of

COLOURS = ("brown", "grey", "blue", "yellow", "red", "green", "purple")
SCIENCE = ("compass", "gear", "tablet")
EFFECTS = (
    "produce",
    "produce_choice",
    "trade_discount",
    "coins",
    "coins_per",
    "vp",
    "end_vp_per",
    "end_vp_if_wonder_complete",
    "shields",
    "science",
    "science_choice",
    "power",
)
POWERS = (
    "build_from_discard",  # at the end of the turn it is built: one card of the pile, for nothing
    "play_last_card",  # the seventh card is played as a turn of its own
    "first_card_of_each_colour_free",  # a building whose colour is not in the city yet costs nothing
    "first_card_of_each_age_free",  # the building chosen on the first turn of an Age costs nothing
    "last_card_of_each_age_free",  # the building chosen on the sixth turn of an Age costs nothing
)

# The line of the score sheet on which points printed on a card are entered. Blue, yellow and purple are the ones
# the game has; the others only matter to tables that print points on cards of other colours.
CATEGORY = {
    "blue": "civilian",
    "yellow": "commerce",
    "purple": "guilds",
    "green": "science",
    "red": "military",
    "brown": "civilian",
    "grey": "civilian",
}
CATEGORIES = ("wonder", "coins", "military", "civilian", "commerce", "science", "guilds")


class City:
    """One player's board and what stands on it. `kinds` are numbers into the list of all cards."""

    def __init__(self, cards, resource, stages, coins):
        self.cards = cards  # all cards of the game, by kind
        self.resource = resource  # starting production of the board
        self.stages = stages  # all stages of this side of the board, first to last
        self.coins = coins
        self.kinds = []  # buildings, in the order built
        self.stages_built = 0
        self.victory_points = 0  # sum of the military tokens won
        self.defeats = 0  # number of defeat tokens

    def buildings(self):
        return [self.cards[kind] for kind in self.kinds]

    def built_stages(self):
        return self.stages[: self.stages_built]

    def next_stage(self):
        """The stage to be built next, None when the wonder is complete."""
        return None if self.wonder_is_complete() else self.stages[self.stages_built]

    def wonder_is_complete(self):
        return self.stages_built == len(self.stages)

    def effects(self, effect_type=None):
        """The effects of all buildings and built stages (of one type)."""
        things = self.buildings() + self.built_stages()
        return [e for thing in things for e in thing["effects"] if effect_type in (None, e["type"])]

    def has_name(self, name):
        return any(card["name"] == name for card in self.buildings())

    def has_colour(self, colour):
        return any(card["colour"] == colour for card in self.buildings())

    def has_power(self, power):
        return any(effect["power"] == power for effect in self.effects("power"))

    def own_symbols(self):
        """What the owner produces with: the board's resource, all buildings, all built stages."""
        return [(self.resource,)] + symbols_of(self.effects())

    def symbols_for_sale(self):
        """What neighbours may buy from: the board's resource, brown and grey buildings, nothing else."""
        symbols = [(self.resource,)]
        for card in self.buildings():
            if card["colour"] in ("brown", "grey"):
                symbols += symbols_of(card["effects"])
        return symbols

    def has_discount(self, goods, side):
        return any(
            e["goods"] == goods and e["side"] in (side, "both") for e in self.effects("trade_discount")
        )

    def shields(self):
        return sum(effect["amount"] for effect in self.effects("shields"))

    def science(self):
        """[compass, gear, tablet, symbols of choice]."""
        symbols = [effect["symbol"] for effect in self.effects("science")]
        return [symbols.count(symbol) for symbol in SCIENCE] + [len(self.effects("science_choice"))]

    def count(self, things):
        """How many of "brown_cards", ..., "wonder_stages" this city has."""
        if things == "wonder_stages":
            return self.stages_built
        colour = things.removesuffix("_cards")
        return sum(card["colour"] == colour for card in self.buildings())


def count_in_cities(effect, city, left, right):
    """The things counted by a coins_per or end_vp_per effect of `city`."""
    cities = {"self": city, "left": left, "right": right}
    return sum(cities[where].count(things) for where in effect["cities"] for things in effect["count"])


def coins_at_once(effects, city, left, right):
    """Coins from the bank for a card or stage that has just been built."""
    coins = 0
    for effect in effects:
        if effect["type"] == "coins":
            coins += effect["amount"]
        elif effect["type"] == "coins_per":
            coins += effect["amount"] * count_in_cities(effect, city, left, right)
    return coins


def printed_points(effects, city, left, right):
    """Points at the end of the game for the effects of a card or stage, science left out."""
    points = 0
    for effect in effects:
        if effect["type"] == "vp":
            points += effect["amount"]
        elif effect["type"] == "end_vp_per":
            points += effect["amount"] * count_in_cities(effect, city, left, right)
        elif effect["type"] == "end_vp_if_wonder_complete" and city.wonder_is_complete():
            points += effect["amount"]
    return points


def science_points(city, points_per_set):
    """Each symbol's number squared, and points for each set of all three; choices fall as is best together."""
    fixed = city.science()[:3]
    choices = [effect["one_of"] for effect in city.effects("science_choice")]
    best = 0
    for chosen in product(*choices):
        counts = [number + chosen.count(symbol) for number, symbol in zip(fixed, SCIENCE, strict=True)]
        best = max(best, sum(number**2 for number in counts) + points_per_set * min(counts))
    return best


def score_sheet(city, left, right, rules):
    """The score of one city as if the game ended now."""
    sheet = dict.fromkeys(CATEGORIES, 0)
    sheet["coins"] = city.coins // rules["coins_per_vp"]
    sheet["military"] = city.victory_points + city.defeats * rules["military_loss_vp"]
    sheet["science"] = science_points(city, rules["science_per_full_set"])
    for stage in city.built_stages():
        sheet["wonder"] += printed_points(stage["effects"], city, left, right)
    for card in city.buildings():
        sheet[CATEGORY[card["colour"]]] += printed_points(card["effects"], city, left, right)
    sheet["total"] = sum(sheet[category] for category in CATEGORIES)
    sheet["tiebreak"] = city.coins
    return sheet


def check_effects(effects):
    """An effect nobody knows is an error of the table, not something to pass over in silence."""
    counts = [f"{colour}_cards" for colour in COLOURS] + ["wonder_stages"]
    for effect in effects:
        if effect["type"] not in EFFECTS:
            raise ValueError(f"unknown effect {effect['type']!r}")
        if effect["type"] == "power" and effect["power"] not in POWERS:
            raise ValueError(f"unknown power {effect['power']!r}")
        for things in effect.get("count", []):
            if things not in counts:
                raise ValueError(f"nothing known to count as {things!r}")
