"""Training: proximal policy optimisation by self-play in plain torch, and the demo that trains an agent and plays it.

May import everything from :mod:`antiquity.kernels` up to :mod:`antiquity.study`. Loads torch only once it trains.
"""
