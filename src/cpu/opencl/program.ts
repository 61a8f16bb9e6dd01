import { BuildStatus, ProgramBinaryType } from '../../opencl/sys/enums.ts';
import type { CpuProgram } from '../abi/program.ts';
import type { Loaded } from '../runtime/loader.ts';
import type { ClContext } from './context.ts';
import type { ClDevice } from './device.ts';
import { ClObject } from './object.ts';

/** The build of a program for a device. */
export interface Build {
  /** `BuildStatus` */
  readonly status: number;
  readonly options: string;
  readonly log: string;
  /** `ProgramBinaryType` */
  readonly type: number;
  readonly program?: CpuProgram | undefined;
  readonly object?: Uint8Array | undefined;
  readonly loaded?: Loaded | undefined;
  /** Every work-group has the whole local size. */
  readonly uniform: boolean;
}

/** A program before its first build. */
export const NO_BUILD: Build = {
  status: BuildStatus.NONE,
  options: '',
  log: '',
  type: ProgramBinaryType.NONE,
  uniform: true,
};

/** A program: source text or binaries, and its builds. */
export class ClProgram extends ClObject {
  readonly context: ClContext;
  readonly devices: readonly ClDevice[];
  /** Undefined for a program from binaries or linked objects. */
  readonly source: string | undefined;
  readonly builds: Map<ClDevice, Build> = new Map();
  /** The number of its kernels that are not released. */
  kernels = 0;
  readonly #gone: (program: ClProgram) => void;

  constructor(
    context: ClContext,
    devices: readonly ClDevice[],
    source: string | undefined,
    gone: (program: ClProgram) => void,
  ) {
    super();
    this.context = context;
    this.devices = devices;
    this.source = source;
    this.#gone = gone;
    context.retain();
  }

  buildFor(device: ClDevice): Build {
    return this.builds.get(device) ?? NO_BUILD;
  }

  /** A build with kernels that can run; all executable builds have the same kernels. */
  get executable(): Build | undefined {
    return [...this.builds.values()].find(({ loaded }) => loaded !== undefined);
  }

  destroy(): void {
    this.#gone(this);
    this.context.release();
  }
}
