import { hostBytes, type HostMemory } from '../../core/host-memory.ts';

const ELF_HEADER_BYTES = 64;
const FATBIN_HEADER_BYTES = 16;

/**
 * The bytes of a module's image, whole: PTX gets the NUL that the driver looks for, and a binary that ends before its
 * own header says so is refused, because the driver would read past it.
 *
 * @throws TypeError neither text nor host memory
 * @throws RangeError empty, or cut off
 */
export function imageBytes(image: string | HostMemory): Uint8Array {
  const bytes = typeof image === 'string' ? new TextEncoder().encode(image) : hostBytes(image, 'The image');
  if (bytes.length === 0) throw new RangeError('The image is empty: give PTX text, a cubin or a fatbin');
  if (isText(bytes)) return terminated(bytes);
  const wanted = binaryLength(bytes);
  if (wanted > bytes.length) {
    throw new RangeError(`The image is cut off: its header says ${wanted} bytes, got ${bytes.length}`);
  }
  return bytes;
}

/** Cubins begin with ELF's mark, fatbins with 0xBA55ED50; everything else the driver reads as PTX text. */
export function isText(code: Uint8Array): boolean {
  return !isElf(code) && !isFatbin(code);
}

/** Cubins are ELF files. */
export function isElf(code: Uint8Array): boolean {
  return code[0] === 0x7f && code[1] === 0x45 && code[2] === 0x4c && code[3] === 0x46;
}

function isFatbin(code: Uint8Array): boolean {
  return code[0] === 0x50 && code[1] === 0xed && code[2] === 0x55 && code[3] === 0xba;
}

function terminated(text: Uint8Array): Uint8Array {
  if (text.includes(0)) return text;
  const bytes = new Uint8Array(text.length + 1);
  bytes.set(text);
  return bytes;
}

/** The length that a binary's own headers claim. */
function binaryLength(code: Uint8Array): number {
  const view = new DataView(code.buffer, code.byteOffset, code.byteLength);
  if (isFatbin(code)) {
    if (code.length < FATBIN_HEADER_BYTES) return FATBIN_HEADER_BYTES;
    return view.getUint16(6, true) + Number(view.getBigUint64(8, true));
  }
  if (code.length < ELF_HEADER_BYTES) return ELF_HEADER_BYTES;
  const sectionTable = Number(view.getBigUint64(40, true));
  const tableEnd = sectionTable + view.getUint16(58, true) * view.getUint16(60, true);
  return Math.max(tableEnd, segmentsEnd(view));
}

/** Where the program headers of an ELF file say that its content ends. */
function segmentsEnd(view: DataView): number {
  const table = Number(view.getBigUint64(32, true));
  const size = view.getUint16(54, true);
  const count = view.getUint16(56, true);
  const end = table + size * count;
  if (table === 0 || size < 56 || end > view.byteLength) return table === 0 ? 0 : end;
  let most = end;
  for (let at = table; at < end; at += size) {
    most = Math.max(most, Number(view.getBigUint64(at + 8, true)) + Number(view.getBigUint64(at + 32, true)));
  }
  return most;
}
