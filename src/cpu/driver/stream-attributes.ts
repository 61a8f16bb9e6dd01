import type { DriverTable } from '../../cuda/sys/tables.ts';
import { LaunchAttributeId, MemSyncDomain, SynchronizationPolicy } from '../../cuda/sys/enums.ts';
import { structs } from '../../cuda/sys/structs.ts';
import { Status } from '../abi/status.ts';
import { bytesAt, putWide, type Out } from '../abi/out.ts';
import type { CpuStream } from './objects.ts';
import type { DriverState } from './state.ts';
import type { Rows } from '../abi/rows.ts';

type Names = 'cuStreamGetId' | 'cuStreamGetAttribute' | 'cuStreamSetAttribute' | 'cuStreamCopyAttributes';

const { size } = structs.CUlaunchAttributeValue;
const fields = structs.CUlaunchAttributeValue.fields;
const window = structs.CUaccessPolicyWindow.fields;

/** The attributes, by number: a check of a value, and the first byte of the default value. */
const KNOWN: ReadonlyMap<number, readonly [fits: (view: DataView) => boolean, first: number]> = new Map([
  [LaunchAttributeId.ACCESS_POLICY_WINDOW, [isPolicy, 0]],
  [LaunchAttributeId.SYNCHRONIZATION_POLICY, [isSynchronization, SynchronizationPolicy.AUTO]],
  // The device has one priority: every value becomes that one.
  [LaunchAttributeId.PRIORITY, [clearPriority, 0]],
  [LaunchAttributeId.MEM_SYNC_DOMAIN, [isDomain, MemSyncDomain.DEFAULT]],
  [LaunchAttributeId.MEM_SYNC_DOMAIN_MAP, [isDomainMap, 0]],
]);

/** Values that were set, by attribute. */
const kept = new WeakMap<CpuStream, Map<number, Uint8Array>>();

/**
 * Numbers and attributes of streams. Attributes are only stored for queries: none affects the one queue of all streams.
 */
export const streamAttributeFunctions: Rows<DriverState, DriverTable, Names> = {
  cuStreamGetId: (state, handle, out) => withStream(state, handle, (stream) => putWide(out, state.streamId(stream))),
  cuStreamGetAttribute: (state, handle, attribute, out) =>
    withStream(state, handle, (stream) => read(stream, attribute, out)),
  cuStreamSetAttribute: (state, handle, attribute, value) =>
    withStream(state, handle, (stream) => write(stream, attribute, value)),
  cuStreamCopyAttributes: (state, to, from) =>
    withStream(state, to, (target) =>
      withStream(state, from, (source) => {
        if (target.context !== source.context) return Status.INVALID_VALUE;
        kept.set(target, new Map(kept.get(source)));
        return Status.SUCCESS;
      }),
    ),
};

function withStream(state: DriverState, handle: bigint, run: (stream: CpuStream) => number): number {
  const stream = state.streamOf(Number(handle));
  if (!stream) return state.refuse() || Status.INVALID_HANDLE;
  return state.refusal(stream.context) || run(stream);
}

function read(stream: CpuStream, attribute: number, out: Out): number {
  const known = KNOWN.get(attribute);
  if (!known) return Status.INVALID_VALUE;
  const value = kept.get(stream)?.get(attribute) ?? new Uint8Array(size).fill(known[1], 0, 1);
  const room = bytesAt(out, size);
  room.set(value.subarray(0, room.length));
  return Status.SUCCESS;
}

function write(stream: CpuStream, attribute: number, value: Out): number {
  const copy = new Uint8Array(size);
  copy.set(bytesAt(value, size).subarray(0, size));
  if (KNOWN.get(attribute)?.[0](new DataView(copy.buffer)) !== true) return Status.INVALID_VALUE;
  const own = kept.get(stream) ?? new Map<number, Uint8Array>();
  kept.set(stream, own.set(attribute, copy));
  return Status.SUCCESS;
}

function isPolicy(view: DataView): boolean {
  const ratio = view.getFloat32(window.hitRatio, true);
  return ratio >= 0 && ratio <= 1;
}

function isSynchronization(view: DataView): boolean {
  const policy = view.getInt32(0, true);
  return policy >= SynchronizationPolicy.AUTO && policy <= SynchronizationPolicy.BLOCKING_SYNC;
}

function clearPriority(view: DataView): boolean {
  view.setInt32(0, 0, true);
  return true;
}

function isDomain(view: DataView): boolean {
  const domain = view.getInt32(0, true);
  return domain === MemSyncDomain.DEFAULT || domain === MemSyncDomain.REMOTE;
}

/** The device has one domain. */
function isDomainMap(view: DataView): boolean {
  const names = ['memSyncDomainMap.default_', 'memSyncDomainMap.remote'] as const;
  return names.every((name) => view.getUint8(fields[name]) === 0);
}
