import { NULL } from '../../ffi/ctype.ts';
import { bytesAt, propertiesAt, putInt, type Pointer } from '../../ffi/pointer.ts';
import {
  AddressingMode,
  FilterMode,
  MemObjectType,
  QueueProperties,
  QueuePropertyName,
  SamplerProperty,
  status,
} from '../sys/enums.ts';
import { structs } from '../sys/structs.ts';
import { enqueueNothing } from './chain.ts';
import { fillBuffer } from './fill-buffer.ts';
import { fillImage } from './fill-image.ts';
import { kernelArgInfo } from './kernel-arg-info.ts';
import type { OpenCLTable } from '../sys/tables.ts';

/** The form of a function for older versions, made of other functions of the table. */
type OlderForm<Name extends keyof OpenCLTable> = (cl: OpenCLTable, refuse: () => never) => OpenCLTable[Name];

const HOST_QUEUE = QueueProperties.OUT_OF_ORDER_EXEC_MODE_ENABLE | QueueProperties.PROFILING_ENABLE;
const { NORMALIZED_COORDS, ADDRESSING_MODE, FILTER_MODE } = SamplerProperty;

/** `refuse` is called for arguments that the older form does not take. */
export const OLDER_FORMS: { readonly [Name in keyof OpenCLTable]?: OlderForm<Name> } = {
  clCreateCommandQueueWithProperties: (cl, refuse) => (context, device, list, errcode) => {
    const properties = knownOnly(list, [QueuePropertyName.PROPERTIES]);
    const bits = Number(properties?.get(QueuePropertyName.PROPERTIES) ?? 0n);
    if (!properties || (bits & ~HOST_QUEUE) !== 0) return refuse();
    return cl.clCreateCommandQueue(context, device, bits, errcode);
  },
  clCreateSamplerWithProperties: (cl, refuse) => (context, list, errcode) => {
    const properties = knownOnly(list, [NORMALIZED_COORDS, ADDRESSING_MODE, FILTER_MODE]);
    if (!properties) return refuse();
    const valueOf = (name: number, fallback: number): number => Number(properties.get(name) ?? fallback);
    return cl.clCreateSampler(
      context,
      valueOf(NORMALIZED_COORDS, 1),
      valueOf(ADDRESSING_MODE, AddressingMode.CLAMP),
      valueOf(FILTER_MODE, FilterMode.NEAREST),
      errcode,
    );
  },
  clCreateBufferWithProperties: (cl, refuse) => (context, list, flags, size, host, errcode) =>
    knownOnly(list, []) ? cl.clCreateBuffer(context, flags, size, host, errcode) : refuse(),
  clCreateImageWithProperties: (cl, refuse) => (context, list, flags, format, description, host, errcode) =>
    knownOnly(list, []) ? cl.clCreateImage(context, flags, format, description, host, errcode) : refuse(),
  clCreateImage: (cl, refuse) => (context, flags, format, description, host, errcode) => {
    if (description === 0n) {
      putInt(errcode, status.CL_INVALID_IMAGE_DESCRIPTOR[0]);
      return NULL;
    }
    const { type, width, height, depth, row, slice, over } = imageAt(description);
    if (over !== 0n) return refuse();
    switch (type) {
      case MemObjectType.IMAGE2D:
        return cl.clCreateImage2D(context, flags, format, width, height, row, host, errcode);
      case MemObjectType.IMAGE3D:
        return cl.clCreateImage3D(context, flags, format, width, height, depth, row, slice, host, errcode);
      default:
        return refuse();
    }
  },
  clEnqueueMarkerWithWaitList: (cl) => (queue, count, list, event) =>
    count === 0 && list === 0n ? mark(cl, queue, event) : enqueueNothing(cl, queue, count, list, event),
  clEnqueueBarrierWithWaitList: (cl) => (queue, count, list, event) => {
    if (count === 0 && list === 0n) {
      const answer = cl.clEnqueueBarrier(queue);
      return answer !== 0 || event === 0n ? answer : mark(cl, queue, event);
    }
    const answer = enqueueNothing(cl, queue, count, list, event);
    return answer === 0 ? cl.clEnqueueBarrier(queue) : answer;
  },
  clEnqueueMigrateMemObjects: (cl) => (queue, count, objects, _flags, waitCount, list, event) =>
    count === 0 || objects === 0n
      ? status.CL_INVALID_VALUE[0]
      : cl.clEnqueueMarkerWithWaitList(queue, waitCount, list, event),
  clEnqueueFillBuffer: fillBuffer,
  clEnqueueFillImage: fillImage,
  clUnloadPlatformCompiler: (cl) => () => cl.clUnloadCompiler(),
  clGetExtensionFunctionAddressForPlatform: (cl) => (_platform, name) => cl.clGetExtensionFunctionAddress(name),
  // Without sub-devices there are only devices without a count of references.
  clRetainDevice: () => () => status.CL_SUCCESS[0],
  clReleaseDevice: () => () => status.CL_SUCCESS[0],
  clGetKernelArgInfo: kernelArgInfo,
};

/** The older marker requires a place for its event. */
function mark(cl: OpenCLTable, queue: Parameters<OpenCLTable['clEnqueueMarker']>[0], event: Pointer): number {
  if (event !== 0n) return cl.clEnqueueMarker(queue, event as BigUint64Array);
  const slot = new BigUint64Array(1);
  const answer = cl.clEnqueueMarker(queue, slot);
  if (answer === 0) cl.clReleaseEvent(slot[0] as never);
  return answer;
}

/** Properties by their names; undefined where the list has other properties. */
function knownOnly(list: Pointer, names: readonly number[]): ReadonlyMap<number, bigint> | undefined {
  const all = propertiesAt(list) ?? [];
  const found = new Map<number, bigint>();
  for (let i = 0; i + 1 < all.length; i += 2) found.set(Number(all[i]), all[i + 1] as bigint);
  return [...found.keys()].every((name) => names.includes(name)) ? found : undefined;
}

function imageAt(
  description: Pointer,
): Readonly<Record<'type' | 'width' | 'height' | 'depth' | 'row' | 'slice', number> & { over: bigint }> {
  const { size, fields } = structs.cl_image_desc;
  const bytes = bytesAt(description, size);
  const view = new DataView(bytes.buffer, bytes.byteOffset, size);
  const sizeAt = (field: keyof typeof fields): number => Number(view.getBigUint64(fields[field], true));
  return {
    type: view.getUint32(fields.image_type, true),
    width: sizeAt('image_width'),
    height: sizeAt('image_height'),
    depth: sizeAt('image_depth'),
    row: sizeAt('image_row_pitch'),
    slice: sizeAt('image_slice_pitch'),
    over: view.getBigUint64(fields.mem_object, true),
  };
}
