"""Games as text and pictures: drawing in SVG, pixels, a window, notebooks, and what the render modes mean.

May import :mod:`antiquity.game` and :mod:`antiquity.kernels`. Knows games, not batches: games draw with it, and
environments show what it makes.
"""
