"""What mkdocs calls while it builds: pages and tables made from the code, so that they cannot fall behind it."""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import balance
import cli_page
import evaluations
import gallery
import game_page
import playing
import speed
from antiquity.game import Game, make_game

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "docs" / "results"

FILES = {"contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md"}
"""Pages that are files of the repository."""


def all_games() -> list[Game]:
    """The games of this checkout, 7 Wonders first."""
    packages = sorted(folder.name for folder in ROOT.glob("*_env") if (folder / "__init__.py").is_file())
    return [
        make_game(f"{name}:GAME") for name in sorted(packages, key=lambda name: name != "seven_wonders_env")
    ]


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Each game gets its line in the navigation."""
    for entry in config.nav or []:
        if "Games" in entry:
            entry["Games"] += [{game.title: f"games/{game.name}.md"} for game in all_games()]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The pages that no file in docs/ holds."""
    for game in all_games():
        files.append(File.generated(config, f"games/{game.name}.md", content=game_page.page(game)))
        for theme in game_page.THEMES:
            name = game_page.picture_name(game, theme)
            files.append(File.generated(config, f"games/{name}", content=game_page.picture(game, theme)))
        for players in range(game.min_players, game.max_players + 1):
            for name, content in gallery.tables(game, players).items():
                files.append(File.generated(config, name, content=content))
    for name, made in gallery.pages(all_games()).items():
        files.append(File.generated(config, name, content=made()))
    plot = speed.plot(RESULTS)
    if plot is not None:
        files.append(File.generated(config, speed.PLOT, content=plot))
    files.append(File.generated(config, playing.PICTURE, content=playing.picture(RESULTS / "curves")))
    files.append(File.generated(config, balance.PICTURE, content=balance.picture(RESULTS / "insight")))
    files.append(File.generated(config, "command-line.md", content=cli_page.page()))
    for name, source in FILES.items():
        files.append(File.generated(config, name, content=(ROOT / source).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put the tables where a page wants them: ``<!-- table: games -->``."""
    tables = {
        "picture": lambda: game_page.pictures(all_games()[0], "games/"),
        "tables": lambda: gallery.page(all_games()),
        "agreement": lambda: balance.agreement(RESULTS / "insight"),
        "by_rank": lambda: balance.by_rank(RESULTS / "insight"),
        "boards": lambda: balance.boards(RESULTS / "insight"),
        "cards": lambda: balance.cards(RESULTS / "insight"),
        "games": lambda: game_page.overview(all_games()),
        "evaluation": lambda: evaluations.summary(RESULTS / "evaluation"),
        "leaderboard": lambda: evaluations.leaderboard(RESULTS / "evaluation"),
        "strength": lambda: playing.ladders(RESULTS / "strength"),
        "learning": lambda: playing.learning(RESULTS / "curves"),
        "speed": lambda: speed.summary(RESULTS),
        "speed_report": lambda: speed.report(RESULTS),
    }

    def fill(match: re.Match[str]) -> str:
        return tables[match[1]]()

    return re.sub(r"^<!-- table: (\w+) -->$", fill, markdown, flags=re.MULTILINE)
