"""The referee of 7 Wonders, second edition, 3 to 7 players: the rules in plain, slow Python.

It shares nothing with the fast kernels but the table of cards, so that random games played through both check
each other. It may also be read as the rules: one turn is `choose`, `pay`, `resolve`, `pick` (below, in that order).

Numbers
    kind       the position of a card in the table: cards first, then guilds
    seat       0 .. n-1; the LEFT neighbour of s is s+1, the right one s-1
    action     0 wait | 1 + 3*kind + use (0 build, 1 wonder stage with this card, 2 sell) | 241 + coins to the left |
               256 the day side, 257 the night side

Phases
    side       before any card is dealt: the seats that choose the side of their board do so at once, then all are shown
    choose     all seats choose a card and its use at once, judged on the start of the turn
    pay        seats whose build or stage can be paid in more than one sensible way choose among these, at once
    pick       the builder of a "card from the discard" stage takes it, after all actions of the turn
    last       owners of the "play the last card" power play their seventh card, as a turn of its own
    over
"""

from .seven_wonders_city import City, check_effects, coins_at_once, score_sheet
from .seven_wonders_payment import MANUFACTURED, RAW, cheapest, possible_payments, undominated

WAIT = 0
BUILD, STAGE, SELL = 0, 1, 2
FIRST_PAYMENT = 241
SIDES = {256: "day", 257: "night"}
FREE = (0, 0)  # nothing to the left, nothing to the right
LAST_AGE = 3
TURNS_PER_AGE = 6
PASSES_TO = {1: "left", 2: "right", 3: "left"}  # by Age


def card_action(kind, use):
    return 1 + 3 * kind + use


def card_and_use(action):
    return divmod(action - 1, 3)


class Referee:
    def __init__(self, table, boards, deal, payments="choose"):
        """table: the card table; boards: (wonder id, "day" | "night" | "choose") of each seat; deal(age): all hands of
        an Age; payments: "choose" (the pay phase) or "cheapest" (no pay phase, the cheapest pair)."""
        if payments not in ("choose", "cheapest"):
            raise ValueError(f"payments is 'choose' or 'cheapest', not {payments!r}")
        self.rules = table["rules"]
        self.num_players = len(boards)
        if not 3 <= self.num_players <= 7:
            raise ValueError(f"not a game for {self.num_players} players")
        self.cards = table["cards"] + table["guilds"]
        self.payments = payments
        self.deal = deal
        self.wonders = [next(w for w in table["wonders"] if w["id"] == wonder) for wonder, _ in boards]
        self.sides = [None if side == "choose" else side for _, side in boards]  # None: not chosen yet
        self.cities = [
            City(self.cards, wonder["resource"], [], self.rules["start_coins"]) for wonder in self.wonders
        ]
        stages = [stage for wonder in self.wonders for side in wonder["sides"] for stage in side["stages"]]
        for thing in self.cards + stages:
            check_effects(thing["effects"])

        self.discard = []  # the pile, kinds
        self.chosen = {}  # seat: (kind, use), in the pay phase
        self.paid = {}  # seat: (coins to the left, coins to the right), in the pay phase
        self.picks = []  # seats that still take a card from the pile this turn, in order
        if None in self.sides:
            self.phase, self.age, self.turn = "side", 1, 1
            self.hands = [[] for _ in boards]
        else:
            self._begin()

    def _begin(self):
        """All sides are known: the boards are laid out, and the first Age is dealt."""
        for city, wonder, side_name in zip(self.cities, self.wonders, self.sides, strict=True):
            city.stages = next(side for side in wonder["sides"] if side["side"] == side_name)["stages"]
        self._start_age(1)

    @property
    def over(self):
        return self.phase == "over"

    def left(self, seat):
        return (seat + 1) % self.num_players

    def right(self, seat):
        return (seat - 1) % self.num_players

    def with_neighbours(self, seat):
        """The city of the seat, the one to its left, the one to its right."""
        return self.cities[seat], self.cities[self.left(seat)], self.cities[self.right(seat)]

    # ------------------------------------------------------------------ who may do what

    def deciders(self):
        """The seats that decide now."""
        if self.phase == "side":
            return [seat for seat, side in enumerate(self.sides) if side is None]
        if self.phase == "choose":
            return list(range(self.num_players))
        if self.phase == "pay":
            return sorted(seat for seat in self.chosen if seat not in self.paid)
        if self.phase == "pick":
            return self.picks[:1]
        if self.phase == "last":
            return self.seats_with_a_last_card()
        return []

    def legal(self, seat):
        """The actions of a seat, ascending. A seat that does not decide now can only wait."""
        if seat not in self.deciders():
            return [WAIT]
        if self.phase == "side":
            return sorted(SIDES)
        if self.phase == "pay":
            kind, use = self.chosen[seat]
            return [FIRST_PAYMENT + to_left for to_left, _ in self.ways_to_pay(seat, kind, use)]
        if self.phase == "pick":
            return [card_action(kind, BUILD) for kind in self.kinds_to_pick(seat)]
        actions = []
        for kind in sorted(set(self.hands[seat])):
            for use in (BUILD, STAGE, SELL):
                if self.ways_to_pay(seat, kind, use):
                    actions.append(card_action(kind, use))
        return actions

    def ways_to_pay(self, seat, kind, use):
        """The affordable undominated pairs (coins to the left, coins to the right) for this use of the card.

        The empty list: the use is not allowed. Selling and whatever is free or wholly from own production
        has the one pair (0, 0).
        """
        city = self.cities[seat]
        card = self.cards[kind]
        if use == SELL:
            return [FREE]
        if use == STAGE:
            stage = city.next_stage()
            return [] if stage is None else self.ways_to_pay_cost(seat, stage)
        if city.has_name(card["name"]):  # never two buildings of one name, not even for nothing
            return []
        if self.is_free(seat, card):
            return [FREE]
        return self.ways_to_pay_cost(seat, card)

    def ways_to_pay_cost(self, seat, thing):
        """The affordable undominated pairs for the printed cost of a card or stage."""
        city, left, right = self.with_neighbours(seat)
        pairs = possible_payments(
            thing.get("cost", {}),
            city.own_symbols(),
            left.symbols_for_sale(),
            right.symbols_for_sale(),
            self.prices(seat, "left"),
            self.prices(seat, "right"),
        )
        to_bank = thing.get("cost_coins", 0)
        return undominated([(x, y) for x, y in pairs if to_bank + x + y <= city.coins])

    def prices(self, seat, side):
        """What a unit of each resource costs this seat at its neighbour on that side."""
        prices = {}
        for goods, resources in (("raw", RAW), ("manufactured", MANUFACTURED)):
            discount = self.cities[seat].has_discount(goods, side)
            for resource in resources:
                prices[resource] = self.rules["discount_price" if discount else "resource_price"]
        return prices

    def is_free(self, seat, card):
        """Is this building free of all cost, coins included: by a chain or by a power of the city?"""
        city = self.cities[seat]
        if any(parent["id"] in card.get("free_from", []) for parent in city.buildings()):
            return True
        if city.has_power("first_card_of_each_colour_free") and not city.has_colour(card["colour"]):
            return True
        if city.has_power("first_card_of_each_age_free") and self.turn == 1:
            return True
        return city.has_power("last_card_of_each_age_free") and self.turn == TURNS_PER_AGE

    def kinds_to_pick(self, seat):
        """The kinds in the pile whose name the city does not have."""
        return [
            kind
            for kind in sorted(set(self.discard))
            if not self.cities[seat].has_name(self.cards[kind]["name"])
        ]

    def seats_with_a_last_card(self):
        """Only owners of the power still hold a card after the sixth turn; see `_end_of_actions`."""
        return [seat for seat in range(self.num_players) if self.hands[seat]]

    # ------------------------------------------------------------------ a turn

    def step(self, actions):
        """The decisions of exactly the seats that decide now. ValueError, and nothing changes, if one is illegal."""
        if self.over:
            raise ValueError("the game is over")
        if sorted(actions) != self.deciders():
            raise ValueError(f"seats {self.deciders()} decide, not {sorted(actions)}")
        for seat, action in actions.items():
            if action not in self.legal(seat):
                raise ValueError(f"seat {seat} cannot do {action}")

        if self.phase == "side":
            for seat, action in actions.items():
                self.sides[seat] = SIDES[action]
            self._begin()
        elif self.phase == "pick":
            seat = self.picks.pop(0)
            kind, _ = card_and_use(actions[seat])
            self._pick(seat, kind)
        elif self.phase == "pay":
            self._pay(actions)
        else:
            self._choose(actions)

    def _choose(self, actions):
        """Cards are chosen and shown. Nothing is done yet: first it must be clear how everybody pays."""
        self.chosen = {seat: card_and_use(action) for seat, action in actions.items()}
        self.paid = {}
        for seat, (kind, use) in self.chosen.items():
            ways = self.ways_to_pay(seat, kind, use)
            if self.payments == "cheapest":
                self.paid[seat] = cheapest(ways)
            elif len(ways) == 1:
                self.paid[seat] = ways[0]
        if len(self.paid) < len(self.chosen):
            self.phase = "pay"
        else:
            self._resolve()

    def _pay(self, actions):
        decided = {}
        for seat, action in actions.items():
            kind, use = self.chosen[seat]
            decided[seat] = next(
                pair for pair in self.ways_to_pay(seat, kind, use) if FIRST_PAYMENT + pair[0] == action
            )
        self.paid.update(decided)
        self._resolve()

    def _resolve(self):
        """All actions of the turn at once."""
        # Everybody pays from the coins of the start of the turn. The bank gets the printed coins of what was not free.
        for seat, (kind, use) in self.chosen.items():
            self.cities[seat].coins -= sum(self.paid[seat]) + self.coins_to_bank(seat, kind, use)
        for seat, (to_left, to_right) in self.paid.items():
            self.cities[self.left(seat)].coins += to_left
            self.cities[self.right(seat)].coins += to_right

        # The cards go where they belong.
        built = {}  # seat: the card or stage that now stands
        for seat, (kind, use) in self.chosen.items():
            city = self.cities[seat]
            self.hands[seat].remove(kind)
            if use == BUILD:
                built[seat] = self.cards[kind]
                city.kinds.append(kind)
            elif use == STAGE:  # the card itself is tucked under the stage and out of the game
                built[seat] = city.next_stage()
                city.stages_built += 1
            else:
                self.discard.append(kind)
                city.coins += self.rules["sell_card_coins"]

        # Coins of effects, now that all cards and stages of the turn stand.
        for seat, thing in built.items():
            self.cities[seat].coins += coins_at_once(thing["effects"], *self.with_neighbours(seat))

        self.chosen, self.paid = {}, {}
        self.picks = [seat for seat in sorted(built) if gives_a_pick(built[seat])]
        self._end_of_actions()

    def coins_to_bank(self, seat, kind, use):
        """The printed coins of what the seat builds, none if the building is free."""
        city, card = self.cities[seat], self.cards[kind]
        if use == SELL or (use == BUILD and self.is_free(seat, card)):
            return 0
        thing = card if use == BUILD else city.next_stage()
        return thing.get("cost_coins", 0)

    def _end_of_actions(self):
        """After the sixth turn the left-over cards go to the pile, but for owners of the "last card" power."""
        if self.turn == TURNS_PER_AGE:
            for seat, city in enumerate(self.cities):
                if not city.has_power("play_last_card"):
                    self.discard += self.hands[seat]
                    self.hands[seat] = []
        self._next_pick()

    def _next_pick(self):
        """Ask the next seat that takes a card from the pile; with nothing to take the pick is void."""
        while self.picks and not self.kinds_to_pick(self.picks[0]):
            self.picks.pop(0)
        if self.picks:
            self.phase = "pick"
        else:
            self._end_of_turn()

    def _pick(self, seat, kind):
        """A card from the pile is built for nothing; it counts what stands at this moment."""
        card = self.cards[kind]
        self.discard.remove(kind)
        self.cities[seat].kinds.append(kind)
        self.cities[seat].coins += coins_at_once(card["effects"], *self.with_neighbours(seat))
        if gives_a_pick(card):
            self.picks.insert(0, seat)
        self._next_pick()

    # ------------------------------------------------------------------ turns and Ages

    def _start_age(self, age):
        self.age = age
        self.turn = 1
        self.hands = [list(hand) for hand in self.deal(age)]
        self.phase = "choose"

    def _end_of_turn(self):
        if self.turn < TURNS_PER_AGE:
            self._pass_hands()
            self.turn += 1
            self.phase = "choose"
        elif self.turn == TURNS_PER_AGE and self.seats_with_a_last_card():
            self.turn += 1
            self.phase = "last"
        else:
            self._conflicts()
            if self.age < LAST_AGE:
                self._start_age(self.age + 1)
            else:
                self.phase = "over"

    def _pass_hands(self):
        """Each hand goes to the neighbour: left in the Ages I and III, right in Age II."""
        receiver = self.left if PASSES_TO[self.age] == "left" else self.right
        passed = {receiver(seat): self.hands[seat] for seat in range(self.num_players)}
        self.hands = [passed[seat] for seat in range(self.num_players)]

    def _conflicts(self):
        """Shields are compared with each neighbour apart; more wins, fewer loses, equal is nothing."""
        for seat in range(self.num_players):
            city, left, right = self.with_neighbours(seat)
            for neighbour in (left, right):
                if city.shields() > neighbour.shields():
                    city.victory_points += self.rules["military_win_vp"][f"age{self.age}"]
                elif city.shields() < neighbour.shields():
                    city.defeats += 1

    # ------------------------------------------------------------------ to look at

    def state(self):
        """The position in plain values."""
        return {
            "phase": self.phase,
            "age": self.age,
            "turn": self.turn,
            "sides": list(self.sides),
            "coins": [city.coins for city in self.cities],
            "hands": [sorted(hand) for hand in self.hands],
            "discard": sorted(self.discard),
            "cities": [sorted(city.kinds) for city in self.cities],
            "stages": [city.stages_built for city in self.cities],
            "shields": [city.shields() for city in self.cities],
            "victory_points": [city.victory_points for city in self.cities],
            "defeats": [city.defeats for city in self.cities],
            "science": [city.science() for city in self.cities],
        }

    def score(self):
        """The score sheet of each seat, as if the game ended now."""
        return [score_sheet(*self.with_neighbours(seat), self.rules) for seat in range(self.num_players)]

    def ranks(self):
        """1 is the best: by total, then by coins; who is equal in both shares the rank."""
        results = [(sheet["total"], sheet["tiebreak"]) for sheet in self.score()]
        return [1 + sum(other > result for other in results) for result in results]


def gives_a_pick(thing):
    return any(e["type"] == "power" and e["power"] == "build_from_discard" for e in thing["effects"])
