"""PyOpenCL on the platform that the first argument names."""

import functools
import sys

import numpy as np
import pyopencl as cl
import pyopencl.tools

from kernels import pointers_of
from peer import per_call, serve, throughput

COUNT, WAITS, MAPS, MANY, BATCH, COPIES = 400, 200, 100, 10_000, 100, 200
BYTES = 1 << 20
LARGEST = 1 << 30
READ_WRITE = cl.mem_flags.READ_WRITE

device = [p for p in cl.get_platforms() if p.name == sys.argv[1]][0].get_devices()[0]
is_gpu = bool(device.type & cl.device_type.GPU)
context = cl.Context([device])
queue = cl.CommandQueue(context)
memory = cl.Buffer(context, READ_WRITE, 4)


def kernel_of(count, typed):
    pointers = pointers_of(count)
    parameters = [f"__global float *p{i}" for i in range(pointers)] + [f"int n{i}" for i in range(count - pointers)]
    source = f"__kernel void nothing({', '.join(parameters)}) {{}}"
    kernel = cl.Kernel(cl.Program(context, source).build(), "nothing")
    if typed:
        kernel.set_scalar_arg_dtypes([None] * pointers + [np.int32] * (count - pointers))
    return kernel


def launch_of(count, typed):
    """As a program writes it: without types each number has to be one of numpy's."""
    kernel, items, m, int32 = kernel_of(count, typed), (32,), memory, np.int32
    if count == 0:
        return lambda i: kernel(queue, items, items)
    if count == 4:
        if typed:
            return lambda i: kernel(queue, items, items, m, m, m, i)
        return lambda i: kernel(queue, items, items, m, m, m, int32(i))
    a, b, c, d, e, f, g = range(8, 15) if typed else [int32(n) for n in range(8, 15)]
    if typed:
        return lambda i: kernel(queue, items, items, m, m, m, m, m, m, m, m, a, b, c, d, e, f, g, i)
    return lambda i: kernel(queue, items, items, m, m, m, m, m, m, m, m, a, b, c, d, e, f, g, int32(i))


cases = {}
for count in (0, 4, 16):
    for typed in (True, False):
        launch, words = launch_of(count, typed), "typed" if typed else "untyped"
        cases[f"launch {count}, {words}"] = per_call(COUNT, launch, queue.finish)
        if count == 4:
            cases[f"throughput {count}, {words}"] = throughput(MANY, launch, queue.finish)
            cases[f"batch {count}, {words}"] = throughput(BATCH, launch, queue.finish)
            cases[f"wait {count}, {words}"] = per_call(WAITS, lambda i, launch=launch: launch(i).wait())

cases["alloc"] = per_call(COUNT, lambda i: cl.Buffer(context, READ_WRITE, BYTES).release())
pool = cl.tools.MemoryPool(cl.tools.ImmediateAllocator(queue))
cases["pool"] = per_call(COUNT, lambda i: pool.allocate(BYTES).release())

mapped = cl.Buffer(context, READ_WRITE, BYTES)
cl.enqueue_fill_buffer(queue, mapped, np.uint8(0), 0, BYTES)


def map_unmap(_):
    flags = cl.map_flags.READ | cl.map_flags.WRITE
    array, _ = cl.enqueue_map_buffer(queue, mapped, flags, 0, (BYTES,), np.uint8)
    array.base.release(queue)


cases["map"] = per_call(MAPS, map_unmap, queue.finish)
cases["marker"] = per_call(COUNT, lambda i: cl.enqueue_marker(queue), queue.finish)
cases["marker wait"] = per_call(COUNT, lambda i: cl.enqueue_marker(queue).wait())


# A case is measured to its end before the next one: what one size needs is enough.
@functools.lru_cache(maxsize=1)
def ends_of(size, kind):
    """Two buffers and an array of the host."""
    device, other = (cl.Buffer(context, READ_WRITE, size) for _ in range(2))
    if kind == "page-locked":
        staging = cl.Buffer(context, READ_WRITE | cl.mem_flags.ALLOC_HOST_PTR, size)
        flags = cl.map_flags.READ | cl.map_flags.WRITE
        host, _ = cl.enqueue_map_buffer(queue, staging, flags, 0, (size,), np.uint8)
    else:
        host = np.empty(size, np.uint8)
    host.fill(1)
    return device, other, host


def copy_case(way, kind, size, is_async):
    calls = max(1, min(COPIES, (LARGEST if is_gpu else LARGEST // 8) // size))
    options = {} if way == "device to device" else {"is_blocking": not is_async}

    def measure():
        device, other, host = ends_of(size, kind)
        to, of = {"host to device": (device, host), "device to host": (host, device)}.get(way, (other, device))
        if is_async:
            copy = lambda i: cl.enqueue_copy(queue, to, of, **options)
            # The host's time of a small copy; a large one until its end.
            return (throughput(calls, copy, queue.finish) if size >= BYTES else per_call(calls, copy, queue.finish))()
        if way == "device to device":
            return per_call(calls, lambda i: (cl.enqueue_copy(queue, to, of), queue.finish()))()
        return per_call(calls, lambda i: cl.enqueue_copy(queue, to, of, **options))()

    return measure


for size in (4, 4096, BYTES, 64 << 20) + ((LARGEST,) if is_gpu else ()):
    for way in ("host to device", "device to host", "device to device"):
        kinds = [""] if way == "device to device" else ["pageable"] + (["page-locked"] if is_gpu else [])
        for kind in kinds:
            name = " ".join(word for word in (way, kind, str(size)) if word)
            cases[name] = copy_case(way, kind, size, False)
            cases[f"{name} async"] = copy_case(way, kind, size, True)

queue.finish()
serve("PyOpenCL", f"{cl.VERSION_TEXT}, Python {sys.version.split()[0]}", cases)
