import type { WasmInstance } from '../abi/webassembly.ts';
import type { ProgramImage } from './program.ts';

/** A kernel's export: it runs some blocks of a grid. */
export type Run = (
  args: bigint,
  firstBlock: number,
  blocks: number,
  dx: number,
  dy: number,
  dz: number,
  gx: number,
  gy: number,
  gz: number,
  context: bigint,
  shared: bigint,
) => void;

/** A kernel's export for cooperative launches: it runs a block up to its next barrier of the grid. */
export type RunBlock = (
  args: bigint,
  block: number,
  from: number,
  dx: number,
  dy: number,
  dz: number,
  gx: number,
  gy: number,
  gz: number,
  context: bigint,
  shared: bigint,
) => number;

/** A program in a worker. */
export interface Loaded {
  readonly image: ProgramImage;
  /** Undefined before its first kernel, and after a fault. */
  instance: WasmInstance | undefined;
  /** The exports of kernels that have run. */
  readonly runs: (Run | undefined)[];
}
