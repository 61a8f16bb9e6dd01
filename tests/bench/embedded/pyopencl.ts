import { spawnSync } from 'node:child_process';
import type { LaunchCost } from './pairs.ts';
import { spreadOf } from '../statistics.ts';

// As measureLaunches does it, with the argument set and the shape given for each launch.
const SCRIPT = `
import json, time
import numpy, pyopencl as cl
platform = [p for p in cl.get_platforms() if "Portable" in p.name][0]
context = cl.Context(platform.get_devices()[:1])
queue = cl.CommandQueue(context)
kernel = cl.Program(context, "__kernel void k(int n) {}").build().k
numbers = [numpy.int32(i) for i in range(1000)]
single, many = [], []
for n in numbers:
    start = time.perf_counter()
    kernel(queue, (32,), (32,), n)
    queue.finish()
    single.append((time.perf_counter() - start) * 1e6)
for i in range(20):
    start = time.perf_counter()
    for n in numbers[:200]:
        kernel(queue, (32,), (32,), n)
    many.append((time.perf_counter() - start) * 1e6 / 200)
    queue.finish()
print(json.dumps({"version": cl.VERSION_TEXT, "single": single[200:], "many": many[2:]}))
`;

/** What an empty kernel costs through PyOpenCL on PoCL; undefined where Python has no PyOpenCL, or that no PoCL. */
export function measurePyOpenCL(python: string): (LaunchCost & { readonly version: string }) | undefined {
  const { status, stdout } = spawnSync(python, ['-c', SCRIPT], { encoding: 'utf8' });
  if (status !== 0) return undefined;
  const { version, single, many } = JSON.parse(stdout) as { version: string; single: number[]; many: number[] };
  return { version, enqueue: spreadOf(many).median, roundTrip: spreadOf(single) };
}
