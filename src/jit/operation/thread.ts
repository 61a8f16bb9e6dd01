import { I32, I64, type KernelType } from '../kernel-type.ts';
import type { Expression, Operation } from '../tree.ts';
import { condition, constantInteger } from '../read/convert.ts';
import { asking, callOf, type Builtin, type BuiltinCall, type BuiltinTable } from './operation.ts';

type Axis = 'x' | 'y' | 'z';
const AXES: readonly Axis[] = ['x', 'y', 'z'];

function place(usage: string, cuda: string, opencl: string, js: string): Builtin {
  const operation: Operation = {
    name: usage,
    cuda: () => `(int)${cuda}`,
    opencl: () => `(int)${opencl}`,
    js: () => js,
  };
  return { usage, read: ({ span }) => callOf(operation, [], I32, span) };
}

function places(): BuiltinTable {
  const rows: [string, Builtin][] = [];
  for (const [i, axis] of AXES.entries()) {
    const row = (name: string, opencl: string): void => {
      rows.push([
        `${name}.${axis}`,
        place(`${name}.${axis}`, `${name}.${axis}`, `${opencl}(${i})`, `$.${name}.${axis}`),
      ]);
    };
    row('threadIdx', 'get_local_id');
    row('blockIdx', 'get_group_id');
    row('blockDim', 'get_local_size');
    row('gridDim', 'get_num_groups');
  }
  for (const name of ['threadIdx', 'blockIdx', 'blockDim', 'gridDim']) rows.push([name, whole(name, rows)]);
  return Object.fromEntries(rows);
}

/** `const { x, y } = cuda.threadIdx` */
function whole(name: string, rows: readonly (readonly [string, Builtin])[]): Builtin {
  const axes = AXES.map((axis) => rows.find(([row]) => row === `${name}.${axis}`)?.[1] as Builtin);
  const type: KernelType = { kind: 'struct', fields: AXES.map((axis) => [axis, I32] as const) };
  return {
    usage: `cuda.${name}`,
    read: (call) => {
      const items = axes.map((axis) => axis.read(call));
      return { kind: 'aggregate', type, items, start: call.span.start, end: call.span.end };
    },
  };
}

/** The place of a thread in the grid along an axis, or the threads along it. */
function inGrid(name: 'grid' | 'gridsize', axis: number): { readonly narrow: Operation; readonly wide: Operation } {
  const letter = AXES[axis] ?? 'x';
  const factors =
    name === 'grid'
      ? [`blockIdx.${letter} * blockDim.${letter} + threadIdx.${letter}`, `get_global_id(${axis})`]
      : [`gridDim.${letter} * blockDim.${letter}`, `get_global_size(${axis})`];
  const [cuda = '', opencl = ''] = factors;
  const js =
    name === 'grid'
      ? `($.blockIdx.${letter} * $.blockDim.${letter} + $.threadIdx.${letter})`
      : `($.gridDim.${letter} * $.blockDim.${letter})`;
  return {
    narrow: { name, cuda: () => `(int)(${cuda})`, opencl: () => `(int)${opencl}`, js: () => `(${js} | 0)` },
    wide: {
      name,
      cuda: () => `((long long)${cuda})`,
      opencl: () => `(long)${opencl}`,
      js: () => `BigInt(${js})`,
    },
  };
}

function grid(name: 'grid' | 'gridsize'): Builtin {
  return {
    usage: `cuda.${name}(ndim)`,
    arity: [1, 1],
    read: ({ reading, args, span }) => {
      const [ndim] = args as [Expression];
      const count = constantInteger(ndim, `the number of axes of cuda.${name}`, reading.fail);
      if (count < 1 || count > 3) return reading.fail(span, `cuda.${name} must be given 1, 2 or 3 axes, got ${count}`);
      const type: KernelType = reading.isWide ? I64 : I32;
      const one = (axis: number): Expression =>
        callOf(inGrid(name, axis)[reading.isWide ? 'wide' : 'narrow'], [], type, span);
      if (count === 1) return one(0);
      const items = Array.from({ length: count }, (_, axis) => one(axis));
      return { kind: 'aggregate', type: { kind: 'tuple', items: items.map((item) => item.type) }, items, ...span };
    },
  };
}

function barrier(name: string, cuda: string, opencl: string | undefined): Builtin {
  const operation: Operation = {
    name,
    effect: 'barrier',
    cuda: () => `${cuda}()`,
    ...(opencl === undefined ? {} : { opencl: () => opencl }),
    isChecked: true,
    js: asking(name),
  };
  return { usage: `cuda.${name}()`, arity: [0, 0], read: ({ span }) => callOf(operation, [], { kind: 'void' }, span) };
}

/** A barrier that tells all threads of the block how many, or whether, they brought a true value. */
function votingBarrier(name: string, cuda: string): Builtin {
  const isCount = name.endsWith('count');
  const operation: Operation = {
    name,
    effect: 'barrier',
    cuda: ([x]) => `${cuda}(${x})`,
    isChecked: true,
    // A block has no mask.
    js: ([x = '', site = '']) => `yield $.ask('${name}', ${site}, undefined, ${x})`,
  };
  return {
    usage: `cuda.${name}(predicate)`,
    arity: [1, 1],
    read: ({ reading, args, span }) => {
      const test = condition(args[0] as Expression, reading.fail);
      const counted = callOf(operation, [{ kind: 'conversion', operand: test, type: I32, ...span }], I32, span);
      return isCount ? counted : condition(counted, reading.fail);
    },
  };
}

function fence(name: string, cuda: string, opencl: string): Builtin {
  const operation: Operation = {
    name,
    effect: 'memory',
    cuda: () => `${cuda}()`,
    opencl: () => opencl,
    js: () => 'undefined',
  };
  return { usage: `cuda.${name}()`, arity: [0, 0], read: ({ span }) => callOf(operation, [], { kind: 'void' }, span) };
}

const NANOSLEEP: Operation = {
  name: 'nanosleep',
  effect: 'memory',
  cuda: ([x]) => `__nanosleep((unsigned int)${x})`,
  js: () => 'undefined',
};

function sleep({ args, span }: BuiltinCall): Expression {
  return callOf(NANOSLEEP, args, { kind: 'void' }, span);
}

/** Threads of a block by number. */
const RANK = '((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x)';

/** Where a thread is, and what it waits for. */
export const threadBuiltins: BuiltinTable = {
  ...places(),
  grid: grid('grid'),
  gridsize: grid('gridsize'),
  warpsize: {
    usage: 'cuda.warpsize',
    read: ({ span }) =>
      callOf(
        { name: 'warpsize', cuda: () => 'warpSize', opencl: () => '(int)get_max_sub_group_size()', js: () => '32' },
        [],
        I32,
        span,
      ),
  },
  laneid: {
    usage: 'cuda.laneid',
    read: ({ span }) =>
      callOf(
        {
          name: 'laneid',
          cuda: () => `(int)(${RANK} % warpSize)`,
          opencl: () => '(int)get_sub_group_local_id()',
          js: () => '$.laneid',
        },
        [],
        I32,
        span,
      ),
  },
  syncthreads: barrier('syncthreads', '__syncthreads', 'barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)'),
  syncthreads_count: votingBarrier('syncthreads_count', '__syncthreads_count'),
  syncthreads_and: votingBarrier('syncthreads_and', '__syncthreads_and'),
  syncthreads_or: votingBarrier('syncthreads_or', '__syncthreads_or'),
  threadfence: fence('threadfence', '__threadfence', 'mem_fence(CLK_GLOBAL_MEM_FENCE)'),
  threadfence_block: fence('threadfence_block', '__threadfence_block', 'mem_fence(CLK_LOCAL_MEM_FENCE)'),
  threadfence_system: fence('threadfence_system', '__threadfence_system', 'mem_fence(CLK_GLOBAL_MEM_FENCE)'),
  nanosleep: { usage: 'cuda.nanosleep(ns)', arity: [1, 1], read: sleep },
};
