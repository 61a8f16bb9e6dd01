import { timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';

export const LOOPBACK = '127.0.0.1';
export const NONCE_BYTES = 32;
export const TOKEN_BYTES = 16;
const DEVICE_BYTES = 16;
const MAGIC = 'rknccl01';
const HELLO_BYTES = 128;
const MEMBER_BYTES = 48;
const REPLY_BYTES = 8;
/** How long a connection may take to say what it wants. */
const HELLO_MS = 10_000;

/** What a connection is for. */
export const Purpose = {
  /** A rank meets the others at an id. */
  MEET: 1,
  /** A link between two ranks. */
  LINK: 2,
  /** An id is not needed any more. */
  RETIRE: 3,
} as const;

/** The first bytes of each connection. */
export interface Hello {
  readonly purpose: number;
  /** MEET: the number of ranks, and the rank. LINK: the two ranks. */
  readonly a: number;
  readonly b: number;
  /** The nonce of an id, or a communicator's key. */
  readonly secret: Buffer;
  /** MEET: of the thread that says hello. LINK: the one that the listening thread has given to the ranks. */
  readonly token: Buffer;
  /** MEET: where that thread listens, and its device. */
  readonly port: number;
  readonly device: Buffer;
}

/** A rank, as its communicator knows it. */
export type Member = Pick<Hello, 'port' | 'token' | 'device'>;

export function encodeHello({ purpose, a, b, port, token, secret, device }: Hello): Buffer {
  const bytes = Buffer.alloc(HELLO_BYTES);
  bytes.write(MAGIC, 'latin1');
  [purpose, a, b, port].forEach((word, i) => bytes.writeUInt32LE(word >>> 0, 8 + 4 * i));
  bytes.set(token.subarray(0, TOKEN_BYTES), 24);
  bytes.set(secret.subarray(0, NONCE_BYTES), 40);
  bytes.set(device.subarray(0, DEVICE_BYTES), 72);
  return bytes;
}

/** Read a hello; undefined for other bytes, and where they take too long. */
export async function readHello(socket: Socket): Promise<Hello | undefined> {
  const bytes = await readExactly(socket, HELLO_BYTES, HELLO_MS, (first) =>
    MAGIC.startsWith(first.toString('latin1', 0, Math.min(first.length, MAGIC.length))),
  );
  if (!bytes) return undefined;
  const word = (i: number): number => bytes.readUInt32LE(8 + 4 * i);
  return {
    purpose: word(0),
    a: word(1),
    b: word(2),
    port: word(3),
    token: bytes.subarray(24, 24 + TOKEN_BYTES),
    secret: bytes.subarray(40, 40 + NONCE_BYTES),
    device: bytes.subarray(72, 72 + DEVICE_BYTES),
  };
}

/** The answer to ranks that have met. */
export function encodeMembers(members: readonly Member[]): Buffer {
  const bytes = Buffer.alloc(REPLY_BYTES + members.length * MEMBER_BYTES);
  bytes.writeUInt32LE(members.length, 4);
  members.forEach(({ port, token, device }, i) => {
    const at = REPLY_BYTES + i * MEMBER_BYTES;
    bytes.writeUInt32LE(port, at);
    bytes.set(token, at + 4);
    bytes.set(device, at + 4 + TOKEN_BYTES);
  });
  return bytes;
}

/** The answer to a rank that cannot be one of those that meet. */
export function encodeRefusal(reason: number): Buffer {
  const bytes = Buffer.alloc(REPLY_BYTES);
  bytes.writeUInt32LE(reason, 0);
  return bytes;
}

/** Read the answer of an id's owner: the members, or why it refuses; undefined where it has gone. */
export async function readMembers(socket: Socket, size: number): Promise<readonly Member[] | number | undefined> {
  const head = await readExactly(socket, REPLY_BYTES);
  if (!head) return undefined;
  const reason = head.readUInt32LE(0);
  if (reason !== 0) return reason;
  if (head.readUInt32LE(4) !== size) return undefined;
  const bytes = await readExactly(socket, size * MEMBER_BYTES);
  if (!bytes) return undefined;
  return Array.from({ length: size }, (_, i) => {
    const at = i * MEMBER_BYTES;
    return {
      port: bytes.readUInt32LE(at),
      token: bytes.subarray(at + 4, at + 4 + TOKEN_BYTES),
      device: bytes.subarray(at + 4 + TOKEN_BYTES, at + 4 + TOKEN_BYTES + DEVICE_BYTES),
    };
  });
}

export function isSame(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Read so many bytes and pause the socket, which keeps what follows. Undefined where they do not come.
 *
 * @param limitMs - how long they may take
 * @param fits - looks at the bytes so far
 */
function readExactly(
  socket: Socket,
  byteLength: number,
  limitMs?: number,
  fits: (bytes: Buffer) => boolean = () => true,
): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    const timer =
      limitMs === undefined
        ? undefined
        : setTimeout(() => {
            end(undefined);
          }, limitMs);
    const gone = (): void => {
      end(undefined);
    };
    const take = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      if (!fits(bytes)) end(undefined);
      else if (bytes.length >= byteLength) end(bytes.subarray(0, byteLength));
    };
    const end = (result: Buffer | undefined): void => {
      clearTimeout(timer);
      socket.pause();
      socket.off('data', take).off('close', gone).off('error', gone).off('end', gone);
      if (result && bytes.length > byteLength) socket.unshift(bytes.subarray(byteLength));
      resolve(result);
    };
    socket.on('data', take).once('close', gone).once('error', gone).once('end', gone);
    socket.resume();
  });
}
