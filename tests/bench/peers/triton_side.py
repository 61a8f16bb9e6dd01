"""Triton. Its language has no empty kernel of 16 pointers and integers that is worth comparing: four arguments."""

import torch
import triton

from peer import per_call, serve

COUNT = 400


@triton.jit
def nothing(a, b, c, n):
    pass


stream = torch.cuda.Stream()
torch.cuda.set_stream(stream)
memory = torch.zeros(1, device="cuda")
nothing[(1,)](memory, memory, memory, 7)
# A number for which no other variant is compiled.
call = lambda i: nothing[(1,)](memory, memory, memory, 7)
serve("Triton", triton.__version__, {"launch 4": per_call(COUNT, call, stream.synchronize)})
