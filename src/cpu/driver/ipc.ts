import { pause } from '../../core/pause.ts';
import type { DriverTable } from '../../cuda/sys/tables.ts';
import { IpcMemFlags } from '../../cuda/sys/enums.ts';
import { bytesAt, putWide } from '../abi/out.ts';
import type { Rows } from '../abi/rows.ts';
import { Status } from '../abi/status.ts';
import { milliseconds } from '../runtime/clock.ts';
import { readPlace, writePlace, type SharedPlace } from '../ipc/place.ts';
import { CpuContext } from './objects.ts';
import type { DriverState } from './state.ts';

type Names =
  'cuIpcGetMemHandle' | 'cuIpcOpenMemHandle' | 'cuIpcCloseMemHandle' | 'cuIpcGetEventHandle' | 'cuIpcOpenEventHandle';

const HANDLE_BYTES = 64;
/** How long collectives may take to go on. */
const SHUT_MS = 2000;

/** Memory and events of other processes. */
export const ipcFunctions: Rows<DriverState, DriverTable, Names> = {
  cuIpcGetMemHandle: (state, out, pointer) => {
    const refused = state.refuse();
    if (refused !== 0) return refused;
    const found = state.memory.find(Number(pointer), 0);
    if (!found) return Status.INVALID_VALUE;
    const owner = state.memory.ownerOf(found.address);
    // As on a GPU, that of `cuMemAlloc` alone.
    if (!(owner instanceof CpuContext) || !owner.memory.has(found.address)) return Status.INVALID_VALUE;
    if (state.managed.has(found.address)) return Status.INVALID_VALUE;
    // Nothing may use pages while they move to where other processes see them, and other work may have its memory beside.
    const place = whileStill(state, () => {
      return state.ipc.shared.share('memory', found.address, found.byteLength) ?? Status.NOT_SUPPORTED;
    });
    if (typeof place === 'number') return place;
    // Other processes may write to it at any time.
    state.memory.guard?.write(found.address, found.byteLength);
    return put(out, place);
  },
  cuIpcOpenMemHandle: (state, out, handle, flags) => {
    const context = state.current;
    const refused = state.refuse();
    if (!context || refused !== 0) return refused;
    const place = readPlace(bytesOf(handle), 'memory');
    if (!place || flags !== IpcMemFlags.LAZY_ENABLE_PEER_ACCESS) return Status.INVALID_VALUE;
    if (place.process === process.pid) return Status.INVALID_CONTEXT;
    if (!state.devices.hasRoom(context.device, place.byteLength)) return Status.OUT_OF_MEMORY;
    state.engine.collect();
    const address = state.ipc.shared.open(place, context, context.space);
    if (address === undefined) return Status.MAP_FAILED;
    context.imports.add(address);
    state.memory.guard?.write(address, place.byteLength);
    return putWide(out, address);
  },
  cuIpcCloseMemHandle: (state, pointer) => {
    const refused = state.refuse();
    if (refused !== 0) return refused;
    const address = Number(pointer);
    const owner = state.memory.ownerOf(address);
    if (!(owner instanceof CpuContext) || !owner.imports.has(address)) return Status.INVALID_VALUE;
    state.settle(owner);
    state.ipc.shared.close(address);
    if (!state.ipc.shared.has(address)) owner.imports.delete(address);
    return state.refuse();
  },
  cuIpcGetEventHandle: (state, out, event) => {
    const refused = state.refuse();
    if (refused !== 0) return refused;
    const shared = state.events.get(Number(event))?.shared;
    const place = shared && state.ipc.placeOf(shared);
    return place ? put(out, place) : Status.INVALID_HANDLE;
  },
  cuIpcOpenEventHandle: (state, out, handle) => {
    const context = state.current;
    const refused = state.refuse();
    if (!context || refused !== 0) return refused;
    const place = readPlace(bytesOf(handle), 'event');
    if (!place) return Status.INVALID_VALUE;
    if (place.process === process.pid) return Status.INVALID_CONTEXT;
    const shared = state.ipc.openEvent(place, context);
    if (!shared) return Status.MAP_FAILED;
    return putWide(out, state.addEvent({ context, timed: false, cell: 0, shared, recorded: true, last: undefined }));
  },
};

/** Wait until nothing uses memory; a status where collectives stand still, which wait for other processes. */
function whileStill<T>({ engine }: DriverState, run: () => T): T | number {
  const beganMs = milliseconds();
  for (let sinceMs = beganMs; milliseconds() - sinceMs < SHUT_MS;) {
    const result = engine.queue.whileStill(run);
    if (result !== undefined) return result;
    if (!engine.queue.lanes.isShut) sinceMs = milliseconds();
    pause(milliseconds() - beganMs);
    engine.check();
  }
  return Status.NOT_READY;
}

function put(out: Parameters<DriverTable['cuIpcGetMemHandle']>[0], place: SharedPlace): number {
  writePlace(bytesAt(out, HANDLE_BYTES), place);
  return Status.SUCCESS;
}

/** A struct by value comes as an object; its array may be a list of numbers, as koffi has it. */
function bytesOf(handle: unknown): Uint8Array {
  return Uint8Array.from((handle as { readonly reserved: Iterable<number> }).reserved);
}
