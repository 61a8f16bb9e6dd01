import { isEmbeddedHandle } from '../core/embedded-handle.ts';
import { callOnWorker, provideAsync } from '../ffi/bind.ts';
import { propertiesAt, putInt, type Pointer } from '../ffi/pointer.ts';
import { entriesOf, parsePrototype, type Table } from '../ffi/prototype.ts';
import { handlesIn, isHandle, isList, refusal } from '../opencl/handle-parameters.ts';
import {
  ContextInfo,
  ContextProperty,
  DeviceInfo,
  EventInfo,
  KernelInfo,
  MemInfo,
  ProgramInfo,
  QueueInfo,
  SamplerInfo,
  status,
} from '../opencl/sys/enums.ts';
import type { OpenCLTable } from '../opencl/sys/tables.ts';

type Callable = (...args: unknown[]) => unknown;
type Refuse = (args: readonly unknown[]) => number | undefined;
type Query = (handle: bigint, param: number, size: number, out: BigUint64Array, total: bigint) => number;

/** The query that tells the context of an object. */
const CONTEXTS: Readonly<Record<string, readonly [query: keyof OpenCLTable, param: number]>> = {
  cl_command_queue: ['clGetCommandQueueInfo', QueueInfo.CONTEXT[0]],
  cl_mem: ['clGetMemObjectInfo', MemInfo.CONTEXT[0]],
  cl_program: ['clGetProgramInfo', ProgramInfo.CONTEXT[0]],
  cl_kernel: ['clGetKernelInfo', KernelInfo.CONTEXT[0]],
  cl_event: ['clGetEventInfo', EventInfo.CONTEXT[0]],
  cl_sampler: ['clGetSamplerInfo', SamplerInfo.CONTEXT[0]],
};

/** More than the devices of any context. */
const MAX_DEVICES = 256;

/**
 * The table, where two platforms are installed, with a refusal of calls that give objects of one platform to the other's
 * driver: NVIDIA's driver would read the other's memory. With one platform the table is unchanged.
 *
 * @param functions - the table's prototypes
 */
export function onePlatform(table: OpenCLTable, functions: Table): OpenCLTable {
  if (installed(table) < 2) return table;
  const slot = new BigUint64Array(1);
  const ask = (name: keyof OpenCLTable, handle: bigint, param: number): bigint => {
    const failed = (table[name] as unknown as Query)(handle, param, 8, slot, 0n) !== 0;
    return failed ? 0n : (slot[0] ?? 0n);
  };
  const firstDevice = (context: bigint): bigint => {
    const list = new BigUint64Array(MAX_DEVICES);
    const failed = table.clGetContextInfo(context as never, ContextInfo.DEVICES[0], list.byteLength, list, 0n) !== 0;
    return failed ? 0n : (list[0] ?? 0n);
  };
  /** 0n where it cannot be determined. */
  const platformOf = (handle: bigint, type: string): bigint => {
    if (handle === 0n || type === 'cl_platform_id') return handle;
    const row = CONTEXTS[type];
    const context = row ? ask(row[0], handle, row[1]) : type === 'cl_context' ? handle : 0n;
    const device = type === 'cl_device_id' ? handle : context === 0n ? 0n : firstDevice(context);
    return device === 0n ? 0n : ask('clGetDeviceInfo', device, DeviceInfo.PLATFORM[0]);
  };
  const differ = (one: bigint, other: bigint): boolean => one !== 0n && other !== 0n && one !== other;

  const refuserOf = (name: string, text: string): Refuse | undefined => {
    const { params } = parsePrototype(text);
    const at = params.findIndex(isHandle);
    const list = params.findIndex((param, i) => isList(param, params[i - 1]));
    if (at >= 0) {
      const type = params[at]?.type ?? '';
      return refusal(params, at, (handle, other, args) => {
        const own = args[at] as bigint;
        if (isEmbeddedHandle(own) || isEmbeddedHandle(handle)) return false;
        return differ(platformOf(handle, other), platformOf(own, type));
      });
    }
    if (list < 0) return undefined;
    const makes = name === 'clCreateContext';
    return (args) => {
      const platforms = handlesIn(args, list).map((handle) => platformOf(handle, params[list]?.type ?? ''));
      const named = makes ? contextPlatform(args[0] as Pointer) : 0n;
      const wanted = named === 0n ? (platforms[0] ?? 0n) : named;
      if (!platforms.some((platform) => differ(platform, wanted))) return undefined;
      return status[makes ? 'CL_INVALID_DEVICE' : 'CL_INVALID_CONTEXT'][0];
    };
  };

  const result = {};
  for (const [name, text] of entriesOf(functions)) {
    // Looked up at each call: a table of two implementations changes with the first context of the second one.
    const forms = new Map<Callable, Callable>();
    const get = (): Callable => {
      const call = (table as unknown as Readonly<Record<string, Callable>>)[name] as Callable;
      let form = forms.get(call);
      if (!form) forms.set(call, (form = refusing(call, refuserOf(name, text), text.includes('*errcode_ret'))));
      return form;
    };
    Object.defineProperty(result, name, { configurable: true, enumerable: true, get });
  }
  return result as OpenCLTable;
}

function refusing(call: Callable, refuses: Refuse | undefined, makes: boolean): Callable {
  if (refuses === undefined) return call;
  const form: Callable = (...args) => {
    const answer = refuses(args);
    if (answer === undefined) return call(...args);
    if (!makes) return answer;
    putInt(args.at(-1) as Pointer, answer);
    return 0n;
  };
  provideAsync(form, async (...args) => refuses(args) ?? callOnWorker(call, ...args));
  return form;
}

/** How many platforms there are besides the embedded one. */
function installed(table: OpenCLTable): number {
  const count = new Uint32Array(1);
  if (table.clGetPlatformIDs(0, 0n, count) !== 0) return 0;
  const list = new BigUint64Array(count[0] ?? 0);
  if (list.length > 0) table.clGetPlatformIDs(list.length, list, 0n);
  return list.filter((platform) => !isEmbeddedHandle(platform)).length;
}

/** The platform that the properties of a new context name; 0n for none. */
function contextPlatform(properties: Pointer): bigint {
  const list = propertiesAt(properties) ?? [];
  for (let i = 0; i < list.length; i += 2) {
    if (list[i] === BigInt(ContextProperty.PLATFORM)) return list[i + 1] ?? 0n;
  }
  return 0n;
}
