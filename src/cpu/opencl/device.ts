import { ClObject } from './object.ts';

/** The ways to partition a device. */
export const Partition = { EQUALLY: 0x1086n, BY_COUNTS: 0x1087n, BY_AFFINITY_DOMAIN: 0x1088n } as const;

/** The processor, or a sub-device with some of its threads. */
export class ClDevice extends ClObject {
  readonly parent: ClDevice | undefined;
  /** Threads that run kernels. */
  readonly units: number;
  /** The partition properties of a sub-device, with the 0 at their end. */
  readonly partition: readonly bigint[];
  readonly #gone: (device: ClDevice) => void;

  constructor(
    units: number,
    gone: (device: ClDevice) => void = () => undefined,
    parent?: ClDevice,
    partition: readonly bigint[] = [],
  ) {
    super();
    this.units = units;
    this.parent = parent;
    this.partition = partition;
    this.#gone = gone;
    parent?.retain();
  }

  /** The device of the whole processor is never destroyed. */
  override retain(): void {
    if (this.parent) super.retain();
  }

  override release(): void {
    if (this.parent) super.release();
  }

  destroy(): void {
    this.#gone(this);
    this.parent?.release();
  }
}
