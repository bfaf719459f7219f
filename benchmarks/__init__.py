"""How fast the games run: ``python -m benchmarks`` from the root of the repository.

Every figure is a median over repetitions with its quartiles, per CPU-second of the process where nothing else is said.
Before and after each repetition the yardstick runs (:mod:`benchmarks.yardsticks`), and a ratio is always one to its
neighbours in time: ratios hold on a machine that is busy or changes its clock, absolute figures only on an idle one.
With one exception: observations of a thousand games no longer fit in a core's own cache, and what others do to the
memory that all cores share slows these lines down, but not the yardstick.

A *decision* is a seat that has something to choose; seats that wait don't count, though their rows are written all the
same. A *free* decision is one with more than one legal action.

``python -m benchmarks compare REV`` sets this tree against another revision (:mod:`benchmarks.compare`).
"""
