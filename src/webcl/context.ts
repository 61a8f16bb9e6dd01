import { checkMade, MAKER, type Maker } from '../core/maker.ts';
import { PublicObject } from '../core/public-object.ts';
import { nameOf } from '../core/check.ts';
import type { CLContext } from '../node-opencl/objects.ts';
import { constants } from './constants.ts';
import { WebCLUserEvent } from './event.ts';
import { refuseInCallback } from './callback.ts';
import { checkLive, cl, WebCLException } from './exception.ts';
import { checkSize, imageBytes, WebCLImage, wholeDescriptor, type WebCLImageDescriptor } from './image.ts';
import { checkFlags, initial, WebCLBuffer } from './memory.ts';
import { answer, Family } from './object.ts';
import type { WebCLDevice } from './platform.ts';
import { WebCLProgram } from './program.ts';
import { WebCLCommandQueue } from './queue.ts';
import { checkModes, WebCLSampler } from './sampler.ts';

const { QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE: OUT_OF_ORDER, QUEUE_PROFILING_ENABLE: PROFILING } = constants;
const QUEUES: readonly number[] = [0, OUT_OF_ORDER, PROFILING, OUT_OF_ORDER | PROFILING];

/** The largest size that WebCL has a type for. */
const MAX_BYTES = 2 ** 32 - 1;

/** Devices that share memory, and all objects for them. */
export class WebCLContext extends PublicObject {
  /** @internal */
  readonly handle: CLContext;
  /** @internal */
  readonly devices: readonly WebCLDevice[];
  /** @internal */
  readonly family: Family = new Family((member) => {
    member.release();
  });

  /** @internal */
  constructor(maker: Maker, handle: CLContext, devices: readonly WebCLDevice[]) {
    super();
    checkMade(maker === MAKER, 'WebCLContext', 'call webcl.createContext()');
    this.handle = handle;
    this.devices = devices;
  }

  /**
   * A buffer: the first bytes of an array, or zeros.
   *
   * @throws {@link WebCLException} INVALID_BUFFER_SIZE, INVALID_HOST_PTR: the array is too short
   */
  createBuffer(memFlags: number, sizeInBytes: number, hostPtr?: ArrayBufferView | null): WebCLBuffer {
    checkLive(this.handle, 'CLContext');
    const flags = checkFlags(memFlags);
    const sizes = this.devices.map((device) => device.getInfo(constants.DEVICE_MAX_MEM_ALLOC_SIZE) as number);
    const most = Math.min(MAX_BYTES, Math.max(...sizes));
    if (!Number.isInteger(sizeInBytes) || sizeInBytes < 1 || sizeInBytes > most) {
      throw new WebCLException(
        'INVALID_BUFFER_SIZE',
        `A buffer must have 1 to ${most} bytes, got ${nameOf(sizeInBytes)}`,
      );
    }
    const [own, array] = initial(flags, sizeInBytes, hostPtr);
    return new WebCLBuffer(MAKER, this, cl.createBuffer(this.handle, own, sizeInBytes, array));
  }

  /** A two-dimensional image: the first pixels of an array, or zeros. */
  createImage(memFlags: number, descriptor: WebCLImageDescriptor, hostPtr?: ArrayBufferView | null): WebCLImage {
    checkLive(this.handle, 'CLContext');
    const flags = checkFlags(memFlags);
    const whole = wholeDescriptor(descriptor);
    checkSize(whole, this.devices, hostPtr !== undefined && hostPtr !== null);
    const [own, array] = initial(flags, imageBytes(whole), hostPtr);
    const format = { channel_order: whole.channelOrder, channel_data_type: whole.channelType };
    const { width, height, rowPitch } = whole;
    const description = { type: constants.MEM_OBJECT_IMAGE2D, width, height, row_pitch: rowPitch };
    return new WebCLImage(MAKER, this, cl.createImage(this.handle, own, format, description, array), whole);
  }

  /** A queue of a device. Default: the context's first */
  createCommandQueue(device?: WebCLDevice | null, properties = 0): WebCLCommandQueue {
    refuseInCallback('createCommandQueue');
    checkLive(this.handle, 'CLContext');
    if (!QUEUES.includes(properties)) {
      throw new WebCLException('INVALID_VALUE', 'The properties must be bits of webcl.QUEUE_…');
    }
    const own = device ?? this.devices[0];
    if (!own || !this.devices.includes(own)) {
      throw new WebCLException('INVALID_DEVICE', "The device must be one of the context's");
    }
    const handle = cl.createCommandQueue(this.handle, own.handle, properties);
    return new WebCLCommandQueue(MAKER, this, own, handle);
  }

  /** A program of a source text. */
  createProgram(source: string): WebCLProgram {
    checkLive(this.handle, 'CLContext');
    if (typeof source !== 'string' || source === '') {
      throw new WebCLException('INVALID_VALUE', 'The source must be a string');
    }
    return new WebCLProgram(MAKER, this, cl.createProgramWithSource(this.handle, source));
  }

  /** A sampler, for kernels that read images. */
  createSampler(normalizedCoords: boolean, addressingMode: number, filterMode: number): WebCLSampler {
    checkModes(normalizedCoords, addressingMode, filterMode);
    return new WebCLSampler(MAKER, this, cl.createSampler(this.handle, normalizedCoords, addressingMode, filterMode));
  }

  /** A user event, which the program ends itself. */
  createUserEvent(): WebCLUserEvent {
    return new WebCLUserEvent(MAKER, this, cl.createUserEvent(this.handle));
  }

  /** A property: `webcl.CONTEXT_DEVICES`. */
  getInfo(name: number): unknown {
    const own = { [constants.CONTEXT_DEVICES]: () => [...this.devices] };
    checkLive(this.handle, 'CLContext');
    return answer(name, { prefix: /^CONTEXT_/, own }, (asked) => cl.getContextInfo(this.handle, asked));
  }

  /** The formats that images can have: descriptors without a size. */
  getSupportedImageFormats(memFlags: number = constants.MEM_READ_WRITE): Required<WebCLImageDescriptor>[] {
    const formats = cl.getSupportedImageFormats(this.handle, checkFlags(memFlags), constants.MEM_OBJECT_IMAGE2D);
    return formats.map(({ channel_order: channelOrder, channel_data_type: channelType }) => {
      return { channelOrder, channelType, width: 0, height: 0, rowPitch: 0 };
    });
  }

  /** Release the context; its objects stay. */
  release(): void {
    cl.releaseContext(this.handle);
  }

  /** Release the context and all its objects. */
  releaseAll(): void {
    this.family.release();
    this.release();
  }
}
