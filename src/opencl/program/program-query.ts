import type { InfoQuery } from '../info.ts';
import { ProgramInfo } from '../sys/enums.ts';

const NUM_KERNELS = ProgramInfo.NUM_KERNELS[0];
const KERNEL_NAMES = ProgramInfo.KERNEL_NAMES[0];

const countSlot = new BigUint64Array(1);
const countBytes = new Uint8Array(countSlot.buffer);

/**
 * `clGetProgramInfo` of a program, without a crash of drivers: NVIDIA's (580) ends the process when it is asked for the
 * names of the kernels of a program without any, so their number is asked for first.
 */
export function programQuery(query: InfoQuery): InfoQuery {
  return (param, byteLength, value, byteLengthReturned) => {
    if (param !== KERNEL_NAMES || hasKernels(query)) return query(param, byteLength, value, byteLengthReturned);
    // No names: the NUL that ends the text.
    if (typeof value !== 'bigint' && byteLength > 0) value[0] = 0;
    if (typeof byteLengthReturned !== 'bigint') byteLengthReturned[0] = 1n;
    return 0;
  };
}

function hasKernels(query: InfoQuery): boolean {
  countSlot[0] = 0n;
  query(NUM_KERNELS, countBytes.length, countBytes, 0n);
  return countSlot[0] !== 0n;
}
