import { structs } from '../../src/cuda/sys/structs.ts';

/** What the fake driver lends to its functions for green contexts. */
export interface FakeGreenTools {
  readonly live: (kind: 'green', by: number) => void;
  readonly fresh: () => bigint;
  readonly put: (out: unknown, value: bigint | number) => number;
  readonly contexts: Set<bigint>;
  readonly openStream: (out: unknown, flags: number, priority: number) => number;
}

type Functions = Record<string, (...args: never[]) => number>;

const SUCCESS = 0;
const INVALID_HANDLE = 400;
const INVALID_RESOURCE = 914;
const MULTIPROCESSORS = 108;
/** A part has a multiple of so many. */
const STEP = 8;
const SM_COUNT = structs.CUdevResource.fields['sm.smCount'] / 4;

/** The fake driver's green contexts, each with the context that is current for its work. */
export function fakeGreen({ live, fresh, put, contexts, openStream }: FakeGreenTools): Functions {
  const greens = new Map<bigint, bigint>();
  return {
    cuDeviceGetDevResource: (_device: number, out: Uint32Array) => {
      out[SM_COUNT] = MULTIPROCESSORS;
      return SUCCESS;
    },
    cuDevSmResourceSplitByCount: (
      out: Uint32Array,
      groups: Uint32Array,
      input: Uint32Array,
      rest: Uint32Array,
      _flags: number,
      least: number,
    ) => {
      const count = Math.ceil(least / STEP) * STEP;
      if (count > (input[SM_COUNT] ?? 0)) return INVALID_RESOURCE;
      out[SM_COUNT] = count;
      rest[SM_COUNT] = (input[SM_COUNT] ?? 0) - count;
      groups[0] = 1;
      return SUCCESS;
    },
    cuDevResourceGenerateDesc: (out: unknown) => put(out, fresh()),
    cuGreenCtxCreate: (out: unknown) => {
      const green = fresh();
      const context = fresh();
      contexts.add(context);
      greens.set(green, context);
      live('green', 1);
      return put(out, green);
    },
    cuGreenCtxDestroy: (green: bigint) => {
      contexts.delete(greens.get(green) ?? 0n);
      live('green', -1);
      return greens.delete(green) ? SUCCESS : INVALID_HANDLE;
    },
    cuCtxFromGreenCtx: (out: unknown, green: bigint) => {
      const context = greens.get(green);
      return context === undefined ? INVALID_HANDLE : put(out, context);
    },
    cuGreenCtxStreamCreate: (out: unknown, green: bigint, flags: number, priority: number) =>
      greens.has(green) ? openStream(out, flags, priority) : INVALID_HANDLE,
  };
}
