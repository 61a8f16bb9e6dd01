import { checkMade, MAKER, type Maker } from '../core/maker.ts';
import { PublicObject } from '../core/public-object.ts';
import { KernelArgAccessQualifier, KernelArgAddressQualifier, KernelArgInfo } from '../opencl/sys/enums.ts';
import { nameOf } from '../core/check.ts';
import { hostExtent } from '../core/host-memory.ts';
import type { CLKernel } from '../node-opencl/objects.ts';
import { constants } from './constants.ts';
import { checkValue, nameOfArray } from './argument.ts';
import { checkLive, cl, WebCLException } from './exception.ts';
import type { WebCLImage } from './image.ts';
import { WebCLBuffer, WebCLMemoryObject } from './memory.ts';
import { answer } from './object.ts';
import type { Owner } from './owner.ts';
import { deviceHandle, type WebCLDevice } from './platform.ts';
import { WebCLSampler } from './sampler.ts';

/** A parameter of a kernel. */
export interface WebCLKernelArgInfo {
  readonly name: string;
  /** Without the `*` of a pointer, which the address qualifier implies: `'char'`, `'uint4'`, `'image2d_t'`, `'sampler_t'` */
  readonly typeName: string;
  readonly addressQualifier: 'global' | 'local' | 'constant' | 'private';
  readonly accessQualifier: 'read_only' | 'write_only' | 'none';
}

/** An argument: bytes by value; for local memory, a Uint32Array of its size in bytes. */
export type WebCLArgument = WebCLBuffer | WebCLImage | WebCLSampler | ArrayBufferView;

const SPACES: Readonly<Record<number, WebCLKernelArgInfo['addressQualifier']>> = {
  [KernelArgAddressQualifier.GLOBAL]: 'global',
  [KernelArgAddressQualifier.LOCAL]: 'local',
  [KernelArgAddressQualifier.CONSTANT]: 'constant',
};
const ACCESSES: Readonly<Record<number, WebCLKernelArgInfo['accessQualifier']>> = {
  [KernelArgAccessQualifier.READ_ONLY]: 'read_only',
  [KernelArgAccessQualifier.WRITE_ONLY]: 'write_only',
};

/** A function of a program, with its arguments. */
export class WebCLKernel extends PublicObject {
  /** @internal */
  readonly handle: CLKernel;
  /** @internal */
  readonly context: Owner;
  readonly #program: object;

  /** @internal */
  constructor(maker: Maker, context: Owner, program: object, handle: CLKernel) {
    super();
    checkMade(maker === MAKER, 'WebCLKernel', 'call program.createKernel()');
    this.context = context;
    this.#program = program;
    this.handle = handle;
    context.family.add(this);
  }

  /** A property: `webcl.KERNEL_NUM_ARGS`. */
  getInfo(name: number): unknown {
    const own = {
      [constants.KERNEL_CONTEXT]: () => this.context,
      [constants.KERNEL_PROGRAM]: () => this.#program,
    };
    checkLive(this.handle, 'CLKernel');
    const prefix = /^KERNEL_(?:FUNCTION_NAME|NUM_ARGS|CONTEXT|PROGRAM)$/;
    return answer(name, { prefix, own }, (asked) => cl.getKernelInfo(this.handle, asked));
  }

  /** A property on a device: `webcl.KERNEL_WORK_GROUP_SIZE`. Where the context has one device, it may be null. */
  getWorkGroupInfo(device: WebCLDevice | null, name: number): unknown {
    checkLive(this.handle, 'CLKernel');
    const { devices } = this.context;
    const own = device ?? (devices.length === 1 ? devices[0] : undefined);
    const handle = deviceHandle(own);
    if (!devices.includes(own as WebCLDevice)) {
      throw new WebCLException('INVALID_DEVICE', "The device must be one of the context's");
    }
    const prefix = /^KERNEL_(?!FUNCTION_NAME|NUM_ARGS|CONTEXT|PROGRAM)/;
    return answer(name, { prefix }, (asked) => cl.getKernelWorkGroupInfo(this.handle, handle, asked));
  }

  /** The description of a parameter. */
  getArgInfo(index: number): WebCLKernelArgInfo {
    const count = cl.getKernelInfo(this.handle, constants.KERNEL_NUM_ARGS) as number;
    if (!(Number.isInteger(index) && index >= 0 && index < count)) {
      throw new WebCLException(
        'INVALID_ARG_INDEX',
        `The index of an argument must be from 0 to ${count - 1}, got ${nameOf(index)}`,
      );
    }
    const ask = (name: readonly [number, ...unknown[]]): unknown => cl.getKernelArgInfo(this.handle, index, name[0]);
    return {
      name: String(ask(KernelArgInfo.NAME)),
      typeName: String(ask(KernelArgInfo.TYPE_NAME)).replace(/[\s*]+$/, ''),
      addressQualifier: SPACES[ask(KernelArgInfo.ADDRESS_QUALIFIER) as number] ?? 'private',
      accessQualifier: ACCESSES[ask(KernelArgInfo.ACCESS_QUALIFIER) as number] ?? 'none',
    };
  }

  /**
   * Set an argument.
   *
   * @throws {@link WebCLException} INVALID_ARG_INDEX; INVALID_ARG_VALUE: the parameter takes another kind of value, another
   * type of array, or another length
   */
  setArg(index: number, value: WebCLArgument): void {
    const given = this.#givenBy(value);
    const { typeName, addressQualifier } = this.getArgInfo(index);
    const wants = addressQualifier === 'local' ? 'local memory' : kindOf(typeName, addressQualifier);
    if (given === wants && given !== 'value') this.#setObject(index, value as WebCLMemoryObject | WebCLSampler);
    else if (given === 'value' && wants === 'value') {
      cl.setKernelArg(this.handle, index, 'bytes', checkValue(index, typeName, value as ArrayBufferView));
    } else if (given === 'value' && wants === 'local memory') {
      cl.setKernelArg(this.handle, index, 'local', localSize(index, value as ArrayBufferView));
    } else throw new WebCLException('INVALID_ARG_VALUE', `Argument ${index} takes a ${wants}`);
  }

  /** The kind of an argument; a released object is refused. */
  #givenBy(value: unknown): Kind {
    if (value instanceof WebCLMemoryObject) {
      checkLive(this.handle, 'CLKernel');
      checkLive(value.handle, 'CLMem');
      return value instanceof WebCLBuffer ? 'buffer' : 'image';
    }
    if (value instanceof WebCLSampler) {
      checkLive(value.handle, 'CLSampler');
      return 'sampler';
    }
    if (ArrayBuffer.isView(value)) return 'value';
    const text = `An argument must be a WebCLBuffer, a WebCLImage, a WebCLSampler or a typed array, got ${nameOf(value)}`;
    throw new WebCLException('INVALID_ARG_VALUE', text);
  }

  #setObject(index: number, value: WebCLMemoryObject | WebCLSampler): void {
    if (value instanceof WebCLSampler) cl.setKernelArg(this.handle, index, 'sampler_t', value.handle);
    else cl.setKernelArg(this.handle, index, 'cl_mem', value.handle);
  }

  /** Release the kernel. */
  release(): void {
    cl.releaseKernel(this.handle);
  }
}

type Kind = 'buffer' | 'image' | 'sampler' | 'value';

function kindOf(typeName: string, space: WebCLKernelArgInfo['addressQualifier']): Kind {
  if (/^image/.test(typeName)) return 'image';
  if (typeName === 'sampler_t') return 'sampler';
  return space === 'private' ? 'value' : 'buffer';
}

function localSize(index: number, value: ArrayBufferView): number {
  const { buffer, byteOffset, byteLength } = hostExtent(value);
  if (nameOfArray(value) === 'Uint32Array' && byteLength === 4)
    return new DataView(buffer, byteOffset).getUint32(0, true);
  throw new WebCLException(
    'INVALID_ARG_VALUE',
    `Argument ${index} is local memory: pass its size in bytes as a Uint32Array of one element`,
  );
}
