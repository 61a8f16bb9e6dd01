import { parsePrototype } from '../../ffi/prototype.ts';
import {
  ContextInfo,
  DeviceInfo,
  EventInfo,
  KernelInfo,
  MemInfo,
  PlatformInfo,
  ProgramInfo,
  QueueInfo,
  status,
} from '../sys/enums.ts';
import type { OpenCLTable } from '../sys/tables.ts';
import { numberOf } from './since.ts';
import { textOf } from './text.ts';

/** The version of a platform. */
export interface PlatformAge {
  readonly name: string;
  /** The version text: `OpenCL 1.1 Mesa` */
  readonly text: string;
  /** 101 for OpenCL 1.1. */
  readonly version: number;
}

/** Finds the version of the platform of an object. */
export class Ages {
  readonly #cl: OpenCLTable;
  readonly #known = new Map<bigint, PlatformAge | undefined>();
  #oldest: number | undefined;

  constructor(cl: OpenCLTable) {
    this.#cl = cl;
  }

  /** The version of the oldest platform, which all platforms support. */
  get oldest(): number {
    return (this.#oldest ??= Math.min(...this.#platforms().map((id) => this.#ageOf(id)?.version ?? Infinity)));
  }

  /** The version of the platform where there is only one. */
  get only(): PlatformAge | undefined {
    const [first = 0n, ...others] = this.#platforms();
    return others.length === 0 ? this.#ageOf(first) : undefined;
  }

  /** How to find the platform's version by a function's arguments; undefined where no argument leads to a platform. */
  finder(prototype: string): ((args: readonly unknown[]) => PlatformAge | undefined) | undefined {
    const { params } = parsePrototype(prototype);
    const at = params.findIndex(({ type, stars }) => stars === 0 && type in OWNERS);
    const owner = OWNERS[params[at]?.type ?? ''];
    // Asked each time: a driver reuses the handle of a released object.
    return owner && ((args) => this.#ageOf(this.#up(owner, args[at] as bigint)));
  }

  #up(owner: Owner, handle: bigint): bigint {
    if (handle === 0n || owner === 'cl_platform_id') return handle;
    const [query, param, next] = owner;
    const slot = new BigUint64Array(1);
    const ask = this.#cl[query] as (...args: unknown[]) => number;
    // A context has several devices, of one platform.
    const size = query === 'clGetContextInfo' ? this.#sizeOf(ask, handle, param) : 8;
    const answer = size > 8 ? new BigUint64Array(size / 8) : slot;
    if (size < 8 || ask(handle, param, size, answer, 0n) !== status.CL_SUCCESS[0]) return 0n;
    const found = answer[0] ?? 0n;
    const above = OWNERS[next];
    return above ? this.#up(above, found) : 0n;
  }

  #sizeOf(ask: (...args: unknown[]) => number, handle: bigint, param: number): number {
    const size = new BigUint64Array(1);
    return ask(handle, param, 0, 0n, size) === status.CL_SUCCESS[0] ? Number(size[0]) : 0;
  }

  #platforms(): bigint[] {
    const count = new Uint32Array(1);
    if (this.#cl.clGetPlatformIDs(0, 0n, count) !== status.CL_SUCCESS[0]) return [];
    const ids = new BigUint64Array(count[0] ?? 0);
    if (ids.length === 0 || this.#cl.clGetPlatformIDs(ids.length, ids, 0n) !== status.CL_SUCCESS[0]) return [];
    return [...ids];
  }

  /** Platforms live as long as the process. */
  #ageOf(platform: bigint): PlatformAge | undefined {
    if (platform === 0n) return undefined;
    if (!this.#known.has(platform)) this.#known.set(platform, this.#readAge(platform));
    return this.#known.get(platform);
  }

  #readAge(platform: bigint): PlatformAge | undefined {
    const tell = (param: number): string =>
      textOf((...rest) => this.#cl.clGetPlatformInfo(platform as never, param, ...rest));
    const text = tell(PlatformInfo.VERSION[0]);
    const version = /^OpenCL (\d+\.\d+)/.exec(text)?.[1];
    if (version === undefined) return undefined;
    return { name: tell(PlatformInfo.NAME[0]), text, version: numberOf(version) };
  }
}

/** How to get from an object to an object nearer to the platform. */
type Owner = 'cl_platform_id' | readonly [query: keyof OpenCLTable, param: number, next: string];

const OWNERS: Readonly<Record<string, Owner>> = {
  cl_platform_id: 'cl_platform_id',
  cl_device_id: ['clGetDeviceInfo', DeviceInfo.PLATFORM[0], 'cl_platform_id'],
  cl_context: ['clGetContextInfo', ContextInfo.DEVICES[0], 'cl_device_id'],
  cl_command_queue: ['clGetCommandQueueInfo', QueueInfo.DEVICE[0], 'cl_device_id'],
  cl_mem: ['clGetMemObjectInfo', MemInfo.CONTEXT[0], 'cl_context'],
  cl_program: ['clGetProgramInfo', ProgramInfo.CONTEXT[0], 'cl_context'],
  cl_kernel: ['clGetKernelInfo', KernelInfo.CONTEXT[0], 'cl_context'],
  // User events have no queue; they are of OpenCL 1.1, like the functions that take them.
  cl_event: ['clGetEventInfo', EventInfo.COMMAND_QUEUE[0], 'cl_command_queue'],
};
