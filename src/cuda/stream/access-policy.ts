import { readChoice } from '../../core/choice.ts';
import { checkInteger, checkOptions, nameOf } from '../../core/check.ts';
import { deviceRange, roomOf, type DeviceMemory } from '../memory/device-pointer.ts';
import { AccessProperty } from '../sys/enums.ts';
import { structs } from '../sys/structs.ts';

/** A range of device memory that is to stay in the L2 cache, or to leave it soon. */
export interface AccessPolicy {
  /** Where the range begins. */
  readonly memory: DeviceMemory;
  /** Its size in bytes; by default all of the memory. Limited by the device's MAX_ACCESS_POLICY_WINDOW_SIZE. */
  readonly byteLength?: number;
  /** Which part of the accesses gets `hit`, from 0 to 1; 1 by default. The rest gets `miss`. */
  readonly hitRatio?: number;
  /** 'persisting' by default. */
  readonly hit?: AccessPropertyName;
  /** 'normal' or 'streaming'; 'streaming' by default. */
  readonly miss?: AccessPropertyName;
}

/** How long something stays in the L2 cache. */
export type AccessPropertyName = 'normal' | 'streaming' | 'persisting';

const window = structs.CUaccessPolicyWindow.fields;
const PROPERTIES = {
  normal: AccessProperty.NORMAL,
  streaming: AccessProperty.STREAMING,
  persisting: AccessProperty.PERSISTING,
} as const;

/** Write a CUaccessPolicyWindow. */
export function writeAccessPolicy(view: DataView, at: number, policy: AccessPolicy): void {
  checkOptions(policy, ['memory', 'byteLength', 'hitRatio', 'hit', 'miss'], 'accessPolicy');
  const { memory, hitRatio = 1, hit = 'persisting', miss = 'streaming' } = policy;
  deviceRange(memory, 0, 'accessPolicy.memory');
  const room = policy.byteLength ?? roomOf(memory);
  if (room === undefined) throw new TypeError('accessPolicy: a raw address has no size; give byteLength');
  const bytes = checkInteger(room, 'accessPolicy.byteLength', 1);
  const address = deviceRange(memory, bytes, 'accessPolicy.memory');
  if (typeof hitRatio !== 'number' || !(hitRatio >= 0 && hitRatio <= 1)) {
    throw new RangeError(`accessPolicy.hitRatio must be a number from 0 to 1, got ${nameOf(hitRatio)}`);
  }
  if (miss === 'persisting') throw new TypeError("accessPolicy.miss must be 'normal' or 'streaming'");
  view.setBigUint64(at + window.base_ptr, address, true);
  view.setBigUint64(at + window.num_bytes, BigInt(bytes), true);
  view.setFloat32(at + window.hitRatio, hitRatio, true);
  view.setInt32(at + window.hitProp, readChoice(hit, PROPERTIES, 'accessPolicy.hit'), true);
  view.setInt32(at + window.missProp, readChoice(miss, PROPERTIES, 'accessPolicy.miss'), true);
}

/** Read a CUaccessPolicyWindow; undefined for one without bytes. Its memory is an address. */
export function readAccessPolicy(view: DataView, at: number): (AccessPolicy & { readonly memory: bigint }) | undefined {
  const byteLength = Number(view.getBigUint64(at + window.num_bytes, true));
  if (byteLength === 0) return undefined;
  return {
    memory: view.getBigUint64(at + window.base_ptr, true),
    byteLength,
    hitRatio: view.getFloat32(at + window.hitRatio, true),
    hit: propertyName(view.getInt32(at + window.hitProp, true)),
    miss: propertyName(view.getInt32(at + window.missProp, true)),
  };
}

function propertyName(number: number): AccessPropertyName {
  if (number === PROPERTIES.persisting) return 'persisting';
  return number === PROPERTIES.streaming ? 'streaming' : 'normal';
}
