import { readChoice, readFlag } from '../../core/choice.ts';
import { readDims, type Dims } from '../../core/dims.ts';
import { checkInteger, checkOptions, nameOf } from '../../core/check.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { addressOf } from '../../ffi/memory.ts';
import { Event, hasTiming } from '../stream/event.ts';
import { ClusterSchedulingPolicy, LaunchAttributeId } from '../sys/enums.ts';
import type { LaunchAttributeOptions, TriggerEvent } from './launch-options.ts';
import { structs } from '../sys/structs.ts';
import { writeAccessPolicy } from '../stream/access-policy.ts';
import { MEM_SYNC_DOMAINS, writeDomainMap } from '../stream/mem-sync-domain.ts';

type CUevent = Opaque<'CUevent'>;

/** The keys of {@link LaunchAttributeOptions}. */
export const ATTRIBUTE_OPTIONS = [
  'cooperative',
  'cluster',
  'preferredCluster',
  'clusterScheduling',
  'programmaticStreamSerialization',
  'programmaticEvent',
  'completionEvent',
  'priority',
  'carveout',
  'memSyncDomain',
  'memSyncDomainMap',
  'accessPolicy',
] as const;

const SIZE = structs.CUlaunchAttribute.size;
const VALUE = structs.CUlaunchAttribute.fields.value;
const values = structs.CUlaunchAttributeValue.fields;
const SCHEDULING = {
  default: ClusterSchedulingPolicy.DEFAULT,
  spread: ClusterSchedulingPolicy.SPREAD,
  loadBalancing: ClusterSchedulingPolicy.LOAD_BALANCING,
} as const;

/** The CUlaunchAttributes of one launch configuration, in memory of their own. */
export class LaunchAttributes {
  readonly #view: DataView<ArrayBuffer> = new DataView(new ArrayBuffer(SIZE * ATTRIBUTE_OPTIONS.length));
  readonly #words: Uint32Array<ArrayBuffer> = new Uint32Array(this.#view.buffer);
  /** Where the first one is. */
  readonly address: bigint = addressOf(this.#view);
  /** The blocks of a cluster (x, y, z); all 0 for none. */
  readonly cluster: Uint32Array<ArrayBuffer> = new Uint32Array(3);
  /** The events in it: a closed one must not reach the driver. */
  readonly events: Event[] = [];
  /** How many there are. */
  count = 0;

  /** Take them from the options of a launch. */
  write(options: LaunchAttributeOptions): void {
    this.#words.fill(0);
    this.cluster.fill(0);
    this.events.length = 0;
    this.count = 0;
    const { cluster, preferredCluster, priority, carveout, accessPolicy, memSyncDomainMap } = options;
    if (readFlag(options.cooperative, 'cooperative')) this.#int(LaunchAttributeId.COOPERATIVE, 1);
    if (cluster !== undefined) this.cluster.set(this.#dims(LaunchAttributeId.CLUSTER_DIMENSION, cluster, 'cluster'));
    if (preferredCluster !== undefined) {
      this.#dims(LaunchAttributeId.PREFERRED_CLUSTER_DIMENSION, preferredCluster, 'preferredCluster');
    }
    this.#choice(
      LaunchAttributeId.CLUSTER_SCHEDULING_POLICY_PREFERENCE,
      options.clusterScheduling,
      SCHEDULING,
      'clusterScheduling',
    );
    if (readFlag(options.programmaticStreamSerialization, 'programmaticStreamSerialization')) {
      this.#int(LaunchAttributeId.PROGRAMMATIC_STREAM_SERIALIZATION, 1);
    }
    if (options.programmaticEvent !== undefined) this.#programmaticEvent(options.programmaticEvent);
    if (options.completionEvent !== undefined) {
      const at = this.#next(LaunchAttributeId.LAUNCH_COMPLETION_EVENT);
      this.#view.setBigUint64(at, this.#event(options.completionEvent, 'completionEvent'), true);
    }
    if (priority !== undefined) {
      this.#int(LaunchAttributeId.PRIORITY, checkInteger(priority, 'priority', -0x8000_0000, 0x7fff_ffff));
    }
    if (carveout !== undefined) {
      this.#int(LaunchAttributeId.PREFERRED_SHARED_MEMORY_CARVEOUT, checkInteger(carveout, 'carveout', -1, 100));
    }
    this.#choice(LaunchAttributeId.MEM_SYNC_DOMAIN, options.memSyncDomain, MEM_SYNC_DOMAINS, 'memSyncDomain');
    if (memSyncDomainMap !== undefined) {
      writeDomainMap(this.#view, this.#next(LaunchAttributeId.MEM_SYNC_DOMAIN_MAP), memSyncDomainMap);
    }
    if (accessPolicy !== undefined) {
      writeAccessPolicy(this.#view, this.#next(LaunchAttributeId.ACCESS_POLICY_WINDOW), accessPolicy);
    }
  }

  /** Each one: its id, and the address of its value. */
  *entries(): Generator<readonly [id: number, value: bigint]> {
    for (let i = 0; i < this.count; i++) {
      yield [this.#view.getUint32(SIZE * i, true), this.address + BigInt(SIZE * i + VALUE)];
    }
  }

  /** Begin one; its value is where the result says. */
  #next(id: LaunchAttributeId): number {
    const at = SIZE * this.count++;
    this.#view.setUint32(at, id, true);
    return at + VALUE;
  }

  #int(id: LaunchAttributeId, value: number): void {
    this.#view.setInt32(this.#next(id), value, true);
  }

  #dims(id: LaunchAttributeId, dims: Dims, what: string): Uint32Array<ArrayBuffer> {
    const at = this.#next(id) / 4;
    readDims(dims, what, this.#words, at);
    return this.#words.subarray(at, at + 3);
  }

  #choice(
    id: LaunchAttributeId,
    chosen: string | undefined,
    choices: Readonly<Record<string, number>>,
    what: string,
  ): void {
    if (chosen !== undefined) this.#int(id, readChoice(chosen, choices, what));
  }

  #programmaticEvent(trigger: TriggerEvent): void {
    checkOptions(trigger, ['event', 'atBlockStart'], 'programmaticEvent');
    const at = this.#next(LaunchAttributeId.PROGRAMMATIC_EVENT);
    this.#view.setBigUint64(at, this.#event(trigger.event, 'programmaticEvent.event'), true);
    const start = readFlag(trigger.atBlockStart, 'programmaticEvent.atBlockStart');
    this.#view.setInt32(at + values['programmaticEvent.triggerAtBlockStart'], start ? 1 : 0, true);
  }

  #event(event: unknown, what: string): CUevent {
    if (!(event instanceof Event)) throw new TypeError(`${what} must be an Event, got ${nameOf(event)}`);
    if (hasTiming(event))
      throw new TypeError(`${what} must be an Event that records no time: new Event({ timing: false })`);
    this.events.push(event);
    return event.use(what);
  }
}
