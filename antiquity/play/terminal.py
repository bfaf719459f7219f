"""Playing in the terminal."""

from __future__ import annotations

from collections.abc import Callable

from antiquity.play.session import Session

HELP = "a number: choose   enter: show the table again   q: stop, the game stays saved"


def play_in_terminal(
    session: Session, ask: Callable[[str], str] = input, say: Callable[[str], None] = print
) -> None:
    """Show the table, ask for an action, play on, until the game is over or the person stops.

    Args:
        session: the game.
        ask: asks the person for a line.
        say: shows a text.
    """
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


def _table(session: Session, actions: list[int]) -> str:
    batch = session.batch
    eyes = None if session.over else session.seat
    lines = [""]
    for _, seat, words in session.events:
        lines.append(f"  {_name(session, seat)}: {words}")
    lines += ["", batch.render(0, eyes).rstrip(), ""]
    width = len(str(len(actions)))
    lines += [
        f"{number:{width + 1}d}  {batch.describe(0, session.seat, action)}"
        for number, action in enumerate(actions, 1)
    ]
    return "\n".join(lines)


def _name(session: Session, seat: int) -> str:
    return "you" if seat == session.seat else f"seat {seat}, {session.names[seat]}"


def _result(session: Session) -> str:
    view = session.view()
    columns = [*view["columns"], "rank"]
    width = max(len(_name(session, seat)) for seat in range(len(session.names)))
    lines = [" " * width + "".join(f"  {column}" for column in columns)]
    for seat, (row, rank) in enumerate(zip(view["points"], view["ranks"], strict=True)):
        cells = (f"  {value:{len(column)}d}" for value, column in zip([*row, rank], columns, strict=True))
        lines.append(f"{_name(session, seat):{width}s}" + "".join(cells))
    return "\n".join([*lines, "", farewell(session)])


def farewell(session: Session) -> str:
    """How to go on with the game, or to look back at it."""
    if session.path is None:
        return "this game was not saved"
    if session.over:
        return f"the game is in {session.path}: antiquity replay {session.path}"
    return f"the game is saved: antiquity play --resume {session.path}"
