import { readFileSync } from 'node:fs';

/** The address space of this process, in bytes. */
export interface AddressSpace {
  readonly limit: number;
  readonly used: number;
}

const PAGE = 4096;
const GB = 1e9;

/** How much address space a limit (`ulimit -v`) leaves to this process; undefined without a limit, or where it is unknown. */
function limitedAddressSpace(): AddressSpace | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const limit = Number(/^Max address space +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1]);
    const pages = Number.parseInt(readFileSync('/proc/self/statm', 'latin1'), 10);
    return Number.isNaN(limit) || Number.isNaN(pages) ? undefined : { limit, used: pages * PAGE };
  } catch {
    // No /proc: unknown.
    return undefined;
  }
}

/** Whether so much more can be taken, as far as the limit goes. */
export function hasAddressSpace(bytes: number): boolean {
  const space = limitedAddressSpace();
  return space === undefined || space.limit - space.used >= bytes;
}

/** What to do where memory is short and address space is limited; undefined where it is not. */
export function addressSpaceAdvice(): string | undefined {
  const space = limitedAddressSpace();
  if (!space) return undefined;
  const { limit, used } = space;
  return (
    `The address space of this process is limited to ${(limit / GB).toFixed(1)} GB, of which ${(used / GB).toFixed(1)} are used; ` +
    'the embedded CPU device needs 14 and its compiler more: raise the limit (ulimit -v unlimited)'
  );
}
