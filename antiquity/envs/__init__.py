"""The games in the interfaces of others; each module is one of them and imports only what it needs.

* :class:`antiquity.envs.parallel.ParallelGameEnv`: PettingZoo, everybody acts at once.
* :class:`antiquity.envs.aec.AECGameEnv`: PettingZoo, one agent after the other.
* :class:`antiquity.envs.single.SingleAgentEnv`: Gymnasium, one seat against opponents.
* :class:`antiquity.envs.vector.GameVectorEnv`: Gymnasium, the same many times over.
* :class:`antiquity.envs.sb3.GameVecEnv`: stable-baselines3, with action masks.
"""
