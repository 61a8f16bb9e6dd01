import { copyOf } from '../../ffi/memory.ts';
import type { OpenCLTable } from '../../opencl/sys/tables.ts';
import { BufferCreateType, MemFlags, MemInfo, MemObjectType } from '../../opencl/sys/enums.ts';
import type { Out } from '../abi/out.ts';
import { infoQuery, created } from './answer.ts';
import { Code } from './code.ts';
import type { ClContext } from './context.ts';
import { largestBuffer } from './device-info.ts';
import { Limits } from './limits.ts';
import { flagsAgree, flagsOfPart, withAccess, type ClMemory, type HostPart } from './memory.ts';
import { addressAt, hostBytes, propertiesAt, sizesAt } from './pointer.ts';
import type { OpenCLState } from './state.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'clCreateBuffer'
  | 'clCreateBufferWithProperties'
  | 'clCreateSubBuffer'
  | 'clCreatePipe'
  | 'clGetPipeInfo'
  | 'clRetainMemObject'
  | 'clReleaseMemObject'
  | 'clGetMemObjectInfo'
  | 'clSetMemObjectDestructorCallback';

const { USE_HOST_PTR, COPY_HOST_PTR } = MemFlags;

const ask = infoQuery<typeof MemInfo, ClMemory>(MemInfo, {
  TYPE: ({ type }) => type,
  FLAGS: ({ flags }) => flags,
  SIZE: ({ byteLength }) => byteLength,
  HOST_PTR: ({ hostPointer }) => hostPointer,
  MAP_COUNT: ({ maps }) => maps.length,
  REFERENCE_COUNT: ({ references }) => references,
  CONTEXT: ({ context }) => context.handle,
  ASSOCIATED_MEMOBJECT: ({ parent }) => parent?.handle ?? 0n,
  OFFSET: ({ offset }) => offset,
  USES_SVM_POINTER: ({ usesSvm }) => usesSvm,
  PROPERTIES: ({ properties }) => properties,
});

/** Buffers, and the functions of all memory objects. */
export const bufferFunctions: Rows<OpenCLState, OpenCLTable, Names> = {
  clCreateBuffer: (state, context, flags, size, pointer, errcode) =>
    created(create(state, context, flags, size, pointer, []), errcode),
  clCreateBufferWithProperties: (state, context, properties, flags, size, pointer, errcode) =>
    created(create(state, context, flags, size, pointer, propertiesAt(properties) ?? []), errcode),
  clCreateSubBuffer: (state, whole, flags, type, info, errcode) =>
    created(createPart(state, whole, flags, type, info), errcode),
  clCreatePipe: (state, context, _flags, _size, _count, _properties, errcode) =>
    created(state.contexts.find(context) ? Code.INVALID_OPERATION : Code.INVALID_CONTEXT, errcode),
  clGetPipeInfo: () => Code.INVALID_MEM_OBJECT,
  clRetainMemObject: (state, handle) =>
    withMemory(state, handle, (memory) => {
      memory.retain();
      return Code.SUCCESS;
    }),
  clReleaseMemObject: (state, handle) =>
    withMemory(state, handle, (memory) => {
      memory.release();
      return Code.SUCCESS;
    }),
  clGetMemObjectInfo: (state, handle, param, size, value, sizeOut) =>
    withMemory(state, handle, (memory) => ask(memory, param, size, value, sizeOut)),
  clSetMemObjectDestructorCallback: (state, handle, notify, data) =>
    withMemory(state, handle, (memory) => {
      if (notify === 0n) return Code.INVALID_VALUE;
      memory.destructors.push({ notify, data: addressAt(data) });
      return Code.SUCCESS;
    }),
};

function withMemory(state: OpenCLState, handle: bigint, run: (memory: ClMemory) => number): number {
  const memory = state.memories.find(handle);
  return memory ? run(memory) : Code.INVALID_MEM_OBJECT;
}

function create(
  state: OpenCLState,
  contextHandle: bigint,
  rawFlags: number | bigint,
  size: number | bigint,
  pointer: Out,
  properties: readonly bigint[],
): bigint | number {
  const context = state.contexts.find(contextHandle);
  if (!context) return Code.INVALID_CONTEXT;
  if (properties.length > 1) return Code.INVALID_PROPERTY;
  const flags = Number(rawFlags);
  if (!flagsAgree(flags)) return Code.INVALID_VALUE;
  const byteLength = Number(size);
  if (byteLength < 1 || byteLength > largestBuffer(state)) return Code.INVALID_BUFFER_SIZE;
  if ((pointer !== 0n) !== ((flags & (USE_HOST_PTR | COPY_HOST_PTR)) !== 0)) return Code.INVALID_HOST_PTR;
  const given = pointer === 0n ? undefined : hostBytes(pointer, byteLength);
  if (pointer !== 0n && !given) return Code.INVALID_HOST_PTR;
  const parts = { context, type: MemObjectType.BUFFER, flags: withAccess(flags), byteLength, properties };
  if ((flags & USE_HOST_PTR) === 0 || !given) {
    if (given && !isThere(pointer, byteLength)) return Code.INVALID_HOST_PTR;
    const address = state.allocate(context, byteLength);
    if (address === undefined) return Code.MEM_OBJECT_ALLOCATION_FAILURE;
    if (given) state.put(address, given);
    return state.addMemory({ ...parts, address, owned: [address] });
  }
  const hostPointer = addressAt(pointer);
  const shared = sharedAddress(state, context, hostPointer, byteLength);
  if (shared !== undefined) {
    return state.addMemory({ ...parts, address: shared, owned: [], hostPointer, usesSvm: true });
  }
  if (!isThere(pointer, byteLength)) return Code.INVALID_HOST_PTR;
  const address = state.allocate(context, byteLength);
  if (address === undefined) return Code.MEM_OBJECT_ALLOCATION_FAILURE;
  state.put(address, given);
  const host = { bytes: given, address: hostPointer, rowPitch: byteLength, slicePitch: byteLength };
  return state.addMemory({ ...parts, address, owned: [address], host, hostPointer });
}

/** The device address of shared virtual memory of the context. */
function sharedAddress(
  state: OpenCLState,
  context: ClContext,
  pointer: bigint,
  byteLength: number,
): number | undefined {
  const address = state.memory.deviceAddress(pointer);
  const start = address === undefined ? undefined : state.memory.find(address, byteLength)?.address;
  return start !== undefined && state.svm.get(start)?.context === context ? address : undefined;
}

function createPart(
  state: OpenCLState,
  handle: bigint,
  rawFlags: number | bigint,
  type: number,
  info: Out,
): bigint | number {
  const whole = state.memories.find(handle);
  if (!whole || whole.type !== MemObjectType.BUFFER || whole.parent) return Code.INVALID_MEM_OBJECT;
  if (type !== BufferCreateType.REGION || info === 0n) return Code.INVALID_VALUE;
  const flags = flagsOfPart(Number(rawFlags), whole.flags);
  if (flags === undefined) return Code.INVALID_VALUE;
  const [offset = 0, byteLength = 0] = sizesAt(info, 2);
  if (byteLength === 0) return Code.INVALID_BUFFER_SIZE;
  if (offset + byteLength > whole.byteLength) return Code.INVALID_VALUE;
  if (offset % Limits.ALIGNMENT !== 0) return Code.MISALIGNED_SUB_BUFFER_OFFSET;
  const { context, usesSvm } = whole;
  return state.addMemory({
    context,
    type: MemObjectType.BUFFER,
    flags,
    byteLength,
    address: whole.address + offset,
    parent: whole,
    offset,
    owned: [],
    host: whole.host && partOf(whole.host, offset, byteLength),
    hostPointer: whole.hostPointer === 0n ? 0n : whole.hostPointer + BigInt(offset),
    usesSvm,
  });
}

/** Whether there is memory behind a pointer, which may be an arbitrary address. */
function isThere(pointer: Out, byteLength: number): boolean {
  return typeof pointer !== 'bigint' || copyOf(pointer, byteLength) !== undefined;
}

function partOf(host: HostPart, offset: number, byteLength: number): HostPart {
  return {
    bytes: host.bytes.subarray(offset, offset + byteLength),
    address: host.address + BigInt(offset),
    rowPitch: byteLength,
    slicePitch: byteLength,
  };
}
