"""Arrays as CuPy and NumPy have them, which are written alike. Sizes and units are those of suites/array.ts."""

import collections
import functools

from peer import per_call

Sizes = collections.namedtuple("Sizes", "n side product launches slow")


def array_cases(xp, sizes, rate, fused, settle=lambda: None):
    """The cases of a library.

    rate: of an amount, a number of launches and what makes a call, the case that measures units of it in a nanosecond
    fused: of x, y and z the call that computes z = 2 * x + y
    settle: waits for the device
    """
    n, side, product, launches, slow = sizes
    size = 4 * n

    @functools.cache
    def arrays():
        x = xp.sin(xp.arange(n, dtype=xp.float32))
        return x, x[::-1].copy(), xp.empty_like(x)

    def large(amount, run, count=launches):
        """`run` gets the three arrays, and gives what is measured."""
        return rate(amount, count, lambda: run(*arrays()))

    def masked(x, y, z):
        mask = x > 0
        return lambda: x[mask]

    def counted(x, y, z):
        numbers = (xp.abs(x) * 1023).astype(xp.int32)
        return lambda: xp.bincount(numbers)

    def permuted(*axes):
        def make(x, y, z):
            cube = x.reshape(n // (64 * 256), 64, 256).transpose(*axes)
            out = z.reshape(cube.shape)
            return lambda: xp.copyto(out, cube)

        return make

    def drawn(method, out):
        philox = getattr(xp.random, "Philox4x3210", None) or xp.random.Philox
        draw = getattr(xp.random.Generator(philox(1)), method)
        return lambda: draw(dtype=xp.float32, out=out)

    def multiplied():
        a, b = (xp.random.random((product, product)).astype(xp.float32) for _ in range(2))
        c = xp.empty_like(a)
        return lambda: xp.matmul(a, b, out=c)

    s, w = xp.ones(1000, xp.float32), xp.ones(1000, xp.float32)
    q = xp.empty_like(s)
    short = {
        "x + y": lambda i: s + w,
        "add(x, y, out)": lambda i: xp.add(s, w, q),
        "2 * x": lambda i: 2 * s,
        "sum": lambda i: s.sum(),
        "exp": lambda i: xp.exp(s),
        "x[1:]": lambda i: s[1:],
        "empty": lambda i: xp.empty(1000, xp.float32),
    }
    return {
        "array copy": large(2 * size, lambda x, y, z: lambda: xp.copyto(z, x)),
        "array 2 * x + y, fused": large(3 * size, fused),
        "array x + y": large(3 * size, lambda x, y, z: lambda: xp.add(x, y, z)),
        "array exp": large(2 * size, lambda x, y, z: lambda: xp.exp(x, z)),
        "array sum": large(size, lambda x, y, z: lambda: xp.sum(x)),
        "array max": large(size, lambda x, y, z: lambda: xp.max(x)),
        "array argmax": large(size, lambda x, y, z: lambda: xp.argmax(x)),
        "array dot": large(2 * size, lambda x, y, z: lambda: xp.dot(x, y)),
        "array sum, axis 0": large(size, lambda x, y, z: lambda: x.reshape(-1, side).sum(0)),
        "array sum, axis 1": large(size, lambda x, y, z: lambda: x.reshape(-1, side).sum(1)),
        "array cumsum": large(2 * size, lambda x, y, z: lambda: xp.cumsum(x, out=z)),
        "array cumsum, axis 0": large(
            2 * size, lambda x, y, z: lambda: xp.cumsum(x.reshape(-1, side), 0, out=z.reshape(-1, side)), slow
        ),
        "array transpose": large(
            2 * size, lambda x, y, z: lambda: xp.copyto(z.reshape(side, -1), x.reshape(-1, side).T)
        ),
        "array permutation [2, 0, 1]": large(2 * size, permuted(2, 0, 1)),
        "array permutation [1, 0, 2]": large(2 * size, permuted(1, 0, 2)),
        "array random uniform": large(size, lambda x, y, z: drawn("random", z)),
        "array random normal": large(size, lambda x, y, z: drawn("standard_normal", z)),
        "array x[mask]": large(size + n + size // 2, masked, slow),
        "array bincount, 1,024 bins": large(size, counted),
        "array histogram, 256 bins": large(size, lambda x, y, z: lambda: xp.histogram(x, 256, (-1, 1))),
        "array sort u32": large(n, lambda x, y, z: lambda: xp.sort(x.view(xp.uint32)), slow),
        "array sort f32": large(n, lambda x, y, z: lambda: xp.sort(x), slow),
        "array argsort u32": large(n, lambda x, y, z: lambda: xp.argsort(x.view(xp.uint32)), slow),
        "array matmul": rate(2 * product**3, slow, multiplied),
    } | {f"short {name}": per_call(2000, call, settle) for name, call in short.items()}
