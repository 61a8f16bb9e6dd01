import { NUMBERS, type Numbers } from './nccl-reference.ts';

/** The operations between ranks; `sendRecv` passes elements on to the next rank. */
const COLLECTIVES = [
  'allReduce',
  'reduce',
  'reduceScatter',
  'broadcast',
  'allGather',
  'gather',
  'scatter',
  'allToAll',
  'sendRecv',
] as const;

const OPS = ['sum', 'prod', 'max', 'min', 'avg', 'preMulSum'] as const;

export type Collective = (typeof COLLECTIVES)[number];
export type Op = (typeof OPS)[number];

/** An element type of the API. */
export interface MatrixDType {
  readonly name: string;
  /** Of a part. */
  readonly numbers: Numbers;
  /** How many numbers an element is. */
  readonly parts: 1 | 2;
}

/** One operation that all ranks make. */
export interface MatrixCase {
  /** Among all cases of the matrix. */
  readonly index: number;
  readonly collective: Collective;
  readonly dtype: MatrixDType;
  /** Undefined for operations that only move elements. */
  readonly op: Op | undefined;
  readonly inPlace: boolean;
  readonly root: number;
  /** Elements of each rank. */
  readonly count: number;
}

const scalars: readonly MatrixDType[] = NUMBERS.map((numbers) => ({ name: numbers.name, numbers, parts: 1 }));
const named = (name: string): Numbers => NUMBERS.find((one) => one.name === name) as Numbers;

/** Every element type that NCCL has, and complex numbers as pairs. */
const DTYPES: readonly MatrixDType[] = [
  ...scalars,
  { name: 'c64', numbers: named('f32'), parts: 2 },
  { name: 'c128', numbers: named('f64'), parts: 2 },
];

const REDUCING: ReadonlySet<Collective> = new Set(['allReduce', 'reduce', 'reduceScatter']);
/** These have no rule for work in place. */
const NEVER_IN_PLACE: ReadonlySet<Collective> = new Set(['allToAll', 'sendRecv']);
/** Complex numbers are reduced part by part. */
const COMPLEX_OPS: readonly Op[] = ['sum', 'avg', 'preMulSum'];
/** Lengths below, at and beyond those of vectors, warps and pages of a protocol. */
const COUNTS = [1, 7, 32, 3, 129, 16, 5, 300];

function opsOf(collective: Collective, { name, parts }: MatrixDType, size: number): readonly (Op | undefined)[] {
  if (!REDUCING.has(collective)) return [undefined];
  const ops = parts === 2 ? COMPLEX_OPS : OPS;
  // NCCL lacks the kernel.
  return size === 1 && name.startsWith('f8') ? ops.filter((op) => op !== 'preMulSum') : ops;
}

/** Cases that are made together: of one operation and one element type. */
export type MatrixBatch = readonly MatrixCase[];

/** The whole matrix for so many ranks: the same on all of them. */
export function batches(size: number): MatrixBatch[] {
  let index = 0;
  return COLLECTIVES.flatMap((collective) =>
    DTYPES.map((dtype) =>
      opsOf(collective, dtype, size).flatMap((op) =>
        (NEVER_IN_PLACE.has(collective) ? [false] : [false, true]).map((inPlace) => {
          const count = COUNTS[(index * 5 + size) % COUNTS.length] as number;
          return { index: index++, collective, dtype, op, inPlace, root: (index * 7) % size, count };
        }),
      ),
    ),
  );
}

/** A case in words. */
export function titleOf({ collective, dtype, op, inPlace, root, count }: MatrixCase): string {
  const words = [collective, dtype.name, 'x', count, ...(op ? [op] : []), ...(inPlace ? ['in place'] : [])];
  return `${words.join(' ')}, root ${root}`;
}
