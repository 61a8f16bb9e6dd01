import { readChoice } from '../../core/choice.ts';
import { checkInteger, checkGiven } from '../../core/check.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { attempt, callError } from '../call.ts';
import { driverVersion, type CudaVersion } from '../device/version.ts';
import { readAccessPolicy, writeAccessPolicy, type AccessPolicy } from './access-policy.ts';
import { MEM_SYNC_DOMAINS, readDomainMap, writeDomainMap, type MemSyncDomainMap } from './mem-sync-domain.ts';
import { LaunchAttributeId, SynchronizationPolicy, status as statuses } from '../sys/enums.ts';
import { structs } from '../sys/structs.ts';

type CUstream = Opaque<'CUstream'>;

/** How a thread waits for a stream. */
export type SynchronizationPolicyName = 'auto' | 'spin' | 'yield' | 'blockingSync';

/** What a stream gives to each launch on it that asks for nothing else, and how it is waited for. */
export interface StreamAttributes {
  /** Memory that its kernels use again and again, or only once; `null` for none. */
  readonly accessPolicy?: AccessPolicy | null;
  /** What the processor does while {@link Stream.synchronize} waits. */
  readonly synchronizationPolicy?: SynchronizationPolicyName;
  /** Lower goes first; see {@link Context.streamPriorityRange}. */
  readonly priority?: number;
  /** The domain whose memory operations the fences of its kernels wait for. */
  readonly memSyncDomain?: 'default' | 'remote';
  /** Which of the device's domains the two names mean. */
  readonly memSyncDomainMap?: MemSyncDomainMap;
}

const POLICIES: Readonly<Record<SynchronizationPolicyName, number>> = {
  auto: SynchronizationPolicy.AUTO,
  spin: SynchronizationPolicy.SPIN,
  yield: SynchronizationPolicy.YIELD,
  blockingSync: SynchronizationPolicy.BLOCKING_SYNC,
};

interface Attribute {
  readonly id: LaunchAttributeId;
  /** The driver that has it first: drivers do not look at what they do not know. */
  readonly since: CudaVersion;
  readonly write: (view: DataView, value: never) => void;
  readonly read: (view: DataView) => unknown;
}

const ATTRIBUTES: Readonly<Record<keyof StreamAttributes, Attribute>> = {
  accessPolicy: {
    id: LaunchAttributeId.ACCESS_POLICY_WINDOW,
    since: [11, 0],
    write: (view, policy: AccessPolicy | null) => {
      // A window without bytes means no policy.
      if (policy !== null) writeAccessPolicy(view, 0, policy);
    },
    read: (view) => readAccessPolicy(view, 0) ?? null,
  },
  synchronizationPolicy: {
    id: LaunchAttributeId.SYNCHRONIZATION_POLICY,
    since: [11, 0],
    write: (view, name) => {
      view.setInt32(0, readChoice(name, POLICIES, 'synchronizationPolicy'), true);
    },
    read: (view) => named(view, POLICIES),
  },
  priority: {
    id: LaunchAttributeId.PRIORITY,
    since: [11, 7],
    write: (view, priority) => {
      view.setInt32(0, checkInteger(priority, 'priority', -0x8000_0000, 0x7fff_ffff), true);
    },
    read: (view) => view.getInt32(0, true),
  },
  memSyncDomain: {
    id: LaunchAttributeId.MEM_SYNC_DOMAIN,
    since: [12, 0],
    write: (view, name) => {
      view.setInt32(0, readChoice(name, MEM_SYNC_DOMAINS, 'memSyncDomain'), true);
    },
    read: (view) => named(view, MEM_SYNC_DOMAINS),
  },
  memSyncDomainMap: {
    id: LaunchAttributeId.MEM_SYNC_DOMAIN_MAP,
    since: [12, 0],
    write: (view, map: MemSyncDomainMap) => {
      writeDomainMap(view, 0, map);
    },
    read: (view) => readDomainMap(view, 0),
  },
};
const NAMES = Object.keys(ATTRIBUTES) as (keyof StreamAttributes)[];

/** Set what is given. All is checked before the first one is set. */
export function setStreamAttributes(stream: CUstream, attributes: StreamAttributes): void {
  checkGiven(attributes, NAMES, 'Stream.setAttributes');
  const written = NAMES.filter((name) => attributes[name] !== undefined).map((name) => {
    const view = valueView();
    ATTRIBUTES[name].write(view, attributes[name] as never);
    return [name, view] as const;
  });
  const installed = driverVersion();
  for (const [name] of written) {
    const { since } = ATTRIBUTES[name];
    if (isKnown(name, installed)) continue;
    const reason = `${name} needs a driver of CUDA ${since.join('.')}; this one is of ${installed.join('.')}`;
    throw callError('cuStreamSetAttribute', NOT_SUPPORTED, { reason });
  }
  for (const [name, view] of written) {
    const status = attempt('cuStreamSetAttribute', stream, ATTRIBUTES[name].id, view);
    if (status !== 0) throw callError('cuStreamSetAttribute', status, { facts: { attribute: name } });
  }
}

/** What the driver knows. */
export function streamAttributes(stream: CUstream): StreamAttributes {
  const known: Partial<Record<keyof StreamAttributes, unknown>> = {};
  const installed = driverVersion();
  for (const name of NAMES) {
    if (!isKnown(name, installed)) continue;
    const view = valueView();
    const status = attempt('cuStreamGetAttribute', stream, ATTRIBUTES[name].id, view);
    if (status === 0) known[name] = ATTRIBUTES[name].read(view);
    else if (!UNKNOWN.includes(status)) throw callError('cuStreamGetAttribute', status);
  }
  return known as StreamAttributes;
}

function isKnown(name: keyof StreamAttributes, [major, minor]: CudaVersion): boolean {
  const [first, second] = ATTRIBUTES[name].since;
  return major > first || (major === first && minor >= second);
}

const NOT_SUPPORTED = statuses.CUDA_ERROR_NOT_SUPPORTED[0];
/** What drivers say of attributes that they do not know: CUDA_ERROR_INVALID_VALUE too. */
const UNKNOWN = [1, NOT_SUPPORTED];

function valueView(): DataView<ArrayBuffer> {
  return new DataView(new ArrayBuffer(structs.CUlaunchAttributeValue.size));
}

function named(view: DataView, names: Readonly<Record<string, number>>): string | undefined {
  const number = view.getInt32(0, true);
  return Object.keys(names).find((name) => names[name] === number);
}
