"""The pictures of all games: sound SVG, nothing hidden in it, every legal action marked, always of one size."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.typing import NDArray

from antiquity.game import Game, make_game
from antiquity.render.parts import around
from antiquity.render.svg import BASE, LEAST, ROOMS, THEMES, Canvas, resolved, text_width, with_theme, wrap
from antiquity.study.page import read_asset
from antiquity.testing.table import Table

NAMES = ("seven_wonders", "dice", "stone_age")
OPTIONS = {"seven_wonders": {"sides": "random"}, "dice": {}, "stone_age": {}}
EVERY = {"seven_wonders": 3, "dice": 11, "stone_age": 37}
"""One decision in so many is looked at."""
STAGE_ACTIONS = range(2, 241, 3)
"""Those of 7 Wonders that build the next wonder stage."""


@pytest.fixture(params=NAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return make_game(request.param)


def draw(table: Table, seat: int | None) -> str:
    assert table.game.draw is not None
    return table.game.draw(table.games, 0, table.tables, seat)


def seen_scores(table: Table, seat: int) -> NDArray[np.int32]:
    game = table.game
    if game.seen_scores is None:
        return table.score()[: table.num_players]
    return game.seen_scores(table.games, 0, table.tables, seat)[: table.num_players]


def moments(game: Game, players: int, seed: int) -> Iterator[Table]:
    """Some moments of a game played at random, the end among them."""
    table, rng = Table(game, players, seed, **OPTIONS[game.name]), random.Random(seed)
    step = 0
    while not table.over:
        if step % EVERY[game.name] == 0:
            yield table
        table.step({seat: rng.choice(table.legal(seat)) for seat in table.deciders()})
        step += 1
    yield table


def marked(svg: str) -> set[int]:
    return {int(each) for group in re.findall(r'data-actions="([0-9 ]*)"', svg) for each in group.split()}


@pytest.mark.parametrize("most", [False, True], ids=["fewest", "most"])
def test_sound_svg_of_one_size_at_every_moment(game: Game, most: bool) -> None:
    players = game.max_players if most else game.min_players
    sizes = set()
    for table in moments(game, players, 1):
        for seat in (None, players - 1):
            root = ElementTree.fromstring(draw(table, seat))
            assert root.tag == "{http://www.w3.org/2000/svg}svg"
            assert root.attrib["class"] == "aq" and root.attrib["aria-label"].startswith(game.title)
            sizes.add((seat, root.attrib["viewBox"]))
            assert not root.findall(".//{*}script") and not root.findall(".//{*}image")
    assert len(sizes) == 2
    assert all(view.split()[2] == "1280" for _, view in sizes)


def test_seats_lie_where_they_sit() -> None:
    assert around(2) == [[1, 0]]
    assert around(3, 1) == [[2, 1, 0]]
    assert around(7, 2) == [[4, 5, 6, 0], [3, 2, 1]]


def place_of(svg: str, seat: int) -> tuple[float, float]:
    """Where the name of a seat's panel stands."""
    found = re.search(rf'<text x="([0-9.]+)" y="([0-9.]+)" font-size="16"[^>]*>Seat {seat}<', svg)
    assert found is not None, seat
    return float(found[1]), float(found[2])


def test_left_neighbours_are_at_the_left(game: Game) -> None:
    for players in range(game.min_players, game.max_players + 1):
        table = Table(game, players, 1)
        for seat, own in ((None, 0), (players - 1, players - 1)):
            svg = draw(table, seat)
            at = [place_of(svg, other) for other in range(players)]
            left, right = at[(own + 1) % players], at[(own - 1) % players]
            assert at[own][1] == max(y for _, y in at)
            if players > 2:
                assert left[0] < right[0] and left[1] == right[1]
                others = [
                    y
                    for other, (_, y) in enumerate(at)
                    if other not in {own, (own + 1) % players, (own - 1) % players}
                ]
                assert all(y <= left[1] for y in others)
            if left[1] == at[own][1]:
                assert left[0] < at[own][0] and (players == 2 or at[own][0] < right[0])


@pytest.mark.parametrize("room", ROOMS)
def test_pictures_fit_their_room(game: Game, room: int) -> None:
    assert game.draw_at is not None
    for players in {game.min_players, game.max_players}:
        for table in moments(game, players, 4):
            for seat in (None, 0):
                svg = game.draw_at(table.games, 0, table.tables, seat, room)
                root = ElementTree.fromstring(svg)
                assert root.attrib["viewBox"].split()[2] == str(room)
                assert marked(svg) == (set(table.legal(0)) if seat == 0 and 0 in table.deciders() else set())
                for node in root.iter():
                    if node.tag.endswith("}text"):
                        assert float(node.attrib["font-size"]) >= LEAST
                    if node.tag.endswith("}rect") and "x" in node.attrib:
                        assert float(node.attrib["x"]) + float(node.attrib["width"]) <= room


def test_all_legal_actions_are_marked_and_no_others(game: Game) -> None:
    for table in moments(game, game.default_players, 2):
        assert not marked(draw(table, None))
        for seat in range(table.num_players):
            expected = set(table.legal(seat)) if seat in table.deciders() else set()
            assert marked(draw(table, seat)) == expected


def test_rare_decisions_are_marked_too() -> None:
    """Payments, discard and seventh card of 7 Wonders; every phase of Stone Age; all that is to be resolved in Dice."""
    for name, field, wanted in (
        ("seven_wonders", "phase", {0, 1, 2, 3}),
        ("stone_age", "phase", {0, 1, 2, 3, 4, 5}),
        ("dice", "top", {1, 2, 3, 4, 5}),
    ):
        game = make_game(name)
        left, rng, seed = set(wanted), random.Random(5), 0
        options = (
            {"sides": "night", "boards": ["halikarnassos", "babylon", "rhodos"]} if name != "dice" else {}
        )
        while left and seed < 40:
            table = Table(game, 3, seed, **(options if name == "seven_wonders" else {}))
            seed += 1
            while not table.over and left:
                for seat in table.deciders():
                    record = table.record
                    kind = (
                        int(record["phase"])
                        if field == "phase"
                        else int(record["stack"][seat, int(record["depth"][seat]) - 1]) & 7
                    )
                    if kind in left:
                        left.discard(kind)
                        assert marked(draw(table, seat)) == set(table.legal(seat)), (name, kind)
                choices = {seat: table.legal(seat) for seat in table.deciders()}
                # Wonder stages bring the rare decisions of 7 Wonders about.
                stages = {
                    seat: [action for action in legal if action in STAGE_ACTIONS and name == "seven_wonders"]
                    for seat, legal in choices.items()
                }
                table.step({seat: rng.choice(stages[seat] or legal) for seat, legal in choices.items()})
        assert not left, (name, left)


def test_a_seats_picture_is_the_same_in_all_worlds_it_thinks_possible(game: Game) -> None:
    differ = 0
    for table in moments(game, min(4, game.max_players), 3):
        if table.over:
            continue
        for seat in range(table.num_players):
            own, opened = draw(table, seat), draw(table, None)
            for seed in (11, 12):
                world = table.copy()
                world.determinize(seat, seed)
                assert draw(world, seat) == own
                assert np.array_equal(seen_scores(world, seat), seen_scores(table, seat))
                differ += draw(world, None) != opened
    # The worlds do differ in what is hidden, where the open picture shows it.
    assert differ or game.name != "seven_wonders"


def test_no_card_of_another_hand_stands_in_a_seats_picture() -> None:
    table = Table(make_game("seven_wonders"), 7, 8)
    names = [bytes(name).rstrip(b"\0").decode() for name in table.tables[0]["kind_name"]]
    own, others = ({names[kind] for kind in table.record["hands"][seat]} for seat in (2, 3))
    svg = draw(table, 2)
    assert all(name in svg for name in own)
    assert others - own and not any(f">{name}<" in svg for name in others - own)
    assert all(name in draw(table, None) for name in own | others)


def test_extra_cards_of_others_are_not_counted() -> None:
    game = make_game("stone_age")
    table = Table(game, 2, 0)
    for card in range(2):
        table.record["owner"][card] = 5 + 1
    table.record["culture"][1, :2] = 7
    hidden, own, opened = draw(table, 0), draw(table, 1), draw(table, None)
    assert ">7<" not in hidden and ">7<" in own and ">7<" in opened
    assert "2 of them face down" in hidden and "2 of them extra" in own


def test_others_are_shown_as_at_the_start_of_the_turn() -> None:
    table = Table(make_game("dice"), 2, 0)
    before = draw(table, 0)
    table.record["coins"][1] = 77
    assert draw(table, 0) == before
    assert ">77<" in draw(table, 1) and ">77<" in draw(table, None)


def test_drawing_changes_nothing(game: Game) -> None:
    table = Table(game, game.default_players, 4)
    before = table.games.tobytes(), table.tables.tobytes()
    first = [draw(table, seat) for seat in (None, 0)]
    assert [draw(table, seat) for seat in (None, 0)] == first
    assert (table.games.tobytes(), table.tables.tobytes()) == before


def test_themes(game: Game) -> None:
    svg = draw(Table(game, game.default_players, 4), 0)
    assert "prefers-color-scheme:dark" in svg
    plain = {theme: resolved(svg, theme) for theme in THEMES}
    assert plain["light"] != plain["dark"]
    for theme, drawing in plain.items():
        assert "var(" not in drawing and "@media" not in drawing
        ElementTree.fromstring(drawing)
        assert f'class="aq {theme}"' in with_theme(svg, theme)
    for broken in (resolved, with_theme):
        with pytest.raises(ValueError, match="light, dark"):
            broken(svg, "pink")


def test_every_class_has_its_colour(game: Game) -> None:
    for table in moments(game, game.max_players, 6):
        svg = draw(table, 0)
        used = {
            name for names in re.findall(r'class="((?:[fs]-[a-z0-9-]+ ?)+)"', svg) for name in names.split()
        }
        assert used <= set(re.findall(r"\.aq \.([fs]-[a-z0-9-]+)\{", svg))


def _shapes(root: ElementTree.Element) -> Iterator[tuple[str, tuple[float, ...], ElementTree.Element]]:
    """Whatever is drawn at full opacity, in order, with where it lies: left, top, right, bottom."""
    for each in root:
        tag, attributes = each.tag.rpartition("}")[2], each.attrib
        if float(attributes.get("opacity", 1)) < 1:
            continue  # dimmed on purpose
        found = [float(attributes.get(name, 0)) for name in ("x", "y", "width", "height", "cx", "cy", "r")]
        x, y, width, height, cx, cy, r = found
        if tag == "rect":
            yield tag, (x, y, x + width, y + height), each
        elif tag == "circle":
            yield tag, (cx - r, cy - r, cx + r, cy + r), each
        elif tag == "path":
            x, y = map(float, re.findall(r"[\d.-]+", attributes["transform"])[:2])
            scale = re.search(r"scale\(([\d.]+)\)", attributes["transform"])
            side = 16 * (float(scale[1]) if scale else 1)
            yield tag, (x, y, x + side, y + side), each
        elif tag == "text":
            size = float(attributes["font-size"])
            wide = text_width(each.text or "", size) / 2
            middle = x + {"middle": 0, "end": -wide}.get(attributes.get("text-anchor", ""), wide)
            yield tag, (middle, y - size * 0.35, middle, y - size * 0.35), each
        else:
            yield from _shapes(each)


def _contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG 2 has it, 1 to 21."""
    light = []
    for colour in (one, other):
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        light.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(light) + 0.05) / (min(light) + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_letters_stand_out_from_their_ground(game: Game, theme: str) -> None:
    pale: dict[tuple[str, str], str] = {}
    words = 0
    for table in moments(game, game.default_players, 9):
        svg = resolved(draw(table, table.deciders()[0] if table.deciders() else 0), theme)
        fills = dict(re.findall(r"\.aq \.f-([a-z0-9-]+)\{fill:(#[0-9a-f]{6})\}", svg))

        def fill(each: ElementTree.Element, fills: dict[str, str] = fills) -> str:
            names = [name[2:] for name in each.get("class", "").split() if name.startswith("f-")]
            return fills[names[0]] if names else ""

        drawn: list[tuple[tuple[float, ...], str]] = []
        for tag, (left, top, right, bottom), each in _shapes(ElementTree.fromstring(svg)):
            if tag != "text":
                if fill(each):
                    drawn.append(((left, top, right, bottom), fill(each)))
                continue
            words += 1
            ground = next(
                under
                for (x, y, to_x, to_y), under in reversed(drawn)
                if x <= left <= to_x and y <= top <= to_y
            )
            if _contrast(fill(each), ground) < 4.5:
                pale[fill(each), ground] = each.text or ""
    assert words > 500
    assert not pale


def test_seats_have_one_colour_in_pictures_and_on_pages() -> None:
    style = read_asset("page.css")
    for theme, part in enumerate(style.split(":root.dark")):
        found = dict(re.findall(r"--p(\d): (#[0-9a-f]{6})", part))
        assert [found[str(seat)] for seat in range(7)] == [BASE[f"seat{seat}"][theme] for seat in range(7)]


# --- the canvas ---


def test_what_is_written_is_escaped() -> None:
    canvas = Canvas(100, 100, 'a "label" <b>')
    canvas.text(0, 10, "<script>alert(1)</script> & co")
    with canvas.group([3, 4], hint="</title><script>"):
        canvas.rect(0, 0, 10, 10)
    root = ElementTree.fromstring(canvas.svg())
    assert root.attrib["aria-label"] == 'a "label" <b>'
    assert not root.findall(".//{*}script")
    (group,) = root.findall(".//{*}g")
    assert group.attrib["data-actions"] == "3 4"


def test_text_is_fitted() -> None:
    canvas = Canvas(100, 100, "")
    wide = canvas.text(0, 10, "Chamber of Commerce and Industry", 12, width=60)
    assert wide <= 60
    assert "…" in canvas.svg()
    assert canvas.text(0, 10, "Inn", 12, width=60) == text_width("Inn", 12)
    canvas = Canvas(100, 100, "")
    for width in range(560, 700):  # where it fits but for rounding
        canvas.text(0, 10, "toolmakers", 12.5, width=width / 10 + 0.1)
    assert "…" not in canvas.svg()
    assert wrap("one two three", 10, text_width("one two", 10)) == ["one two", "three"]


def test_an_unknown_colour_is_refused() -> None:
    with pytest.raises(KeyError, match="no colour is called 'mauve'"):
        Canvas(10, 10, "").rect(0, 0, 1, 1, "mauve")
