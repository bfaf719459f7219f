"""The printed game as data: cards, tiles and numbers in a file, its checks, and the record that kernels read.

May import the state of the game, and of Antiquity the reading of tables.
"""
