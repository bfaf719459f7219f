"""7 Wonders, second edition, for 3 to 7 players.

Seats are numbered clockwise; the left neighbour of seat ``s`` is ``(s + 1) % n``. In each of three Ages all seats
choose a card of their hand at once, build it, use it for the next stage of their wonder or sell it for 3 coins, and
pass the hand on: to the left in Ages I and III, to the right in Age II. Six turns, then the conflicts with both
neighbours. The highest score wins; coins break ties, and what
is still tied is shared.

>>> import seven_wonders_env
>>> env = seven_wonders_env.parallel_env(num_players=4)
>>> observations, infos = env.reset(seed=0)
>>> actions = {agent: env.action_space(agent).sample(infos[agent]["action_mask"]) for agent in env.agents}
>>> observations, rewards, terminations, truncations, infos = env.step(actions)

**Observation.** A vector of float32 with named fields, one layout for all player counts: ``GAME.layout`` prints the
table, ``GAME.layout.slice("me_coins")`` gives a place. Blocks ``me``, ``left``, ``right``, ``other_1`` ... (clockwise
from the left neighbour's left neighbour); Age, turn, phase, players; the seat's hand; the discard, while the seat picks
from it; the payments to choose from; whether sides are being chosen. ``memory=True`` adds what a perfect memory would
know: the cards that the hands passed on may still hold, and the known part of the discard.

**Actions.** ``Discrete(258)``: 0 waits; ``1 + 3 * kind + use`` plays a card kind (use 0 builds it, 1 builds the next
wonder stage with it, 2 sells it); ``241 + l`` pays the left neighbour l coins and the right one the least that then
suffices; 256 and 257 choose the day and the night side of the wonder. A pick from the discard is the build action of
the kind. Numbers mean the same for every seat and option.

**Decisions.** *side*: before Age I, the seats that choose the side of their board (``sides="choose"``). *choose*: all
seats at once. *pay*: after the choices are revealed, the seats that can split their payment in more than one
undominated way (``payments="choose"``; the others wait). *pick*: the seat that built a stage with the discard symbol,
at the end of that turn. *last*: the seat that may play its seventh card, after the pick of the sixth turn. A seat that
waits has one legal action, 0.

**Rewards.** ``reward="win"`` (1/k for each of k winners at the end), ``"rank"``, ``"margin"`` (lead over the best other
seat, in units of 20 points, at the end), ``"points"`` (change of the score, every step),
``"mix"`` (half the win, half the lead, at the end).

**Open questions of the rules, and how they are settled**

* Sides of the boards: the rules document has all play the day side, the default. The online help document (section
  "preparing the game") has each player draw a board and choose its side, and does not say when: ``sides="choose"`` asks
  all at once and in secret, when the boards are dealt and no card is. Until all have chosen everybody sees the wonders
  without their sides. A list gives each seat its own rule: ``sides=["choose", "day", "random"]``.
* Theater: 2 points, as the rules document says; ``cards="second_edition_print"`` has the printed 3.
* The pick from the discard is mandatory where a legal card lies there; otherwise there is no decision at all.
* On the sixth turn the left-over cards go to the pile first, then the pick, then a seventh card is played as one more
  turn with the coins and production of that moment, then the conflicts.
* A building that is free by a power saves the coin of a brown card too. Free means free: where a building costs nothing
  there is no other payment to choose.
* "First card of an Age free" covers turn 1 only and "last card" turn 6 only; the seventh card is not covered.
* Payments that are worse for both purses are not offered: a split is a choice only among undominated pairs.
* Cheapest payment: fewest coins in total; of several, the one that pays the left neighbour least.

**Versions.** v1: the choice of sides, two actions and one column of the observation behind those of v0, whose files are
still read. v0: first version.
"""

from __future__ import annotations

from typing import Final

from antiquity.envs.makers import makers
from antiquity.game import Game
from antiquity.game.tables import TableError
from antiquity.render.parts import plot_colours

from .actions import describe, describe_openly
from .data.tables import TABLES_DTYPE
from .options import OPTIONS, setup
from .rules.check import ALLOWED, check
from .rules.legality import legal
from .rules.scoring import CATEGORIES, score
from .rules.start import init
from .rules.turn import advance
from .seats.appraise import APPRAISAL, appraise
from .seats.determinize import determinize
from .seats.greedy import greedy
from .seats.memory import MEMORY_LAYOUT
from .seats.observation import EARLIER, ENTITIES, LAYOUT, STATE_LAYOUT, observe, observe_seats, reveal
from .state import GAME_DTYPE, KINDS, MAX_SEATS, MIN_PLAYERS, NUM_ACTIONS, OPTIONS_DTYPE
from .views.news import heading, news
from .views.panels import CATEGORY_COLOURS
from .views.picture import draw
from .views.position import place, words
from .views.prices import price, why_not
from .views.signs import PALETTE
from .views.subjects import SUBJECTS
from .views.text import render

GAME: Final = Game(
    name="seven_wonders",
    title="7 Wonders",
    version=1,
    earlier=EARLIER,
    dtype=GAME_DTYPE,
    tables_dtype=TABLES_DTYPE,
    options_dtype=OPTIONS_DTYPE,
    num_actions=NUM_ACTIONS,
    max_legal=KINDS,
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
    appraisal=APPRAISAL,
    options=OPTIONS,
    margin_scale=20.0,
    simultaneous=True,
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
    describe_openly=describe_openly,
    render=render,
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

__all__ = ["GAME", "LAYOUT", "OPTIONS", "TableError", "env", "parallel_env", "raw_env"]
