"""The rules: the start, what is legal, what it costs, what a turn and an Age do, the score.

May import ``state``, ``data`` and Antiquity.
"""
