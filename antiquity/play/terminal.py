"""Playing in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable

from antiquity.play.session import Session
from antiquity.render.text import hanging, in_columns, result_lines, shown, terminal_width
from antiquity.study.replay import results

FEW = 12
"""Up to this many actions are listed one per line; more are listed in columns."""
HELP = "a number: choose   enter: show the table again   q: stop, the game stays saved"


def play_in_terminal(
    session: Session, ask: Callable[[str], str] = input, say: Callable[[str], None] | None = None
) -> None:
    """Show the table, ask for an action, play on, until the game is over or the person stops.

    Args:
        session: the game.
        ask: reads a line from the person.
        say: prints a text; None: to the standard output, with colours where that is a terminal that shows them.
    """
    say = say or _print
    say(f"{session.game.title}, {len(session.names)} players, you are seat {session.seat}. {HELP}")
    while not session.over:
        actions = session.legal()
        say(_table(session, actions))
        while True:
            try:
                answer = ask("your action: ").strip().lower()
            except EOFError:
                answer = "q"
            if answer == "q":
                say(farewell(session))
                return
            if answer == "":
                say(_table(session, actions))
            elif answer.isdecimal() and 1 <= int(answer) <= len(actions):
                session.choose(actions[int(answer) - 1])
                break
            else:
                say(f"{answer!r}? {HELP} (actions are 1 to {len(actions)})")
    say(_table(session, []))
    say(_result(session))


def _print(text: str) -> None:
    print(shown(text, sys.stdout))


def _table(session: Session, actions: list[int]) -> str:
    batch, wide = session.batch, terminal_width()
    eyes = None if session.over else session.seat
    lines = [""]
    since = session.events[0][0] if session.events else session.step
    for entry in session.log:
        if entry["step"] >= since:
            for choice in entry["choices"]:
                paid = f" [{choice['price']}]" if choice["price"] else ""
                lines += hanging(f"  {_name(session, choice['seat'])}: ", f"{choice['words']}{paid}", wide)
            for words in entry["news"]:
                lines += hanging("    ", words, wide)
    lines += ["", batch.render(0, eyes, wide).rstrip(), ""]
    width = len(str(len(actions)))
    choices = [
        hanging(f"{number:{width + 1}d}  ", _choice(session, action), wide)
        for number, action in enumerate(actions, 1)
    ]
    whole = [line for choice in choices for line in choice]
    lines += in_columns(whole, wide) if len(whole) == len(choices) > FEW else whole
    return "\n".join(lines)


def _choice(session: Session, action: int) -> str:
    """An action, and what it costs or brings."""
    words, price = (say(0, session.seat, action) for say in (session.batch.describe, session.batch.price))
    return f"{words}  [{price}]" if price else words


def _name(session: Session, seat: int) -> str:
    return "you" if seat == session.seat else f"seat {seat}, {session.names[seat]}"


def _result(session: Session) -> str:
    names = ["you" if seat == session.seat else f"seat {seat}" for seat in range(len(session.names))]
    agents = ["" if seat == session.seat else name for seat, name in enumerate(session.names)]
    lines = result_lines(names, agents, results(session.batch), terminal_width())
    return "\n".join([*lines, "", farewell(session)])


def farewell(session: Session) -> str:
    """How to resume the game, or to look back at it."""
    if session.path is None:
        return "this game was not saved"
    if session.over:
        return f"the game is in {session.path}: antiquity replay {session.path}"
    return f"the game is saved: antiquity play --resume {session.path}"
