"""7 Wonders Dice, for 2 to 7 players.

Seats are numbered clockwise; the left neighbour of seat ``s`` is ``(s + 1) % n`` (with two players the opponent is both
neighbours). Every turn the dice in the forum are thrown, and all seats at once do one of three things: choose a die,
pay the coins of its quadrant, and cross a space that its face allows; build the next space of their wonder; or pass for
3 coins. A space costs so many resources as are printed on it; crossed warehouse spaces make one each and are never
used up, a coin makes up for each that is missing. Effects resolve at once and in chains. Completing a building (not
the warehouse) gives one of three bonuses; when somebody has crossed the third, the turn is finished and one more is
played. Most points win; coins break a tie; what is still equal is shared.

>>> import dice_env
>>> env = dice_env.parallel_env(num_players=4)
>>> observations, infos = env.reset(seed=0)
>>> actions = {agent: env.action_space(agent).sample(infos[agent]["action_mask"]) for agent in env.agents}
>>> observations, rewards, terminations, truncations, infos = env.step(actions)

**Observation.** A vector of float32 with named fields, one layout for all player counts: ``GAME.layout`` prints the
table, ``GAME.layout.slice("me_coins")`` gives a place. Blocks ``me``, ``left``, ``right``, ``other_1`` ... (clockwise
from the left neighbour's left neighbour); the dice; the turn; what each die costs the seat; what the seat has to
resolve. The own block is the position now, the others' blocks are the position at the start of the turn.
``memory=True`` adds with which action everybody began the turn before; the position itself needs no memory.

**Actions.** ``Discrete(81)``: 0 waits; ``1 + d`` chooses die d (grey1, grey2, grey3, green, blue, red, yellow, purple,
black, white); 11 builds the next wonder space; 12 passes; 13 declines the rest of an effect; ``14 + b`` takes bonus b
(again, cross, coins); ``17 + i`` crosses the space in slot i (``dice_env.state.GROUPS`` lists the slots). Numbers mean
the same for every seat, board and option.

**Decisions.** At the start of a turn all seats choose. Where that leaves something to choose - a space among several
that the die allows, the spaces of an effect, another action, a bonus - those seats decide on, all at once, and the
others wait (their one legal action is 0). Chains go depth first: what a space causes is finished before what was there
before it, its effect before the bonus of the building it completes. What leaves no choice happens by itself.

**Rewards.** ``reward="win"`` (1/k for each of k winners at the end), ``"rank"``, ``"margin"`` (lead over the best other
seat, in units of 20 points, at the end), ``"points"`` (change of the score, every step),
``"mix"`` (half the win, half the lead, at the end).

**Options** (see ``OPTIONS``): ``boards=None`` deals the boards at random, a list names them; ``max_turns=200``
truncates; the doubtful points are switches: ``wonder_bonus=True``, ``barracks_bonus="each_side"`` or ``"both_sides"``,
``grey_dice="photographed"`` or ``"six_resources"``, ``middle_bonus="any"`` or ``"four_colours"``; ``sheet="base"`` or
the path of a file that changes numbers (below).

**How sure the numbers are.** The rules are firm. The numbers printed on the sheet mostly are not: no public text gives
them. Every value in ``data/*.toml`` says how sure it is; ``dice_env.verified("spaces.A1.cost")`` asks for one,
``dice_env.facts()`` lists all.

* *Firm* (two sources or more): ten dice and the faces of all but the grey ones; seven dice in the forum, quadrants that
  cost 0, 1, 2, 3; special dice and when they come in; 7 coins at the start, 3 for a pass; costs paid with resources
  that stay; guild comparison, strictly more with two players; three bonuses, none for the warehouse; the end of the
  game and the tie-break; 3 points for the first agora; two defences a side; wonders of three spaces; which effects
  exist.
* *One source only*: costs and points of barracks and guild court, costs of the university lanes (one photographed board
  for all), Giza's wonder; which costs there are in warehouse, agora and market, though not which space has which; that
  the wonder gives a bonus and the barracks two; the effects of the gallery's spaces; which buildings the second bonus
  may cross; that comparisons look at the start of the turn. Sources contradict each other on the warehouse costs, the
  grey dice and these bonuses.
* *Reconstructed* (no source at all; there so that the game can be played): effects of the market; effects of all seven
  universities, the unlocks apart; the wonders of the six boards other than Giza, and which cities three of the boards
  show; costs of the gallery and how many laurel spaces it has; the three tracks of the agora, and which space of
  warehouse, agora and market has which cost; which resource is which on the grey dice; that an effect counts its own
  space, that each laurel counts the whole gallery, and that nothing comes after the third bonus; that dice land
  independently and uniformly.

Whoever has the box at hand can put a number right without touching code::

    # my_sheet.toml
    extends = "base"

    [[tracks]]
    id = "market_left"
    spaces = [{ id = "L1", cost = 2, effect = { kind = "coins", n = 7 }, verified = "2+ sources" }]

    [[boards]]
    id = "rhodes"
    spaces = [{ id = "wonder1", cost = 3 }]

and ``parallel_env(sheet="my_sheet.toml")``. See :mod:`dice_env.data.reading` and :mod:`dice_env.data.tables`.

**Open questions of the rules, and how they are decided**

* Effects that cross spaces, and building without die cost, may be declined (action 13); a chosen die must be used, a
  bonus must be taken. An extra action may be a pass.
* "Up to two" are spaces of one building; both sides of the barracks are one building there and in comparisons.
* Coins for choosing a die come after its cost and before the construction cost, also when the die costs nothing.
* What counts spaces counts its own. Guild comparisons ignore everything of the running turn, one's own spaces too.
* All who fill the agora in the same first turn get its 3 points, at the end of that turn.
* A special die that comes in for the first time can't be chosen in that turn; one in the forum can, as soon as it is
  unlocked. Several colours in one turn: black, purple, white, each for a grey die of its own.
* After the third bonus completed buildings give nothing. A bonus may be taken with nothing to cross for it.
* There is no limit to coins.

**Versions.** v0: first version.
"""

from __future__ import annotations

from typing import Final

from antiquity.envs.makers import makers
from antiquity.game import Game
from antiquity.game.tables import TableError
from antiquity.render.parts import plot_colours

from .actions import describe
from .data.reading import Evidence, facts, verified
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
from .views.picture import draw
from .views.position import place, words
from .views.prices import price, why_not
from .views.signs import PALETTE
from .views.subjects import SUBJECTS
from .views.text import render, seen_scores

GAME: Final = Game(
    name="dice",
    title="7 Wonders Dice",
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
    revealed_with="turn",
)


parallel_env, env = makers(GAME)
raw_env = env

__all__ = [
    "GAME",
    "LAYOUT",
    "OPTIONS",
    "Evidence",
    "TableError",
    "env",
    "facts",
    "parallel_env",
    "raw_env",
    "verified",
]
