import type { OpenCLTable } from '../../opencl/sys/tables.ts';
import { CommandType, MigrationFlags } from '../../opencl/sys/enums.ts';
import type { Out } from '../abi/out.ts';
import type { Size } from './answer.ts';
import { Code } from './code.ts';
import type { Command } from './event.ts';
import type { ClMemory } from './memory.ts';
import { addressAt, extentAt, hostBytes, widesAt } from './pointer.ts';
import type { ClQueue } from './queue.ts';
import { copyRect, endOf, overlap, pitchesOf, type Layout } from './rect.ts';
import type { OpenCLState } from './state.ts';
import { copyWithin, upload } from './transfer.ts';
import { copyBuffer, fillBuffer, withBuffer } from './buffer-commands.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'clEnqueueReadBuffer'
  | 'clEnqueueWriteBuffer'
  | 'clEnqueueReadBufferRect'
  | 'clEnqueueWriteBufferRect'
  | 'clEnqueueCopyBuffer'
  | 'clEnqueueCopyBufferRect'
  | 'clEnqueueFillBuffer'
  | 'clEnqueueMigrateMemObjects';

const MIGRATIONS = MigrationFlags.HOST | MigrationFlags.CONTENT_UNDEFINED;

const T = CommandType;

/** Copies from, to and between buffers, fills, migrations. */
export const bufferTransferFunctions: Rows<OpenCLState, OpenCLTable, Names> = {
  clEnqueueReadBuffer: (state, handle, buffer, blocking, offset, size, pointer, count, waits, out) =>
    state.enqueue(
      handle,
      T.READ_BUFFER,
      { count, list: waits, out },
      (queue) =>
        withBuffer(state, queue, buffer, (memory) => read(state, queue, memory, Number(offset), Number(size), pointer)),
      blocking !== 0,
    ),
  clEnqueueWriteBuffer: (state, handle, buffer, blocking, offset, size, pointer, count, waits, out) =>
    state.enqueue(
      handle,
      T.WRITE_BUFFER,
      { count, list: waits, out },
      (queue) =>
        withBuffer(state, queue, buffer, (memory) =>
          write(state, queue, memory, Number(offset), Number(size), pointer),
        ),
      blocking !== 0,
    ),
  clEnqueueReadBufferRect: (state, handle, buffer, blocking, origin, hostOrigin, region, ...rest) => {
    const [row, slice, hostRow, hostSlice, pointer, count, waits, out] = rest;
    const pitches = [row, slice, hostRow, hostSlice] as const;
    const make = (memory: ClMemory): Command | number =>
      rect(state, memory, 'read', [origin, hostOrigin, region], pitches, pointer);
    const command = (queue: ClQueue): Command | number => withBuffer(state, queue, buffer, make);
    return state.enqueue(handle, T.READ_BUFFER_RECT, { count, list: waits, out }, command, blocking !== 0);
  },
  clEnqueueWriteBufferRect: (state, handle, buffer, blocking, origin, hostOrigin, region, ...rest) => {
    const [row, slice, hostRow, hostSlice, pointer, count, waits, out] = rest;
    const pitches = [row, slice, hostRow, hostSlice] as const;
    const make = (memory: ClMemory): Command | number =>
      rect(state, memory, 'write', [origin, hostOrigin, region], pitches, pointer);
    const command = (queue: ClQueue): Command | number => withBuffer(state, queue, buffer, make);
    return state.enqueue(handle, T.WRITE_BUFFER_RECT, { count, list: waits, out }, command, blocking !== 0);
  },
  clEnqueueCopyBuffer: (state, handle, source, target, sourceOffset, targetOffset, size, count, waits, out) =>
    state.enqueue(handle, T.COPY_BUFFER, { count, list: waits, out }, (queue) =>
      withBuffer(state, queue, source, (from) =>
        withBuffer(state, queue, target, (to) =>
          copyBuffer(state, queue, from, to, [Number(sourceOffset), Number(targetOffset)], Number(size)),
        ),
      ),
    ),
  clEnqueueCopyBufferRect: (state, handle, source, target, origin, toOrigin, region, ...rest) => {
    const [row, slice, toRow, toSlice, count, waits, out] = rest;
    return state.enqueue(handle, T.COPY_BUFFER_RECT, { count, list: waits, out }, (queue) =>
      withBuffer(state, queue, source, (from) =>
        withBuffer(state, queue, target, (to) =>
          copyRects(state, from, to, [origin, toOrigin, region], [row, slice, toRow, toSlice]),
        ),
      ),
    );
  },
  clEnqueueFillBuffer: (state, handle, buffer, pattern, patternSize, offset, size, count, waits, out) =>
    state.enqueue(handle, T.FILL_BUFFER, { count, list: waits, out }, (queue) =>
      withBuffer(state, queue, buffer, (memory) =>
        fillBuffer(state, queue, memory, pattern, Number(patternSize), Number(offset), Number(size)),
      ),
    ),
  clEnqueueMigrateMemObjects: (state, handle, listCount, list, flags, count, waits, out) =>
    state.enqueue(handle, T.MIGRATE_MEM_OBJECTS, { count, list: waits, out }, ({ context }) => {
      if (listCount === 0 || list === 0n || (Number(flags) & ~MIGRATIONS) !== 0) return Code.INVALID_VALUE;
      for (const raw of widesAt(list, listCount)) {
        const memory = state.memories.find(raw);
        if (!memory) return Code.INVALID_MEM_OBJECT;
        if (memory.context !== context) return Code.INVALID_CONTEXT;
      }
      // The device's memory is the host's: there is nothing to move.
      return {};
    }),
};

/** The device address of host memory that is shared virtual memory: a worker can copy it. */
function inside(state: OpenCLState, pointer: Out, byteLength: number): number | undefined {
  const address = state.memory.deviceAddress(addressAt(pointer));
  return address !== undefined && state.memory.find(address, byteLength) ? address : undefined;
}

function read(
  state: OpenCLState,
  queue: ClQueue,
  memory: ClMemory,
  offset: number,
  byteLength: number,
  pointer: Out,
): Command | number {
  if (!memory.hostMay('read')) return Code.INVALID_OPERATION;
  if (pointer === 0n || offset + byteLength > memory.byteLength) return Code.INVALID_VALUE;
  const target = hostBytes(pointer, byteLength);
  if (!target) return Code.INVALID_VALUE;
  const from = memory.address + offset;
  const to = inside(state, pointer, byteLength);
  if (to !== undefined) {
    return { memory: [memory], submit: () => copyWithin(state, queue.context, to, from, byteLength) };
  }
  const perform = (): number => {
    target.set(state.memory.bytes.subarray(from, from + byteLength));
    return Code.SUCCESS;
  };
  return { memory: [memory], perform };
}

function write(
  state: OpenCLState,
  queue: ClQueue,
  memory: ClMemory,
  offset: number,
  byteLength: number,
  pointer: Out,
): Command | number {
  if (!memory.hostMay('write')) return Code.INVALID_OPERATION;
  if (pointer === 0n || offset + byteLength > memory.byteLength) return Code.INVALID_VALUE;
  const source = hostBytes(pointer, byteLength);
  if (!source) return Code.INVALID_VALUE;
  const to = memory.address + offset;
  const from = inside(state, pointer, byteLength);
  if (from !== undefined) {
    return { memory: [memory], submit: () => copyWithin(state, queue.context, to, from, byteLength) };
  }
  const perform = (): number => {
    state.put(to, source);
    return Code.SUCCESS;
  };
  return { memory: [memory], submit: () => upload(state, queue.context, to, source), perform };
}

/** A rectangle between a buffer and the host. */
function rect(
  state: OpenCLState,
  memory: ClMemory,
  what: 'read' | 'write',
  origins: readonly [buffer: Out, host: Out, region: Out],
  pitches: readonly [row: Size, slice: Size, hostRow: Size, hostSlice: Size],
  pointer: Out,
): Command | number {
  if (!memory.hostMay(what)) return Code.INVALID_OPERATION;
  const [origin, hostOrigin, region] = origins.map(extentAt);
  if (pointer === 0n || !origin || !hostOrigin || !region || region.includes(0)) return Code.INVALID_VALUE;
  const [row, slice, hostRow, hostSlice] = pitches.map(Number) as [number, number, number, number];
  const own = pitchesOf(row, slice, region);
  const theirs = pitchesOf(hostRow, hostSlice, region);
  if (!own || !theirs) return Code.INVALID_VALUE;
  const onHost = { base: 0, rowPitch: theirs[0], slicePitch: theirs[1] };
  const onDevice = { base: 0, rowPitch: own[0], slicePitch: own[1] };
  if (endOf(onDevice, origin, region) > memory.byteLength) return Code.INVALID_VALUE;
  const bytes = hostBytes(pointer, endOf(onHost, hostOrigin, region));
  if (!bytes) return Code.INVALID_VALUE;
  const perform = (): number => {
    const device: Layout = { ...onDevice, ...state.bytes, base: memory.address };
    const host: Layout = { ...onHost, bytes };
    if (what === 'read') copyRect(host, hostOrigin, device, origin, region);
    else copyRect(device, origin, host, hostOrigin, region);
    return Code.SUCCESS;
  };
  return { memory: [memory], perform };
}

function copyRects(
  state: OpenCLState,
  from: ClMemory,
  to: ClMemory,
  origins: readonly [from: Out, to: Out, region: Out],
  pitches: readonly [row: Size, slice: Size, toRow: Size, toSlice: Size],
): Command | number {
  const [origin, toOrigin, region] = origins.map(extentAt);
  if (!origin || !toOrigin || !region || region.includes(0)) return Code.INVALID_VALUE;
  const [row, slice, toRow, toSlice] = pitches.map(Number) as [number, number, number, number];
  const own = pitchesOf(row, slice, region);
  const theirs = pitchesOf(toRow, toSlice, region);
  if (!own || !theirs) return Code.INVALID_VALUE;
  const source = { base: from.address, rowPitch: own[0], slicePitch: own[1] };
  const target = { base: to.address, rowPitch: theirs[0], slicePitch: theirs[1] };
  if (endOf(source, origin, region) > from.address + from.byteLength) return Code.INVALID_VALUE;
  if (endOf(target, toOrigin, region) > to.address + to.byteLength) return Code.INVALID_VALUE;
  if (rootOf(from) === rootOf(to)) {
    if (from === to && (own[0] !== theirs[0] || own[1] !== theirs[1])) return Code.INVALID_VALUE;
    if (from === to && overlap(source, origin, toOrigin, region)) return Code.MEM_COPY_OVERLAP;
  }
  const perform = (): number => {
    copyRect({ ...target, ...state.bytes }, toOrigin, { ...source, ...state.bytes }, origin, region);
    return Code.SUCCESS;
  };
  return { memory: [from, to], perform };
}

function rootOf(memory: ClMemory): ClMemory {
  return memory.parent ?? memory;
}
