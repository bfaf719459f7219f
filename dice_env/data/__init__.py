"""The printed game as data: TOML files, how sure each number is, their checks, and the record that kernels read.

May import ``state`` and Antiquity, and nothing else of the package.
"""
