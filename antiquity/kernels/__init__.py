"""Compiled functions: everything that touches numba's and LLVM's insides, and nothing that knows of games.

May import numba, llvmlite and numpy, and no other part of Antiquity.
"""

from antiquity.kernels.dispatch import Verb, bind, twin
from antiquity.kernels.elements import add, lacking, put, put_above, put_bits, put_scaled
from antiquity.kernels.jit import ENABLED, entry, kernel, specialise, statistics
from antiquity.kernels.memory import clear, clear_rows
from antiquity.kernels.words import least_byte

__all__ = [
    "ENABLED",
    "Verb",
    "add",
    "bind",
    "clear",
    "clear_rows",
    "entry",
    "kernel",
    "lacking",
    "least_byte",
    "put",
    "put_above",
    "put_bits",
    "put_scaled",
    "specialise",
    "statistics",
    "twin",
]
