"""What observations look like: the vector that the kernels write, or a dict or tokens made of it (:class:`Form`)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from gymnasium.spaces import Box, Dict
from numpy.typing import NDArray

from antiquity.batch.core import Array
from antiquity.game import Game, Layout
from antiquity.game.checks import one_of
from antiquity.game.entities import TokenLayout, blocks_of, completed
from antiquity.kernels import entry

FORMS: Final = ("vector", "dict", "tokens")


@entry
def write_tokens(
    vectors: Any, copies: Any, scans: Any, marks: Any, tokens: Any, present: Any, start: int, stop: int
) -> None:
    """Rows `start` to `stop` of `vectors` float32[R, F] as tokens float32[R, E, C], zeros, and present int8[R, E], too.

    `copies`, `scans`, `marks`: of a :class:`antiquity.game.entities.TokenLayout`.
    """
    for row in range(start, stop):
        for number in range(copies.shape[0]):
            token, to, column = copies[number, 0], copies[number, 1], copies[number, 2]
            for place in range(copies[number, 3]):
                value = vectors[row, column + place]
                tokens[row, token, to + place] = value
                if value != 0:
                    present[row, token] = 1
        for number in range(scans.shape[0]):
            token, column, size, to = scans[number, 0], scans[number, 2], scans[number, 3], scans[number, 4]
            last = token + scans[number, 1]
            for place in range(size):
                value = vectors[row, column + place]
                if value != 0 and token < last:
                    tokens[row, token, to + place] = 1
                    tokens[row, token, to + size] = value
                    present[row, token] = 1
                    token += 1
        for token in range(marks.shape[0]):
            if present[row, token] and marks[token] >= 0:
                tokens[row, token, marks[token]] = 1


class Form:
    """Observations as a vector, a dict or tokens: the same facts, in other places.

    * ``"vector"``: [F], named by the layout.
    * ``"dict"``: an array [n] for each block of the layout, such as ``"me"``, ``"left"``, ``"hand"``, ``"table"``.
    * ``"tokens"``: for attention networks, ``"tokens"`` float32[E, C], a row for each seat, card, die and so on
      (:attr:`token_layout`), ``"types"`` int8[E], what each of them is, and ``"present"`` int8[E], 0 for padding, whose
      rows are 0.

    Args:
        game: what is observed.
        layout: of the vector.
        name: one of these.
        dtype: of the vector; tokens are float32.
        players: the most seats at the table.
    """

    def __init__(self, game: Game, layout: Layout, name: str, dtype: np.dtype[Any], players: int) -> None:
        self.name = one_of("observation", name, FORMS)
        self.layout, self.dtype = layout, dtype
        self._actions = game.num_actions
        here = [each for each in game.entities if each.fields[0] in layout]
        memory = game.memory_layout.size if all(each.name in layout for each in game.memory_layout) else 0
        entities = completed(here, layout, layout.size - memory)
        self.blocks = blocks_of(entities, self.layout)
        """The columns of each block of a dict, by name."""
        self.token_layout = TokenLayout(entities, self.layout, players)
        """What tokens there are, and what their features mean."""
        if name == "tokens" and dtype != np.float32:
            raise ValueError(f'observation="tokens" is float32, and dtype is "{dtype}"')

    def of(self, vectors: Array) -> Any:
        """Observations [..., F] in this form: arrays of the same leading shape, in a dict but for the vector itself."""
        if self.name == "vector":
            return vectors
        if self.name == "dict":
            return {name: vectors[..., columns] for name, columns in self.blocks.items()}
        layout, shape = self.token_layout, vectors.shape[:-1]
        rows = np.ascontiguousarray(vectors).reshape(-1, vectors.shape[-1])
        tokens = np.zeros((len(rows), *layout.shape), np.float32)
        present = np.zeros((len(rows), layout.shape[0]), np.int8)
        write_tokens(rows, layout.copies, layout.scans, layout.marks, tokens, present, 0, len(rows))
        return {
            "tokens": tokens.reshape(*shape, *layout.shape),
            "types": np.broadcast_to(layout.types, (*shape, len(layout.types))).copy(),
            "present": present.reshape(*shape, layout.shape[0]),
        }

    def rows(self, vectors: NDArray[Any]) -> list[Any]:
        """The same for observations [R, F], one by one."""
        found = self.of(vectors)
        if self.name == "vector":
            return list(vectors)
        return [{name: part[row] for name, part in found.items()} for row in range(len(vectors))]

    def with_mask(self, observation: Any, mask: Any) -> dict[str, Any]:
        """One observation in this form, and its mask as ``"action_mask"``, in a dict."""
        if self.name == "vector":
            return {"observation": observation, "action_mask": mask}
        return {**observation, "action_mask": mask}

    def space(self, *shape: int) -> Box | Dict:
        """The space of observations of this leading shape."""
        low: Array = self.layout.low
        high: Array = self.layout.high
        if self.dtype == np.uint8:
            low, high = np.zeros_like(low, np.uint8), np.full_like(high, 255, np.uint8)

        def box(low: Any, high: Any, dtype: Any) -> Box:
            whole = (*shape, *low.shape)
            return Box(np.broadcast_to(low, whole), np.broadcast_to(high, whole), dtype=dtype)

        if self.name == "vector":
            return box(low, high, self.dtype.type)
        if self.name == "dict":
            columns = self.blocks.items()
            return Dict({name: box(low[where], high[where], self.dtype.type) for name, where in columns})
        count, width = self.token_layout.shape
        ones = np.ones((count, width), np.float32)
        kinds = np.ones(count, np.int8)
        return Dict(
            {
                "tokens": box(min(low.min(), 0) * ones, max(high.max(), 1) * ones, np.float32),
                "types": box(0 * kinds, len(self.token_layout.kinds) * kinds, np.int8),
                "present": box(0 * kinds, kinds, np.int8),
            }
        )

    def masked_space(self) -> Dict:
        """The space of :meth:`with_mask`."""
        one = self.space()
        return Dict(
            self.with_mask(one.spaces if isinstance(one, Dict) else one, Box(0, 1, (self._actions,), np.int8))
        )
