"""PyCUDA. Its kernels are compiled by nvcc."""

import functools

import numpy as np
import pycuda
import pycuda.driver as cuda
from pycuda.compiler import SourceModule, compile
from pycuda.tools import DeviceMemoryPool

import pycuda.autoinit  # noqa: F401
from kernels import SCALE, argument_types, empty_kernel, pointers_of
from peer import followed_by, per_call, serve, throughput

COUNT = 400
MANY = 10_000
BYTES = 1 << 20
stream = cuda.Stream()
memory = cuda.mem_alloc(4)
numbers = [np.int32(i) for i in range(MANY)]
pool = DeviceMemoryPool()


def launches(arguments):
    function = SourceModule(empty_kernel(arguments)).get_function("nothing")
    function.prepare(argument_types(arguments))
    pointers = pointers_of(arguments)
    fixed = [memory] * pointers + [np.int32(i) for i in range(pointers, arguments)]
    head = fixed[:-1]
    block, grid = (32, 1, 1), (1, 1)
    if arguments == 0:
        prepared = lambda i: function.prepared_async_call(grid, block, stream)
        call = lambda i: function(block=block, grid=grid, stream=stream)
    else:
        prepared = lambda i: function.prepared_async_call(grid, block, stream, *head, i)
        call = lambda i: function(*head, numbers[i], block=block, grid=grid, stream=stream)
    return prepared, call


first, second = cuda.Event(), cuda.Event()
first.record(stream)
second.record(stream)
second.synchronize()
cubin = compile(SCALE)


@functools.cache
def ends(kind, size):
    host = cuda.pagelocked_empty(size, np.uint8) if kind == "page-locked" else np.ones(size, np.uint8)
    return cuda.mem_alloc(size), host


def copies(direction, kind, size):
    count = max(1, min(200, (1 << 30) // size))

    def measure():
        device, host = ends(kind, size)
        if direction == "host to device":
            return per_call(count, lambda i: cuda.memcpy_htod(device, host))()
        return per_call(count, lambda i: cuda.memcpy_dtoh(host, device))()

    return measure


cases = {}
for arguments in (0, 4, 16):
    prepared, call = launches(arguments)
    cases[f"launch {arguments}, prepared"] = per_call(COUNT, prepared, stream.synchronize)
    cases[f"launch {arguments}, call"] = per_call(COUNT, call, stream.synchronize)
    if arguments == 4:
        cases["throughput 4, prepared"] = throughput(MANY, prepared, stream.synchronize)
        cases["wait 4, prepared"] = per_call(COUNT, followed_by(prepared, stream.synchronize))
cases |= {
    "alloc": per_call(500, lambda i: cuda.mem_alloc(BYTES).free()),
    "pool": per_call(500, lambda i: pool.allocate(BYTES).free()),
    "event record": per_call(500, lambda i: second.record(stream), stream.synchronize),
    "event elapsed": per_call(500, lambda i: second.time_since(first)),
    "event create": per_call(500, lambda i: cuda.Event()),
    "stream": per_call(50, lambda i: cuda.Stream()),
    "module": per_call(10, lambda i: cuda.module_from_buffer(cubin)),
}
for direction in ("host to device", "device to host"):
    for kind in ("page-locked", "pageable"):
        for size in (4, 4096, 1 << 20, 64 << 20):
            cases[f"{direction} {kind} {size}"] = copies(direction, kind, size)
serve("PyCUDA", pycuda.VERSION_TEXT, cases)
