import { array } from '../../src/array/create.ts';
import type { Engine } from '../../src/array/engine.ts';
import type { JitFunction } from '../../src/jit/jit-function.ts';
import type { JitNames } from './jit-halves.ts';
import type { KernelCase, KernelSetting } from './jit-setting.ts';

/** The bits of the last array of a case, after its kernel has run on the test's device or in the simulator. */
export function resultOf(
  { jit, engine }: Pick<JitNames, 'jit' | 'engine'>,
  { setting, kernel }: KernelCase,
  where: 'device' | 'simulated' = 'device',
): Uint32Array {
  const { shapes, grid, block } = setting;
  const arrays = setting.arrays.map((host, i) => array(engine(), host, undefined).reshape([...(shapes[i] ?? [])]));
  const made = kernel({ jit }) as JitFunction;
  const launch = where === 'device' ? made.at(grid, block) : made.simulate(grid, block);
  launch(...arrays);
  const found = (arrays.at(-1) as (typeof arrays)[0]).get() as Float32Array;
  for (const one of arrays) one.close();
  return new Uint32Array(found.buffer);
}

/**
 * The bits of the last array after a kernel in C by hand has run. Names of both languages are those of the prelude of arrays; `x` and
 * `y` are the thread's place in the grid.
 */
export function byHand(engine: Engine, head: string, body: string, setting: KernelSetting): Uint32Array {
  const { arrays, grid, block } = setting;
  const isCuda = engine.dialect.name === 'cuda';
  const source = `${isCuda ? '' : '#pragma OPENCL FP_CONTRACT OFF\n'}${engine.dialect.prelude}
${isCuda ? 'extern "C" __global__' : '__kernel'} void by_hand(${head}) {
  const int x = (int)(GROUP_ID(x) * LOCAL_SIZE(x) + LOCAL_ID(x)), y = (int)(GROUP_ID(y) * LOCAL_SIZE(y) + LOCAL_ID(y));
${body}
}`;
  const lane = engine.defaultLane;
  const kernel = engine.build(source, 'by_hand', isCuda ? ['--fmad=false'] : []);
  const memories = arrays.map((host) => {
    const memory = engine.allocate(host.byteLength, lane);
    engine.write(memory, 0, new Uint8Array(host.buffer), lane);
    return memory;
  });
  kernel.launchGrid(
    lane,
    { grid, block, shared: 0 },
    [...memories],
    memories.map(() => true),
  );
  const out = new Uint32Array(arrays.at(-1)?.length ?? 0);
  engine.read(memories.at(-1) as (typeof memories)[0], 0, new Uint8Array(out.buffer), lane);
  for (const memory of memories) memory.handle.release();
  return out;
}
