import type { CLCommandQueue, CLEvent } from '../node-opencl/objects.ts';
import type { EventOr0 } from '../node-opencl/submit.ts';
import { constants } from './constants.ts';
import type { WebCLContext } from './context.ts';
import { checkNoOpenUserEvents, WebCLEvent } from './event.ts';
import { cl, WebCLException } from './exception.ts';
import type { WebCLImage } from './image.ts';
import type { WebCLKernel } from './kernel.ts';
import type { WebCLBuffer } from './memory.ts';
import { answer, checkCallback } from './object.ts';
import type { WebCLDevice } from './platform.ts';

type Dims = readonly number[];
/** What commands end with: the events that they wait for, and an empty one of their own. */
export type WebCLWaits = [eventWaitList?: readonly WebCLEvent[] | null, event?: WebCLEvent | null];
type Enqueue = (waits: readonly CLEvent[], wantsEvent: boolean) => EventOr0;

/** Where a device's commands are put. */
export class WebCLCommandQueue {
  /** @internal */
  readonly handle: CLCommandQueue;
  readonly #context: WebCLContext;
  readonly #device: WebCLDevice;
  readonly #open = new Set<WebCLEvent>();

  /** @internal */
  constructor(context: WebCLContext, device: WebCLDevice, handle: CLCommandQueue) {
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
    const [source, target] = [srcBuffer.handle, dstBuffer.handle];
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
    const [source, target] = [srcBuffer.handle, dstBuffer.handle];
    this.#submit(false, waits, (...end) =>
      cl.enqueueCopyBufferRect(this.handle, source, target, srcOrigin, dstOrigin, region, ...pitches, ...end),
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
    const [from, to, size] = [flat3(srcOrigin, 0), flat3(dstOrigin, 0), flat3(region, 1)];
    this.#submit(false, waits, (...end) =>
      cl.enqueueCopyImage(this.handle, srcImage.handle, dstImage.handle, from, to, size, ...end),
    );
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
    const [from, size] = [flat3(srcOrigin, 0), flat3(srcRegion, 1)];
    this.#submit(false, waits, (...end) =>
      cl.enqueueCopyImageToBuffer(this.handle, srcImage.handle, dstBuffer.handle, from, size, dstOffset, ...end),
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
    const [to, size] = [flat3(dstOrigin, 0), flat3(dstRegion, 1)];
    this.#submit(false, waits, (...end) =>
      cl.enqueueCopyBufferToImage(this.handle, srcBuffer.handle, dstImage.handle, srcOffset, to, size, ...end),
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
    const array = roomFor(hostPtr, numBytes);
    this.#submit(blockingRead, waits, (...end) =>
      cl.enqueueReadBuffer(this.handle, buffer.handle, blockingRead, bufferOffset, numBytes, array, ...end),
    );
  }

  /** Read a box of a buffer into a box of an array. */
  enqueueReadBufferRect(...args: RectArguments): void {
    this.#rect(cl.enqueueReadBufferRect, args);
  }

  /** Read a region of an image into an array. */
  enqueueReadImage(...args: ImageArguments): void {
    this.#image(cl.enqueueReadImage, args);
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
    const array = roomFor(hostPtr, numBytes);
    this.#submit(blockingWrite, waits, (...end) =>
      cl.enqueueWriteBuffer(this.handle, buffer.handle, blockingWrite, bufferOffset, numBytes, array, ...end),
    );
  }

  /** Write a box of an array into a box of a buffer. */
  enqueueWriteBufferRect(...args: RectArguments): void {
    this.#rect(cl.enqueueWriteBufferRect, args);
  }

  /** Write an array into a region of an image. */
  enqueueWriteImage(...args: ImageArguments): void {
    this.#image(cl.enqueueWriteImage, args);
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
    const sizes = [globalWorkOffset, globalWorkSize, localWorkSize] as const;
    this.#submit(false, waits, (...end) =>
      cl.enqueueNDRangeKernel(this.handle, kernel.handle, workDim, ...sizes, ...end),
    );
  }

  /** An event that ends when all that was enqueued before has. */
  enqueueMarker(event: WebCLEvent): void {
    this.#submit(false, [null, event], (_waits, wantsEvent) => cl.enqueueMarker(this.handle, wantsEvent));
  }

  /** Let what is enqueued after it wait for what was before. */
  enqueueBarrier(): void {
    cl.enqueueBarrier(this.handle);
  }

  /** Let what is enqueued after it wait for events. */
  enqueueWaitForEvents(eventWaitList: readonly WebCLEvent[]): void {
    const handles = eventWaitList.map((event) => WebCLEvent.handleOf(event));
    cl.enqueueWaitForEvents(this.handle, handles);
    this.#remember(eventWaitList);
  }

  /** Wait until all that was enqueued has ended: with a callback, without blocking. */
  finish(whenFinished?: (() => void) | null): void {
    if (whenFinished === undefined || whenFinished === null) {
      checkNoOpenUserEvents([...this.#open]);
      cl.finish(this.handle);
      this.#open.clear();
      return;
    }
    checkCallback(whenFinished);
    const event = new WebCLEvent();
    this.enqueueMarker(event);
    event.setCallback(constants.COMPLETE, () => {
      event.release();
      whenFinished();
    });
  }

  /** Hand what is enqueued over to the device. */
  flush(): void {
    cl.flush(this.handle);
  }

  /** A property: `webcl.QUEUE_DEVICE`. */
  getInfo(name: number): unknown {
    const own = {
      [constants.QUEUE_CONTEXT]: () => this.#context,
      [constants.QUEUE_DEVICE]: () => this.#device,
    };
    const prefix = /^QUEUE_(?:CONTEXT|DEVICE|PROPERTIES)$/;
    return answer(name, { prefix, own }, (asked) => cl.getCommandQueueInfo(this.handle, asked));
  }

  /** Let go of the queue; what was enqueued runs on. */
  release(): void {
    cl.releaseCommandQueue(this.handle);
  }

  #rect(enqueue: typeof cl.enqueueReadBufferRect, args: RectArguments): void {
    const [buffer, blocking, bufferOrigin, hostOrigin, region, bufferRow, bufferSlice, hostRow, hostSlice] = args;
    const array = checkArray(args[9]);
    const pitches = [bufferRow, bufferSlice, hostRow, hostSlice] as const;
    this.#submit(blocking, [args[10] ?? null, args[11] ?? null], (...end) =>
      enqueue(this.handle, buffer.handle, blocking, bufferOrigin, hostOrigin, region, ...pitches, array, ...end),
    );
  }

  #image(enqueue: typeof cl.enqueueReadImage, args: ImageArguments): void {
    const [image, blocking, origin, region, rowPitch, hostPtr, ...waits] = args;
    const [from, size, array] = [flat3(origin, 0), flat3(region, 1), checkArray(hostPtr)];
    this.#submit(blocking, waits, (...end) =>
      enqueue(this.handle, image.handle, blocking, from, size, rowPitch, 0, array, ...end),
    );
  }

  #submit(blocking: boolean, [waits, event]: WebCLWaits, enqueue: Enqueue): void {
    const list = waits ?? [];
    const handles = list.map((one) => WebCLEvent.handleOf(one));
    const wantsEvent = event !== undefined && event !== null;
    if (wantsEvent) WebCLEvent.checkEmpty(event);
    if (blocking) checkNoOpenUserEvents([...this.#open, ...list]);
    const made = enqueue(handles, wantsEvent);
    this.#remember(list);
    if (wantsEvent && made !== 0) WebCLEvent.fill(event, made, this.#context, this);
  }

  /** What commands of the queue may wait for. */
  #remember(events: readonly WebCLEvent[]): void {
    for (const event of events) if ('setStatus' in event) this.#open.add(event);
  }
}

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

/** The third number of an image's place is none of WebCL's. */
function flat3(list: Dims, third: number): number[] {
  if (!Array.isArray(list) || list.length !== 2)
    throw new WebCLException('INVALID_VALUE', 'Places in images are two numbers');
  return [...(list as Dims), third];
}

function checkArray(value: unknown): ArrayBufferView {
  if (ArrayBuffer.isView(value)) return value;
  throw new WebCLException('INVALID_HOST_PTR', 'hostPtr is a typed array or a DataView');
}

function roomFor(value: unknown, byteLength: number): ArrayBufferView {
  const array = checkArray(value);
  if (array.byteLength >= byteLength) return array;
  throw new WebCLException('INVALID_HOST_PTR', `hostPtr has ${array.byteLength} bytes; ${byteLength} are wanted`);
}
