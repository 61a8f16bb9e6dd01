"""CuPy: raw kernels, its pool, graphs of captured streams."""

import cupy as cp
import numpy as np

from kernels import empty_kernel, pointers_of
from peer import followed_by, per_call, serve, throughput

COUNT = 400
MANY = 10_000
NODES = 100
BYTES = 1 << 20
stream = cp.cuda.Stream(non_blocking=True)
stream.use()
memory = cp.zeros(1, cp.float32)
numbers = [np.int32(i) for i in range(MANY)]


def launch(arguments):
    kernel = cp.RawKernel(empty_kernel(arguments), "nothing")
    pointers = pointers_of(arguments)
    head = ([memory] * pointers + [np.int32(i) for i in range(pointers, arguments)])[:-1]
    if arguments == 0:
        return lambda i: kernel((1,), (32,), ())
    return lambda i: kernel((1,), (32,), (*head, numbers[i]))


def graph_of(call):
    call(0)
    stream.begin_capture()
    for i in range(NODES):
        call(i)
    graph = stream.end_capture()
    replay = per_call(10, lambda i: graph.launch(stream), stream.synchronize)
    return lambda: replay() / NODES


def alloc(_):
    cp.cuda.runtime.free(cp.cuda.runtime.malloc(BYTES))


def alloc_async(_):
    cp.cuda.runtime.freeAsync(cp.cuda.runtime.mallocAsync(BYTES, stream.ptr), stream.ptr)


first, second = cp.cuda.Event(), cp.cuda.Event()
first.record(stream)
second.record(stream)
second.synchronize()
call = launch(4)
cases = {
    "launch 0": per_call(COUNT, launch(0), stream.synchronize),
    "launch 4": per_call(COUNT, call, stream.synchronize),
    "launch 16": per_call(COUNT, launch(16), stream.synchronize),
    "throughput 4": throughput(MANY, call, stream.synchronize),
    "wait 4": per_call(COUNT, followed_by(call, stream.synchronize)),
    "graph": graph_of(call),
    "alloc": per_call(500, alloc),
    "alloc async": per_call(500, alloc_async, stream.synchronize),
    "pool": per_call(500, lambda i: cp.cuda.alloc(BYTES)),
    "event record": per_call(500, lambda i: second.record(stream), stream.synchronize),
    "event elapsed": per_call(500, lambda i: cp.cuda.get_elapsed_time(first, second)),
    "event create": per_call(500, lambda i: cp.cuda.Event()),
    "stream": per_call(50, lambda i: cp.cuda.Stream()),
}
try:
    import cupy_array
    import cupy_computation
except ImportError:
    pass
else:
    cases |= cupy_computation.cases() | cupy_array.cases(stream)
serve("CuPy", cp.__version__, cases)
