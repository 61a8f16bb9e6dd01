import { Handle } from '../../core/handle.ts';
import { checkGiven, checkInteger, checkOptions, nameOf } from '../../core/check.ts';
import { handleOf, Resource } from '../../core/resource.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { cleanup, cu } from '../call.ts';
import { Context } from '../device/context.ts';
import { Device } from '../device/device.ts';
import { Stream } from './stream.ts';
import { DevResourceType, StreamFlags } from '../sys/enums.ts';
import { structs } from '../sys/structs.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

type CUgreenCtx = Opaque<'CUgreenCtx'>;
type CUstream = Opaque<'CUstream'>;

/** How a green context is made. */
export interface GreenContextOptions {
  /** How many multiprocessors it has at least; the driver rounds up to what the device can divide. */
  readonly multiprocessors: number;
}

const DEFAULT_STREAM = 1;
const descriptionSlot = slotOf('CUdevResourceDesc');
const greenSlot = slotOf('CUgreenCtx');
const streamSlot = slotOf('CUstream');
const contextSlot = slotOf('CUcontext');
const countSlot = slotOf('unsigned int');
const SM_COUNT = structs.CUdevResource.fields['sm.smCount'] / 4;

/**
 * A part of a device's multiprocessors: what is enqueued on its streams runs on those only. Needs a driver of CUDA 12.4; the
 * embedded CPU device has none.
 *
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GREEN__CONTEXTS.html | Green contexts}
 */
export class GreenContext extends Resource<CUgreenCtx> {
  readonly device: Device;
  /** How many multiprocessors it got. */
  readonly multiprocessors: number;

  /**
   * Take multiprocessors of a device.
   *
   * @throws RangeError the count is not an integer, or more than the device has
   * @throws {@link CudaLogicError} CUDA_ERROR_NOT_SUPPORTED
   */
  constructor(device: Device, options: GreenContextOptions) {
    if (!(device instanceof Device)) throw new TypeError(`GreenContext takes a Device, got ${nameOf(device)}`);
    checkGiven(options, ['multiprocessors'], 'GreenContext');
    const { multiprocessors } = options;
    const wanted = checkInteger(multiprocessors, 'multiprocessors', 1, device.multiprocessorCount);
    const whole = resource();
    cu.cuDeviceGetDevResource(device.raw, whole, DevResourceType.SM);
    const part = resource();
    countSlot[0] = 1;
    cu.cuDevSmResourceSplitByCount(part, countSlot, whole, resource(), 0, wanted);
    cu.cuDevResourceGenerateDesc(descriptionSlot, part, 1);
    cu.cuGreenCtxCreate(greenSlot, take(descriptionSlot), device.raw, DEFAULT_STREAM);
    super(
      new Handle('GreenContext', take(greenSlot), (green) => {
        cleanup('cuGreenCtxDestroy', green);
      }),
    );
    this.device = device;
    this.multiprocessors = part[SM_COUNT] ?? 0;
  }

  /** Make a stream whose work runs on these multiprocessors. Lower priorities go first. */
  createStream(options: { readonly priority?: number } = {}): Stream {
    checkOptions(options, ['priority'], 'GreenContext.createStream');
    const priority = checkInteger(options.priority ?? 0, 'The stream priority', -0x8000_0000, 0x7fff_ffff);
    const owner = handleOf(this, 'createStream');
    cu.cuGreenCtxStreamCreate(streamSlot, owner.value, StreamFlags.NON_BLOCKING, priority);
    const destroy = (stream: CUstream): void => {
      cleanup('cuStreamDestroy', stream);
    };
    return new Stream({}, new Handle('Stream', take(streamSlot), destroy, [owner]));
  }

  /** The context of these multiprocessors, to make current. The green context stays alive as long as it. */
  get context(): Context {
    const owner = handleOf(this, 'context');
    cu.cuCtxFromGreenCtx(contextSlot, owner.value);
    return new Context({}, undefined, new Handle('Context', take(contextSlot), undefined, [owner]));
  }

  /** The driver's `CUgreenCtx`, borrowed: good until {@link GreenContext.close}. */
  get handle(): CUgreenCtx {
    return this.use('handle');
  }
}

function resource(): Uint32Array<ArrayBuffer> {
  return new Uint32Array(structs.CUdevResource.size / 4);
}
