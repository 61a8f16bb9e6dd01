import { nameOf } from '../core/check.ts';
import { newBytes, readBytes } from './bytes.ts';
import { crc32 } from './crc32.ts';
import { isNpy } from './npy-header.ts';
import { brief } from './brief.ts';
import { readZipDirectory, storedBytes } from './zip-directory.ts';
import {
  centralHeader,
  DEFLATED,
  endRecords,
  localHeader,
  MAX_16,
  STORED,
  UTF8_NAME,
  type ZipEntry,
} from './zip-record.ts';

/**
 * Undo raw deflate (without the header of zlib).
 *
 * @param data - what was deflated
 * @param size - how many bytes it was, at least 1; more are never needed
 */
export type Inflate = (data: Uint8Array, size: number) => Uint8Array;

/** Compress by raw deflate (without the header of zlib). */
export type Deflate = (data: Uint8Array) => Uint8Array;

const SUFFIX = '.npy';
/** The flags of what cannot be read: encrypted, a patch, strongly encrypted, with hidden names. */
const ENCRYPTED = 0x2041;
const PATCH = 0x20;
/** Deflate has at least 2 bits for 258 bytes. */
const MAX_RATIO = 1032;
/** The characters above ASCII of names without the flag of UTF-8: code page 437, as in the first archives. */
const CODE_PAGE =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀' +
  'αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

/**
 * Read the members of a `.npz` file by name, in the file's order: the member `x.npy` as `x`, others by their full names as
 * NumPy does. Each is a whole `.npy` file. What was stored is the file's own memory, what was deflated is new.
 *
 * With Node's zlib, `inflate` is `(data, size) => inflateRawSync(data, { maxOutputLength: size })`.
 *
 * @throws TypeError an argument of the wrong kind, or a member that is encrypted or compressed in another way
 * @throws SyntaxError it is no zip archive, it is damaged, or it has a name twice
 */
export function decodeNpz(bytes: Uint8Array, inflate: Inflate): Map<string, Uint8Array> {
  const file = readBytes(bytes, 'bytes');
  if (typeof inflate !== 'function') throw new TypeError(`inflate must be a function, got ${nameOf(inflate)}`);
  const members = new Map<string, Uint8Array>();
  for (const entry of readZipDirectory(file)) {
    const name = readName(entry);
    if (name.endsWith('/')) continue;
    const key = name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : name;
    if (members.has(key)) throw new SyntaxError(`The .npz file must have each name once, got '${brief(key)}' twice`);
    members.set(key, readMember(file, entry, `The .npz file's member '${brief(name)}'`, inflate));
  }
  return members;
}

/**
 * Make the bytes of a `.npz` file, as `numpy.savez` writes it; with `deflate`, as `numpy.savez_compressed`. Equal members make
 * equal bytes.
 *
 * With Node's zlib, `deflate` is `deflateRawSync`. Members that it does not make smaller are stored.
 *
 * @param members - whole `.npy` files by name: that of `x` becomes the member `x.npy`
 * @throws TypeError an argument of the wrong kind, or a member that is no `.npy` file
 * @throws RangeError a name that an archive cannot have or that is there twice, or more bytes than a Uint8Array holds
 */
export function encodeNpz(
  members: ReadonlyMap<string, Uint8Array> | Iterable<readonly [name: string, npy: Uint8Array]>,
  deflate?: Deflate,
): Uint8Array<ArrayBuffer> {
  if (deflate !== undefined && typeof deflate !== 'function') {
    throw new TypeError(`deflate must be a function, got ${nameOf(deflate)}`);
  }
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  const names = new Set<string>();
  let offset = 0;
  for (const pair of readMembers(members)) {
    if (!Array.isArray(pair)) throw new TypeError(`members must hold pairs of a name and bytes, got ${nameOf(pair)}`);
    const [key, npy] = pair as readonly unknown[];
    checkName(key);
    const name = new TextEncoder().encode(`${key}${SUFFIX}`);
    if (names.has(key)) throw new RangeError(`members must have each name once, got '${brief(key)}' twice`);
    names.add(key);
    const data = readBytes(npy, `The member '${brief(key)}'`);
    if (!isNpy(data))
      throw new TypeError(`The member '${brief(key)}' must be the bytes of an .npy file: encodeNpy() makes them`);
    const deflated = deflate && readBytes(deflate(data), 'What deflate returns');
    const isSmaller = deflated !== undefined && deflated.length < data.length;
    const stored = isSmaller ? deflated : data;
    const entry: ZipEntry = {
      name,
      flags: UTF8_NAME,
      method: isSmaller ? DEFLATED : STORED,
      crc: crc32(data),
      compressedSize: stored.length,
      size: data.length,
      offset,
    };
    const header = localHeader(entry);
    parts.push(header, stored);
    directory.push(centralHeader(entry));
    offset += header.length + stored.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  return joined([...parts, ...directory, endRecords({ count: directory.length, size, offset })]);
}

function readMember(file: Uint8Array, entry: ZipEntry, what: string, inflate: Inflate): Uint8Array {
  const { flags, method, size, compressedSize } = entry;
  if (flags & ENCRYPTED) throw new TypeError(`${what} must not be encrypted`);
  if (method !== STORED && method !== DEFLATED) {
    throw new TypeError(`${what} must be stored or deflated, got compression method ${method}`);
  }
  if (flags & PATCH) throw new TypeError(`${what} must be whole, got a patch`);
  if (method === STORED && size !== compressedSize) {
    throw new SyntaxError(`${what} is damaged: it must be stored in ${size} bytes, got ${compressedSize}`);
  }
  const stored = storedBytes(file, entry, what);
  const data = method === STORED ? stored : inflated(stored, size, what, inflate);
  const crc = crc32(data);
  if (crc === entry.crc) return data;
  throw new SyntaxError(`${what} is damaged: its CRC-32 must be ${hex(entry.crc)}, got ${hex(crc)}`);
}

function inflated(data: Uint8Array, size: number, what: string, inflate: Inflate): Uint8Array {
  if (size === 0) return new Uint8Array(0);
  const most = data.length * MAX_RATIO;
  if (size > most) {
    throw new SyntaxError(`${what} is damaged: its ${data.length} deflated bytes hold at most ${most}, not ${size}`);
  }
  let made: Uint8Array;
  try {
    made = inflate(data, size);
  } catch (cause) {
    throw new SyntaxError(`${what} is damaged: its deflated bytes cannot be read as ${size} bytes`, { cause });
  }
  const result = readBytes(made, 'What inflate returns');
  if (result.length === size) return result;
  throw new SyntaxError(`${what} is damaged: its deflated bytes must hold ${size} bytes, got ${result.length}`);
}

function readName({ name, flags }: ZipEntry): string {
  if ((flags & UTF8_NAME) === 0) {
    return Array.from(name, (byte) => (byte < 128 ? String.fromCharCode(byte) : CODE_PAGE.charAt(byte - 128))).join('');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(name);
  } catch (cause) {
    throw new SyntaxError('The .npz file is damaged: the name of a member is not UTF-8', { cause });
  }
}

function checkName(key: unknown): asserts key is string {
  if (typeof key !== 'string') throw new TypeError(`The name of a member must be a string, got ${nameOf(key)}`);
  // Readers end a name there, and half a character has no bytes.
  if (/[\0\p{Cs}]/u.test(key)) {
    throw new RangeError(`The name of a member must have no NUL and no lone surrogate, got '${brief(key)}'`);
  }
  const most = MAX_16 - SUFFIX.length;
  const { length } = new TextEncoder().encode(key);
  if (length > most) throw new RangeError(`The name of a member must have at most ${most} bytes, got ${length}`);
}

function readMembers(members: unknown): Iterable<unknown> {
  if (typeof members === 'object' && members !== null && Symbol.iterator in members) {
    return members as Iterable<unknown>;
  }
  throw new TypeError(`members must be a Map or pairs of a name and bytes, got ${nameOf(members)}`);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  const result = newBytes(size, 'The .npz file');
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}

function hex(crc: number): string {
  return `0x${crc.toString(16).padStart(8, '0')}`;
}
