import { Callable } from '../../core/callable.ts';
import { readDims, type Dims } from '../../core/dims.ts';
import { ClosedError } from '../../core/errors.ts';
import { checkNumber, nameOf } from '../../core/check.ts';
import { claim, Handle, type AnyHandle } from '../../core/handle.ts';
import { formatSignature } from '../../core/signature.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { cl, cleanup } from '../call.ts';
import type { Context } from '../device/context.ts';
import type { Device } from '../device/device.ts';
import { requireExtension } from '../device/requirement.ts';
import { extensionCalls } from '../extension.ts';
import {
  readInfo,
  type InfoKind,
  type InfoKinds,
  type InfoOf,
  type InfoProperties,
  type InfoQuery,
  type InfoValue,
} from '../info.ts';
import { KernelArgInfo, KernelInfo, KernelSubGroupInfo, KernelWorkGroupInfo } from '../sys/enums.ts';
import type { KernelParameter } from './kernel-arguments.ts';

export type RawKernel = Opaque<'cl_kernel'>;

/** The resources of a kernel on a device; sizes in work-items and bytes. */
export type WorkGroupInfo = Omit<InfoProperties<typeof KernelWorkGroupInfo>, 'globalWorkSize'>;

/** The facts about a new kernel. */
export interface KernelFacts {
  readonly name: string;
  readonly raw: RawKernel;
  /** The record that the kernel keeps alive: its program's. */
  readonly owner: AnyHandle;
  readonly context: Context;
  readonly devices: readonly Device[];
  readonly parameters: readonly KernelParameter[];
  /** The program's source text; '' for a program that was not made of source. */
  readonly source: string;
  /** The options that the compiler was given. */
  readonly options: string;
  /** The attributes in the source, for drivers that do not report them. */
  readonly attributes?: string | undefined;
  /** Whether another library may set its arguments as well. */
  readonly isForeign?: boolean;
}

/** The queries of sub-groups that need a local size, or a count. */
const SIZED: readonly string[] = ['MAX_SUB_GROUP_SIZE_FOR_NDRANGE', 'SUB_GROUP_COUNT_FOR_NDRANGE'];
const COUNTED = 'LOCAL_SIZE_FOR_SUB_GROUP_COUNT';

let readFacts: (kernel: KernelBase) => KernelFacts;
let recordOf: (kernel: KernelBase) => Handle<RawKernel> | undefined;

/**
 * The queries of a kernel, and its end. {@link Kernel} adds arguments and launches. The two are apart because the launch
 * sizes and the size of a struct are worked out from the queries, below the launch.
 */
export abstract class KernelBase extends Callable implements Disposable {
  declare readonly name: string;
  /** Parameter names and types, where they are known. */
  readonly parameters: readonly KernelParameter[];
  readonly #facts: KernelFacts;
  #handle: Handle<RawKernel> | undefined;
  readonly #disown: () => void;

  /** @internal */
  constructor(call: (...args: never[]) => unknown, facts: KernelFacts) {
    super(call, facts.name);
    this.#facts = facts;
    this.parameters = facts.parameters;
    this.#handle = new Handle('Kernel', facts.raw, release, [facts.owner]);
    this.#disown = claim(this, this.#handle, true);
  }

  /** How many parameters it has. */
  get parameterCount(): number {
    return this.parameters.length;
  }

  /** `add(const float *a, const float *b, float *c)` */
  get signature(): string {
    const known = this.parameters.flatMap(({ name, type }) => (type ? [{ name, type }] : []));
    return known.length === this.parameters.length
      ? formatSignature(this.name, known)
      : `${this.name}(${this.parameters.length} parameters)`;
  }

  /** The attributes that its source gives it: `reqd_work_group_size(8,1,1)`. Some drivers do not report them. */
  get attributes(): string {
    return this.getInfo('ATTRIBUTES');
  }

  /**
   * The resources of the kernel on a device, and its limits there.
   *
   * @param device - default: the program's first
   */
  workGroupInfo(device?: Device): WorkGroupInfo {
    return {
      workGroupSize: this.getWorkGroupInfo('WORK_GROUP_SIZE', device),
      compileWorkGroupSize: this.getWorkGroupInfo('COMPILE_WORK_GROUP_SIZE', device),
      localMemSize: this.getWorkGroupInfo('LOCAL_MEM_SIZE', device),
      preferredWorkGroupSizeMultiple: this.getWorkGroupInfo('PREFERRED_WORK_GROUP_SIZE_MULTIPLE', device),
      privateMemSize: this.getWorkGroupInfo('PRIVATE_MEM_SIZE', device),
    };
  }

  /**
   * Ask the driver for a property of the kernel on a device, by its name or by any number with the kind of the answer.
   *
   * @param device - default: the program's first
   */
  getWorkGroupInfo<Name extends KernelWorkGroupInfo>(
    name: Name,
    device?: Device,
  ): InfoOf<typeof KernelWorkGroupInfo, Name>;
  getWorkGroupInfo<Kind extends InfoKind>(param: number, kind: Kind, device?: Device): InfoKinds[Kind];
  getWorkGroupInfo(name: KernelWorkGroupInfo | number, second?: InfoKind | Device, third?: Device): InfoValue {
    const [kind, device] = typeof name === 'number' ? [second as InfoKind, third] : [undefined, second];
    const raw = this.use('getWorkGroupInfo');
    const id = this.#deviceOf(device, 'getWorkGroupInfo').raw;
    return readInfo(KernelWorkGroupInfo, cl.clGetKernelWorkGroupInfo.bind(undefined, raw, id), name, kind, 'Kernel');
  }

  /**
   * Ask the driver for a property of a parameter, by its name or by any number with the kind of the answer.
   * {@link KernelBase.parameters} has names and types, also where the driver reports none.
   *
   * @param index - of the parameter, from 0
   * @throws {@link OpenCLLogicError} CL_KERNEL_ARG_INFO_NOT_AVAILABLE: a program of binaries, on some drivers
   * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clGetKernelArgInfo.html | clGetKernelArgInfo}
   */
  getArgInfo<Name extends KernelArgInfo>(index: number, name: Name): InfoOf<typeof KernelArgInfo, Name>;
  getArgInfo<Kind extends InfoKind>(index: number, param: number, kind: Kind): InfoKinds[Kind];
  getArgInfo(index: number, name: KernelArgInfo | number, kind?: InfoKind): InfoValue {
    const raw = this.use('getArgInfo');
    checkNumber(index, `${this.name}.getArgInfo: index`, 0, Math.max(0, this.parameterCount - 1));
    return readInfo(KernelArgInfo, cl.clGetKernelArgInfo.bind(undefined, raw, index), name, kind, 'Kernel');
  }

  /**
   * Ask the driver how the kernel's work-groups are divided into sub-groups, by name or by any number with the kind of
   * the answer. OpenCL 2.1, or `cl_khr_subgroups`, and a device that has sub-groups.
   *
   * @param input - the local size, `[x, y, z]` or a number; for `LOCAL_SIZE_FOR_SUB_GROUP_COUNT` the count
   * @param device - default: the program's first
   * @throws {@link OpenCLLogicError} CL_INVALID_OPERATION: the device has no sub-groups
   * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clGetKernelSubGroupInfo.html | clGetKernelSubGroupInfo}
   */
  getSubGroupInfo<Name extends KernelSubGroupInfo>(
    name: Name,
    input?: Dims,
    device?: Device,
  ): InfoOf<typeof KernelSubGroupInfo, Name>;
  getSubGroupInfo<Kind extends InfoKind>(
    param: number,
    input: Dims | undefined,
    device: Device | undefined,
    kind: Kind,
  ): InfoKinds[Kind];
  getSubGroupInfo(name: KernelSubGroupInfo | number, input?: Dims, device?: Device, kind?: InfoKind): InfoValue {
    const what = 'getSubGroupInfo';
    const raw = this.use(what);
    const on = this.#deviceOf(device, what);
    const values = inputOf(name, input, `${this.name}.${what}`);
    const isCore = on.platform.atLeast(2, 1);
    if (!isCore) requireExtension(on, 'cl_khr_subgroups', 'Kernel.getSubGroupInfo');
    const ask = isCore ? cl.clGetKernelSubGroupInfo : extensionCalls(on.platform.raw).clGetKernelSubGroupInfoKHR;
    const query: InfoQuery = (param, size, value, sizeOut) => {
      // Drivers need memory for the local size, and do not report how much.
      if (name === COUNTED && value === 0n) return void ((sizeOut as BigUint64Array)[0] = 24n);
      return ask(raw, on.raw, param, values?.byteLength ?? 0, values ?? 0n, size, value, sizeOut);
    };
    return readInfo(KernelSubGroupInfo, query, name, kind, 'Kernel');
  }

  /** Ask the driver for a property, by its name or by any number with the kind of the answer. */
  getInfo<Name extends KernelInfo>(name: Name): InfoOf<typeof KernelInfo, Name>;
  getInfo<Kind extends InfoKind>(param: number, kind: Kind): InfoKinds[Kind];
  getInfo(name: KernelInfo | number, kind?: InfoKind): InfoValue {
    const answer = readInfo(KernelInfo, cl.clGetKernelInfo.bind(undefined, this.use('getInfo')), name, kind, 'Kernel');
    const isEmpty = answer === '' && (name === 'ATTRIBUTES' || name === KernelInfo.ATTRIBUTES[0]);
    return isEmpty ? (this.#facts.attributes ?? '') : answer;
  }

  /** The driver's `cl_kernel`, borrowed: good until {@link KernelBase.close}. */
  get handle(): Opaque<'cl_kernel'> {
    return this.use('handle');
  }

  /** Whether {@link KernelBase.close} was called. */
  get closed(): boolean {
    return this.#handle === undefined;
  }

  /** Release the kernel. Launches go on. A second call does nothing. */
  close(): void {
    const handle = this.#handle;
    if (!handle) return;
    this.#handle = undefined;
    this.#disown();
    handle.release();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /**
   * The raw kernel, for one call of the named method.
   * @internal
   */
  use(method: string): RawKernel {
    if (this.#handle === undefined) throw new ClosedError('Kernel', method);
    return this.#handle.value;
  }

  #deviceOf(device: unknown, method: string): Device {
    const found = device ?? this.#facts.devices[0];
    const known = this.#facts.devices.find((one) => one === found);
    if (known) return known;
    throw new TypeError(`Kernel.${method} takes a device of the program, got ${nameOf(device)}`);
  }

  static {
    recordOf = (kernel) => kernel.#handle;
    readFacts = (kernel) => kernel.#facts;
  }
}

/** The facts about a kernel. */
export function factsOf(kernel: KernelBase): KernelFacts {
  return readFacts(kernel);
}

/** The owning record, for code that keeps the kernel alive. */
export function kernelHandle(kernel: KernelBase, method: string): Handle<RawKernel> {
  const handle = recordOf(kernel);
  if (handle === undefined) throw new ClosedError('Kernel', method);
  return handle;
}

// Not a closure in the constructor, which would keep the kernel alive.
function release(raw: RawKernel): void {
  cleanup('Kernel', () => cl.clReleaseKernel(raw));
}

function inputOf(name: string | number, input: Dims | undefined, what: string): BigUint64Array | undefined {
  if (input === undefined) {
    const wanted = SIZED.includes(name as string) ? 'the local size' : name === COUNTED ? 'the count' : undefined;
    if (wanted !== undefined) throw new TypeError(`${what}('${name}') takes ${wanted}, got undefined`);
    return undefined;
  }
  const sizes = new Float64Array(3);
  const count = readDims(input, `${what}: ${name === COUNTED ? 'the count' : 'the local size'}`, sizes, 0);
  return BigUint64Array.from(sizes.subarray(0, count), BigInt);
}
