import { ClObject } from './object.ts';

/** How a device is taken apart. */
export const Partition = { EQUALLY: 0x1086n, BY_COUNTS: 0x1087n, BY_AFFINITY_DOMAIN: 0x1088n } as const;

/** The processor, or a part of its threads. */
export class ClDevice extends ClObject {
  readonly parent: ClDevice | undefined;
  /** Threads that run kernels. */
  readonly units: number;
  /** How a part was asked for, with the 0 at the end. */
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

  /** The whole processor is there for ever. */
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
