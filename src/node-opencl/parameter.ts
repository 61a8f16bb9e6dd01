import type { CType } from '../core/signature.ts';
import { readBytes, readString } from '../opencl/info.ts';
import { kernelParameters, type KernelParameter } from '../opencl/kernel/kernel-arguments.ts';
import { typeSize, type Built } from '../opencl/kernel/struct-size.ts';
import {
  DeviceInfo,
  KernelArgAddressQualifier,
  KernelArgInfo,
  KernelInfo,
  MemInfo,
  MemObjectType,
  PlatformInfo,
  ProgramBuildInfo,
  ProgramInfo,
} from '../opencl/sys/enums.ts';
import { cl } from './call.ts';
import { failure } from './failure.ts';
import type { Kind, Raw } from './handle.ts';

/** The kind of value that a parameter takes. */
type Takes = 'memory' | 'image' | 'pipe' | 'sampler' | 'queue' | 'local' | 'value';

const known = new WeakMap<object, Parameters>();

/** The parameters of a kernel, as far as the driver or the source has them. */
export class Parameters {
  readonly #takes: readonly (Takes | undefined)[];
  readonly #types: readonly (CType | undefined)[];
  readonly #kernel: Raw<'CLKernel'>;
  readonly #context: bigint;

  constructor(kernel: Raw<'CLKernel'>) {
    const ask = cl.clGetKernelInfo.bind(undefined, kernel);
    const name = readString(ask, KernelInfo.FUNCTION_NAME[0]);
    const count = firstWord(readBytes(ask, KernelInfo.NUM_ARGS[0]));
    const parameters = kernelParameters(kernel, name, count, sourceOf(kernel));
    this.#kernel = kernel;
    this.#types = parameters.map(({ type }) => type);
    this.#takes = parameters.map((parameter, i) => takes(parameter, () => spaceOf(kernel, i)));
    this.#context = handleOf(readBytes(ask, KernelInfo.CONTEXT[0]));
  }

  /**
   * The parameters of a kernel.
   *
   * @param wrapper - caches the result
   */
  static of(wrapper: object, kernel: Raw<'CLKernel'>): Parameters {
    let parameters = known.get(wrapper);
    if (!parameters) known.set(wrapper, (parameters = new Parameters(kernel)));
    return parameters;
  }

  /** Refuse a kind of argument that a parameter does not take: some drivers read it as an address. */
  check(index: number, given: Takes): void {
    if (index >= this.#takes.length) throw failure('CL_INVALID_ARG_INDEX', indexError(index, this.#takes.length));
    const wanted = this.#takes[index];
    if (wanted === undefined || wanted === given) return;
    const text = `Argument ${index} takes ${NAMES[wanted]}, got ${NAMES[given]}`;
    throw failure('CL_INVALID_ARG_VALUE', new TypeError(text));
  }

  /** Refuse a struct of another size, where the driver would read past its end. */
  checkSize(index: number, byteLength: number): void {
    const type = this.#types[index];
    if (type?.kind !== 'named') return;
    const size = typeSize(this, type.text, () => builtOf(this.#kernel));
    if (size === undefined || size === byteLength) return;
    const text = `Argument ${index}, ${type.text}, must have ${size} bytes, got ${byteLength}`;
    throw failure('CL_INVALID_ARG_SIZE', new TypeError(text));
  }

  /** Refuse an object of another kind, or of another context. */
  checkObject(index: number, kind: Kind, raw: bigint): void {
    const [given, context] = kind === 'CLMem' ? memoryOf(raw as Raw<'CLMem'>) : [OBJECTS[kind] ?? 'value', undefined];
    this.check(index, given);
    if (context !== undefined) this.#checkContext(index, context);
  }

  /** Refuse shared memory for a parameter that is not a pointer, and shared memory of another context. */
  checkShared(index: number, context: bigint): void {
    this.check(index, 'memory');
    this.#checkContext(index, context);
  }

  #checkContext(index: number, context: bigint): void {
    if (context === this.#context) return;
    throw failure('CL_INVALID_MEM_OBJECT', new TypeError(`Argument ${index} must be of the kernel's context`));
  }
}

const NAMES: Readonly<Record<Takes, string>> = {
  memory: 'a buffer',
  image: 'an image',
  pipe: 'a pipe',
  sampler: 'a sampler',
  queue: 'a queue',
  local: 'a size of local memory',
  value: 'a value',
};
const OBJECTS: Readonly<Partial<Record<Kind, Takes>>> = { CLSampler: 'sampler', CLCommandQueue: 'queue' };
const SPACES: ReadonlyMap<number, Takes> = new Map<number, Takes>([
  [KernelArgAddressQualifier.GLOBAL, 'memory'],
  [KernelArgAddressQualifier.CONSTANT, 'memory'],
  [KernelArgAddressQualifier.LOCAL, 'local'],
  [KernelArgAddressQualifier.PRIVATE, 'value'],
]);

function indexError(index: number, count: number): RangeError {
  return new RangeError(`The kernel has ${count} parameter${count === 1 ? '' : 's'}, got index ${index}`);
}

function takes({ type }: KernelParameter, space: () => Takes | undefined): Takes | undefined {
  if (!type) return undefined;
  const { text, kind } = type;
  if (/^image[123]d/.test(text)) return 'image';
  if (/^pipe\b/.test(text)) return 'pipe';
  if (text === 'sampler_t') return 'sampler';
  if (text === 'queue_t') return 'queue';
  // A name may stand for a pointer.
  if (kind === 'named') return space();
  if (kind !== 'pointer') return 'value';
  if (type.space === undefined) return space();
  return type.space === 'local' ? 'local' : 'memory';
}

function spaceOf(kernel: Raw<'CLKernel'>, index: number): Takes | undefined {
  try {
    const query = cl.clGetKernelArgInfo.bind(undefined, kernel, index);
    return SPACES.get(firstWord(readBytes(query, KernelArgInfo.ADDRESS_QUALIFIER[0])));
  } catch {
    return undefined;
  }
}

/** The source text of a kernel's program; '' for a program without one. */
function sourceOf(kernel: Raw<'CLKernel'>): string {
  try {
    const program = handleOf(readBytes(cl.clGetKernelInfo.bind(undefined, kernel), KernelInfo.PROGRAM[0]));
    return readString(cl.clGetProgramInfo.bind(undefined, program as Raw<'CLProgram'>), ProgramInfo.SOURCE[0]);
  } catch {
    return '';
  }
}

/** The source and the options of a kernel's program. */
function builtOf(kernel: Raw<'CLKernel'>): Built | undefined {
  try {
    const program = handleOf(readBytes(cl.clGetKernelInfo.bind(undefined, kernel), KernelInfo.PROGRAM[0]));
    const ask = cl.clGetProgramInfo.bind(undefined, program as Raw<'CLProgram'>);
    const device = handleOf(readBytes(ask, ProgramInfo.DEVICES[0])) as Raw<'CLDeviceId'>;
    const askBuild = cl.clGetProgramBuildInfo.bind(undefined, program as Raw<'CLProgram'>, device);
    const platform = handleOf(readBytes(cl.clGetDeviceInfo.bind(undefined, device), DeviceInfo.PLATFORM[0]));
    return {
      context: handleOf(readBytes(ask, ProgramInfo.CONTEXT[0])) as Raw<'CLContext'>,
      device,
      platform: readString(cl.clGetPlatformInfo.bind(undefined, platform as Raw<'CLPlatformId'>), PlatformInfo.NAME[0]),
      source: readString(ask, ProgramInfo.SOURCE[0]),
      options: readString(askBuild, ProgramBuildInfo.OPTIONS[0]),
    };
  } catch {
    return undefined;
  }
}

/** The kind of a memory object, and its context. */
function memoryOf(memory: Raw<'CLMem'>): readonly [Takes, bigint] {
  const ask = cl.clGetMemObjectInfo.bind(undefined, memory);
  const type = firstWord(readBytes(ask, MemInfo.TYPE[0]));
  const context = handleOf(readBytes(ask, MemInfo.CONTEXT[0]));
  if (type === MemObjectType.BUFFER) return ['memory', context];
  return [type === MemObjectType.PIPE ? 'pipe' : 'image', context];
}

function firstWord(bytes: Uint8Array<ArrayBuffer>): number {
  return new DataView(bytes.buffer).getUint32(0, true);
}

function handleOf(bytes: Uint8Array<ArrayBuffer>): bigint {
  return new DataView(bytes.buffer).getBigUint64(0, true);
}
