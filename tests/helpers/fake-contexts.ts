/** What the fake driver lends to its functions for contexts. */
export interface FakeContextTools {
  readonly contexts: Set<bigint>;
  /** The contexts of the thread, the current one last. */
  readonly stack: bigint[];
  readonly fresh: () => bigint;
  readonly put: (out: unknown, value: bigint | number) => number;
  readonly live: (kind: 'context' | 'primary', by: number) => void;
}

type Functions = Record<string, (...args: never[]) => number>;

const SUCCESS = 0;
const INVALID_CONTEXT = 201;
/** The primary context of device 0; that of each other device follows. */
const PRIMARY = 0x77n;

/** The fake driver's functions for contexts, and the device of the current one. */
export function fakeContexts({ contexts, stack, fresh, put, live }: FakeContextTools): {
  readonly functions: Functions;
  readonly device: () => number;
} {
  const devices = new Map<bigint, number>();
  const primaries = new Map<bigint, number>();
  const device = (): number => devices.get(stack.at(-1) ?? 0n) ?? 0;
  const functions = {
    cuDevicePrimaryCtxSetFlags: () => SUCCESS,
    cuDevicePrimaryCtxRetain: (out: unknown, ordinal: number) => {
      live('primary', 1);
      const context = PRIMARY + BigInt(ordinal);
      primaries.set(context, (primaries.get(context) ?? 0) + 1);
      devices.set(context, ordinal);
      contexts.add(context);
      return put(out, context);
    },
    cuDevicePrimaryCtxRelease: (ordinal: number) => {
      live('primary', -1);
      const context = PRIMARY + BigInt(ordinal);
      const count = (primaries.get(context) ?? 1) - 1;
      primaries.set(context, count);
      if (count === 0) contexts.delete(context);
      return SUCCESS;
    },
    cuCtxCreate: (out: unknown, _flags: number, ordinal: number) => {
      live('context', 1);
      const context = fresh();
      devices.set(context, ordinal);
      contexts.add(context);
      stack.push(context);
      return put(out, context);
    },
    cuCtxDestroy: (context: bigint) => {
      if (!contexts.delete(context)) return INVALID_CONTEXT;
      if (stack.at(-1) === context) stack.pop();
      live('context', -1);
      return SUCCESS;
    },
    cuCtxGetCurrent: (out: unknown) => put(out, stack.at(-1) ?? 0n),
    cuCtxSetCurrent: (context: bigint) => {
      stack.pop();
      if (context !== 0n) stack.push(context);
      return SUCCESS;
    },
    cuCtxPushCurrent: (context: bigint) => {
      if (!contexts.has(context)) return INVALID_CONTEXT;
      stack.push(context);
      return SUCCESS;
    },
    cuCtxPopCurrent: (out: unknown) => put(out, stack.pop() ?? 0n),
    cuCtxGetDevice: (out: unknown) => put(out, device()),
  };
  return { functions, device };
}
