"""Recorded games: a recorder that hooks into a batch, replays and their files, and the page that shows one.

May import everything from :mod:`antiquity.kernels` up to :mod:`antiquity.arena`. A batch knows nothing of replays.
"""
