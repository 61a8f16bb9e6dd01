import type { CLProgram } from '../node-opencl/objects.ts';
import { constants } from './constants.ts';
import type { WebCLContext } from './context.ts';
import { cl } from './exception.ts';
import { WebCLKernel } from './kernel.ts';
import { answer, checkCallback } from './object.ts';
import type { WebCLDevice } from './platform.ts';

/** `setArg` and `getArgInfo` ask for the types of parameters. */
const ARGUMENTS = ' -cl-kernel-arg-info';

/** A source text, and what is compiled of it. */
export class WebCLProgram {
  /** @internal */
  readonly handle: CLProgram;
  readonly #context: WebCLContext;

  /** @internal */
  constructor(context: WebCLContext, handle: CLProgram) {
    this.#context = context;
    this.handle = handle;
    context.family.add(this);
  }

  /** A property: `webcl.PROGRAM_SOURCE`. */
  getInfo(name: number): unknown {
    const own = {
      [constants.PROGRAM_CONTEXT]: () => this.#context,
      [constants.PROGRAM_DEVICES]: () => this.#context.devices,
    };
    const prefix = /^PROGRAM_(?!BUILD_)/;
    return answer(name, { prefix, own }, (asked) => cl.getProgramInfo(this.handle, asked));
  }

  /** What is known of a build: `webcl.PROGRAM_BUILD_LOG`. */
  getBuildInfo(device: WebCLDevice, name: number): unknown {
    const ask = (asked: number): unknown => {
      const value = cl.getProgramBuildInfo(this.handle, device.handle, asked);
      if (typeof value === 'number') return value | 0;
      return (value as string).replace(/\0$/, '').replace(ARGUMENTS, '');
    };
    return answer(name, { prefix: /^PROGRAM_BUILD_/ }, ask);
  }

  /**
   * Compile for the context's devices, or for some of them. The thread blocks; with a callback it does not, and the
   * callback's program asks `getBuildInfo` how it went.
   *
   * @throws {@link WebCLException} BUILD_PROGRAM_FAILURE: see `getBuildInfo`
   */
  build(devices?: readonly WebCLDevice[] | null, options?: string | null, whenFinished?: (() => void) | null): void {
    const list = devices ? devices.map(({ handle }) => handle) : null;
    const text = (options ?? '') + ARGUMENTS;
    if (whenFinished === undefined || whenFinished === null) {
      cl.buildProgram(this.handle, list, text);
      return;
    }
    checkCallback(whenFinished);
    cl.buildProgram(this.handle, list, text, (_data, own) => {
      cl.releaseProgram(own);
      whenFinished();
    });
  }

  /** A kernel by its name. */
  createKernel(kernelName: string): WebCLKernel {
    return new WebCLKernel(this.#context, this, cl.createKernel(this.handle, kernelName));
  }

  /** All kernels. */
  createKernelsInProgram(): WebCLKernel[] {
    return cl.createKernelsInProgram(this.handle).map((handle) => new WebCLKernel(this.#context, this, handle));
  }

  /** Let go of the program; its kernels stay. */
  release(): void {
    cl.releaseProgram(this.handle);
  }
}
