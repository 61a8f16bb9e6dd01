import { MAKER } from '../core/maker.ts';
import { isArray } from '../node-opencl/argument.ts';
import { ContextProperty } from '../opencl/sys/enums.ts';
import { constants } from './constants.ts';
import { WebCLContext } from './context.ts';
import { isCallback, refuseInCallback, runCallback } from './callback.ts';
import { WebCLEvent } from './event.ts';
import { cl, WebCLException } from './exception.ts';
import { Family } from './object.ts';
import { checkDeviceType, WebCLDevice, WebCLPlatform } from './platform.ts';

/** The functions of the `webcl` object. */
export interface WebCLFunctions {
  /** The OpenCL implementations: those that are installed, then the embedded CPU device's. */
  getPlatforms(): WebCLPlatform[];
  /** A context of the devices of a type, of the first platform with such a device. Default: its default device */
  createContext(deviceType?: number): WebCLContext;
  /** A context of a platform's devices of a type. */
  createContext(platform: WebCLPlatform, deviceType?: number): WebCLContext;
  /** A context of a device, or of some of one platform. */
  createContext(devices: WebCLDevice | readonly WebCLDevice[]): WebCLContext;
  /** WebCL's names of the extensions that any platform has. */
  getSupportedExtensions(): string[];
  /** Whether a platform supports the extension; a supported extension is always enabled. */
  enableExtension(extensionName: string): boolean;
  /** Wait until the commands of events have ended: with a callback, without blocking. */
  waitForEvents(eventWaitList: readonly WebCLEvent[], whenFinished?: (() => void) | null): void;
  /** Release every context and all objects of it. */
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

  getPlatforms: () => cl.getPlatformIDs().map((handle) => WebCLPlatform.of(handle)),

  createContext(first?: unknown, type?: unknown): WebCLContext {
    refuseInCallback('createContext');
    const devices = devicesOf(first, type);
    const [{ platform }] = devices;
    const handle = cl.createContext(
      [ContextProperty.PLATFORM, platform.handle],
      devices.map((device) => device.handle),
    );
    const context = new WebCLContext(MAKER, handle, devices);
    contexts.add(context);
    return context;
  },

  getSupportedExtensions: () => [
    ...new Set(webcl.getPlatforms().flatMap((platform) => platform.getSupportedExtensions())),
  ],

  enableExtension: (name) => webcl.getSupportedExtensions().includes(name),

  waitForEvents(events, whenFinished) {
    const called = isCallback(whenFinished);
    if (!called) refuseInCallback('waitForEvents without a callback');
    if (!isArray(events) || events.length === 0) {
      throw new WebCLException('INVALID_VALUE', 'There is no event to wait for');
    }
    const handles = WebCLEvent.waitList(events);
    if (!called) {
      cl.waitForEvents(handles);
      return;
    }
    const failed = events.map(statusOf).find((status) => status < 0);
    if (failed !== undefined) {
      throw new WebCLException('EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST', `An event has ended with ${failed}`);
    }
    let open = handles.length;
    for (const handle of handles) {
      cl.setEventCallback(handle, constants.COMPLETE, (_data, _status, own) => {
        cl.releaseEvent(own);
        if (--open === 0) runCallback(whenFinished);
      });
    }
  },

  releaseAll() {
    contexts.release();
  },
};

function statusOf(event: WebCLEvent): number {
  return event.getInfo(constants.EVENT_COMMAND_EXECUTION_STATUS) as number;
}

type Devices = readonly [WebCLDevice, ...WebCLDevice[]];

function devicesOf(first: unknown, type: unknown): Devices {
  if (first instanceof WebCLDevice) return [first];
  if (isArray(first)) {
    if (first.length === 0) throw new WebCLException('INVALID_VALUE', 'A context must have at least one device');
    if (
      Array.from(first).every(
        (one) => one instanceof WebCLDevice && one.platform === (first[0] as WebCLDevice).platform,
      )
    ) {
      return [...new Set(first)] as unknown as Devices;
    }
    throw new WebCLException('INVALID_DEVICE', 'A context must have WebCLDevices of one platform');
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
  if (typeof value === 'number') return checkDeviceType(value);
  throw new TypeError('createContext() takes a device type, a platform, a device or a list of devices');
}
