import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { hostAndPort } from './address.ts';
import { StoreError } from './errors.ts';
import { FrameReader, GREETING_BYTES, MAGIC, Reply, VERSION } from './protocol.ts';
import { isProof, NONCE_BYTES, PROOF_BYTES, prove } from './token.ts';

/** A server, and a client of it. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly token: string;
  /** -1 for a client that is not a rank. */
  readonly rank: number;
}

/** A connection whose sides know that they have the same token. */
export interface Connected {
  readonly socket: Socket;
  /** With the bytes that came behind the handshake. */
  readonly frames: FrameReader;
}

/** A server has accepted the connection and refuses this client: a second attempt would end in the same way. */
class RefusedError extends Error {}

const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [20, 500];

/**
 * Connect to a server, which may start later than this process.
 *
 * @param timeoutMs - for all attempts
 */
export async function connectTo(endpoint: Endpoint, timeoutMs: number): Promise<Connected> {
  const end = performance.now() + timeoutMs;
  const where = hostAndPort(endpoint.host, endpoint.port);
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await attempt(endpoint, Math.max(end - performance.now(), 1));
    } catch (cause) {
      const { message } = cause as Error;
      if (cause instanceof RefusedError) {
        throw new StoreError('ERR_RAWKERNEL_STORE_REFUSED', `The store at ${where} refuses: ${message}`, { cause });
      }
      if (performance.now() + pauseMs >= end) {
        const text = `No store at ${where} within ${timeoutMs} ms: ${message}\n${ADVICE}`;
        throw new StoreError('ERR_RAWKERNEL_STORE_TIMEOUT', text, { cause });
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

const ADVICE =
  'Its host is rank 0, or the launcher: see whether that runs, and whether MASTER_ADDR and MASTER_PORT are the same in all processes';

function attempt(endpoint: Endpoint, timeoutMs: number): Promise<Connected> {
  const socket = connect({ host: endpoint.host, port: endpoint.port });
  const nonce = randomBytes(NONCE_BYTES);
  const frames = new FrameReader();
  let serverNonce: Buffer | undefined;
  return new Promise((resolve, reject) => {
    const finish = (error: Error | undefined): void => {
      clearTimeout(timer);
      socket.off('connect', connected).off('error', finish).off('close', closed).off('data', read).pause();
      // It may still fail, and an error without a listener would end the process.
      socket.on('error', () => undefined);
      if (error === undefined) {
        resolve({ socket, frames });
        return;
      }
      socket.destroy();
      reject(error);
    };
    const connected = (): void => {
      if (isItself(socket)) finish(new Error('nothing listens there'));
    };
    const closed = (): void => finish(new Error('it ended the connection'));
    const timer = setTimeout(() => finish(new Error('it does not answer')), timeoutMs);
    socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
    const read = (chunk: Buffer): void => {
      frames.push(chunk);
      try {
        if (serverNonce === undefined) {
          const greeting = frames.bytes(GREETING_BYTES);
          if (greeting === undefined) return;
          serverNonce = nonceOf(greeting);
          socket.write(helloOf(endpoint, serverNonce, nonce));
        }
        if (isWelcome(frames, endpoint.token, serverNonce, nonce)) finish(undefined);
      } catch (error) {
        finish(error as Error);
      }
    };
    socket.on('connect', connected).on('error', finish).on('close', closed).on('data', read);
  });
}

const KEEP_ALIVE_MS = 15_000;

/**
 * Whether a socket is connected with itself: the system may choose the port that nothing listens at yet as the client's own, and
 * such a client would keep the host from it (simultaneous open, RFC 9293, 3.5).
 */
export function isItself({ localAddress, localPort, remoteAddress, remotePort }: Socket): boolean {
  return localPort !== undefined && localPort === remotePort && localAddress === remoteAddress;
}

function nonceOf(greeting: Buffer): Buffer {
  if (!greeting.subarray(0, MAGIC.length).equals(MAGIC)) throw new RefusedError('this is not a store of rawkernel');
  const version = greeting.readUInt8(MAGIC.length);
  if (version !== VERSION) {
    throw new RefusedError(`it speaks version ${version} of its protocol, and this process ${VERSION}`);
  }
  return Buffer.from(greeting.subarray(MAGIC.length + 1));
}

function helloOf({ token, rank }: Endpoint, serverNonce: Uint8Array, nonce: Uint8Array): Buffer {
  const rankField = Buffer.alloc(4);
  rankField.writeInt32LE(rank);
  return Buffer.concat([MAGIC, Uint8Array.of(VERSION), nonce, prove(token, 'client', serverNonce, nonce), rankField]);
}

/** Whether the server's answer has come; a server that does not know the token is not the job's. */
function isWelcome(frames: FrameReader, token: string, serverNonce: Uint8Array, nonce: Uint8Array): boolean {
  const answer = frames.next();
  if (answer === undefined) return false;
  if (answer.code !== Reply.OK) throw new RefusedError(answer.text());
  if (isProof(answer.rest(PROOF_BYTES), prove(token, 'server', serverNonce, nonce))) return true;
  throw new RefusedError('it does not know the token of this job');
}
