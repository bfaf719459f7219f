"""Self-play with RLlib's PPO under action masks, in one file: several runners, checkpoints, and going on from them.

    python examples/rllib_ppo.py --game seven_wonders --seconds 120 --runners 2
    python examples/rllib_ppo.py --game seven_wonders --seconds 120 --runners 2 --resume

RLlib wants an environment of its own: `make rllib-test` makes it (.venv-rllib). One policy plays all seats and learns
from all of them. A seat is shown to RLlib only when it has something to choose: one that waits is no row of the batch,
and its rewards go to its next decision.

RLlib steps games one by one in Python, about a hundredth as fast as a batch does. What it is good for is many machines;
on one, `antiquity train` and examples/ppo.py come much further in the same time.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import ray
from gymnasium.spaces import Box, Dict
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

from antiquity.agents import Network, NetworkAgent
from antiquity.arena import play_match
from antiquity.envs.parallel import ParallelGameEnv
from antiquity.game import make_game

SHARED = "shared"
"""The policy of all seats."""


class GameEnv(MultiAgentEnv):
    """One game, as RLlib's masked module wants it: a Dict of "observations" and "action_mask", of those that choose."""

    def __init__(self, config):
        super().__init__()
        self.table = ParallelGameEnv(**config)
        self.possible_agents = self.table.possible_agents
        self.agents = self.possible_agents
        mask = Box(0.0, 1.0, (self.table.game.num_actions,), np.float32)
        self.observation_spaces = {
            agent: Dict({"observations": space["observation"], "action_mask": mask})
            for agent, space in self.table.observation_spaces.items()
        }
        self.action_spaces = self.table.action_spaces

    def reset(self, *, seed=None, options=None):
        seen, _ = self.table.reset(seed)
        return self._choosing(seen), {}

    def step(self, actions):
        # An illegal action is a ValueError here: masks that do not hold end the run.
        everybody = dict.fromkeys(self.possible_agents, 0) | {who: int(what) for who, what in actions.items()}
        seen, rewards, terminated, truncated, infos = self.table.step(everybody)
        ended = {"__all__": all(terminated.values())}, {"__all__": all(truncated.values())}
        if any(done["__all__"] for done in ended):
            final = {agent: self._renamed(each) for agent, each in seen.items()}
            ranks = {agent: {"rank": info["rank"]} for agent, info in infos.items()}
            return final, rewards, *ended, ranks
        return self._choosing(seen), rewards, *ended, {}

    def _choosing(self, seen):
        return {agent: self._renamed(seen[agent]) for agent in self.table.deciders}

    @staticmethod
    def _renamed(seen):
        return {
            "observations": seen["observation"],
            "action_mask": seen["action_mask"].astype(np.float32),
        }


def configure(args):
    """PPO on whole games: rewards come at their ends, so nothing is discounted."""
    env = {"game": args.game, "num_players": args.players or None, "reward": "mix"}
    return (
        PPOConfig()
        .environment(GameEnv, env_config=env, disable_env_checking=True)  # its check ignores masks
        .env_runners(
            num_env_runners=args.runners,
            num_envs_per_env_runner=args.games,
            batch_mode="complete_episodes",
        )
        .multi_agent(policies={SHARED}, policy_mapping_fn=lambda agent, episode, **_: SHARED)
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=ActionMaskingTorchRLModule,
                model_config=DefaultModelConfig(
                    fcnet_hiddens=[256, 256], fcnet_activation="relu", vf_share_layers=False
                ),
            )
        )
        .training(
            train_batch_size_per_learner=args.batch,
            minibatch_size=args.minibatch,
            num_epochs=args.epochs,
            lr=args.learning_rate,
            gamma=1.0,
            lambda_=0.95,
            clip_param=0.2,
            vf_loss_coeff=0.5,
            entropy_coeff=0.01,
            grad_clip=0.5,
            use_kl_loss=False,
        )
        .learners(num_learners=0)
    )


def policy_of(algorithm, game):
    """The trained policy as plain arrays: a policy file's content, played by a kernel without RLlib and torch."""
    module = algorithm.get_module(SHARED)
    layers = [
        (layer.weight.detach().cpu().numpy().T, layer.bias.detach().cpu().numpy())
        for part in (module.encoder.actor_encoder, module.pi)
        for layer in part.modules()
        if type(layer).__name__ == "Linear"
    ]
    network = Network.of_layers(layers, "relu")
    return NetworkAgent(game, network, name="policy", deterministic=True)


def measure(policy, other, players, deals):
    """One seat of the policy among others, every deal in all seatings."""
    return play_match(policy.game, [policy, *[other] * (players - 1)], deals=deals, seed=1)


def train(args):
    """Train for some seconds or iterations, keeping a checkpoint. Returns the algorithm, which the caller stops."""
    checkpoint = (args.folder / "checkpoint").resolve()
    if args.resume:
        # The checkpoint holds everything, with the settings of the run that wrote it. It is a pickle inside: resume
        # only runs that you trust.
        algorithm = Algorithm.from_checkpoint(str(checkpoint))
        print(f"going on after iteration {algorithm.iteration}")
    else:
        algorithm = configure(args).build_algo()
    started = saved = time.perf_counter()
    while True:
        result = algorithm.train()
        now = time.perf_counter()
        decisions = result["num_env_steps_sampled_lifetime"]
        learnt = result["learners"][SHARED]
        print(
            f"{now - started:5.0f} s  iteration {algorithm.iteration}  {decisions:,.0f} steps of games  "
            f"entropy {float(learnt['entropy']):.2f}",
            flush=True,
        )
        over = algorithm.iteration >= args.iterations if args.iterations else now - started >= args.seconds
        if over or now - saved > args.save_every:
            algorithm.save_to_path(str(checkpoint))
            saved = now
        if over:
            return algorithm


def parser():
    """The flags; what is trained is in the checkpoint, so --resume takes only those on length, folder and deals."""
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("--game", default="seven_wonders")
    flags.add_argument("--players", type=int, default=0, help="the game's default if 0")
    flags.add_argument("--seconds", type=float, default=120.0, help="of training, on the clock")
    flags.add_argument("--iterations", type=int, default=0, help="or: up to which iteration")
    flags.add_argument("--runners", type=int, default=2, help="processes that play; 0: in this one")
    flags.add_argument("--games", type=int, default=16, help="games side by side in a runner")
    flags.add_argument("--batch", type=int, default=2048, help="steps of games between two updates")
    flags.add_argument("--minibatch", type=int, default=1024)
    flags.add_argument("--epochs", type=int, default=3)
    flags.add_argument("--learning-rate", type=float, default=7e-4)
    flags.add_argument("--deals", type=int, default=100, help="of the evaluation, each in all seatings")
    flags.add_argument("--save-every", type=float, default=60.0, help="seconds between checkpoints")
    flags.add_argument("--folder", type=Path, default=Path("runs/rllib"))
    flags.add_argument("--resume", action="store_true", help="go on from the folder's checkpoint")
    return flags


def main():
    args = parser().parse_args()
    ray.init(include_dashboard=False, log_to_driver=False, num_cpus=args.runners + 1)
    algorithm = train(args)
    played = algorithm.config.env_config  # of the checkpoint, when it was resumed
    game = make_game(played["game"])
    players = played["num_players"] or game.default_players
    policy = policy_of(algorithm, game)
    algorithm.stop()
    ray.shutdown()
    for other in ("random", "greedy"):
        print(f"one policy among {players - 1} {other}, par is {1 / players:.0%}")
        print(measure(policy, other, players, args.deals))
    print(f"{policy.save(args.folder / 'policy.npz')} can sit at a table wherever an agent is named")


if __name__ == "__main__":
    main()
