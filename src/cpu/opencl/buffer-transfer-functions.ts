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
import { bufferCommands } from './buffer-commands.ts';

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

/** Copies from, to and between buffers, fills, migrations. */
export function bufferTransferFunctions(state: OpenCLState): Pick<OpenCLTable, Names> {
  /** Shared memory may be given as host memory: then nobody has to wait for this thread. */
  const inside = (pointer: Out, byteLength: number): number | undefined => {
    const address = state.memory.deviceAddress(addressAt(pointer));
    return address !== undefined && state.memory.find(address, byteLength) ? address : undefined;
  };

  const read = (
    queue: ClQueue,
    memory: ClMemory,
    offset: number,
    byteLength: number,
    pointer: Out,
  ): Command | number => {
    if (!memory.hostMay('read')) return Code.INVALID_OPERATION;
    if (pointer === 0n || offset + byteLength > memory.byteLength) return Code.INVALID_VALUE;
    const target = hostBytes(pointer, byteLength);
    if (!target) return Code.INVALID_VALUE;
    const from = memory.address + offset;
    const to = inside(pointer, byteLength);
    if (to !== undefined) {
      return { memory: [memory], submit: () => copyWithin(state, queue.context, to, from, byteLength) };
    }
    const perform = (): number => {
      target.set(state.memory.bytes.subarray(from, from + byteLength));
      return Code.SUCCESS;
    };
    return { memory: [memory], perform };
  };

  const write = (
    queue: ClQueue,
    memory: ClMemory,
    offset: number,
    byteLength: number,
    pointer: Out,
  ): Command | number => {
    if (!memory.hostMay('write')) return Code.INVALID_OPERATION;
    if (pointer === 0n || offset + byteLength > memory.byteLength) return Code.INVALID_VALUE;
    const source = hostBytes(pointer, byteLength);
    if (!source) return Code.INVALID_VALUE;
    const to = memory.address + offset;
    const from = inside(pointer, byteLength);
    if (from !== undefined) {
      return { memory: [memory], submit: () => copyWithin(state, queue.context, to, from, byteLength) };
    }
    const perform = (): number => {
      state.put(to, source);
      return Code.SUCCESS;
    };
    return { memory: [memory], submit: () => upload(state, queue.context, to, source), perform };
  };

  /** A rectangle between a buffer and the host. */
  const rect = (
    memory: ClMemory,
    what: 'read' | 'write',
    origins: readonly [buffer: Out, host: Out, region: Out],
    pitches: readonly [row: Size, slice: Size, hostRow: Size, hostSlice: Size],
    pointer: Out,
  ): Command | number => {
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
  };

  const copyRects = (
    from: ClMemory,
    to: ClMemory,
    origins: readonly [from: Out, to: Out, region: Out],
    pitches: readonly [row: Size, slice: Size, toRow: Size, toSlice: Size],
  ): Command | number => {
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
  };

  const { copy, fill, withBuffer } = bufferCommands(state);
  const T = CommandType;
  return {
    clEnqueueReadBuffer: (handle, buffer, blocking, offset, size, pointer, count, waits, out) =>
      state.enqueue(
        handle,
        T.READ_BUFFER,
        count,
        waits,
        out,
        (queue) => withBuffer(queue, buffer, (memory) => read(queue, memory, Number(offset), Number(size), pointer)),
        blocking !== 0,
      ),
    clEnqueueWriteBuffer: (handle, buffer, blocking, offset, size, pointer, count, waits, out) =>
      state.enqueue(
        handle,
        T.WRITE_BUFFER,
        count,
        waits,
        out,
        (queue) => withBuffer(queue, buffer, (memory) => write(queue, memory, Number(offset), Number(size), pointer)),
        blocking !== 0,
      ),
    clEnqueueReadBufferRect: (handle, buffer, blocking, origin, hostOrigin, region, ...rest) => {
      const [row, slice, hostRow, hostSlice, pointer, count, waits, out] = rest;
      const pitches = [row, slice, hostRow, hostSlice] as const;
      const make = (memory: ClMemory): Command | number =>
        rect(memory, 'read', [origin, hostOrigin, region], pitches, pointer);
      const command = (queue: ClQueue): Command | number => withBuffer(queue, buffer, make);
      return state.enqueue(handle, T.READ_BUFFER_RECT, count, waits, out, command, blocking !== 0);
    },
    clEnqueueWriteBufferRect: (handle, buffer, blocking, origin, hostOrigin, region, ...rest) => {
      const [row, slice, hostRow, hostSlice, pointer, count, waits, out] = rest;
      const pitches = [row, slice, hostRow, hostSlice] as const;
      const make = (memory: ClMemory): Command | number =>
        rect(memory, 'write', [origin, hostOrigin, region], pitches, pointer);
      const command = (queue: ClQueue): Command | number => withBuffer(queue, buffer, make);
      return state.enqueue(handle, T.WRITE_BUFFER_RECT, count, waits, out, command, blocking !== 0);
    },
    clEnqueueCopyBuffer: (handle, source, target, sourceOffset, targetOffset, size, count, waits, out) =>
      state.enqueue(handle, T.COPY_BUFFER, count, waits, out, (queue) =>
        withBuffer(queue, source, (from) =>
          withBuffer(queue, target, (to) =>
            copy(queue, from, to, [Number(sourceOffset), Number(targetOffset)], Number(size)),
          ),
        ),
      ),
    clEnqueueCopyBufferRect: (handle, source, target, origin, toOrigin, region, ...rest) => {
      const [row, slice, toRow, toSlice, count, waits, out] = rest;
      return state.enqueue(handle, T.COPY_BUFFER_RECT, count, waits, out, (queue) =>
        withBuffer(queue, source, (from) =>
          withBuffer(queue, target, (to) =>
            copyRects(from, to, [origin, toOrigin, region], [row, slice, toRow, toSlice]),
          ),
        ),
      );
    },
    clEnqueueFillBuffer: (handle, buffer, pattern, patternSize, offset, size, count, waits, out) =>
      state.enqueue(handle, T.FILL_BUFFER, count, waits, out, (queue) =>
        withBuffer(queue, buffer, (memory) =>
          fill(queue, memory, pattern, Number(patternSize), Number(offset), Number(size)),
        ),
      ),
    clEnqueueMigrateMemObjects: (handle, listCount, list, flags, count, waits, out) =>
      state.enqueue(handle, T.MIGRATE_MEM_OBJECTS, count, waits, out, ({ context }) => {
        if (listCount === 0 || list === 0n || (Number(flags) & ~MIGRATIONS) !== 0) return Code.INVALID_VALUE;
        for (const raw of widesAt(list, listCount)) {
          const memory = state.memories.find(raw);
          if (!memory) return Code.INVALID_MEM_OBJECT;
          if (memory.context !== context) return Code.INVALID_CONTEXT;
        }
        // All memory is one.
        return {};
      }),
  };
}

function rootOf(memory: ClMemory): ClMemory {
  return memory.parent ?? memory;
}
