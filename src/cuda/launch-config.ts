import { bytesAt } from '../ffi/pointer.ts';
import { structs } from './sys/structs.ts';

const { fields, size } = structs.CUlaunchConfig;

/** A launch's configuration, as its address gives it. */
export interface LaunchConfig {
  readonly grid: readonly number[];
  readonly block: readonly number[];
  /** Dynamic shared memory of a block, in bytes. */
  readonly shared: number;
  readonly stream: bigint;
}

/** Read a `CUlaunchConfig`. */
export function readLaunchConfig(address: bigint): LaunchConfig {
  const bytes = bytesAt(address, size).slice();
  const words = new Uint32Array(bytes.buffer);
  return {
    grid: [...words.subarray(fields.gridDimX / 4, fields.gridDimX / 4 + 3)],
    block: [...words.subarray(fields.blockDimX / 4, fields.blockDimX / 4 + 3)],
    shared: words[fields.sharedMemBytes / 4] ?? 0,
    stream: new BigUint64Array(bytes.buffer)[fields.hStream / 8] ?? 0n,
  };
}

/** The same in a line: `{grid [4, 1, 1] block [256, 1, 1] shared 0 stream 0x0}`. */
export function showLaunchConfig(address: bigint): string {
  const { grid, block, shared, stream } = readLaunchConfig(address);
  return `{grid [${grid.join(', ')}] block [${block.join(', ')}] shared ${shared} stream 0x${stream.toString(16)}}`;
}
