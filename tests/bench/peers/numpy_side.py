"""NumPy on one core: arrays as in cupy_array.py, with the sizes that suites/array.ts has for processors."""

import functools
import os
import time

# Before NumPy is imported: its BLAS asks how many threads it may have.
for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import numpy as np

from peer import per_call, serve

N, SIDE, PRODUCT, LAUNCHES, SLOW = 1 << 24, 4096, 1024, 2, 1
BYTES = 4 * N


@functools.cache
def arrays():
    x = np.sin(np.arange(N, dtype=np.float32))
    return x, x[::-1].copy(), np.empty_like(x)


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


def large(amount, run, launches=LAUNCHES):
    """`run` gets the three arrays, and gives what is measured."""
    return rate(amount, launches, lambda: run(*arrays()))


def eager(x, y, z):
    def run():
        np.multiply(x, np.float32(2), out=z)
        np.add(z, y, out=z)

    return run


def masked(x, y, z):
    mask = x > 0
    return lambda: x[mask]


def permuted(*axes):
    def make(x, y, z):
        cube = x.reshape(N // (64 * 256), 64, 256).transpose(*axes)
        out = z.reshape(cube.shape)
        return lambda: np.copyto(out, cube)

    return make


def product():
    a, b = (np.random.random((PRODUCT, PRODUCT)).astype(np.float32) for _ in range(2))
    c = np.empty_like(a)
    return lambda: np.matmul(a, b, out=c)


s, w = np.ones(1000, np.float32), np.ones(1000, np.float32)
q = np.empty_like(s)
short = {
    "x + y": lambda i: s + w,
    "add(x, y, out)": lambda i: np.add(s, w, q),
    "2 * x": lambda i: np.float32(2) * s,
    "sum": lambda i: s.sum(),
    "exp": lambda i: np.exp(s),
    "x[1:]": lambda i: s[1:],
    "empty": lambda i: np.empty(1000, np.float32),
}
cases = {
    "array copy": large(2 * BYTES, lambda x, y, z: lambda: np.copyto(z, x)),
    "array 2 * x + y, fused": large(3 * BYTES, eager),
    "array x + y": large(3 * BYTES, lambda x, y, z: lambda: np.add(x, y, z)),
    "array exp": large(2 * BYTES, lambda x, y, z: lambda: np.exp(x, z)),
    "array sum": large(BYTES, lambda x, y, z: lambda: np.sum(x)),
    "array max": large(BYTES, lambda x, y, z: lambda: np.max(x)),
    "array argmax": large(BYTES, lambda x, y, z: lambda: np.argmax(x)),
    "array dot": large(2 * BYTES, lambda x, y, z: lambda: np.dot(x, y)),
    "array sum, axis 0": large(BYTES, lambda x, y, z: lambda: x.reshape(-1, SIDE).sum(0)),
    "array sum, axis 1": large(BYTES, lambda x, y, z: lambda: x.reshape(-1, SIDE).sum(1)),
    "array cumsum": large(2 * BYTES, lambda x, y, z: lambda: np.cumsum(x, out=z)),
    "array cumsum, axis 0": large(
        2 * BYTES, lambda x, y, z: lambda: np.cumsum(x.reshape(-1, SIDE), 0, out=z.reshape(-1, SIDE))
    ),
    "array transpose": large(2 * BYTES, lambda x, y, z: lambda: np.copyto(z.reshape(SIDE, -1), x.reshape(-1, SIDE).T)),
    "array permutation [2, 0, 1]": large(2 * BYTES, permuted(2, 0, 1)),
    "array permutation [1, 0, 2]": large(2 * BYTES, permuted(1, 0, 2)),
    "array x[mask]": large(BYTES + N + BYTES // 2, masked, SLOW),
    "array matmul": rate(2 * PRODUCT**3, SLOW, product),
} | {f"short {name}": per_call(2000, call) for name, call in short.items()}
serve("NumPy", np.__version__, cases)
