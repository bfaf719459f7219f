"""The rules, as kernels over one record: start, legality, payment, turn, effects, rounds and scoring.

May import state and data. Nothing here knows what a seat sees.
"""
