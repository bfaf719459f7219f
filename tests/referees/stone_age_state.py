"""A position of Stone Age in plain numbers and lists, to be compared with another engine."""


def state(game):
    """The position in plain values."""
    paying, feeding = game.phase == "pay", game.phase == "feed"
    left_to_pay = game.pieces - sum(game.paid) if paying else game.shortage if feeding else 0
    kinds_left = None
    if paying and game.kinds is not None:
        kinds_left = game.kinds - sum(1 for number in game.paid if number > 0)
    dice = game.dice if game.phase == "lottery" else []
    players = game.players
    return {
        "round": game.round,
        "start": game.start,
        "phase": game.phase,
        "decider": game.decider(),
        "over": game.over,
        "truncated": game.truncated,
        "people": [player.people for player in players],
        "in_hand": [player.in_hand for player in players],
        "placed": [list(player.placed) for player in players],
        "food": [player.food for player in players],
        "resources": [list(player.resources) for player in players],
        "agriculture": [player.agriculture for player in players],
        "tools": [list(player.tools) for player in players],
        "used": [[int(used) for used in player.used] for player in players],
        "one_use": [list(player.one_use) for player in players],
        "free_cards": [player.free_cards for player in players],
        "buildings": [player.tiles for player in players],
        "cards": [sorted(player.cards) for player in players],
        "extra": [sorted(player.extra) for player in players],
        "open": list(game.open),
        "deck": list(game.deck),
        "piles": [list(pile) for pile in game.piles],
        "active": None if game.over else game.active,
        "place": game.place,
        "total": game.total if game.phase == "tools" else 0,
        "dice": [dice.count(face) for face in range(1, 7)],
        "pay_left": left_to_pay,
        "pay_kinds": kinds_left,
        "pay_kind": len(game.paid) if paying else None,
    }
