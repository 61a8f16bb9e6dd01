import { toDevice } from '../../../../src/cuda/copy/memcpy.ts';
import type { Context } from '../../../../src/cuda/device/context.ts';
import { memAlloc, type DeviceAllocation } from '../../../../src/cuda/memory/memory.ts';
import { SourceModule } from '../../../../src/cuda/module/source-module.ts';
import { argumentsOf, type BrokenKernel } from './broken-kernel.ts';

/** Compile a kernel with a mistake, launch it on the current device, and wait. */
export function launchBroken(one: BrokenKernel, context: Context, options: readonly string[] = []): void {
  using module = new SourceModule(one.source, { options });
  const memory: Record<string, DeviceAllocation> = {};
  try {
    for (const [name, content] of Object.entries(one.memory)) {
      memory[name] = typeof content === 'number' ? memAlloc(content) : toDevice(content);
    }
    const addresses = Object.fromEntries(Object.entries(memory).map(([name, { ptr }]) => [name, ptr]));
    for (const name of one.freed ?? []) memory[name]?.free();
    const kernel = /__global__ void (\w+)/.exec(one.source)?.[1] ?? '';
    const { block, grid = 1, shared = 0 } = one;
    module.getFunction(kernel)(...argumentsOf(one, addresses), { block, grid, shared });
    context.synchronize();
  } finally {
    for (const [name, allocation] of Object.entries(memory)) if (!one.freed?.includes(name)) allocation.close();
  }
}
