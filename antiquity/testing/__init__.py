"""What tests of a game need, here and in any other repository.

May import everything below it, but no game.
"""

from antiquity.testing.table import Table

__all__ = ["Table"]
