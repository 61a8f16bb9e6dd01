import { EMBEDDED_PLATFORM, isEmbeddedHandle } from '../core/embedded-handle.ts';
import { callOnWorker, provideAsync } from '../ffi/bind.ts';
import { bytesAt, propertiesAt, putInt, widesAt, type Pointer } from '../ffi/pointer.ts';
import { entriesOf, parsePrototype, type Bound } from '../ffi/prototype.ts';
import { isHandle, refusal } from './handle-parameters.ts';
import { ContextProperty, status } from './sys/enums.ts';
import { functions } from './sys/opencl.ts';

type OpenCLTable = Bound<typeof functions>;
type Callable = (...args: never[]) => unknown;
type Functions = Record<string, (...args: unknown[]) => unknown>;
type Special<Name extends keyof OpenCLTable> = OpenCLTable[Name];

/** Functions of platforms and devices, which are routed from the first call on. */
const EARLY =
  /^cl(?:GetPlatform|GetDevice|GetHostTimer|CreateSubDevices|(?:Retain|Release)Device|CreateContext|UnloadPlatform|\w+ForPlatform$)/;

/**
 * One table of two: the installed implementations, and behind them the embedded platform. A call goes to the
 * implementation of its object. The embedded platform is made when the first call needs it. Until the program makes a
 * context on its device, all functions but those of platforms and devices are the installed loader's own: an embedded
 * platform that is not used costs nothing.
 */
export function mergedTable(native: OpenCLTable, embedded: () => OpenCLTable): OpenCLTable {
  const one = native as unknown as Functions;
  const other = embedded as unknown as () => Functions;
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
  const made = <Handle extends bigint>(handle: Handle): Handle => {
    if (isEmbeddedHandle(handle)) activate();
    return handle;
  };
  const special = specialRoutes(native, embedded, made);
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

/**
 * The functions that are not routed by the first handle among their arguments.
 *
 * @param made - is given each context that is made
 */
function specialRoutes(
  native: OpenCLTable,
  embedded: () => OpenCLTable,
  made: <Handle extends bigint>(context: Handle) => Handle,
): Readonly<Record<string, Callable>> {
  const tableOf = (handle: bigint): OpenCLTable => (isEmbeddedHandle(handle) ? embedded() : native);
  return {
    clGetPlatformIDs: ((count, list, countOut) =>
      platforms(native, count, list, countOut)) satisfies Special<'clGetPlatformIDs'>,
    clCreateContext: ((...args) => {
      const devices = args[1] === 0 || args[2] === 0n ? [] : [...widesAt(args[2], args[1])];
      const [first = 0n] = devices;
      if (devices.some((device) => isEmbeddedHandle(device) !== isEmbeddedHandle(first))) {
        putInt(args[5], status.CL_INVALID_DEVICE[0]);
        return 0n as never;
      }
      return made(tableOf(first).clCreateContext(...args));
    }) satisfies Special<'clCreateContext'>,
    clCreateContextFromType: ((...args) => {
      const properties = propertiesAt(args[0]) ?? [];
      const at = properties.indexOf(BigInt(ContextProperty.PLATFORM));
      const platform = at % 2 === 0 ? (properties[at + 1] ?? 0n) : 0n;
      return made(tableOf(platform).clCreateContextFromType(...args));
    }) satisfies Special<'clCreateContextFromType'>,
    clWaitForEvents: ((count, list) => {
      const events = count === 0 || list === 0n ? [] : [...widesAt(list, count)];
      const ours = events.filter(isEmbeddedHandle).length;
      if (ours > 0 && ours < events.length) return status.CL_INVALID_CONTEXT[0];
      return (ours > 0 ? embedded() : native).clWaitForEvents(count, list);
    }) satisfies Special<'clWaitForEvents'>,
  };
}

/** The installed platforms, then the embedded one. */
function platforms(native: OpenCLTable, count: number, list: Pointer, countOut: Pointer): number {
  if (list === 0n ? count > 0 || countOut === 0n : count === 0) return status.CL_INVALID_VALUE[0];
  const total = new Uint32Array(1);
  const installed = native.clGetPlatformIDs(0, 0n, total) === status.CL_SUCCESS[0] ? (total[0] ?? 0) : 0;
  const handles = new BigUint64Array(installed + 1);
  if (installed > 0) native.clGetPlatformIDs(installed, handles, 0n);
  handles[installed] = EMBEDDED_PLATFORM;
  if (list !== 0n) {
    const bytes = new Uint8Array(handles.buffer, 0, 8 * Math.min(count, handles.length));
    bytesAt(list, bytes.length).set(bytes);
  }
  return putInt(countOut, handles.length);
}

/** A function that is routed by the first handle among its arguments. */
function router(name: string, text: string, native: Functions, embedded: () => Functions): Callable {
  const { params } = parsePrototype(text);
  const at = params.findIndex(isHandle);
  // Functions without an object belong to the loader.
  if (at < 0) return (...args) => native[name]?.(...args);
  const refuses = refusal(params, at, isEmbeddedHandle);
  const refused = (args: readonly unknown[]): unknown => {
    const answer = refuses?.(args);
    if (answer === undefined) return undefined;
    if (params.at(-1)?.name !== 'errcode_ret') return answer;
    putInt(args.at(-1) as Pointer, answer);
    return 0n;
  };
  const call = (...args: unknown[]): unknown => {
    if (isEmbeddedHandle(args[at] as bigint)) return embedded()[name]?.(...args);
    return refused(args) ?? native[name]?.(...args);
  };
  provideAsync(call, async (...args: unknown[]) => {
    const own = isEmbeddedHandle(args[at] as bigint);
    const answer = own ? undefined : refused(args);
    if (answer !== undefined) return answer;
    return callOnWorker((own ? embedded() : native)[name] as (...list: unknown[]) => unknown, ...args);
  });
  return call;
}
