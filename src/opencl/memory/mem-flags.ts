import { checkNumber, nameOf } from '../../core/check.ts';
import { MemFlags } from '../sys/enums.ts';

const { READ_WRITE, READ_ONLY, WRITE_ONLY, USE_HOST_PTR, COPY_HOST_PTR, ALLOC_HOST_PTR } = MemFlags;
const { HOST_READ_ONLY, HOST_WRITE_ONLY, HOST_NO_ACCESS } = MemFlags;
const EXCLUSIVE = [
  [READ_WRITE, READ_ONLY, WRITE_ONLY],
  [HOST_READ_ONLY, HOST_WRITE_ONLY, HOST_NO_ACCESS],
] as const;

/** All bits of {@link MemFlags}. */
export const KNOWN_FLAGS: number = Object.values(MemFlags).reduce((all, flag) => all | flag, 0);

/** Refuse bits that are not {@link MemFlags}, and flags that exclude each other. */
export function checkMemFlags(flags: unknown, what: string): asserts flags is number {
  checkNumber(flags, `${what}: flags`, 0, KNOWN_FLAGS);
  const bits = flags as number;
  if ((bits & ~KNOWN_FLAGS) !== 0) {
    throw new RangeError(`${what}: 0x${bits.toString(16)} has bits that are not MemFlags`);
  }
  for (const group of EXCLUSIVE) {
    const given = group.filter((flag) => (bits & flag) !== 0);
    if (given.length > 1) throw new RangeError(`${what}: ${given.map(flagName).join(' and ')} exclude each other`);
  }
  if ((bits & USE_HOST_PTR) !== 0 && (bits & (COPY_HOST_PTR | ALLOC_HOST_PTR)) !== 0) {
    throw new RangeError(`${what}: USE_HOST_PTR excludes COPY_HOST_PTR and ALLOC_HOST_PTR`);
  }
}

/** Whether the flags ask for a host array. */
export function wantsHost(flags: number): boolean {
  return (flags & (USE_HOST_PTR | COPY_HOST_PTR)) !== 0;
}

/** Refuse a host array without its flag, and the flag without a host array. */
export function checkHostFlag(flags: number, host: unknown, what: string): void {
  if (host !== undefined && !wantsHost(flags)) {
    throw new TypeError(`${what}: a host array needs the flag COPY_HOST_PTR or USE_HOST_PTR`);
  }
  if (host === undefined && wantsHost(flags)) {
    throw new TypeError(`${what}: COPY_HOST_PTR and USE_HOST_PTR need a host array, got ${nameOf(host)}`);
  }
}

function flagName(flag: number): string {
  return Object.entries(MemFlags).find(([, value]) => value === flag)?.[0] ?? String(flag);
}
