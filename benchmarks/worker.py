"""One side of a comparison: a process that measures, on request, what its ``PYTHONPATH`` gives it.

Requests and answers are lines of JSON on stdin and stdout: ``{"open": spec, "seconds": s}`` builds and calibrates a
task, ``{"sample": null}`` runs it once and ``{"where": null}`` tells where ``antiquity`` lies. An answer with
``"error"`` says in words why there is none.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from typing import Any

from benchmarks.clock import Task, calibrate, sample

Answer = dict[str, Any]


class Worker:
    """Answers requests, one after the other; holds one task."""

    def __init__(self) -> None:
        self.task: Task | None = None
        self.units = 0

    def answer(self, request: dict[str, Any]) -> Answer:
        """The answer to a request; what goes wrong is told, not raised, for the other revision may lack anything."""
        try:
            if "where" in request:
                import antiquity

                return {"where": os.path.dirname(os.path.dirname(os.path.abspath(antiquity.__file__)))}
            if "open" in request:
                return self._open(request["open"], request["seconds"])
            if self.task is None:
                raise ValueError("no task is open")
            return {"rate": sample(self.task, self.units, time.process_time).rate}
        except Exception as error:
            self.task = None
            return {"error": f"{type(error).__name__}: {error}"}

    def _open(self, spec: dict[str, Any], seconds: float) -> Answer:
        self.task = None
        gc.collect()
        from benchmarks.measures import Spec, build

        self.task = build(Spec(**spec))
        self.units = calibrate(self.task, seconds, time.process_time)
        return {"units": self.units}


def main() -> None:
    """Serve until stdin ends."""
    # Whatever prints must not get between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    worker = Worker()
    for line in sys.stdin:
        print(json.dumps(worker.answer(json.loads(line))), file=answers, flush=True)


if __name__ == "__main__":
    main()
