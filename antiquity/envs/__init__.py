"""The games behind the interfaces of other libraries: one module for each, which imports only what it needs.

* :class:`antiquity.envs.parallel.ParallelGameEnv`: PettingZoo, everybody acts at once.
* :class:`antiquity.envs.aec.AECGameEnv`: PettingZoo, one agent after the other.
* :class:`antiquity.envs.single.SingleAgentEnv`: Gymnasium, one seat against opponents.
* :class:`antiquity.envs.vector.GameVectorEnv`: Gymnasium, the same many times over.
* :class:`antiquity.envs.sb3.GameVecEnv`: stable-baselines3, with action masks.

Beside them stand the opponents of a learner, the makers of a game package's environments and the ids that Gymnasium
knows them by. May import everything from :mod:`antiquity.kernels` up to :mod:`antiquity.agents`.
"""
