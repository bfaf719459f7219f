"""The command line: ``antiquity ...``, one module per command; :mod:`antiquity.cli.main` puts them together.

May import everything of Antiquity but :mod:`antiquity.testing`.
"""
