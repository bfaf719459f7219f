"""Stone Age (2008), base game, for 2 to 4 players.

Seats are numbered clockwise; the left neighbour of seat ``s`` is ``(s + 1) % n``. In every round the seats place
their people in turn, one place at a time: tool maker, field and hut, the places of wood, clay, stone and gold, the
hunt, civilization cards and building tiles. Then each seat, beginning with the start marker, resolves all its
places in an order of its choice, with dice for what it gathers and tools to add to them, and at last everybody
feeds its people. Buildings are points at once, the lower halves of the cards at the end. The game ends after the
round in which a pile of tiles runs out, or when four cards cannot be laid out. Most points win; agriculture, tools
and people together break a tie; what is still equal is shared.

>>> import stone_age_env
>>> env = stone_age_env.env(num_players=2)
>>> env.reset(seed=0)
>>> observation, reward, terminated, truncated, info = env.last()
>>> env.step(env.action_space(env.agent_selection).sample(info["action_mask"]))

The game is turn-based: exactly one seat decides at any moment. The AEC environment ``env`` is the natural one; in
the parallel environment all others wait (action 0).

**Observation.** A vector of float32 with named fields, one layout for all player counts: ``GAME.layout`` prints the
table, ``GAME.layout.slice("me_resources")`` gives a place. Blocks ``me``, ``left``, ``left_2``, ``left_3``
(clockwise), the lower halves of the own cards, then the table: phase, what is being resolved, roll, dice, payment,
open cards, piles, tiles not seen yet. Of the cards that others bought their number is shown. ``memory=True`` adds
what a perfect memory knows: the lower halves of others' cards (everybody saw them when they lay open; an opponent's
extra card stays unknown), and the cards never seen.

**Actions.** ``Discrete(158)``, one meaning a number for every seat and option: the table is in
:mod:`stone_age_env.actions`.

**Decisions.** *place*: a place and a number of people. *resolve*: which of the own places is next; at a card to buy
it or to decline; at a tile to build it with so many resources, or to decline; or to cash a card of two free
resources. *tools*: after a roll, one tool at a time by its value (of equal ones the rightmost is used), or no more.
*lottery*: one of the dice, the buyer first. *feed*: short of food, to pay with resources, to lose ten points, or to
cash a card of free resources first. *pay*: how many wood, how many clay, how many stone; gold follows. So a payment
is at most three decisions, has one spelling, and cannot run into a dead end. Decisions with a single legal action
are never asked: the environment takes it and goes on, so a seat that decides has at least two.

**Rewards.** ``reward="win"`` (1/k for each of k winners at the end), ``"rank"``, ``"margin"`` (lead over the best
other seat, in units of 50 points, at the end), ``"points"`` (change of the score, every step),
``"mix"`` (half the win, half the lead, at the end).

**Options.** ``cards="base"``: a table of cards and tiles, or the path of one's own (see
:mod:`stone_age_env.data.tables`). ``max_rounds=100``: the rules know no limit, and a game in which nobody buys never
ends; after so many rounds it is truncated, never terminated (win, rank and margin pay 0).
``start_player="random"``: or the seat that begins.

**Open questions of the rules, and how they are decided**

* A person may stand on the field at agriculture 10 and on the tool maker with tools 4-4-4: it blocks others and has
  no effect. The hut is closed to a seat with ten people.
* A die of the lottery must be taken, also one without effect (a tool at 4-4-4, agriculture at 10); no other top can
  be refused either.
* The lowest tool is raised, of equal ones the leftmost, and keeps its used mark; a tool put into an empty slot is
  unused.
* The card of two free resources can be cashed whenever its owner resolves, and when its people are short of food;
  other moments cannot matter. Unused, it is cashed before scoring: two points.
* An extra card from an empty deck is nothing. A one-use tool or free resources that come as an extra card are never
  used.
* Once stuck, a seat places no more in that round (places only fill up).
* Hidden are the order of the deck, the tiles under the tops, the piles out of play and the extra cards of others;
  all else is known to everybody.
* Feeding goes from the start marker clockwise. A shortage is paid in full or not at all.
* Dice of a hunt beyond seven are one total with the others. Tools may be added in any order.
* At the end of a round an empty pile ends the game first, then cards missing from the row, then ``max_rounds``; in
  all three cases the marker does not move on and the row is left as it is.

**Versions.** v0: first version.
"""

from __future__ import annotations

from typing import Final

from antiquity.envs.makers import makers
from antiquity.game import Game
from antiquity.game.tables import TableError
from antiquity.render.parts import plot_colours

from .actions import describe
from .data.tables import TABLES_DTYPE
from .options import OPTIONS, setup
from .rules.check import ALLOWED, check
from .rules.legality import legal
from .rules.scoring import CATEGORIES, score
from .rules.start import init
from .rules.turn import advance
from .seats.determinize import determinize
from .seats.greedy import appraise, greedy
from .seats.memory import MEMORY_LAYOUT
from .seats.observation import ENTITIES, LAYOUT, STATE_LAYOUT, observe, observe_seats, reveal
from .state import GAME_DTYPE, MAX_LEGAL, MAX_SEATS, MIN_PLAYERS, NUM_ACTIONS, OPTIONS_DTYPE
from .views.news import heading, news
from .views.panels import CATEGORY_COLOURS
from .views.picture import PALETTE, draw
from .views.plain import plain_state, roll
from .views.position import place, words
from .views.prices import price, why_not
from .views.subjects import SUBJECTS
from .views.text import render, seen_scores

GAME: Final = Game(
    name="stone_age",
    title="Stone Age",
    version=0,
    dtype=GAME_DTYPE,
    tables_dtype=TABLES_DTYPE,
    options_dtype=OPTIONS_DTYPE,
    num_actions=NUM_ACTIONS,
    max_legal=MAX_LEGAL,
    min_players=MIN_PLAYERS,
    max_players=MAX_SEATS,
    default_players=4,
    categories=CATEGORIES,
    layout=LAYOUT,
    entities=ENTITIES,
    memory_layout=MEMORY_LAYOUT,
    bytes=True,
    seat_blocks=True,
    state_layout=STATE_LAYOUT,
    options=OPTIONS,
    margin_scale=50.0,
    simultaneous=False,
    init=init,
    legal=legal,
    advance=advance,
    observe=observe,
    observe_seats=observe_seats,
    reveal=reveal,
    score=score,
    determinize=determinize,
    greedy=greedy,
    appraise=appraise,
    check=check,
    allowed=ALLOWED,
    setup=setup,
    describe=describe,
    render=render,
    seen_scores=seen_scores,
    draw=draw,
    draw_at=draw,
    colours=plot_colours(CATEGORY_COLOURS, PALETTE),
    price=price,
    heading=heading,
    news=news,
    why_not=why_not,
    place=place,
    words=words,
    subjects=SUBJECTS,
)


parallel_env, env = makers(GAME)
raw_env = env

__all__ = ["GAME", "LAYOUT", "OPTIONS", "TableError", "env", "parallel_env", "plain_state", "raw_env", "roll"]
