"""Redraws what a seat cannot know: ``worlds``, on ``redraw`` (free deals) and ``placement`` (deals bound by picks).

May import ``state``, ``rules``, ``seats.timeline`` and Antiquity.
"""

from .worlds import determinize

__all__ = ["determinize"]
