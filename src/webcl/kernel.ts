import { KernelArgAccessQualifier, KernelArgAddressQualifier, KernelArgInfo } from '../opencl/sys/enums.ts';
import type { CLKernel } from '../node-opencl/objects.ts';
import { constants } from './constants.ts';
import type { WebCLContext } from './context.ts';
import { cl, WebCLException } from './exception.ts';
import { WebCLImage } from './image.ts';
import { WebCLBuffer } from './memory.ts';
import { answer } from './object.ts';
import type { WebCLDevice } from './platform.ts';
import type { WebCLProgram } from './program.ts';
import { WebCLSampler } from './sampler.ts';

/** A parameter of a kernel. */
export interface WebCLKernelArgInfo {
  readonly name: string;
  /** `'char'`, `'float*'`, `'uint4'`, `'image2d_t'`, `'sampler_t'` */
  readonly typeName: string;
  readonly addressQualifier: 'global' | 'local' | 'constant' | 'private';
  readonly accessQualifier: 'read_only' | 'write_only' | 'none';
}

/** What a parameter takes: bytes by value; for local memory, a Uint32Array of its size in bytes. */
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
export class WebCLKernel {
  /** @internal */
  readonly handle: CLKernel;
  readonly #context: WebCLContext;
  readonly #program: WebCLProgram;

  /** @internal */
  constructor(context: WebCLContext, program: WebCLProgram, handle: CLKernel) {
    this.#context = context;
    this.#program = program;
    this.handle = handle;
    context.family.add(this);
  }

  /** A property: `webcl.KERNEL_NUM_ARGS`. */
  getInfo(name: number): unknown {
    const own = {
      [constants.KERNEL_CONTEXT]: () => this.#context,
      [constants.KERNEL_PROGRAM]: () => this.#program,
    };
    const prefix = /^KERNEL_(?:FUNCTION_NAME|NUM_ARGS|CONTEXT|PROGRAM)$/;
    return answer(name, { prefix, own }, (asked) => cl.getKernelInfo(this.handle, asked));
  }

  /** A property on a device: `webcl.KERNEL_WORK_GROUP_SIZE`. */
  getWorkGroupInfo(device: WebCLDevice, name: number): unknown {
    const prefix = /^KERNEL_(?!FUNCTION_NAME|NUM_ARGS|CONTEXT|PROGRAM)/;
    return answer(name, { prefix }, (asked) => cl.getKernelWorkGroupInfo(this.handle, device.handle, asked));
  }

  /** What a parameter is. */
  getArgInfo(index: number): WebCLKernelArgInfo {
    const count = cl.getKernelInfo(this.handle, constants.KERNEL_NUM_ARGS) as number;
    if (!(Number.isInteger(index) && index >= 0 && index < count)) {
      throw new WebCLException('INVALID_ARG_INDEX', `Arguments are counted from 0 to ${count - 1}; ${index} came`);
    }
    const ask = (name: readonly [number, ...unknown[]]): unknown => cl.getKernelArgInfo(this.handle, index, name[0]);
    return {
      name: String(ask(KernelArgInfo.NAME)),
      typeName: String(ask(KernelArgInfo.TYPE_NAME)),
      addressQualifier: SPACES[ask(KernelArgInfo.ADDRESS_QUALIFIER) as number] ?? 'private',
      accessQualifier: ACCESSES[ask(KernelArgInfo.ACCESS_QUALIFIER) as number] ?? 'none',
    };
  }

  /**
   * Set an argument.
   *
   * @throws {@link WebCLException} INVALID_ARG_INDEX; INVALID_ARG_VALUE: another kind of value is wanted; INVALID_ARG_SIZE:
   * the array has not the size of the parameter
   */
  setArg(index: number, value: WebCLArgument): void {
    const { typeName, addressQualifier } = this.getArgInfo(index);
    const wants = addressQualifier === 'local' ? 'local' : kindOf(typeName);
    if (value instanceof WebCLBuffer && wants === 'buffer') cl.setKernelArg(this.handle, index, 'cl_mem', value.handle);
    else if (value instanceof WebCLImage && wants === 'image')
      cl.setKernelArg(this.handle, index, 'cl_mem', value.handle);
    else if (value instanceof WebCLSampler && wants === 'sampler') {
      cl.setKernelArg(this.handle, index, 'sampler_t', value.handle);
    } else if (value instanceof Uint32Array && wants === 'local') {
      if (value.length !== 1) throw new WebCLException('INVALID_ARG_SIZE', 'Local memory has one size, in bytes');
      cl.setKernelArg(this.handle, index, 'local', value[0]);
    } else if (ArrayBuffer.isView(value) && wants === 'value') cl.setKernelArg(this.handle, index, 'bytes', value);
    else throw new WebCLException('INVALID_ARG_VALUE', `Argument ${index} takes a ${wants}`);
  }

  /** Let go of the kernel. */
  release(): void {
    cl.releaseKernel(this.handle);
  }
}

function kindOf(typeName: string): 'buffer' | 'image' | 'sampler' | 'value' {
  if (/\*\s*$/.test(typeName)) return 'buffer';
  if (/^image/.test(typeName)) return 'image';
  return typeName === 'sampler_t' ? 'sampler' : 'value';
}
