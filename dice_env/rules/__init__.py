"""The rules: the start, what is legal, what a turn does, what comes between turns, the score.

May import ``state``, ``data`` and Antiquity.
"""
