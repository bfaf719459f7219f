"""The command line: ``antiquity ...``, a file a command; :mod:`antiquity.cli.main` puts them together.

May import everything of Antiquity but :mod:`antiquity.testing`.
"""
