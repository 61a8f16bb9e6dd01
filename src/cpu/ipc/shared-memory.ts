import { readlinkSync, statSync } from 'node:fs';
import { closeMapped, mapFile, newMemoryFile, openToMap, unmapFile } from '../../ffi/shared-file.ts';
import { PAGE, type DeviceMemory, type Owner } from '../runtime/memory.ts';
import type { Space } from '../runtime/granules.ts';
import type { SharedPlace } from './place.ts';

const NAME = 'rawkernel device memory';
/** As much as device addresses reach. */
const FILE_BYTES = 2 ** 32;

/** Memory of another process that is mapped here. */
interface Import {
  readonly key: string;
  readonly start: number;
  readonly byteLength: number;
  uses: number;
}

/**
 * Device memory that several processes of a machine see. A process that shares some has a file as long as its device memory,
 * mapped in the place of the shared pages; other processes map the same part of it in their own device memory. The file has
 * no name in a folder, so that nothing is left when the processes have ended, however they do.
 */
export class SharedMemory {
  readonly #memory: DeviceMemory;
  #file: number | undefined;
  #inode = 0n;
  /** The pages of this process that are in the file. */
  readonly #shared = new Set<number>();
  /** By the address here. */
  readonly #imports = new Map<number, Import>();

  constructor(memory: DeviceMemory) {
    this.#memory = memory;
  }

  /**
   * Let other processes see memory. Nothing may use its pages meanwhile.
   *
   * @returns undefined where the system cannot share memory
   */
  share(kind: SharedPlace['kind'], address: number, byteLength: number): SharedPlace | undefined {
    const file = (this.#file ??= newMemoryFile(NAME, FILE_BYTES));
    if (file === undefined) return undefined;
    if (this.#inode === 0n) this.#inode = statSync(`/proc/self/fd/${file}`, { bigint: true }).ino;
    for (let page = pageOf(address); page <= pageOf(address + byteLength - 1); page++) {
      if (!this.#shared.has(page) && !this.#move(page, file)) return undefined;
    }
    return { kind, process: process.pid, file, inode: this.#inode, address, byteLength };
  }

  #move(page: number, file: number): boolean {
    const start = page * PAGE;
    const bytes = this.#memory.bytes.subarray(start, start + PAGE);
    const content = bytes.slice();
    if (!mapFile(this.#memory.hostAddress(start), PAGE, file, start)) return false;
    // Untouched pages of the file are zeros that take no memory.
    if (content.some((byte) => byte !== 0)) bytes.set(content);
    this.#shared.add(page);
    return true;
  }

  /**
   * Map memory of another process, or count one more use of it.
   *
   * @returns its address here; undefined where there is no room, or no such memory
   */
  open(place: SharedPlace, owner: Owner, space: Space | undefined): number | undefined {
    const key = `${place.process} ${place.inode} ${place.address}`;
    for (const [address, known] of this.#imports) {
      if (known.key !== key || this.#memory.ownerOf(address) !== owner) continue;
      known.uses++;
      return address;
    }
    const file = openThere(place);
    if (file === undefined) return undefined;
    const offset = place.address % PAGE;
    const address = this.#memory.allocatePages(place.byteLength, offset, owner, space);
    const start = (address ?? 0) - offset;
    const byteLength = Math.ceil((offset + place.byteLength) / PAGE) * PAGE;
    const isMapped =
      address !== undefined && mapFile(this.#memory.hostAddress(start), byteLength, file, place.address - offset);
    closeMapped(file);
    if (address === undefined) return undefined;
    if (!isMapped) {
      this.#memory.release(address);
      return undefined;
    }
    this.#imports.set(address, { key, start, byteLength, uses: 1 });
    return address;
  }

  /** Whether memory of another process is mapped at an address. */
  has(address: number): boolean {
    return this.#imports.has(address);
  }

  /** End a use of another process's memory. After the last one nothing may use it any more. */
  close(address: number): void {
    const known = this.#imports.get(address);
    if (!known || --known.uses > 0) return;
    this.#imports.delete(address);
    unmapFile(this.#memory.hostAddress(known.start), known.byteLength);
    this.#memory.release(address);
  }
}

/** Open the file of another process, if it is the one that the place is in. */
function openThere({ process: id, file, inode, address, byteLength }: SharedPlace): number | undefined {
  const path = `/proc/${id}/fd/${file}`;
  try {
    if (!readlinkSync(path).startsWith(`/memfd:${NAME}`)) return undefined;
    const found = statSync(path, { bigint: true });
    if (found.ino !== inode || found.size < BigInt(address + byteLength)) return undefined;
    return openToMap(path);
  } catch {
    // The process has ended, or belongs to another user.
    return undefined;
  }
}

function pageOf(address: number): number {
  return Math.floor(address / PAGE);
}
