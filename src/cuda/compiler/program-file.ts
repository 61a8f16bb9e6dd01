import { createHash } from 'node:crypto';
import type { ProgramParts } from './program-parts.ts';

const MARK = 'RKPROG-1';
const DIGEST_BYTES = 32;
const HEAD_BYTES = MARK.length + DIGEST_BYTES + 4;

/** A program as the bytes of a file: a mark, a digest of the rest, what is known of it as JSON, the code. */
export function packProgram({ code, ...rest }: ProgramParts): Uint8Array {
  const json = Buffer.from(JSON.stringify(rest));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  const body = Buffer.concat([length, json, code]);
  return Buffer.concat([Buffer.from(MARK), createHash('sha256').update(body).digest(), body]);
}

/**
 * What {@link packProgram} packed; undefined for other bytes.
 *
 * @throws RangeError they are cut off, or damaged
 */
export function unpackProgram(bytes: Buffer): ProgramParts | undefined {
  if (bytes.toString('latin1', 0, MARK.length) !== MARK) return undefined;
  const digest = bytes.subarray(MARK.length, MARK.length + DIGEST_BYTES);
  const body = bytes.subarray(MARK.length + DIGEST_BYTES);
  const whole = bytes.length >= HEAD_BYTES && createHash('sha256').update(body).digest().equals(digest);
  if (!whole) throw new RangeError('The saved program is damaged or cut off: compile and save it again');
  const end = 4 + body.readUInt32LE(0);
  const rest = JSON.parse(body.toString('utf8', 4, end)) as Omit<ProgramParts, 'code'>;
  return { ...rest, code: new Uint8Array(body.subarray(end)) };
}
