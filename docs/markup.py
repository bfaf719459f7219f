"""Docstrings as Markdown: their roles become links, their examples fenced code, their grids tables."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator

Link = Callable[[str], str]
"""From a name as a docstring says it to the path of the object, such as ``antiquity.Batch.step``. Names without a dot
lead nowhere."""

_ROLE = re.compile(r":(?:attr|class|data|exc|func|meth|mod):`(~?)([^`<>]+)`")
_FLAG = re.compile(r"\s*# doctest: ?\+[A-Z_]+\s*$")
_SECTIONS = ("Args:", "Attributes:", "Raises:")
_SHARED = re.compile(r" {4}(?P<names>\w+(?:, \w+)+):(?P<meaning> .*)")
_RULE = re.compile(r"=+( +=+)+")


def to_markdown(text: str, link: Link = lambda name: name) -> str:
    """The docstring `text` as Markdown.

    Args:
        text: without common indentation.
        link: where the names of roles are found.
    """
    lines = text.splitlines()
    return "\n".join(_blocks(lines, link))


def _blocks(lines: list[str], link: Link) -> Iterator[str]:
    at = 0
    while at < len(lines):
        line = lines[at]
        indent = line[: len(line) - len(line.lstrip())]
        if line.lstrip().startswith(">>>"):
            end = _end(lines, at, lambda each: bool(each.strip()))
            examples = [_FLAG.sub("", each) for each in lines[at:end]]
            yield from (f"{indent}```pycon", *examples, f"{indent}```")
            at = end
        elif _RULE.fullmatch(line.strip()):
            end = at + next(
                (n + 1 for n, each in enumerate(lines[at + 1 :], 1) if _RULE.fullmatch(each.strip())), 1
            )
            yield from _grid(lines[at:end], link)
            at = end
        elif line.rstrip().endswith("::"):
            yield _roles(line.rstrip()[:-1], link)
            start = _end(lines, at + 1, lambda each: not each.strip())
            end = _end(lines, start, functools.partial(_deeper, indent))
            yield from ("", *_literal(lines[start:end], indent), "")
            at = end
        else:
            yield _roles(line, link)
            at += 1


def _deeper(indent: str, line: str) -> bool:
    return not line.strip() or line.startswith(indent + " ")


def _end(lines: list[str], start: int, belongs: Callable[[str], bool]) -> int:
    """The first place from `start` on whose line does not belong."""
    return next((n for n in range(start, len(lines)) if not belongs(lines[n])), len(lines))


def _literal(lines: list[str], indent: str) -> list[str]:
    """Indented literal lines as a fence."""
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    margin = min((len(each) - len(each.lstrip()) for each in lines if each.strip()), default=0)
    first = lines[0].strip() if lines else ""
    language = "toml" if first.startswith(("[", "#")) else "python"
    return [f"{indent}```{language}", *(indent + each[margin:] for each in lines), f"{indent}```"]


def _grid(lines: list[str], link: Link) -> Iterator[str]:
    """A table of two columns between rules of ``=``, as Markdown; a row without a first cell goes on with the last."""
    starts = [match.start() for match in re.finditer(r"=+", lines[0])]
    rows: list[list[str]] = []
    for line in lines[1:]:
        if not line.strip() or _RULE.fullmatch(line.strip()):
            continue
        ends = [*starts[1:], len(line)]
        cells = [line[start:end].strip() for start, end in zip(starts, ends, strict=True)]
        if cells[0]:
            rows.append(cells)
        else:
            rows[-1] = [f"{old} {new}".strip() for old, new in zip(rows[-1], cells, strict=True)]
    yield from ("", "| " + " | ".join(" " for _ in starts) + " |", "|" + " --- |" * len(starts))
    for cells in rows:
        yield "| " + " | ".join(_roles(cell.replace("|", "\\|"), link) for cell in cells) + " |"
    yield ""


def _roles(line: str, link: Link) -> str:
    def replace(match: re.Match[str]) -> str:
        short, name = match.groups()
        shown = name.rpartition(".")[2] if short else name
        path = link(name)
        if "." not in path:
            return f"`{shown}`"
        return f'<autoref optional identifier="{path}"><code>{shown}</code></autoref>'

    return _ROLE.sub(replace, line)


def one_each(text: str) -> str:
    """The docstring with one entry for each name: ``game, seat: what is meant`` means it for both of them."""
    lines: list[str] = []
    section, names, entry = False, [""], [""]
    for line in [*text.splitlines(), ""]:
        match = _SHARED.match(line) if section else None
        if len(names) > 1 and line.startswith(" " * 8):
            entry.append(line)
            continue
        if len(names) > 1:
            for name in names:
                lines += [f"    {name}:{entry[0]}", *entry[1:]]
            names = [""]
        if match:
            names, entry = match["names"].split(", "), [match["meaning"]]
            continue
        section = line in _SECTIONS or (section and line.startswith(" "))
        lines.append(line)
    return "\n".join(lines[:-1])


def code_of(docstring: str) -> str:
    """The code of the docstring's examples, without prompts; empty when there are none."""
    lines = []
    for line in docstring.splitlines():
        if line.startswith((">>> ", "... ")):
            lines.append(_FLAG.sub("", line[4:]))
    return "\n".join(lines)


def escape(text: str) -> str:
    """Plain text for a cell of a Markdown table; what stands between backticks is code as it is."""
    parts = text.split("`")
    parts[::2] = [re.sub(r"([|*_<>\[\]])", r"\\\1", part) for part in parts[::2]]
    return "`".join(parts)
