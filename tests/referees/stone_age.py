"""The referee of Stone Age, 2 to 4 players: the rules in plain, slow Python.

It shares nothing with the fast kernels but the table of cards and tiles, so that random games played through both
check each other. It may also be read as the rules: a round is placing, resolving, feeding (below, in that order).

Numbers
    seat       0 .. n-1; the LEFT neighbour of s, who is next, is s+1
    place      0 tool maker, 1 field, 2 hut, 3 forest, 4 clay pit, 5 quarry, 6 river, 7 hunt,
               8-11 the cards that cost 1-4, 12-15 the piles 0-3
    card       the position of a card in the table; tile: the position of its kind in the table
    action     see stone_age_actions

Phases
    place      the active seat puts people on one place
    resolve    the active seat has people on the board and chooses what to resolve
    tools      it has rolled and may add tools
    lottery    all seats in turn take a die
    pay        the active seat chooses how many pieces of a kind it pays: for a card, a tile, or instead of food
    feed       the active seat is short of food
    over

Exactly one seat decides at any moment. Where only one action is legal it is taken at once, without asking.
"""

from .stone_age_actions import (
    ACTIONS,
    CARD_SPOTS,
    FEEDING,
    FIELD,
    GATHERING,
    HUNT,
    NUMBER,
    PILES,
    RESOURCES,
    TOOL_MAKER,
    WAIT,
    card_spot,
    pile_place,
)
from .stone_age_choices import choices, placements
from .stone_age_payment import all_payments
from .stone_age_player import Player
from .stone_age_state import state
from .stone_age_table import check_table, cost_of

DICE_ON_CARDS = 2


class Referee:
    def __init__(self, table, players, deck, piles, roll, *, start=0, max_rounds=100):
        """table: the cards, tiles and rules; players: their number; deck: all cards, top first, of which the first
        four are open at the prices 1-4; piles: tile kinds, top first, at least one pile for each player;
        roll(round, seat, place, number): the faces of so many dice; start: the seat that begins the first round.
        """
        if players not in (2, 3, 4):
            raise ValueError(f"not a game for {players} players")
        if start not in range(players):
            raise ValueError(f"there is no seat {start}")
        if max_rounds < 1:
            raise ValueError("at least one round")
        self.rules, self.cards, self.tiles = table["rules"], table["cards"], table["tiles"]
        check_table(self.cards, self.tiles)
        if sorted(deck) != list(range(len(self.cards))):
            raise ValueError("the deck is not all cards, each once")

        self.num_players = players
        self.max_rounds = max_rounds
        self.roll = roll
        self.players = [Player(self.rules) for _ in range(players)]
        self.open = list(deck[:4])  # the card at price 1, 2, 3, 4, or None
        self.deck = list(deck[4:])
        self.piles = [list(pile) for pile in piles[:players]]
        if len(self.piles) < players or not all(self.piles):
            raise ValueError("one pile of tiles for each player")

        self.truncated = False
        self.round = 0
        self.start = start
        self.queue = []  # resolving and feeding: the active seat and those after it
        self.place = None  # tools, lottery, pay: the place being resolved
        self.total = 0  # tools: dice and tools so far
        self.dice = []  # lottery: faces not taken yet
        self.choosers = []  # lottery: seats that have not taken a die yet, in order
        self.shortage = 0  # feed and its payment: food that is missing
        self.pieces = 0  # pay: pieces in all
        self.kinds = None  # pay: kinds in all, where the number is fixed
        self.ways = []  # pay: every possible payment
        self.paid = []  # pay: what was chosen so far, by kind
        self._start_round()
        self._take_forced_actions()

    @property
    def over(self):
        return self.phase == "over"

    def left(self, seat):
        return (seat + 1) % self.num_players

    def clockwise_from(self, first):
        return [(first + i) % self.num_players for i in range(self.num_players)]

    # ------------------------------------------------------------------ who may do what

    def decider(self):
        """The seat that decides now, None when the game is over."""
        if self.over:
            return None
        if self.phase == "lottery":
            return self.choosers[0]
        return self.active

    def deciders(self):
        return [] if self.over else [self.decider()]

    def legal(self, seat):
        """The actions of a seat, ascending. A seat that does not decide now can only wait."""
        if seat != self.decider():
            return [WAIT]
        return sorted(NUMBER[choice] for choice in self.choices())

    def choices(self):
        """What the decider may do, in words."""
        return choices(self)

    # ------------------------------------------------------------------ decisions

    def step(self, actions):
        """{the seat that decides: its action}. ValueError, and nothing changes, if that is not legal."""
        if self.over:
            raise ValueError("the game is over")
        seat = self.decider()
        if list(actions) != [seat]:
            raise ValueError(f"seat {seat} decides, not {sorted(actions)}")
        if actions[seat] not in self.legal(seat):
            raise ValueError(f"seat {seat} cannot do {actions[seat]}")
        self._do(ACTIONS[actions[seat]])
        self._take_forced_actions()

    def _take_forced_actions(self):
        while not self.over and len(self.choices()) == 1:
            self._do(self.choices()[0])

    def _do(self, action):
        verb, *what = action
        {
            "place": self._place,
            "resolve": self._resolve,
            "buy": self._buy,
            "decline card": self._decline_card,
            "build": self._build,
            "decline tile": self._decline_tile,
            "cash": self._cash,
            "no more tools": self._harvest,
            "tool": self._add_tool,
            "one-use tool": self._add_one_use_tool,
            "die": self._take_die,
            "pay": self._pay,
            "feed": self._feed,
            "go hungry": self._go_hungry,
        }[verb](*what)

    # ------------------------------------------------------------------ placing

    def _start_round(self):
        for player in self.players:
            player.start_round()
        self.phase = "place"
        self._next_to_place(self.start)

    def _next_to_place(self, first):
        """Clockwise, without those who have nobody left or cannot place. When nobody can, people start to work."""
        for seat in self.clockwise_from(first):
            if placements(self, seat):
                self.active = seat
                return
        self.queue = self.clockwise_from(self.start)
        self._next_to_resolve()

    def _place(self, place, people):
        player = self.players[self.active]
        player.in_hand -= people
        player.placed[place] = people
        self._next_to_place(self.left(self.active))

    # ------------------------------------------------------------------ resolving

    def _next_to_resolve(self):
        """Each seat resolves all its places before the next begins."""
        self.place = None
        while self.queue and not any(self.players[self.queue[0]].placed):
            self.queue.pop(0)
        if self.queue:
            self.phase = "resolve"
            self.active = self.queue[0]
        else:
            self.queue = self.clockwise_from(self.start)
            self._next_to_feed()

    def _resolve(self, place):
        player = self.players[self.active]
        people = player.take_people_off(place)
        if place in GATHERING or place == HUNT:
            self._roll_to_gather(place, people)
            return
        if place == TOOL_MAKER:
            player.improve_tool()
        elif place == FIELD:
            player.improve_agriculture()
        else:
            player.gain_person()
        self._next_to_resolve()

    def _roll_to_gather(self, place, dice):
        """One die for each person; the dice of a hunt beyond the seventh are added as well."""
        self.place = place
        self.total = sum(self._roll_dice(dice))
        self.phase = "tools"

    def _roll_dice(self, number):
        faces = list(self.roll(self.round, self.active, self.place, number))
        if len(faces) != number or any(face not in range(1, 7) for face in faces):
            raise ValueError(f"{number} dice cannot show {faces}")
        return faces

    def _add_tool(self, value):
        self.players[self.active].use_tool(value)
        self.total += value

    def _add_one_use_tool(self, value):
        self.players[self.active].one_use[value - 1] -= 1
        self.total += value

    def _harvest(self):
        """Total by divisor, rounded down."""
        player, good = self.players[self.active], self.good_of_roll()
        number = self.total // self.rules["divisor"][good]
        if good == "food":
            player.food += number
        else:
            player.resources[RESOURCES.index(good)] += number
        self.total = 0
        self._next_to_resolve()

    def good_of_roll(self):
        """What is gathered at the place being resolved: on a card spot, by the card just bought."""
        if self.place == HUNT:
            return "food"
        if self.place in GATHERING:
            return RESOURCES[GATHERING[self.place]]
        return self.cards[self.players[self.active].cards[-1]]["top"]["resource"]

    def _cash(self, first, second):
        player = self.players[self.active]
        player.free_cards -= 1
        player.resources[first] += 1
        player.resources[second] += 1

    # ------------------------------------------------------------------ cards

    def _decline_card(self, price):
        self.players[self.active].take_people_off(card_spot(price))
        self._next_to_resolve()

    def _buy(self, price):
        self.players[self.active].take_people_off(card_spot(price))
        self._start_payment(card_spot(price), price)

    def _card_is_paid(self):
        """The card is the player's, its spot stays empty for the round, and its top happens at once."""
        player, spot = self.players[self.active], CARD_SPOTS.index(self.place)
        card = self.open[spot]
        self.open[spot] = None
        player.cards.append(card)
        top = self.cards[card]["top"]
        if top["kind"] == "dice_resource":
            self._roll_to_gather(self.place, DICE_ON_CARDS)
            return
        if top["kind"] == "lottery":
            self.dice = self._roll_dice(self.num_players)
            self.choosers = self.clockwise_from(self.active)
            self.phase = "lottery"
            return
        if top["kind"] == "food":
            player.food += top["n"]
        elif top["kind"] == "resource":
            player.resources[RESOURCES.index(top["resource"])] += top["n"]
        elif top["kind"] == "points":
            player.points["cards"] += top["n"]
        elif top["kind"] == "tool":
            player.improve_tool()
        elif top["kind"] == "agriculture":
            player.improve_agriculture()
        elif top["kind"] == "one_use_tool":
            player.one_use[top["value"] - 1] += 1
        elif top["kind"] == "any_resources":
            player.free_cards += 1
        elif top["kind"] == "extra_card" and self.deck:
            player.extra.append(self.deck.pop(0))
        self._next_to_resolve()

    def _take_die(self, face):
        """1-4: one wood, clay, stone, gold; 5: a tool step; 6: agriculture. A die of no use is taken as well."""
        player = self.players[self.choosers.pop(0)]
        self.dice.remove(face)
        if face <= 4:
            player.resources[face - 1] += 1
        elif face == 5:
            player.improve_tool()
        else:
            player.improve_agriculture()
        if not self.choosers:
            self._next_to_resolve()

    # ------------------------------------------------------------------ tiles

    def _decline_tile(self, pile):
        self.players[self.active].take_people_off(pile_place(pile))
        self._next_to_resolve()

    def _build(self, pile, pieces):
        player, tile = self.players[self.active], self.tiles[self.piles[pile][0]]
        player.take_people_off(pile_place(pile))
        if tile["kind"] != "fixed":
            self._start_payment(pile_place(pile), pieces, tile.get("kinds"))
            return
        for kind, number in enumerate(cost_of(tile)):
            player.resources[kind] -= number
        player.points["buildings"] += tile["points"]
        self._tile_is_paid(pile)

    def _tile_is_paid(self, pile):
        self.players[self.active].tiles += 1
        self.piles[pile].pop(0)
        self._next_to_resolve()

    # ------------------------------------------------------------------ paying kind by kind

    def _start_payment(self, place, pieces, kinds=None):
        self.phase = "pay"
        self.place, self.pieces, self.kinds = place, pieces, kinds
        self.ways = all_payments(self.players[self.active].resources, pieces, kinds)
        self.paid = []

    def _pay(self, kind, number):
        """Taken at once. After wood, clay and stone the rest is gold."""
        self._hand_over(kind, number)
        if len(self.paid) == 3:
            self._hand_over(3, self.pieces - sum(self.paid))
            self._payment_is_made()

    def _hand_over(self, kind, number):
        player = self.players[self.active]
        player.resources[kind] -= number
        self.paid.append(number)
        if self.place in PILES:  # a tile of free choice is worth what is paid for it
            player.points["buildings"] += number * self.rules["value"][RESOURCES[kind]]

    def _payment_is_made(self):
        if self.place in CARD_SPOTS:
            self._card_is_paid()
        elif self.place in PILES:
            self._tile_is_paid(PILES.index(self.place))
        else:
            self._seat_has_fed()

    # ------------------------------------------------------------------ feeding

    def _next_to_feed(self):
        """Agriculture first, then one food for each person, the newcomer too. What is left stays."""
        self.place = None
        while self.queue:
            player = self.players[self.queue[0]]
            player.food += player.agriculture
            if player.food < player.people:
                self.active = self.queue[0]
                self.shortage = player.people - player.food
                player.food = 0
                self.phase = "feed"
                return
            player.food -= player.people
            self.queue.pop(0)
        self._end_round()

    def _feed(self):
        self._start_payment(FEEDING, self.shortage)

    def _go_hungry(self):
        self.players[self.active].points["hunger"] -= self.rules["hunger_penalty"]
        self._seat_has_fed()

    def _seat_has_fed(self):
        self.queue.pop(0)
        self._next_to_feed()

    # ------------------------------------------------------------------ the end of a round

    def _end_round(self):
        cards = [card for card in self.open if card is not None]
        if not all(self.piles) or len(cards) + len(self.deck) < 4:
            self.phase = "over"
            return
        if self.round + 1 == self.max_rounds:
            self.phase = "over"
            self.truncated = True
            return
        while len(cards) < 4:  # the others have slid to the cheap side
            cards.append(self.deck.pop(0))
        self.open = cards
        self.round += 1
        self.start = self.left(self.start)
        self._start_round()

    # ------------------------------------------------------------------ to look at

    def state(self):
        """The position in plain values."""
        return state(self)

    def score(self):
        """The score sheet of each seat, as if the game ended now."""
        return [player.score_sheet(self.cards) for player in self.players]

    def ranks(self):
        """1 is the best: by total, then by the tie-break; who is equal in both shares the rank."""
        results = [(sheet["total"], sheet["tiebreak"]) for sheet in self.score()]
        return [1 + sum(other > result for other in results) for result in results]
