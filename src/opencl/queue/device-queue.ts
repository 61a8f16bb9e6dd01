import { checkInteger, checkOptions } from '../../core/check.ts';
import { Handle } from '../../core/handle.ts';
import { handleOf, Resource } from '../../core/resource.ts';
import { cl, cleanup, withReclaim } from '../call.ts';
import { checkContext, type Context } from '../device/context.ts';
import type { Device } from '../device/device.ts';
import { requireVersion } from '../device/requirement.ts';
import { readInfo, type InfoKind, type InfoKinds, type InfoOf, type InfoValue } from '../info.ts';
import { queueDevice, type RawQueue } from './queue.ts';
import { QueueInfo, QueueProperties, QueuePropertyName } from '../sys/enums.ts';

/** How a {@link DeviceQueue} is made. */
export interface DeviceQueueOptions {
  /** Default: the context's first. */
  readonly device?: Device;
  /** Bytes. Default: as the device prefers. */
  readonly size?: number;
  /** Whether `get_default_queue()` returns this queue. Default: false */
  readonly isDefault?: boolean;
  /** Time the commands, for `capture_event_profiling_info`. */
  readonly profiling?: boolean;
}

const { OUT_OF_ORDER_EXEC_MODE_ENABLE, ON_DEVICE, ON_DEVICE_DEFAULT, PROFILING_ENABLE } = QueueProperties;

/**
 * A queue on the device, to which kernels enqueue kernels: a `queue_t` in a kernel. The host cannot enqueue there. Few
 * devices have them: see `device.deviceEnqueueCapabilities`.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * const [device] = ctx.devices;
 * if (device?.queueOnDeviceMaxSize) {
 *   using queue = new cl.DeviceQueue(ctx, { isDefault: true });
 * }
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clCreateCommandQueueWithProperties.html | clCreateCommandQueueWithProperties}
 */
export class DeviceQueue extends Resource<RawQueue> {
  readonly context: Context;
  readonly device: Device;

  /**
   * @throws Error the platform is older than OpenCL 2.0, or the device has no such queues
   * @throws RangeError a size above the device's limit
   * @throws {@link OpenCLRuntimeError} CL_OUT_OF_RESOURCES: the device has its maximum of such queues
   */
  constructor(context: Context, options: DeviceQueueOptions = {}) {
    checkContext(context, 'DeviceQueue');
    checkOptions(options, ['device', 'size', 'isDefault', 'profiling'], 'DeviceQueue');
    const owner = handleOf(context, 'DeviceQueue');
    const device = queueDevice(context, options.device, 'DeviceQueue');
    requireVersion(context.platform, 2, 0, 'DeviceQueue');
    const limit = device.queueOnDeviceMaxSize;
    if (limit === 0) throw new Error(`DeviceQueue: kernels cannot enqueue on ${device.name}`);
    const { size, isDefault = false, profiling = false } = options;
    if (size !== undefined) checkInteger(size, 'DeviceQueue: size', 1, limit);
    const bits =
      OUT_OF_ORDER_EXEC_MODE_ENABLE |
      ON_DEVICE |
      (isDefault ? ON_DEVICE_DEFAULT : 0) |
      (profiling ? PROFILING_ENABLE : 0);
    const list = [QueuePropertyName.PROPERTIES, bits, ...(size === undefined ? [] : [QueuePropertyName.SIZE, size]), 0];
    const raw = withReclaim(() =>
      cl.clCreateCommandQueueWithProperties(owner.value, device.raw, BigUint64Array.from(list, BigInt)),
    );
    const destroy = (): void => cleanup('DeviceQueue', () => cl.clReleaseCommandQueue(raw));
    super(new Handle('DeviceQueue', raw, destroy, [owner]));
    this.context = context;
    this.device = device;
  }

  /**
   * Make this the queue that `get_default_queue()` returns on its device.
   *
   * @throws Error the platform is older than OpenCL 2.1
   */
  makeDefault(): void {
    const raw = this.use('makeDefault');
    requireVersion(this.context.platform, 2, 1, 'DeviceQueue.makeDefault');
    cl.clSetDefaultDeviceCommandQueue(this.context.use('makeDefault'), this.device.raw, raw);
  }

  /** Ask the driver for a property, by its name or by any number with the kind of the answer. */
  getInfo<Name extends QueueInfo>(name: Name): InfoOf<typeof QueueInfo, Name>;
  getInfo<Kind extends InfoKind>(param: number, kind: Kind): InfoKinds[Kind];
  getInfo(name: QueueInfo | number, kind?: InfoKind): InfoValue {
    const raw = this.use('getInfo');
    return readInfo(QueueInfo, cl.clGetCommandQueueInfo.bind(undefined, raw), name, kind, 'DeviceQueue');
  }
}
