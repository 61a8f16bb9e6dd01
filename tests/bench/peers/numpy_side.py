"""NumPy on one core, with the sizes that suites/array.ts has for processors."""

import functools
import os
import time

# Before NumPy is imported: its BLAS asks how many threads it may have.
for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import numpy as np

from array_cases import Sizes, array_cases
from peer import serve


def rate(amount, launches, make):
    """A case: units of `amount` in a nanosecond. What `make` needs is there from its first round on."""
    make = functools.cache(make)

    def measure():
        run = make()
        run()
        start = time.perf_counter_ns()
        for _ in range(launches):
            run()
        return amount * launches / (time.perf_counter_ns() - start)

    return measure


def fused(x, y, z):
    """Two calls: NumPy has no kernels of expressions."""

    def run():
        np.multiply(x, np.float32(2), out=z)
        np.add(z, y, out=z)

    return run


serve("NumPy", np.__version__, array_cases(np, Sizes(1 << 24, 4096, 1024, 2, 1), rate, fused))
