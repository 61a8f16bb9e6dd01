import type { CLContext } from '../node-opencl/objects.ts';
import { constants } from './constants.ts';
import { WebCLUserEvent } from './event.ts';
import { cl, WebCLException } from './exception.ts';
import { imageBytes, WebCLImage, wholeDescriptor, type WebCLImageDescriptor } from './image.ts';
import { checkFlags, initial, WebCLBuffer } from './memory.ts';
import { answer, Family } from './object.ts';
import type { WebCLDevice } from './platform.ts';
import { WebCLProgram } from './program.ts';
import { WebCLCommandQueue } from './queue.ts';
import { WebCLSampler } from './sampler.ts';

/** The largest size that WebCL has a type for. */
const MAX_BYTES = 2 ** 32 - 1;

/** Devices that share memory, and all that is made for them. */
export class WebCLContext {
  /** @internal */
  readonly handle: CLContext;
  /** @internal */
  readonly devices: readonly WebCLDevice[];
  /** @internal */
  readonly family: Family = new Family((member) => {
    member.release();
  });

  /** @internal */
  constructor(handle: CLContext, devices: readonly WebCLDevice[]) {
    this.handle = handle;
    this.devices = devices;
  }

  /**
   * A buffer: the first bytes of an array, or zeros.
   *
   * @throws {@link WebCLException} INVALID_BUFFER_SIZE, INVALID_HOST_PTR: the array is too short
   */
  createBuffer(memFlags: number, sizeInBytes: number, hostPtr?: ArrayBufferView | null): WebCLBuffer {
    const flags = checkFlags(memFlags);
    if (!Number.isInteger(sizeInBytes) || sizeInBytes < 1 || sizeInBytes > MAX_BYTES) {
      throw new WebCLException(
        'INVALID_BUFFER_SIZE',
        `A buffer has 1 to ${MAX_BYTES} bytes; ${String(sizeInBytes)} came`,
      );
    }
    const [own, array] = initial(flags, sizeInBytes, hostPtr);
    return new WebCLBuffer(this, cl.createBuffer(this.handle, own, sizeInBytes, array));
  }

  /** A two-dimensional image: the first pixels of an array, or zeros. */
  createImage(memFlags: number, descriptor: WebCLImageDescriptor, hostPtr?: ArrayBufferView | null): WebCLImage {
    const flags = checkFlags(memFlags);
    const whole = wholeDescriptor(descriptor);
    const [own, array] = initial(flags, imageBytes(whole), hostPtr);
    const format = { channel_order: whole.channelOrder, channel_data_type: whole.channelType };
    const { width, height, rowPitch } = whole;
    const description = { type: constants.MEM_OBJECT_IMAGE2D, width, height, row_pitch: rowPitch };
    return new WebCLImage(this, cl.createImage(this.handle, own, format, description, array), whole);
  }

  /** A queue of a device. Default: the context's first */
  createCommandQueue(device?: WebCLDevice | null, properties = 0): WebCLCommandQueue {
    const own = device ?? this.devices[0];
    if (!own) throw new WebCLException('INVALID_DEVICE', 'The context has no device');
    return new WebCLCommandQueue(this, own, cl.createCommandQueue(this.handle, own.handle, properties));
  }

  /** A program of a source text. */
  createProgram(source: string): WebCLProgram {
    if (source === '') throw new WebCLException('INVALID_VALUE', 'A program has a source text');
    return new WebCLProgram(this, cl.createProgramWithSource(this.handle, source));
  }

  /** How kernels are to read images. */
  createSampler(normalizedCoords: boolean, addressingMode: number, filterMode: number): WebCLSampler {
    return new WebCLSampler(this, cl.createSampler(this.handle, normalizedCoords, addressingMode, filterMode));
  }

  /** An event that the program ends itself. */
  createUserEvent(): WebCLUserEvent {
    return new WebCLUserEvent(this, cl.createUserEvent(this.handle));
  }

  /** A property: `webcl.CONTEXT_DEVICES`. */
  getInfo(name: number): unknown {
    const own = { [constants.CONTEXT_DEVICES]: () => [...this.devices] };
    return answer(name, { prefix: /^CONTEXT_/, own }, (asked) => cl.getContextInfo(this.handle, asked));
  }

  /** The formats that images can have: descriptors without a size. */
  getSupportedImageFormats(memFlags: number = constants.MEM_READ_WRITE): Required<WebCLImageDescriptor>[] {
    const formats = cl.getSupportedImageFormats(this.handle, checkFlags(memFlags), constants.MEM_OBJECT_IMAGE2D);
    return formats.map(({ channel_order: channelOrder, channel_data_type: channelType }) => {
      return { channelOrder, channelType, width: 0, height: 0, rowPitch: 0 };
    });
  }

  /** Let go of the context; what was made in it stays. */
  release(): void {
    cl.releaseContext(this.handle);
  }

  /** Release the context and all that was made in it. */
  releaseAll(): void {
    this.family.release();
    this.release();
  }
}
