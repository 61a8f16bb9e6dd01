"""cuda.core, NVIDIA's own."""

import cuda.core
import numpy as np

try:
    from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch
except ImportError:
    from cuda.core.experimental import Device, LaunchConfig, Program, ProgramOptions, launch

from kernels import empty_kernel, pointers_of
from peer import per_call, serve, throughput

COUNT = 400
MANY = 10_000
device = Device()
device.set_current()
stream = device.create_stream()
memory = device.allocate(256, stream=stream)
numbers = [np.int32(i) for i in range(MANY)]
config = LaunchConfig(grid=1, block=32)
options = ProgramOptions(arch=f"sm_{device.arch}")


def launcher(arguments):
    program = Program(empty_kernel(arguments), code_type="c++", options=options)
    kernel = program.compile("cubin").get_kernel("nothing")
    pointers = pointers_of(arguments)
    head = ([memory] * pointers + [np.int32(i) for i in range(pointers, arguments)])[:-1]
    if arguments == 0:
        return lambda i: launch(stream, config, kernel)
    return lambda i: launch(stream, config, kernel, *head, numbers[i])


cases = {f"launch {count}": per_call(COUNT, launcher(count), stream.sync) for count in (0, 4, 16)}
cases["throughput 4"] = throughput(MANY, launcher(4), stream.sync)
serve("cuda.core", getattr(cuda.core, "__version__", "?"), cases)
