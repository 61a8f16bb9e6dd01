import { checkMade, MAKER, type Maker } from '../core/maker.ts';
import { PublicObject } from '../core/public-object.ts';
import type { CLProgram } from '../node-opencl/objects.ts';
import { checkBuildOptions } from './build-options.ts';
import { isCallback, refuseInCallback, runCallback } from './callback.ts';
import { isArray } from '../node-opencl/argument.ts';
import { constants } from './constants.ts';
import { checkLive, cl, isLive, WebCLException } from './exception.ts';
import { WebCLKernel } from './kernel.ts';
import { answer } from './object.ts';
import type { Owner } from './owner.ts';
import { deviceHandle, WebCLDevice } from './platform.ts';

/** `setArg` and `getArgInfo` need the types of parameters. Platforms before OpenCL 1.2 do not know the option. */
const ARGUMENTS = ' -cl-kernel-arg-info';

/** A source text, and its build. */
export class WebCLProgram extends PublicObject {
  /** @internal */
  readonly handle: CLProgram;
  readonly #context: Owner;
  #options = '';
  #building = false;

  /** @internal */
  constructor(maker: Maker, context: Owner, handle: CLProgram) {
    super();
    checkMade(maker === MAKER, 'WebCLProgram', 'call context.createProgram()');
    this.#context = context;
    this.handle = handle;
    context.family.add(this);
  }

  /** A property: `webcl.PROGRAM_SOURCE`. */
  getInfo(name: number): unknown {
    const own = {
      [constants.PROGRAM_CONTEXT]: () => this.#context,
      [constants.PROGRAM_DEVICES]: () => [...this.#context.devices],
    };
    checkLive(this.handle, 'CLProgram');
    const prefix = /^PROGRAM_(?!BUILD_)/;
    return answer(name, { prefix, own }, (asked) => cl.getProgramInfo(this.handle, asked));
  }

  /** A property of a build: `webcl.PROGRAM_BUILD_LOG`. */
  getBuildInfo(device: WebCLDevice, name: number): unknown {
    checkLive(this.handle, 'CLProgram');
    const [target] = this.#devices([device]);
    const own = { [constants.PROGRAM_BUILD_OPTIONS]: () => this.#options };
    const ask = (asked: number): unknown => {
      const value = cl.getProgramBuildInfo(this.handle, deviceHandle(target), asked);
      return typeof value === 'number' ? value | 0 : (value as string).replace(/\0$/, '');
    };
    return answer(name, { prefix: /^PROGRAM_BUILD_/, own }, ask);
  }

  /**
   * Compile for the context's devices, or for some of them. The call blocks; with a callback it does not, and
   * `getBuildInfo` has the result.
   *
   * @throws {@link WebCLException} BUILD_PROGRAM_FAILURE: see `getBuildInfo`; INVALID_BUILD_OPTIONS; INVALID_OPERATION: another
   * build has not ended, or the program has kernels
   */
  build(
    devices?: WebCLDevice | readonly WebCLDevice[] | null,
    options?: string | null,
    whenFinished?: (() => void) | null,
  ): void {
    const called = isCallback(whenFinished);
    if (!called) refuseInCallback('build without a callback');
    checkLive(this.handle, 'CLProgram');
    const list =
      devices === undefined || devices === null
        ? null
        : this.#devices(isArray(devices) ? Array.from(devices) : [devices]).map(deviceHandle);
    const own = checkBuildOptions(options);
    if (this.#building) throw new WebCLException('INVALID_OPERATION', 'Another build of the program has not ended');
    const text = own + (this.#isOld() ? '' : ARGUMENTS);
    if (!called) {
      this.#options = own;
      cl.buildProgram(this.handle, list, text);
      return;
    }
    cl.buildProgram(this.handle, list, text, (_data, kept) => {
      this.#building = false;
      cl.releaseProgram(kept);
      if (isLive(this.handle, 'CLProgram')) runCallback(whenFinished);
    });
    this.#options = own;
    this.#building = true;
  }

  #isOld(): boolean {
    const platform = this.#context.devices[0]?.platform.handle;
    return (
      platform !== undefined &&
      /^OpenCL 1\.[01]\b/.test(String(cl.getPlatformInfo(platform, constants.PLATFORM_VERSION)))
    );
  }

  /** A kernel by its name. */
  createKernel(kernelName: string): WebCLKernel {
    return new WebCLKernel(MAKER, this.#context, this, cl.createKernel(this.handle, kernelName));
  }

  /** All kernels. */
  createKernelsInProgram(): WebCLKernel[] {
    return cl.createKernelsInProgram(this.handle).map((handle) => new WebCLKernel(MAKER, this.#context, this, handle));
  }

  /** Release the program; its kernels stay. A callback that waits for its build is not called any more. */
  release(): void {
    cl.releaseProgram(this.handle);
  }

  #devices(list: readonly unknown[]): WebCLDevice[] {
    if (list.length === 0) throw new WebCLException('INVALID_VALUE', 'The list of devices is empty');
    return list.map((device) => {
      if (device instanceof WebCLDevice && this.#context.devices.includes(device)) return device;
      throw new WebCLException('INVALID_DEVICE', "The devices must be of the program's context");
    });
  }
}
