"""PyTorch: the smallest operation there is, its allocator, and arrays as in array_cases.py."""

import functools

import torch

from peer import per_call, serve

COUNT = 400
BYTES = 1 << 20
stream = torch.cuda.Stream()
torch.cuda.set_stream(stream)
a, b, c = (torch.zeros(1, device="cuda") for _ in range(3))
first, second = (torch.cuda.Event(enable_timing=True) for _ in range(2))
first.record()
second.record()
second.synchronize()
cases = {
    "launch 4, add": per_call(COUNT, lambda i: torch.add(a, b, out=c), stream.synchronize),
    "pool": per_call(500, lambda i: torch.empty(BYTES, dtype=torch.uint8, device="cuda")),
    "event record": per_call(500, lambda i: second.record(), stream.synchronize),
    "event elapsed": per_call(500, lambda i: first.elapsed_time(second)),
}


N, SIDE, PRODUCT = 1 << 28, 16384, 8192


@functools.cache
def arrays():
    x = torch.sin(torch.arange(N, dtype=torch.float32, device="cuda"))
    return x, x.flip(0), torch.empty_like(x)


def rate(amount, launches, make):
    """A case: units of `amount` in a nanosecond of the device. What `make` needs is there from its first round on."""
    make = functools.cache(make)

    def measure():
        run = make()
        run()
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        for _ in range(launches):
            run()
        end.record()
        end.synchronize()
        return amount * launches / (start.elapsed_time(end) * 1e6)

    return measure


def large(amount, run, launches=10):
    return rate(amount, launches, lambda: run(*arrays()))


def product():
    a, b = (torch.rand(PRODUCT, PRODUCT, device="cuda") for _ in range(2))
    c = torch.empty_like(a)
    return lambda: torch.matmul(a, b, out=c)


def counted(x, y, z):
    numbers = (x.abs() * 1023).int()
    return lambda: torch.bincount(numbers)


s, w = torch.ones(1000, device="cuda"), torch.ones(1000, device="cuda")
q = torch.empty_like(s)
short = {
    "x + y": lambda i: s + w,
    "add(x, y, out)": lambda i: torch.add(s, w, out=q),
    "2 * x": lambda i: 2 * s,
    "sum": lambda i: s.sum(),
    "exp": lambda i: torch.exp(s),
    "x[1:]": lambda i: s[1:],
    "empty": lambda i: torch.empty(1000, device="cuda"),
}
cases |= {
    "array copy": large(8 * N, lambda x, y, z: lambda: z.copy_(x)),
    "array 2 * x + y, fused": large(12 * N, lambda x, y, z: lambda: torch.add(y, x, alpha=2, out=z)),
    "array x + y": large(12 * N, lambda x, y, z: lambda: torch.add(x, y, out=z)),
    "array exp": large(8 * N, lambda x, y, z: lambda: torch.exp(x, out=z)),
    "array sum": large(4 * N, lambda x, y, z: lambda: x.sum()),
    "array max": large(4 * N, lambda x, y, z: lambda: x.max()),
    "array argmax": large(4 * N, lambda x, y, z: lambda: x.argmax()),
    "array dot": large(8 * N, lambda x, y, z: lambda: torch.dot(x, y)),
    "array sum, axis 0": large(4 * N, lambda x, y, z: lambda: x.view(-1, SIDE).sum(0)),
    "array sum, axis 1": large(4 * N, lambda x, y, z: lambda: x.view(-1, SIDE).sum(1)),
    "array random uniform": large(4 * N, lambda x, y, z: lambda: z.uniform_()),
    "array random normal": large(4 * N, lambda x, y, z: lambda: z.normal_()),
    "array cumsum": large(8 * N, lambda x, y, z: lambda: torch.cumsum(x, 0, out=z)),
    "array transpose": large(8 * N, lambda x, y, z: lambda: z.view(SIDE, -1).copy_(x.view(-1, SIDE).T)),
    "array bincount, 1,024 bins": large(4 * N, counted),
    "array histogram, 256 bins": large(4 * N, lambda x, y, z: lambda: torch.histc(x, 256, -1, 1)),
    "array sort f32": large(N, lambda x, y, z: lambda: torch.sort(x), 2),
    "array matmul": rate(2 * PRODUCT**3, 2, product),
} | {f"short {name}": per_call(2000, call, stream.synchronize) for name, call in short.items()}
serve("PyTorch", torch.__version__, cases)
