"""The printed game as data: TOML tables, their checks, and the record of arrays that they become.

May import ``state`` and Antiquity, and nothing else of the package.
"""
