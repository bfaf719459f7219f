"""What seats see, remember, know and do: observations, memory, other worlds for the search, the greedy agent.

May import ``state``, ``data``, ``rules`` and Antiquity.
"""
