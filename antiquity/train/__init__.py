"""Training: masked PPO by self-play with stable-baselines3, and the demo that trains an agent and plays it.

May import everything from :mod:`antiquity.kernels` up to :mod:`antiquity.replay`. Loads torch only once it trains.
"""
