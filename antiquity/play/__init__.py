"""Playing against agents: one person at the table, in a local web page or in the terminal.

May import everything from :mod:`antiquity.kernels` up to :mod:`antiquity.train`.
"""
