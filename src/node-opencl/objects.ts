import { checkMade, MAKER, type Maker } from '../core/maker.ts';
import { PublicObject } from '../core/public-object.ts';
import { cl } from './call.ts';
import { CLObject, type Ownership } from './handle.ts';
import { DeviceInfo } from '../opencl/sys/enums.ts';

const OWNED: Ownership = { owns: true };
const BORROWED: Ownership = { owns: false };

/** An OpenCL implementation. */
export class CLPlatformId extends CLObject<'CLPlatformId'> {
  /** @internal */
  constructor(maker: Maker, raw: bigint) {
    super(maker, 'CLPlatformId', raw, BORROWED);
  }
}

/** A device. A wrapper owns references to sub-devices, never to whole devices. */
export class CLDeviceId extends CLObject<'CLDeviceId'> {
  /** @internal */
  constructor(maker: Maker, raw: bigint, ownership: Ownership = BORROWED) {
    super(maker, 'CLDeviceId', raw, ownership);
  }
}

/** A context. */
export class CLContext extends CLObject<'CLContext'> {
  /** @internal */
  constructor(maker: Maker, raw: bigint, ownership: Ownership = OWNED) {
    super(maker, 'CLContext', raw, ownership);
  }
}

/** A program. */
export class CLProgram extends CLObject<'CLProgram'> {
  /** @internal */
  constructor(maker: Maker, raw: bigint, ownership: Ownership = OWNED) {
    super(maker, 'CLProgram', raw, ownership);
  }
}

/** A kernel. */
export class CLKernel extends CLObject<'CLKernel'> {
  /** @internal */
  constructor(maker: Maker, raw: bigint, ownership: Ownership = OWNED) {
    super(maker, 'CLKernel', raw, ownership);
  }
}

/** A buffer, an image or a pipe. */
export class CLMem extends CLObject<'CLMem'> {
  /** @internal */
  constructor(maker: Maker, raw: bigint, ownership: Ownership = OWNED) {
    super(maker, 'CLMem', raw, ownership);
  }
}

/** A sampler. */
export class CLSampler extends CLObject<'CLSampler'> {
  /** @internal */
  constructor(maker: Maker, raw: bigint, ownership: Ownership = OWNED) {
    super(maker, 'CLSampler', raw, ownership);
  }
}

/** A command queue. */
export class CLCommandQueue extends CLObject<'CLCommandQueue'> {
  /** @internal */
  constructor(maker: Maker, raw: bigint, ownership: Ownership = OWNED) {
    super(maker, 'CLCommandQueue', raw, ownership);
  }
}

/** An event. */
export class CLEvent extends CLObject<'CLEvent'> {
  /** @internal */
  constructor(maker: Maker, raw: bigint, ownership: Ownership = OWNED) {
    super(maker, 'CLEvent', raw, ownership);
  }
}

/** A program's compiled form for one device. */
export class CLProgramBinary extends PublicObject {
  readonly #bytes: Buffer;

  /** @internal */
  constructor(maker: Maker, bytes: Uint8Array<ArrayBuffer>) {
    super();
    checkMade(maker === MAKER, 'CLProgramBinary', 'call getProgramInfo(program, PROGRAM_BINARIES)');
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The bytes, to write into a file. */
  get buffer(): Buffer {
    return this.#bytes;
  }

  /** @internal */
  static bytes(value: unknown): Buffer | undefined {
    return typeof value === 'object' && value !== null && #bytes in value ? value.#bytes : undefined;
  }
}

/** Whether a device is a sub-device. */
function isPart(raw: bigint): boolean {
  const parent = new BigUint64Array(1);
  try {
    cl.clGetDeviceInfo(raw as never, DeviceInfo.PARENT_DEVICE[0], 8, parent, 0n);
  } catch {
    // Before OpenCL 1.2 there are no sub-devices.
  }
  return parent[0] !== 0n;
}

type Wrapper<T> = (raw: bigint) => T;

/** A new wrapper for the answer of a query, which owns a new reference. */
export const retained: {
  readonly platform: Wrapper<CLPlatformId>;
  readonly device: Wrapper<CLDeviceId>;
  readonly context: Wrapper<CLContext>;
  readonly queue: Wrapper<CLCommandQueue>;
  readonly program: Wrapper<CLProgram>;
  readonly mem: Wrapper<CLMem>;
} = {
  platform: (raw) => new CLPlatformId(MAKER, raw),
  device: (raw) => {
    const owns = raw !== 0n && isPart(raw);
    if (owns) cl.clRetainDevice(raw as never);
    return new CLDeviceId(MAKER, raw, owns ? OWNED : BORROWED);
  },
  context: (raw) => {
    if (raw !== 0n) cl.clRetainContext(raw as never);
    return new CLContext(MAKER, raw);
  },
  queue: (raw) => {
    if (raw !== 0n) cl.clRetainCommandQueue(raw as never);
    return new CLCommandQueue(MAKER, raw);
  },
  program: (raw) => {
    if (raw !== 0n) cl.clRetainProgram(raw as never);
    return new CLProgram(MAKER, raw);
  },
  mem: (raw) => {
    if (raw !== 0n) cl.clRetainMemObject(raw as never);
    return new CLMem(MAKER, raw);
  },
};

/** Refuse a whole device: only sub-devices have a reference count. */
export function isWhole(device: CLDeviceId): boolean {
  return !isPart(CLObject.raw(device, 'CLDeviceId'));
}
