"""Arrays in CuPy. cupy_side.py serves them; sizes and units are those of suites/array.ts."""

import functools

import cupy as cp

from cupy_computation import rate
from peer import per_call

N, SIDE, PRODUCT, LAUNCHES, SLOW = 1 << 28, 16384, 8192, 10, 2
BYTES = 4 * N


@functools.cache
def arrays():
    x = cp.sin(cp.arange(N, dtype=cp.float32))
    return x, x[::-1].copy(), cp.empty_like(x)


def large(amount, run, launches=LAUNCHES):
    """`run` gets the three arrays, and gives what is measured."""
    return rate(amount, launches, lambda: run(*arrays()))


def fused(x, y, z):
    kernel = cp.ElementwiseKernel("float32 a, float32 x, float32 y", "float32 z", "z = a * x + y", "axpy")
    return lambda: kernel(cp.float32(2), x, y, z)


def masked(x, y, z):
    mask = x > 0
    return lambda: x[mask]


def permuted(*axes):
    def make(x, y, z):
        cube = x.reshape(N // (64 * 256), 64, 256).transpose(*axes)
        out = z.reshape(cube.shape)
        return lambda: cp.copyto(out, cube)

    return make


def product():
    a, b = (cp.random.random((PRODUCT, PRODUCT), dtype=cp.float32) for _ in range(2))
    c = cp.empty_like(a)
    return lambda: cp.matmul(a, b, out=c)


def cases(stream):
    s, w = cp.ones(1000, cp.float32), cp.ones(1000, cp.float32)
    q = cp.empty_like(s)
    short = {
        "x + y": lambda i: s + w,
        "add(x, y, out)": lambda i: cp.add(s, w, q),
        "2 * x": lambda i: 2 * s,
        "sum": lambda i: s.sum(),
        "exp": lambda i: cp.exp(s),
        "x[1:]": lambda i: s[1:],
        "empty": lambda i: cp.empty(1000, cp.float32),
    }
    return {
        "array copy": large(2 * BYTES, lambda x, y, z: lambda: cp.copyto(z, x)),
        "array 2 * x + y, fused": large(3 * BYTES, fused),
        "array x + y": large(3 * BYTES, lambda x, y, z: lambda: cp.add(x, y, z)),
        "array exp": large(2 * BYTES, lambda x, y, z: lambda: cp.exp(x, z)),
        "array sum": large(BYTES, lambda x, y, z: lambda: cp.sum(x)),
        "array max": large(BYTES, lambda x, y, z: lambda: cp.max(x)),
        "array argmax": large(BYTES, lambda x, y, z: lambda: cp.argmax(x)),
        "array dot": large(2 * BYTES, lambda x, y, z: lambda: cp.dot(x, y)),
        "array sum, axis 0": large(BYTES, lambda x, y, z: lambda: x.reshape(-1, SIDE).sum(0)),
        "array sum, axis 1": large(BYTES, lambda x, y, z: lambda: x.reshape(-1, SIDE).sum(1)),
        "array cumsum": large(2 * BYTES, lambda x, y, z: lambda: cp.cumsum(x, out=z)),
        "array cumsum, axis 0": large(
            2 * BYTES, lambda x, y, z: lambda: cp.cumsum(x.reshape(-1, SIDE), 0, out=z.reshape(-1, SIDE)), SLOW
        ),
        "array transpose": large(
            2 * BYTES, lambda x, y, z: lambda: cp.copyto(z.reshape(SIDE, -1), x.reshape(-1, SIDE).T)
        ),
        "array permutation [2, 0, 1]": large(2 * BYTES, permuted(2, 0, 1)),
        "array permutation [1, 0, 2]": large(2 * BYTES, permuted(1, 0, 2)),
        "array x[mask]": large(BYTES + N + BYTES // 2, masked, SLOW),
        "array matmul": rate(2 * PRODUCT**3, SLOW, product),
    } | {f"short {name}": per_call(2000, call, stream.synchronize) for name, call in short.items()}
