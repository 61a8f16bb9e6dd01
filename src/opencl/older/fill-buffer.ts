import { bytesAt } from '../../ffi/pointer.ts';
import { MemInfo, status } from '../sys/enums.ts';
import { Chain, repeated, withBytesBeside } from './chain.ts';
import type { OpenCLTable } from '../sys/tables.ts';

const SUCCESS = status.CL_SUCCESS[0];
const INVALID_VALUE = status.CL_INVALID_VALUE[0];
/** Bytes that come from the host; the filled part is copied for the rest. A multiple of every pattern's size. */
const FIRST = 1 << 16;
const LONGEST = 128;

/**
 * Fill a buffer with copies: the pattern once from a buffer of its own, then the filled part onto the part behind it, twice
 * as much each time. The host's memory is not needed afterwards, and nothing waits.
 */
export function fillBuffer(cl: OpenCLTable): OpenCLTable['clEnqueueFillBuffer'] {
  return (queue, buffer, pattern, patternSize, rawOffset, rawSize, count, list, event) => {
    const [unit, offset, size] = [Number(patternSize), Number(rawOffset), Number(rawSize)];
    const isPattern = unit > 0 && unit <= LONGEST && (unit & (unit - 1)) === 0;
    if (!isPattern || pattern === 0n || offset % unit !== 0 || size % unit !== 0 || size === 0) return INVALID_VALUE;
    const whole = new BigUint64Array(1);
    const told = cl.clGetMemObjectInfo(buffer, MemInfo.SIZE[0], 8, whole, 0n);
    if (told !== SUCCESS) return told;
    if (BigInt(offset) + BigInt(size) > (whole[0] ?? 0n)) return INVALID_VALUE;
    const bytes = repeated(bytesAt(pattern, unit).subarray(0, unit), Math.min(size, FIRST));
    return withBytesBeside(cl, buffer, bytes, (source) => {
      const chain = new Chain(cl, count, list, event);
      chain.add((n, waits, out) =>
        cl.clEnqueueCopyBuffer(queue, source, buffer, 0, offset, bytes.length, n, waits, out),
      );
      for (let done = bytes.length; done < size; done *= 2) {
        const next = Math.min(done, size - done);
        chain.add((n, waits, out) =>
          cl.clEnqueueCopyBuffer(queue, buffer, buffer, offset, offset + done, next, n, waits, out),
        );
      }
      return chain.end();
    });
  };
}
