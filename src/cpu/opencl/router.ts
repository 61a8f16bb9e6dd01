import { callOnWorker, provideAsync } from '../../ffi/bind.ts';
import { parsePrototype, entriesOf, type Parameter } from '../../ffi/prototype.ts';
import type { OpenCLTable } from '../../opencl/select.ts';
import { ContextProperty } from '../../opencl/sys/enums.ts';
import { functions } from '../../opencl/sys/opencl.ts';
import { bytesAt, putInt, type Out } from '../driver/out.ts';
import { Code } from './code.ts';
import { isEmbeddedHandle } from './object.ts';
import { propertiesAt, widesAt } from './pointer.ts';

type Callable = (...args: never[]) => unknown;
type Functions = Record<string, (...args: unknown[]) => unknown>;

/** Functions that are about platforms and devices: to be routed from the first call on. */
const EARLY = /^cl(?:GetPlatform|GetDevice|GetHostTimer|CreateSubDevices|(?:Retain|Release)Device|CreateContext)/;

/** What a call with a handle of the wrong implementation answers. */
const REFUSALS: Readonly<Record<string, number>> = {
  cl_device_id: Code.INVALID_DEVICE,
  cl_context: Code.INVALID_CONTEXT,
  cl_command_queue: Code.INVALID_COMMAND_QUEUE,
  cl_mem: Code.INVALID_MEM_OBJECT,
  cl_program: Code.INVALID_PROGRAM,
  cl_kernel: Code.INVALID_KERNEL,
  cl_event: Code.INVALID_EVENT_WAIT_LIST,
};

/**
 * One table of two: the installed implementations, and behind them the embedded platform. A call goes to the one whose
 * object it is about. As long as nobody makes a context on the embedded device, all but the functions of platforms and
 * devices are the installed loader's own: what nobody uses costs nothing.
 */
export function mergedTable(native: OpenCLTable, embedded: OpenCLTable): OpenCLTable {
  const [one, other] = [native, embedded] as unknown as readonly [Functions, Functions];
  const table: Functions = {};
  const route = (name: string, text: string): void => {
    Object.defineProperty(table, name, {
      configurable: true,
      enumerable: true,
      value: special[name] ?? router(name, text, one, other),
    });
  };
  let active = false;
  const activate = (): void => {
    if (active) return;
    active = true;
    for (const [name, text] of entriesOf(functions)) if (!EARLY.test(name)) route(name, text);
  };
  const made = (handle: unknown): unknown => {
    if (isEmbeddedHandle(handle as bigint)) activate();
    return handle;
  };
  const special: Readonly<Record<string, Callable>> = {
    clGetPlatformIDs: ((count, list, countOut) =>
      platforms(native, embedded, count, list, countOut)) satisfies OpenCLTable['clGetPlatformIDs'],
    clCreateContext: ((...args) => {
      const [first = 0n] = args[1] === 0 ? [] : widesAt(args[2], 1);
      return made((isEmbeddedHandle(first) ? embedded : native).clCreateContext(...args)) as never;
    }) satisfies OpenCLTable['clCreateContext'],
    clCreateContextFromType: ((...args) => {
      const properties = propertiesAt(args[0]) ?? [];
      const at = properties.indexOf(BigInt(ContextProperty.PLATFORM));
      const platform = at % 2 === 0 ? (properties[at + 1] ?? 0n) : 0n;
      return made((isEmbeddedHandle(platform) ? embedded : native).clCreateContextFromType(...args)) as never;
    }) satisfies OpenCLTable['clCreateContextFromType'],
    clWaitForEvents: ((count, list) => {
      const events = count === 0 || list === 0n ? [] : [...widesAt(list, count)];
      const ours = events.filter(isEmbeddedHandle).length;
      if (ours > 0 && ours < events.length) return Code.INVALID_CONTEXT;
      return (ours > 0 ? embedded : native).clWaitForEvents(count, list);
    }) satisfies OpenCLTable['clWaitForEvents'],
  };
  for (const [name, text] of entriesOf(functions)) {
    if (EARLY.test(name)) {
      route(name, text);
      continue;
    }
    Object.defineProperty(table, name, {
      configurable: true,
      enumerable: true,
      get: () => {
        const value = one[name];
        Object.defineProperty(table, name, { configurable: true, enumerable: true, value });
        return value;
      },
    });
  }
  return table as unknown as OpenCLTable;
}

/** The installed platforms, then the embedded one. */
function platforms(native: OpenCLTable, embedded: OpenCLTable, count: number, list: Out, countOut: Out): number {
  if (list === 0n ? count > 0 || countOut === 0n : count === 0) return Code.INVALID_VALUE;
  const total = new Uint32Array(1);
  const installed = native.clGetPlatformIDs(0, 0n, total) === Code.SUCCESS ? (total[0] ?? 0) : 0;
  const handles = new BigUint64Array(installed + 1);
  if (installed > 0) native.clGetPlatformIDs(installed, handles, 0n);
  embedded.clGetPlatformIDs(1, handles.subarray(installed), 0n);
  if (list !== 0n) {
    const bytes = new Uint8Array(handles.buffer, 0, 8 * Math.min(count, handles.length));
    bytesAt(list, bytes.length).set(bytes);
  }
  return putInt(countOut, handles.length);
}

/** A function that goes by the first handle among its arguments. */
function router(name: string, text: string, native: Functions, embedded: Functions): Callable {
  const { params } = parsePrototype(text);
  const at = params.findIndex(isHandle);
  // What is about no object is the loader's.
  if (at < 0) return (...args) => native[name]?.(...args);
  const refuses = refusal(params, at);
  const call = (...args: unknown[]): unknown => {
    if (isEmbeddedHandle(args[at] as bigint)) return embedded[name]?.(...args);
    const refused = refuses?.(args);
    if (refused === undefined) return native[name]?.(...args);
    if (params.at(-1)?.name !== 'errcode_ret') return refused;
    putInt(args.at(-1) as Out, refused);
    return 0n;
  };
  provideAsync(call, async (...args: unknown[]) => {
    const table = isEmbeddedHandle(args[at] as bigint) ? embedded : native;
    return callOnWorker(table[name] as (...list: unknown[]) => unknown, ...args);
  });
  return call;
}

/**
 * Looks for handles of the embedded platform among the arguments of another implementation, which would take them for
 * addresses. Undefined for a function that has no other handles.
 */
function refusal(
  params: readonly Parameter[],
  first: number,
): ((args: readonly unknown[]) => number | undefined) | undefined {
  const others = params.flatMap((param, i) => (i !== first && isHandle(param) ? [[i, param.type] as const] : []));
  const list = params.findIndex(({ name, stars, type }) => stars === 1 && type === 'cl_event' && name.endsWith('list'));
  if (others.length === 0 && list < 0) return undefined;
  return (args) => {
    for (const [i, type] of others) if (isEmbeddedHandle(args[i] as bigint)) return REFUSALS[type];
    const count = list < 0 ? 0 : (args[list - 1] as number);
    if (count === 0 || args[list] === 0n) return undefined;
    return widesAt(args[list] as Out, count).some(isEmbeddedHandle) ? Code.INVALID_EVENT_WAIT_LIST : undefined;
  };
}

function isHandle({ type, stars }: Parameter): boolean {
  return stars === 0 && (type in REFUSALS || type === 'cl_platform_id' || type === 'cl_sampler');
}
