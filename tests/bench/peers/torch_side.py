"""PyTorch: the smallest operation there is, and its allocator."""

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
serve("PyTorch", torch.__version__, cases)
