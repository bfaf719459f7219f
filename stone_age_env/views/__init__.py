"""The game for people: as text, as a picture, as plain numbers.

May import everything below: state, data, rules, seats, and :mod:`antiquity.render`. Only the Game imports a view.
"""
