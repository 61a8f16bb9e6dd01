"""The kernels that compute, in CuPy: by its own functions, and from the same sources. cupy_side.py serves them.

Each case answers in the unit that suites/computation.ts gives it; sizes and shapes of launches are the same there.
"""

import functools
import os
import pathlib

# cuBLAS computes in full single precision.
os.environ["CUPY_TF32"] = "0"
os.environ["NVIDIA_TF32_OVERRIDE"] = "0"

import cupy
import numpy

KERNELS = pathlib.Path(__file__).resolve().parents[3] / "kernels" / "cuda"
COPY, SUM, SIDE, PRODUCT, BODIES = 1 << 30, 1 << 26, 8192, 4096, 65536
LAUNCHES, SLOW = 20, 5
SOFTENING, FLOPS = 0.1, 20


def rate(amount, launches, make):
    """A case: units of `amount` in a nanosecond of the device. What `make` needs is there from its first round on."""
    make = functools.cache(make)

    def measure():
        run = make()
        run()
        start, end = cupy.cuda.Event(), cupy.cuda.Event()
        start.record()
        for _ in range(launches):
            run()
        end.record()
        end.synchronize()
        return amount * launches / (cupy.cuda.get_elapsed_time(start, end) * 1e6)

    return measure


def kernel(file, name, options=()):
    return cupy.RawKernel((KERNELS / file).read_text(), name, options=options)


def check(name, ok):
    if not bool(ok):
        raise ValueError(f"{name} computes something else")


@functools.cache
def numbers():
    return (cupy.arange(SUM, dtype=cupy.int32) % 1001).astype(cupy.float32) / cupy.float32(1000)


@functools.cache
def matrix():
    values = cupy.arange(SIDE * SIDE, dtype=cupy.int32) % 1000003
    return values.astype(cupy.float32).reshape(SIDE, SIDE)


@functools.cache
def factors():
    random = cupy.random.RandomState(1)
    return [random.random_sample((PRODUCT, PRODUCT), dtype=cupy.float32) - cupy.float32(0.5) for _ in range(2)]


def copy():
    source, target = cupy.zeros(COPY, cupy.uint8), cupy.empty(COPY, cupy.uint8)
    stream = cupy.cuda.get_current_stream()
    return lambda: target.data.copy_from_device_async(source.data, COPY, stream)


def own_sum():
    values = numbers()
    return lambda: cupy.sum(values)


def raw_sum():
    values, reduction = numbers(), kernel("reduction.cu", "reduction")
    blocks = 4 * cupy.cuda.Device().attributes["MultiProcessorCount"]
    sums, total = cupy.empty(blocks, cupy.float32), cupy.empty(1, cupy.float32)
    first, second = (sums, values, numpy.int32(SUM)), (total, sums, numpy.int32(blocks))

    def run():
        reduction((blocks,), (512,), first)
        reduction((1,), (512,), second)

    run()
    wanted = float(cupy.sum(values, dtype=cupy.float64))
    check("reduction", abs(float(total[0]) / wanted - 1) < 1e-6)
    return run


def own_transpose():
    values = matrix()
    return lambda: cupy.ascontiguousarray(values.T)


def raw_transpose():
    values, transpose = matrix(), kernel("transpose.cu", "transpose")
    target = cupy.empty((SIDE, SIDE), cupy.float32)
    arguments = (target, values, numpy.int32(SIDE), numpy.int32(SIDE))
    run = lambda: transpose((SIDE // 32, SIDE // 32), (32, 8), arguments)
    run()
    check("transpose", (target == values.T).all())
    return run


def own_product():
    a, b = factors()
    c = cupy.empty((PRODUCT, PRODUCT), cupy.float32)
    return lambda: cupy.matmul(a, b, out=c)


def raw_product():
    (a, b), sgemm = factors(), kernel("sgemm.cu", "sgemm")
    c = cupy.empty((PRODUCT, PRODUCT), cupy.float32)
    n = numpy.int32(PRODUCT)
    run = lambda: sgemm((PRODUCT // 128, PRODUCT // 128), (256,), (c, a, b, n, n, n))
    run()
    check("sgemm", cupy.abs(c - cupy.matmul(a, b)).max() < 1e-3)
    return run


def raw_bodies():
    kick = kernel("n-body.cu", "kick", ("--ftz=true",))
    bodies = cupy.random.RandomState(1).random_sample((BODIES, 4), dtype=cupy.float32)
    velocities = cupy.zeros((BODIES, 4), cupy.float32)
    arguments = (velocities, bodies, numpy.int32(BODIES), numpy.float32(SOFTENING), numpy.float32(1))
    run = lambda: kick((BODIES // 256,), (256,), arguments)
    run()
    exact = bodies.astype(cupy.float64)
    apart = exact[:, :3] - exact[0, :3]
    weights = exact[:, 3] / ((apart**2).sum(axis=1) + SOFTENING**2) ** 1.5
    wanted = (apart * weights[:, None]).sum(axis=0)
    check("n-body", cupy.abs(velocities[0, :3] - wanted).max() < 1e-3 * cupy.abs(wanted).max())
    return run


def cases():
    flops = 2 * PRODUCT**3
    return {
        "copy bandwidth": rate(2 * COPY, LAUNCHES, copy),
        "reduction": rate(4 * SUM, LAUNCHES, own_sum),
        "reduction, RawKernel": rate(4 * SUM, LAUNCHES, raw_sum),
        "transpose": rate(8 * SIDE**2, LAUNCHES, own_transpose),
        "transpose, RawKernel": rate(8 * SIDE**2, LAUNCHES, raw_transpose),
        "sgemm": rate(flops, SLOW, own_product),
        "sgemm, RawKernel": rate(flops, SLOW, raw_product),
        "n-body, RawKernel": rate(FLOPS * BODIES**2, SLOW, raw_bodies),
    }
