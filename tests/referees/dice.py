"""The referee of 7 Wonders Dice, 2 to 7 players: the rules in plain, slow Python.

It shares nothing with the fast kernels but the printed sheet, dice and boards, so that random games played through
both check each other. It may also be read as the rules.

Numbers
    seat       0 .. n-1; the LEFT neighbour of s is s+1, the right one s-1; of two players each is both
    space      0 .. 63, see dice_sheet.py
    bonus      0 another action, 1 a space of a building, 2 coins
    action     0 wait | 1-10 choose a die | 11 the next space of the wonder | 12 pass | 13 stop | 14-16 a bonus |
               17-80 cross a space

A turn
    The dice of the forum are thrown, and all seats take one action at once. What a seat still has to resolve lies on
    its stack, the last item first; the seats with something on their stack decide, all at once, the others wait.
    What a seat reads of the others, and what the guild court compares, is the position at the start of the turn.

    ["action"]              any action: a die, the wonder, or pass
    ["free"]                a die without its die cost, or stop
    ["bonus"]               one of the bonuses that are left
    ["cross", buildings, k] up to k more spaces of one of these buildings, or stop
    ["pick", die]           the die is chosen and paid for: one of the spaces it allows
"""

import copy

from .dice_player import Player
from .dice_sheet import BUILDINGS, SIDES, SPECIAL, read_sheet

WAIT, FIRST_DIE, WONDER, PASS, STOP, FIRST_BONUS, FIRST_SPACE = 0, 1, 11, 12, 13, 14, 17
DICE = ("grey1", "grey2", "grey3", "green", "blue", "red", "yellow", "purple", "black", "white")
FORUM_AT_START = DICE[:7]
AGAIN, A_SPACE, COINS = BONUSES = range(3)

START_COINS = 7
PASS_COINS = 3
DIE_COINS = 7  # the face of the yellow die that crosses nothing
BONUS_COINS = 7

# What a face allows: the open spaces of these buildings, or parts of buildings. See `places` for the purple die.
PLACES = {
    "grey": {
        "stone": ["stone"],
        "wood": ["wood"],
        "clay": ["clay"],
        "glass": ["glass"],
        "papyrus": ["papyrus"],
        "textile": ["textile"],
    },
    "green": {"compass": ["upper"], "tablet": ["middle"], "gear": ["lower"]},
    "blue": {
        "mask": ["agora_a"],
        "scales": ["agora_a"],
        "fountain": ["agora_b"],
        "temple": ["agora_b"],
        "owl": ["agora_c"],
        "caduceus": ["agora_c"],
    },
    "red": {"axe": ["west_attack"], "sword": ["east_attack"], "shield": ["west_defence", "east_defence"]},
    "yellow": {"camel": ["market_left"], "chest": ["market_right"], "coins7": []},
    "black": {
        "university": ["university"],
        "market": ["market"],
        "warehouse": ["warehouse"],
        "barracks": ["barracks"],
        "agora": ["agora"],
        "any": ["barracks", "university", "agora", "market"],
    },
    "white": {
        "laurel": ["laurel"],
        "red_leader": ["red_leader"],
        "green_leader": ["green_leader"],
        "blue_leader": ["blue_leader"],
        "yellow_leader": ["yellow_leader"],
    },
}

# The buildings of the bonus that crosses a space.
MIDDLE_BONUS = {
    "any": ["warehouse", "agora", "market", "barracks", "university", "gallery"],
    "four_colours": ["agora", "market", "barracks", "university"],
}


def colour_of(die):
    return die.rstrip("123")


class Referee:
    def __init__(
        self,
        sheet,
        dice,
        boards,
        *,
        deal,
        throw,
        replaced,
        wonder_bonus=True,
        barracks_bonus="each_side",
        grey_dice="photographed",
        middle_bonus="any",
        max_turns=200,
    ):
        """sheet, dice, boards: the printed game. Chance is asked for:

        deal() -> the ids of the boards, seat by seat (as many seats play)
        throw(turn, dice) -> {die: (quadrant, number of the face)} of these dice, at the start of each turn
        replaced(colour) -> the grey die that leaves the forum for the special die of that colour
        """
        if barracks_bonus not in ("each_side", "both_sides"):
            raise ValueError(f"barracks_bonus {barracks_bonus!r}")
        if grey_dice not in ("photographed", "six_resources"):
            raise ValueError(f"grey_dice {grey_dice!r}")
        self.dice = {die["id"]: die for die in dice}
        if set(self.dice) != set(DICE):
            raise ValueError(f"dice {sorted(self.dice)}")
        self.wonder_bonus = wonder_bonus
        self.barracks_bonus = barracks_bonus
        self.grey_dice = grey_dice
        self.middle_bonus = MIDDLE_BONUS[middle_bonus]
        self.max_turns = max_turns
        self.throw = throw
        self.replaced = replaced

        board_of = {board["id"]: board for board in boards}
        self.players = [Player(name, read_sheet(sheet, board_of[name]), START_COINS) for name in deal()]
        self.num_players = len(self.players)
        if not 2 <= self.num_players <= 7:
            raise ValueError(f"not a game for {self.num_players} players")

        self.turn = 0
        self.last_turn = False  # the turn now played is the last
        self.over = False
        self.truncated = False
        self.agora_first = []  # who got the points for being first to fill the agora
        self.forum = dict.fromkeys(FORUM_AT_START, (0, 0))  # die: (quadrant, number of the face)
        self._start_turn()

    def left(self, seat):
        return (seat + 1) % self.num_players

    def right(self, seat):
        return (seat - 1) % self.num_players

    # ------------------------------------------------------------------ who may do what

    def deciders(self):
        """The seats that decide now."""
        return [seat for seat, player in enumerate(self.players) if player.stack]

    def legal(self, seat):
        """The actions of a seat, ascending. A seat that does not decide now can only wait."""
        player = self.players[seat]
        if not player.stack:
            return [WAIT]
        kind, *details = player.stack[-1]
        if kind == "action":
            actions = self.dice_to_choose(seat, free=False) + [PASS]
            if self.affordable(player, player.open_spaces("wonder"), player.coins):
                actions.append(WONDER)
        elif kind == "free":
            actions = self.dice_to_choose(seat, free=True) + [STOP]
        elif kind == "bonus":
            actions = [FIRST_BONUS + bonus for bonus in BONUSES if bonus not in player.bonuses]
        elif kind == "cross":
            spaces = [space for building in details[0] for space in player.open_spaces(building)]
            actions = [FIRST_SPACE + slot for slot in self.affordable(player, spaces, player.coins)] + [STOP]
        elif kind == "pick":
            spaces = self.spaces_of_die(seat, details[0])
            actions = [FIRST_SPACE + slot for slot in self.affordable(player, spaces, player.coins)]
        return sorted(actions)

    def affordable(self, player, spaces, coins):
        """The numbers of those of the spaces which the player could pay for with so many coins."""
        return [space.slot for space in spaces if player.price(space) <= coins]

    def dice_to_choose(self, seat, free):
        """The actions for all dice this seat may choose: it can pay the die and then also some space it allows."""
        player = self.players[seat]
        actions = []
        for die in self.forum:
            colour = colour_of(die)
            if colour in SPECIAL and colour not in player.unlocked():
                continue
            cost = self.die_cost(player, die, free)
            if cost > player.coins:
                continue
            coins = player.coins - cost + player.die_income(colour)
            if self.gives_coins(die) or self.affordable(player, self.spaces_of_die(seat, die), coins):
                actions.append(FIRST_DIE + DICE.index(die))
        return actions

    def die_cost(self, player, die, free):
        quadrant, _ = self.forum[die]
        return 0 if free else player.die_cost(colour_of(die), quadrant)  # quadrant q costs q coins

    def face(self, die):
        """The face a die of the forum shows."""
        _, number = self.forum[die]
        if colour_of(die) == "grey" and self.grey_dice == "six_resources":
            return self.dice[die]["six_faces"][number]
        return self.dice[die]["faces"][number]

    def gives_coins(self, die):
        return colour_of(die) == "yellow" and self.face(die) == "coins7"

    def spaces_of_die(self, seat, die):
        """The spaces the die allows this seat to cross next, whatever they cost."""
        return [space for place in self.places(seat, die) for space in self.players[seat].open_spaces(place)]

    def places(self, seat, die):
        if colour_of(die) == "purple":
            return ["guild_court"] if self.guild_allows(seat, self.face(die)) else []
        return PLACES[colour_of(die)][self.face(die)]

    def guild_allows(self, seat, building):
        """Not less of the building than each neighbour; with two players more than the other. As the turn began."""
        own, left, right = (self.count_before(s, building) for s in (seat, self.left(seat), self.right(seat)))
        if self.num_players == 2:
            return own > left
        return own >= left and own >= right

    def count_before(self, seat, building):
        """How many spaces of the building this seat had crossed at the start of the turn."""
        spaces = self.players[seat].spaces
        return sum(spaces[slot].building == building for slot in self.before[seat])

    def defences_before(self, seat, side):
        spaces = self.players[seat].spaces
        return sum(spaces[slot].part == f"{side}_defence" for slot in self.before[seat])

    # ------------------------------------------------------------------ decisions

    def step(self, actions):
        """The decisions of exactly the seats that decide now. ValueError, and nothing changes, if one is illegal."""
        if self.over:
            raise ValueError("the game is over")
        if sorted(actions) != self.deciders():
            raise ValueError(f"seats {self.deciders()} decide, not {sorted(actions)}")
        for seat, action in actions.items():
            if action not in self.legal(seat):
                raise ValueError(f"seat {seat} cannot do {action}")

        for seat, action in actions.items():
            self._carry_out(seat, action)
            self._settle(seat)
        if not self.deciders():
            self._end_turn()

    def _settle(self, seat):
        """Do what leaves no choice, until there is one or nothing is left to resolve."""
        stack = self.players[seat].stack
        while stack:
            legal = self.legal(seat)
            if len(legal) > 1:
                return
            self._carry_out(seat, legal[0])  # an effect that can do nothing has STOP alone

    def _carry_out(self, seat, action):
        """A legal action: what was to be decided leaves the stack, what follows comes onto it."""
        player = self.players[seat]
        kind, *details = player.stack.pop()
        if action == PASS:
            player.coins += PASS_COINS
        elif action == WONDER:
            self._cross(seat, player.open_spaces("wonder")[0])
        elif action >= FIRST_SPACE:
            space = player.spaces[action - FIRST_SPACE]
            if kind == "cross" and details[1] > 1:  # the rest of the effect, in the same building
                player.stack.append(("cross", [space.building], details[1] - 1))
            self._cross(seat, space)
        elif action >= FIRST_BONUS:
            self._take_bonus(player, action - FIRST_BONUS)
        elif action != STOP:
            self._choose_die(player, DICE[action - FIRST_DIE], kind == "free")

    def _choose_die(self, player, die, free):
        player.coins -= self.die_cost(player, die, free)
        player.coins += player.die_income(colour_of(die))
        if self.gives_coins(die):
            player.coins += DIE_COINS
        else:
            player.stack.append(("pick", die))

    def _take_bonus(self, player, bonus):
        player.bonuses.add(bonus)
        if bonus == AGAIN:
            player.stack.append(("action",))
        elif bonus == A_SPACE:
            player.stack.append(("cross", self.middle_bonus, 1))
        elif bonus == COINS:
            player.coins += BONUS_COINS

    def _cross(self, seat, space):
        """Pay for a space and cross it; its effect works before the bonus of a building that is now complete."""
        player = self.players[seat]
        player.coins -= player.price(space)
        player.crossed.add(space.slot)
        if space.is_attack:
            player.attack[space.side] += self.attack_points(seat, space)
        effect = space.effect
        if effect["kind"] == "coins":
            player.coins += effect["n"]
        elif effect["kind"] == "per_space":
            player.coins += effect["coins"] * player.count(effect["building"])

        if self.completes_a_building(player, space):
            bonuses = len(player.bonuses) + player.stack.count(("bonus",))
            if bonuses < len(BONUSES):
                player.stack.append(("bonus",))

        if effect["kind"] == "extra_action":
            player.stack.append(("action",))
        elif effect["kind"] == "build_free_die":
            player.stack.append(("free",))
        elif effect["kind"] == "cross":
            buildings = [building for building in BUILDINGS if building in effect["buildings"]]
            player.stack.append(("cross", buildings, effect["up_to"]))

    def attack_points(self, seat, space):
        """The printed points less the defences the neighbour had on the side towards us when the turn began."""
        if space.side == "west":
            defences = self.defences_before(self.left(seat), "east")
        else:
            defences = self.defences_before(self.right(seat), "west")
        return max(0, space.vp - defences)

    def completes_a_building(self, player, space):
        """Does this space, just crossed, complete a building that gives a bonus?"""
        if space.building == "warehouse" or (space.building == "wonder" and not self.wonder_bonus):
            return False
        building = [s for s in player.spaces.values() if s.building == space.building]
        if space.building == "barracks" and self.barracks_bonus == "each_side":
            building = [s for s in building if s.side == space.side]
        return all(s.slot in player.crossed for s in building)

    # ------------------------------------------------------------------ turns

    def _start_turn(self):
        thrown = self.throw(self.turn, list(self.forum))
        if set(thrown) != set(self.forum):
            raise ValueError(f"thrown {sorted(thrown)}, but {sorted(self.forum)} lie in the forum")
        for quadrant, face in thrown.values():
            if quadrant not in range(4) or face not in range(6):
                raise ValueError(f"a die cannot lie in quadrant {quadrant} with face {face} up")
        self.forum = {die: tuple(thrown[die]) for die in self.forum}
        self.before = [frozenset(player.crossed) for player in self.players]
        for player in self.players:
            player.stack = [("action",)]

    def _end_turn(self):
        if not self.agora_first:
            self.agora_first = [seat for seat, p in enumerate(self.players) if p.is_complete("agora")]
        for die in SPECIAL:
            if die not in self.forum and any(die in player.unlocked() for player in self.players):
                self._replace_a_grey_die(die)

        third_bonus = any(len(player.bonuses) == len(BONUSES) for player in self.players)
        if self.last_turn:
            self.over = True
        elif self.turn + 1 == self.max_turns:
            self.over = self.truncated = True
        else:
            self.last_turn = third_bonus
            self.turn += 1
            self._start_turn()

    def _replace_a_grey_die(self, die):
        grey = self.replaced(die)
        if grey not in self.forum or colour_of(grey) != "grey":
            raise ValueError(f"{grey!r} is not a grey die of the forum")
        del self.forum[grey]
        self.forum[die] = (0, 0)  # not thrown yet

    # ------------------------------------------------------------------ to look at

    def state(self):
        """The position in plain values."""
        return {
            "num_players": self.num_players,
            "turn": self.turn,
            "over": self.over,
            "truncated": self.truncated,
            "last_turn": self.last_turn,
            "deciders": self.deciders(),
            "forum": {die: list(lies) for die, lies in self.forum.items()},
            "agora_first": list(self.agora_first),
            "seats": [
                {
                    "board": player.board,
                    "coins": player.coins,
                    "crossed": sorted(player.crossed),
                    "bonuses": sorted(player.bonuses),
                    "attack": [player.attack[side] for side in SIDES],
                    "unlocked": player.unlocked(),
                    "stack": [copy.deepcopy(list(item)) for item in player.stack],
                }
                for player in self.players
            ],
        }

    def score(self):
        """The score sheet of each seat, as if the game ended now."""
        return [player.score_sheet(seat in self.agora_first) for seat, player in enumerate(self.players)]

    def ranks(self):
        """1 is the best: by total, then by coins; who is equal in both shares the rank."""
        results = [(sheet["total"], sheet["tiebreak"]) for sheet in self.score()]
        return [1 + sum(other > result for other in results) for result in results]
