import { ContextProperty } from '../opencl/sys/enums.ts';
import { constants } from './constants.ts';
import { WebCLContext } from './context.ts';
import { checkNoOpenUserEvents, WebCLEvent } from './event.ts';
import { cl, WebCLException } from './exception.ts';
import { checkCallback, Family } from './object.ts';
import { WebCLDevice, WebCLPlatform } from './platform.ts';

/** The functions of the `webcl` object. */
export interface WebCLFunctions {
  /** The OpenCL implementations: those that are installed, then the embedded CPU device's. */
  getPlatforms(): WebCLPlatform[];
  /** A context of the devices of a type, of the first platform that has one. Default: its default device */
  createContext(deviceType?: number): WebCLContext;
  /** A context of a platform's devices of a type. */
  createContext(platform: WebCLPlatform, deviceType?: number): WebCLContext;
  /** A context of a device, or of some of one platform. */
  createContext(devices: WebCLDevice | readonly WebCLDevice[]): WebCLContext;
  /** WebCL's names of the extensions that any platform has. */
  getSupportedExtensions(): string[];
  /** Whether there is an extension: what there is, is on. */
  enableExtension(extensionName: string): boolean;
  /** Wait until the commands of events have ended: with a callback, without blocking. */
  waitForEvents(eventWaitList: readonly WebCLEvent[], whenFinished?: (() => void) | null): void;
  /** Release every context, and all that was made in them. */
  releaseAll(): void;
}

/** WebCL: functions and constants. */
export type WebCL = WebCLFunctions & typeof constants;

const contexts = new Family<WebCLContext>((context) => {
  context.releaseAll();
});

/**
 * WebCL 1.0.
 *
 * @example
 * ```ts
 * import { webcl } from 'rawkernel/webcl';
 *
 * const context = webcl.createContext();
 * const queue = context.createCommandQueue();
 * const program = context.createProgram('kernel void twice(global int *a) { a[get_global_id(0)] *= 2; }');
 * program.build();
 * const kernel = program.createKernel('twice');
 *
 * const a = Int32Array.of(1, 2, 3);
 * const buffer = context.createBuffer(webcl.MEM_READ_WRITE, a.byteLength, a);
 * kernel.setArg(0, buffer);
 * queue.enqueueNDRangeKernel(kernel, 1, null, [a.length]);
 * queue.enqueueReadBuffer(buffer, true, 0, a.byteLength, a); // 2, 4, 6
 * webcl.releaseAll();
 * ```
 * @see {@link https://registry.khronos.org/webcl/specs/1.0.0/ | WebCL 1.0}
 */
export const webcl: WebCL = {
  ...constants,

  getPlatforms: () => cl.getPlatformIDs().map((handle) => new WebCLPlatform(handle)),

  createContext(first?: unknown, type?: unknown): WebCLContext {
    const devices = devicesOf(first, type);
    const [{ platform }] = devices;
    const handle = cl.createContext(
      [ContextProperty.PLATFORM, platform.handle],
      devices.map((device) => device.handle),
    );
    const context = new WebCLContext(handle, devices);
    contexts.add(context);
    return context;
  },

  getSupportedExtensions: () => [
    ...new Set(webcl.getPlatforms().flatMap((platform) => platform.getSupportedExtensions())),
  ],

  enableExtension: (name) => webcl.getSupportedExtensions().includes(name),

  waitForEvents(events, whenFinished) {
    const handles = events.map((event) => WebCLEvent.handleOf(event));
    if (handles.length === 0) throw new WebCLException('INVALID_VALUE', 'There is no event to wait for');
    if (whenFinished === undefined || whenFinished === null) {
      checkNoOpenUserEvents(events);
      cl.waitForEvents(handles);
      return;
    }
    checkCallback(whenFinished);
    let open = events.length;
    for (const event of events) {
      event.setCallback(constants.COMPLETE, () => {
        if (--open === 0) whenFinished();
      });
    }
  },

  releaseAll() {
    contexts.release();
  },
};

type Devices = readonly [WebCLDevice, ...WebCLDevice[]];

function devicesOf(first: unknown, type: unknown): Devices {
  if (first instanceof WebCLDevice) return [first];
  if (Array.isArray(first)) {
    if (first.length > 0 && first.every((one) => one instanceof WebCLDevice)) return first as unknown as Devices;
    throw new WebCLException('INVALID_DEVICE', 'A context has one device or more');
  }
  if (first instanceof WebCLPlatform) return first.getDevices(deviceType(type)) as unknown as Devices;
  const wanted = deviceType(first);
  for (const platform of webcl.getPlatforms()) {
    try {
      return platform.getDevices(wanted) as unknown as Devices;
    } catch (error) {
      if (!(error instanceof WebCLException) || error.code !== constants.DEVICE_NOT_FOUND) throw error;
    }
  }
  throw new WebCLException('DEVICE_NOT_FOUND', `No platform has a device of type ${wanted}`);
}

function deviceType(value: unknown): number {
  if (value === undefined || value === null) return constants.DEVICE_TYPE_DEFAULT;
  if (typeof value === 'number') return value;
  throw new TypeError('A context is made of a device type, a platform, a device or devices');
}
