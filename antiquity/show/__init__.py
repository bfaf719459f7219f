"""Seeing the games: drawings, pixels, notebooks, windows.

Every game draws its table as one SVG (``Game.draw``); all other pictures are made from that.
"""
