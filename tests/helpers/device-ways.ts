import { isOpenCLAlone } from './array-halves.ts';
import { share } from './full.ts';
import type { Engine } from '../../src/array/engine.ts';

interface Facts {
  packBytes: number;
  groups: number;
  promisesProgress: boolean;
}

/**
 * How kernels are laid out: as a device has it, and as a GPU has it, which promises that groups go on, or does not. Kernels of OpenCL
 * never rely on the promise: there a file's two last ways would be one.
 */
const WAYS: readonly (readonly [name: string, facts: Partial<Facts>])[] = [
  ['as on this device', {}],
  ...(isOpenCLAlone()
    ? []
    : ([['in groups of threads', { packBytes: 16, groups: 16, promisesProgress: true }]] as const)),
  ['in groups of threads that may stand still', { packBytes: 16, groups: 16, promisesProgress: false }],
];

/** The gate's are every second one. */
export const deviceWays: typeof WAYS = share(WAYS, 2);

/** Run something with an engine that lays kernels out in a given way. */
export function inWay(engine: Engine, way: Partial<Facts>, run: () => void): void {
  const facts = engine.facts as Facts;
  const { packBytes, groups, promisesProgress } = facts;
  Object.assign(facts, way);
  try {
    run();
  } finally {
    Object.assign(facts, { packBytes, groups, promisesProgress });
  }
}
