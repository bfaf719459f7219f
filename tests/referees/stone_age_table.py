"""The printed cards and tiles of Stone Age, as the table gives them."""

from .stone_age_actions import RESOURCES

TOPS = {
    "lottery",
    "food",
    "resource",
    "dice_resource",
    "points",
    "tool",
    "agriculture",
    "extra_card",
    "one_use_tool",
    "any_resources",
}


def cost_of(tile):
    """The printed cost of a fixed tile: wood, clay, stone, gold."""
    return [tile["cost"].get(resource, 0) for resource in RESOURCES]


def check_table(cards, tiles):
    """An unknown word in the table is an error, not a card without effect."""
    for card in cards:
        top, bottom = card["top"], card["bottom"]
        if top["kind"] not in TOPS:
            raise ValueError(f"{card['id']}: unknown top {top['kind']!r}")
        if top["kind"] in ("resource", "dice_resource"):
            check_resources([top["resource"]])
        if "symbol" not in bottom and bottom["person"] not in ("farmer", "toolmaker", "builder", "shaman"):
            raise ValueError(f"{card['id']}: unknown person {bottom['person']!r}")
    for tile in tiles:
        if tile["kind"] == "fixed":
            check_resources(tile["cost"])
        elif tile["kind"] not in ("choice", "any"):
            raise ValueError(f"unknown kind of tile {tile['kind']!r}")


def check_resources(names):
    for name in names:
        if name not in RESOURCES:
            raise ValueError(f"unknown resource {name!r}")
