import { checkMade, MAKER, type Maker } from '../core/maker.ts';
import { PublicObject } from '../core/public-object.ts';
import { nameOf } from '../core/check.ts';
import type { CLCommandQueue, CLEvent, CLMem } from '../node-opencl/objects.ts';
import type { EventOr0 } from '../node-opencl/submit.ts';
import { constants } from './constants.ts';
import { isCallback, refuseInCallback, runCallback } from './callback.ts';
import { WebCLEvent } from './event.ts';
import { checkLive, cl, isLive, WebCLException } from './exception.ts';
import { checkArray, checkRoom, checkSteps, imageRoom, place, rectRoom } from './host-array.ts';
import { WebCLImage } from './image.ts';
import { WebCLKernel } from './kernel.ts';
import { checkSizes } from './launch-sizes.ts';
import { memoryHandle, WebCLBuffer } from './memory.ts';
import { answer } from './object.ts';
import type { Owner } from './owner.ts';
import type { WebCLDevice } from './platform.ts';

type Dims = readonly number[];
/** The last arguments of commands: the events that they wait for, and an empty event for the command. */
export type WebCLWaits = [eventWaitList?: readonly WebCLEvent[] | null, event?: WebCLEvent | null];
type Enqueue = (waits: readonly CLEvent[], wantsEvent: boolean) => EventOr0;

/** A queue of commands for a device. */
export class WebCLCommandQueue extends PublicObject {
  /** @internal */
  readonly handle: CLCommandQueue;
  readonly #context: Owner;
  readonly #device: WebCLDevice;

  /** @internal */
  constructor(maker: Maker, context: Owner, device: WebCLDevice, handle: CLCommandQueue) {
    super();
    checkMade(maker === MAKER, 'WebCLCommandQueue', 'call context.createCommandQueue()');
    this.#context = context;
    this.#device = device;
    this.handle = handle;
    context.family.add(this);
  }

  /** Copy bytes between buffers. */
  enqueueCopyBuffer(
    srcBuffer: WebCLBuffer,
    dstBuffer: WebCLBuffer,
    srcOffset: number,
    dstOffset: number,
    numBytes: number,
    ...waits: WebCLWaits
  ): void {
    const [source, target] = [this.#buffer(srcBuffer), this.#buffer(dstBuffer)];
    this.#submit(false, waits, (...end) =>
      cl.enqueueCopyBuffer(this.handle, source, target, srcOffset, dstOffset, numBytes, ...end),
    );
  }

  /** Copy a box between buffers. Origins and the region count bytes, rows and slices. */
  enqueueCopyBufferRect(
    srcBuffer: WebCLBuffer,
    dstBuffer: WebCLBuffer,
    srcOrigin: Dims,
    dstOrigin: Dims,
    region: Dims,
    srcRowPitch: number,
    srcSlicePitch: number,
    dstRowPitch: number,
    dstSlicePitch: number,
    ...waits: WebCLWaits
  ): void {
    const pitches = [srcRowPitch, srcSlicePitch, dstRowPitch, dstSlicePitch] as const;
    const [source, target] = [this.#buffer(srcBuffer), this.#buffer(dstBuffer)];
    const [from, to, size] = [place(srcOrigin, 3), place(dstOrigin, 3), place(region, 3)];
    this.#submit(false, waits, (...end) =>
      cl.enqueueCopyBufferRect(this.handle, source, target, from, to, size, ...pitches, ...end),
    );
  }

  /** Copy a region between images. */
  enqueueCopyImage(
    srcImage: WebCLImage,
    dstImage: WebCLImage,
    srcOrigin: Dims,
    dstOrigin: Dims,
    region: Dims,
    ...waits: WebCLWaits
  ): void {
    const [source, target] = [this.#image(srcImage), this.#image(dstImage)];
    const [from, to, size] = [place(srcOrigin, 2, 0), place(dstOrigin, 2, 0), place(region, 2, 1)];
    this.#submit(false, waits, (...end) => cl.enqueueCopyImage(this.handle, source, target, from, to, size, ...end));
  }

  /** Copy a region of an image into a buffer. */
  enqueueCopyImageToBuffer(
    srcImage: WebCLImage,
    dstBuffer: WebCLBuffer,
    srcOrigin: Dims,
    srcRegion: Dims,
    dstOffset: number,
    ...waits: WebCLWaits
  ): void {
    const [source, target] = [this.#image(srcImage), this.#buffer(dstBuffer)];
    const [from, size] = [place(srcOrigin, 2, 0), place(srcRegion, 2, 1)];
    this.#submit(false, waits, (...end) =>
      cl.enqueueCopyImageToBuffer(this.handle, source, target, from, size, dstOffset, ...end),
    );
  }

  /** Copy bytes of a buffer into a region of an image. */
  enqueueCopyBufferToImage(
    srcBuffer: WebCLBuffer,
    dstImage: WebCLImage,
    srcOffset: number,
    dstOrigin: Dims,
    dstRegion: Dims,
    ...waits: WebCLWaits
  ): void {
    const [source, target] = [this.#buffer(srcBuffer), this.#image(dstImage)];
    const [to, size] = [place(dstOrigin, 2, 0), place(dstRegion, 2, 1)];
    this.#submit(false, waits, (...end) =>
      cl.enqueueCopyBufferToImage(this.handle, source, target, srcOffset, to, size, ...end),
    );
  }

  /** Read bytes of a buffer into an array, which stays referenced until then. */
  enqueueReadBuffer(
    buffer: WebCLBuffer,
    blockingRead: boolean,
    bufferOffset: number,
    numBytes: number,
    hostPtr: ArrayBufferView,
    ...waits: WebCLWaits
  ): void {
    this.#linear(cl.enqueueReadBuffer, [buffer, blockingRead, bufferOffset, numBytes, hostPtr], waits);
  }

  /** Read a box of a buffer into a box of an array. */
  enqueueReadBufferRect(...args: RectArguments): void {
    this.#rect(cl.enqueueReadBufferRect, args);
  }

  /** Read a region of an image into an array. */
  enqueueReadImage(...args: ImageArguments): void {
    this.#pixels(cl.enqueueReadImage, args);
  }

  /** Write bytes of an array into a buffer; the array stays referenced until then. */
  enqueueWriteBuffer(
    buffer: WebCLBuffer,
    blockingWrite: boolean,
    bufferOffset: number,
    numBytes: number,
    hostPtr: ArrayBufferView,
    ...waits: WebCLWaits
  ): void {
    this.#linear(cl.enqueueWriteBuffer, [buffer, blockingWrite, bufferOffset, numBytes, hostPtr], waits);
  }

  /** Write a box of an array into a box of a buffer. */
  enqueueWriteBufferRect(...args: RectArguments): void {
    this.#rect(cl.enqueueWriteBufferRect, args);
  }

  /** Write an array into a region of an image. */
  enqueueWriteImage(...args: ImageArguments): void {
    this.#pixels(cl.enqueueWriteImage, args);
  }

  /** Run a kernel over a range of work-items. */
  enqueueNDRangeKernel(
    kernel: WebCLKernel,
    workDim: number,
    globalWorkOffset: Dims | null,
    globalWorkSize: Dims,
    localWorkSize?: Dims | null,
    ...waits: WebCLWaits
  ): void {
    if (!(kernel instanceof WebCLKernel))
      throw new WebCLException('INVALID_KERNEL', `The kernel must be a WebCLKernel, got ${nameOf(kernel)}`);
    checkLive(kernel.handle, 'CLKernel');
    if (kernel.context !== this.#context) {
      throw new WebCLException('INVALID_CONTEXT', 'The kernel is of another context');
    }
    const sizes = checkSizes(this.#device, workDim, globalWorkOffset, globalWorkSize, localWorkSize);
    this.#submit(false, waits, (...end) =>
      cl.enqueueNDRangeKernel(this.handle, kernel.handle, workDim, ...sizes, ...end),
    );
  }

  /** An event that ends when all earlier commands have ended. */
  enqueueMarker(event: WebCLEvent): void {
    this.#submit(false, [null, event], (_waits, wantsEvent) => cl.enqueueMarker(this.handle, wantsEvent));
  }

  /** Let later commands wait for earlier ones. */
  enqueueBarrier(): void {
    cl.enqueueBarrier(this.handle);
  }

  /** Let later commands wait for events. */
  enqueueWaitForEvents(eventWaitList: readonly WebCLEvent[]): void {
    const handles = WebCLEvent.waitList(eventWaitList, this.#context);
    if (handles.length === 0) throw new WebCLException('INVALID_EVENT_WAIT_LIST', 'There is no event to wait for');
    cl.enqueueWaitForEvents(this.handle, handles);
  }

  /** Wait until all enqueued commands have ended: with a callback, without blocking. */
  finish(whenFinished?: (() => void) | null): void {
    if (!isCallback(whenFinished)) {
      refuseInCallback('finish without a callback');
      cl.finish(this.handle);
      return;
    }
    const event = cl.enqueueMarker(this.handle, true);
    if (event === 0) return;
    cl.setEventCallback(event, constants.COMPLETE, (_data, _status, own) => {
      cl.releaseEvent(own);
      if (isLive(this.handle, 'CLCommandQueue')) runCallback(whenFinished);
    });
    cl.releaseEvent(event);
  }

  /** Submit the enqueued commands to the device. */
  flush(): void {
    cl.flush(this.handle);
  }

  /** A property: `webcl.QUEUE_DEVICE`. */
  getInfo(name: number): unknown {
    const own = {
      [constants.QUEUE_CONTEXT]: () => this.#context,
      [constants.QUEUE_DEVICE]: () => this.#device,
    };
    checkLive(this.handle, 'CLCommandQueue');
    const prefix = /^QUEUE_(?:CONTEXT|DEVICE|PROPERTIES)$/;
    return answer(name, { prefix, own }, (asked) => cl.getCommandQueueInfo(this.handle, asked));
  }

  /** Release the queue; enqueued commands run on. A callback that waits for their end is not called any more. */
  release(): void {
    cl.releaseCommandQueue(this.handle);
  }

  #linear(enqueue: typeof cl.enqueueReadBuffer, args: LinearArguments, waits: WebCLWaits): void {
    const [buffer, blocking, offset, byteLength, hostPtr] = args;
    const memory = this.#buffer(buffer);
    const array = checkArray(hostPtr);
    checkSteps(array, [byteLength]);
    checkRoom(array, byteLength);
    this.#submit(blocking, waits, (...end) =>
      enqueue(this.handle, memory, blocking, offset, byteLength, array, ...end),
    );
  }

  #rect(enqueue: typeof cl.enqueueReadBufferRect, args: RectArguments): void {
    const [buffer, blocking, bufferOrigin, hostOrigin, region, bufferRow, bufferSlice, hostRow, hostSlice] = args;
    const memory = this.#buffer(buffer);
    const array = checkArray(args[9]);
    const [from, to, size] = [place(bufferOrigin, 3), place(hostOrigin, 3), place(region, 3)];
    const pitches = [bufferRow, bufferSlice, hostRow, hostSlice] as const;
    checkSteps(array, [hostRow, hostSlice]);
    checkRoom(array, rectRoom(to, size, hostRow, hostSlice));
    this.#submit(blocking, [args[10] ?? null, args[11] ?? null], (...end) =>
      enqueue(this.handle, memory, blocking, from, to, size, ...pitches, array, ...end),
    );
  }

  #pixels(enqueue: typeof cl.enqueueReadImage, args: ImageArguments): void {
    const [image, blocking, origin, region, rowPitch, hostPtr, ...waits] = args;
    const memory = this.#image(image);
    const [from, size, array] = [place(origin, 2, 0), place(region, 2, 1), checkArray(hostPtr)];
    checkSteps(array, [rowPitch]);
    checkRoom(array, imageRoom(image, size, rowPitch));
    this.#submit(blocking, waits, (...end) =>
      enqueue(this.handle, memory, blocking, from, size, rowPitch, 0, array, ...end),
    );
  }

  #buffer(value: unknown): CLMem {
    return memoryHandle(value, WebCLBuffer, this.#context);
  }

  #image(value: unknown): CLMem {
    return memoryHandle(value, WebCLImage, this.#context);
  }

  #submit(blocking: boolean, [waits, event]: WebCLWaits, enqueue: Enqueue): void {
    if (blocking) refuseInCallback('A blocking transfer');
    const handles = WebCLEvent.waitList(waits ?? [], this.#context);
    const wantsEvent = event !== undefined && event !== null;
    if (wantsEvent) WebCLEvent.checkEmpty(event);
    const made = enqueue(handles, wantsEvent);
    if (wantsEvent && made !== 0) WebCLEvent.fill(event, made, this.#context, this);
  }
}

type LinearArguments = [
  buffer: WebCLBuffer,
  blocking: boolean,
  bufferOffset: number,
  numBytes: number,
  hostPtr: ArrayBufferView,
];

type RectArguments = [
  buffer: WebCLBuffer,
  blocking: boolean,
  bufferOrigin: Dims,
  hostOrigin: Dims,
  region: Dims,
  bufferRowPitch: number,
  bufferSlicePitch: number,
  hostRowPitch: number,
  hostSlicePitch: number,
  hostPtr: ArrayBufferView,
  ...WebCLWaits,
];

type ImageArguments = [
  image: WebCLImage,
  blocking: boolean,
  origin: Dims,
  region: Dims,
  hostRowPitch: number,
  hostPtr: ArrayBufferView,
  ...WebCLWaits,
];
