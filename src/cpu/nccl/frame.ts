/** The bytes before each frame's payload. */
export const HEADER_BYTES = 32;
/** The most bytes of a frame's payload. */
export const MAX_PAYLOAD: number = 1 << 20;

/** What a frame is for. */
export const FrameKind = {
  /** The rank has come to an operation: what it is. */
  JOIN: 1,
  /** The rank takes the bytes of a transfer now. */
  GO: 2,
  /** Bytes of a transfer. */
  DATA: 3,
  /** The rank takes part in making another communicator. */
  SPLIT: 4,
} as const;

/** The step of point-to-point transfers, which have a count of their own for each pair of ranks. */
export const POINT_TO_POINT = 0xffff_ffff;

/** Eight words of 32 bits: the kind, the number of the operation, its step, the payload's bytes, and what the kind has to say. */
export interface Frame {
  readonly kind: number;
  readonly index: number;
  readonly step: number;
  readonly bytes: number;
  readonly said: readonly [number, number, number, number];
}

export function encodeFrame({ kind, index, step, bytes, said }: Frame): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  [kind, index, step, bytes, ...said].forEach((word, i) => header.writeUInt32LE(word >>> 0, 4 * i));
  return header;
}

export function decodeFrame(header: Buffer): Frame {
  const word = (i: number): number => header.readUInt32LE(4 * i);
  return { kind: word(0), index: word(1), step: word(2), bytes: word(3), said: [word(4), word(5), word(6), word(7)] };
}

/** The two words of a number of more than 32 bits. */
export function split(value: number): [low: number, high: number] {
  return [value >>> 0, Math.floor(value / 2 ** 32)];
}

export function joined(low: number, high: number): number {
  return low + high * 2 ** 32;
}
