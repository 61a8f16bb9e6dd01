import type { WasmInstance } from '../abi/webassembly.ts';
import type { ProgramImage } from './program.ts';

/** What the exports of a kernel get besides their blocks. */
type OfLaunch = [
  dx: number,
  dy: number,
  dz: number,
  gx: number,
  gy: number,
  gz: number,
  context: bigint,
  shared: bigint,
];

/** A kernel's export: it runs some blocks of a grid. */
export type Run = (args: bigint, firstBlock: number, blocks: number, ...launch: OfLaunch) => void;

/** A kernel's export for cooperative launches: it runs a block up to its next barrier of the grid. */
export type RunBlock = (args: bigint, block: number, from: number, ...launch: OfLaunch) => number;

/** A program in a worker. */
export interface Loaded {
  readonly image: ProgramImage;
  /** Undefined before its first kernel, and after a fault. */
  instance: WasmInstance | undefined;
  /** The exports of kernels that have run. */
  readonly runs: (Run | undefined)[];
}
