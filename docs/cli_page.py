"""The page of the command line, from the commands themselves."""

from __future__ import annotations

import re
from typing import Any

import typer

from antiquity.cli.main import app
from game_page import table
from markup import escape

_INTRO = """\
`antiquity COMMAND --help` tells the same in the terminal. What goes wrong ends in one line on the standard error and
exit status 2. Commands that take `--json` print JSON for programs."""
_RANGE = re.compile(r"(\d+)<=x<=(\d+)")
_ENTRY = re.compile(r"(?P<meaning>.*?)(?:  \[(?P<notes>[^]]*)\])?", re.DOTALL)


def page() -> str:
    """The page as Markdown."""
    group: Any = typer.main.get_command(app)
    context = typer.Context(group, info_name="antiquity")
    parts = ["# Command line", _INTRO]
    for name, command in group.commands.items():
        parts += _command(name, command, typer.Context(command, parent=context, info_name=name))
    return "\n\n".join(parts) + "\n"


def _command(name: str, command: Any, context: Any) -> list[str]:
    parts = [f"## {name}"]
    for paragraph in re.split(r"\n\s*\n", (command.help or "").strip()):
        text = " ".join(paragraph.split())
        label, colon, example = text.partition(": ")
        if colon and label in ("Example", "Then"):
            parts.append(f"```sh\n{example}\n```")
        else:
            parts.append(escape(text))
    rows = []
    for parameter in command.params:
        shown, text = parameter.get_help_record(context)
        entry = _ENTRY.fullmatch(text)
        assert entry is not None
        notes = (entry["notes"] or "").removeprefix("default: ").replace("x>=", "at least ")
        notes = _RANGE.sub(r"\1 to \2", notes)
        is_argument = parameter.param_type_name == "argument"
        shown = re.sub(r" <.*>$", "", shown) if is_argument else shown.replace(" range>", ">")
        rows.append((f"`{shown}`", escape(notes), escape(entry["meaning"])))
    parts.append(table(("", "default, limits", "meaning"), rows))
    return parts
