"""Arrays in CuPy. cupy_side.py serves them."""

import cupy as cp

from array_cases import Sizes, array_cases
from cupy_computation import rate


def fused(x, y, z):
    kernel = cp.ElementwiseKernel("float32 a, float32 x, float32 y", "float32 z", "z = a * x + y", "axpy")
    return lambda: kernel(cp.float32(2), x, y, z)


def cases(stream):
    return array_cases(cp, Sizes(1 << 28, 16384, 8192, 10, 2), rate, fused, stream.synchronize)
