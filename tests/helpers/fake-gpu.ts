/** A GPU of the fake NVML: all of it can be changed. */
export interface FakeGpu {
  readonly handle: bigint;
  /** Parts in MIG mode: their numbers and handles. */
  readonly parts: { readonly index: number; readonly handle: bigint }[];
  readonly name: string;
  readonly serial: string;
  readonly uuid: string;
  readonly busId: string;
  readonly bus: number;
  architecture: number;
  memory: { total: number; used: number; reserved: number };
  utilization: { gpu: number; memory: number };
  celsius: number | undefined;
  /** Percent of each. */
  fans: number[];
  milliwatts: number | undefined;
  limitMilliwatts: number;
  millijoules: bigint;
  /** In MHz: graphics, SM, memory, video. */
  clocks: readonly number[];
  readonly maxClocks: readonly number[];
  applicationClocks: readonly number[];
  lockedGraphics: readonly number[];
  lockedMemory: readonly number[];
  throttle: bigint;
  performanceState: number;
  persistence: number;
  computeMode: number;
  accounting: number;
  ecc: number;
  /** Corrected and uncorrected, each volatile and aggregate. */
  readonly errors: bigint[];
  readonly processes: Record<'compute' | 'graphics' | 'mps', { readonly pid: number; readonly bytes?: bigint }[]>;
  samples: { readonly pid: number; readonly timeUs: number; readonly sm: number }[];
  /** 1 for each link that is up. */
  readonly links: number[];
  /** Fields by number: the type of the value, and the value. */
  readonly fields: Map<number, readonly [type: number, value: number | bigint]>;
}

/** The first or the second GPU of the machine. The first has fans, the second has links. */
export function fakeGpu(index: number): FakeGpu {
  const maxClocks = [1980, 1980, 2619, 1545];
  return {
    handle: BigInt(0x1000 * (index + 1)),
    parts: [],
    name: 'NVIDIA H100 80GB HBM3',
    serial: `165432100${index}`,
    uuid: `GPU-0000000${index}-1111-2222-3333-444444444444`,
    busId: `00000000:${index === 0 ? '1B' : '3B'}:00.0`,
    bus: index === 0 ? 0x1b : 0x3b,
    architecture: 9,
    memory: { total: 85_520_809_984, used: 1_048_576, reserved: 500_000_000 },
    utilization: { gpu: 37, memory: 12 },
    celsius: 41 + index,
    fans: index === 0 ? [30, 31] : [],
    milliwatts: 71_250,
    limitMilliwatts: 700_000,
    millijoules: 123_456_789n,
    clocks: [345, 345, 2619, 765],
    maxClocks,
    applicationClocks: maxClocks,
    lockedGraphics: [],
    lockedMemory: [],
    throttle: 0x1n,
    performanceState: 0,
    persistence: 1,
    computeMode: 0,
    accounting: 0,
    ecc: 1,
    errors: [1n, 2n, 0n, 4n],
    processes: { compute: [], graphics: [], mps: [] },
    samples: [],
    links: index === 0 ? [] : [1, 0],
    fields: new Map([
      [82, [1, 47]],
      [138, [3, 10n]],
      [139, [3, 20n]],
      [164, [1, 26_562]],
    ]),
  };
}
