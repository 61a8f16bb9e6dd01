import type { Socket } from 'node:net';
import { decodeFrame, encodeFrame, FrameKind, HEADER_BYTES, joined, MAX_PAYLOAD, split, type Frame } from './frame.ts';

/** Transfers that a peer may announce before this rank asks for them. */
const MOST_EARLY = 1 << 16;
/** Bytes that a socket holds before the rest of a transfer waits. */
const AHEAD = 4 << 20;
/** Payloads of at most this size go out together with their header. */
const SMALL = 16 << 10;

/** Bytes of a transfer, as views: an address may be in memory that grows. */
export type Bytes = () => Uint8Array;

interface Incoming {
  readonly to: Bytes;
  readonly byteLength: number;
  received: number;
  readonly done: () => void;
}

interface Outgoing {
  readonly from: Bytes;
  readonly byteLength: number;
  readonly done: () => void;
}

/** Receives frames that are no transfers. */
export type Listener = (frame: Frame) => void;

/**
 * The way from one rank to another. A transfer begins when the receiver has asked for it, with the same length: so nothing
 * arrives that has no place. A broken link is silent: transfers on it never end, as on NCCL's local transports.
 */
export abstract class Link {
  readonly #listen: Listener;
  readonly #incoming = new Map<string, Incoming>();
  readonly #outgoing = new Map<string, Outgoing>();
  /** Lengths that the peer has asked for, of transfers that have not begun here. */
  readonly #asked = new Map<string, number>();

  constructor(listen: Listener) {
    this.#listen = listen;
  }

  abstract close(abruptly: boolean): void;
  protected abstract put(frame: Frame): void;
  protected abstract putData(index: number, step: number, outgoing: Outgoing): void;

  /** Tell the peer. */
  say(kind: number, index: number, step: number, said: Frame['said']): void {
    this.put({ kind, index, step, bytes: 0, said });
  }

  /** Resolves when all bytes have arrived. */
  receive(index: number, step: number, to: Bytes, byteLength: number): Promise<void> {
    return new Promise((done) => {
      this.#incoming.set(keyOf(index, step), { to, byteLength, received: 0, done });
      this.say(FrameKind.GO, index, step, [...split(byteLength), 0, 0]);
    });
  }

  /** Resolves when all bytes have been given to the system. */
  send(index: number, step: number, from: Bytes, byteLength: number): Promise<void> {
    return new Promise((done) => {
      this.#outgoing.set(keyOf(index, step), { from, byteLength, done });
      this.#begin(index, step);
    });
  }

  #begin(index: number, step: number): void {
    const key = keyOf(index, step);
    const outgoing = this.#outgoing.get(key);
    const asked = this.#asked.get(key);
    if (!outgoing || asked !== outgoing.byteLength) return;
    this.#outgoing.delete(key);
    this.#asked.delete(key);
    this.putData(index, step, outgoing);
  }

  /** @returns false for a frame that no rank sends */
  protected hear(frame: Frame): boolean {
    if (frame.kind !== FrameKind.GO) {
      this.#listen(frame);
      return true;
    }
    const key = keyOf(frame.index, frame.step);
    if (this.#asked.size >= MOST_EARLY) return false;
    this.#asked.set(key, joined(frame.said[0], frame.said[1]));
    this.#begin(frame.index, frame.step);
    return true;
  }

  /** The place of a frame's bytes; undefined for bytes that were not asked for. */
  protected expects({ index, step, bytes }: Frame): Uint8Array | undefined {
    const incoming = this.#incoming.get(keyOf(index, step));
    if (!incoming || incoming.received + bytes > incoming.byteLength) return undefined;
    return incoming.to().subarray(incoming.received, incoming.received + bytes);
  }

  /** A frame's bytes are in their place. */
  protected arrived({ index, step, bytes }: Frame): void {
    const key = keyOf(index, step);
    const incoming = this.#incoming.get(key);
    if (!incoming) return;
    incoming.received += bytes;
    if (incoming.received < incoming.byteLength) return;
    this.#incoming.delete(key);
    incoming.done();
  }
}

function keyOf(index: number, step: number): string {
  return `${index}.${step}`;
}

/** Between two ranks of one thread. */
export class LocalLink extends Link {
  #peer: LocalLink | undefined;

  /** Join two ends. */
  static join(a: LocalLink, b: LocalLink): void {
    a.#peer = b;
    b.#peer = a;
  }

  protected put(frame: Frame): void {
    // Not at once: the peer would answer inside of the call that tells it.
    queueMicrotask(() => this.#peer?.hear(frame));
  }

  protected putData(index: number, step: number, { from, byteLength, done }: Outgoing): void {
    const frame: Frame = { kind: FrameKind.DATA, index, step, bytes: byteLength, said: [0, 0, 0, 0] };
    queueMicrotask(() => {
      this.#peer?.expects(frame)?.set(from());
      this.#peer?.arrived(frame);
      done();
    });
  }

  close(): void {
    if (this.#peer) this.#peer.#peer = undefined;
    this.#peer = undefined;
  }
}

/** Between ranks of two threads or processes. */
export class SocketLink extends Link {
  readonly #socket: Socket;
  readonly #header: Buffer = Buffer.alloc(HEADER_BYTES);
  #headerBytes = 0;
  #frame: Frame | undefined;
  #place: Uint8Array | undefined;
  #left = 0;
  readonly #queue: (() => Promise<void> | undefined)[] = [];
  #isBusy = false;

  constructor(socket: Socket, listen: Listener) {
    super(listen);
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (bytes: Buffer) => {
      if (!this.#read(bytes)) socket.destroy();
    });
    // What was under way stays so for ever.
    socket.on('error', () => undefined);
    socket.resume();
  }

  #read(bytes: Buffer): boolean {
    for (let at = 0; at < bytes.length;) {
      if (this.#frame) at += this.#readPayload(bytes, at);
      else {
        const part = bytes.subarray(at, at + HEADER_BYTES - this.#headerBytes);
        this.#header.set(part, this.#headerBytes);
        this.#headerBytes += part.length;
        at += part.length;
        if (this.#headerBytes === HEADER_BYTES && !this.#start(decodeFrame(this.#header))) return false;
      }
    }
    return true;
  }

  #start(frame: Frame): boolean {
    this.#headerBytes = 0;
    if (frame.kind !== FrameKind.DATA) return frame.bytes === 0 && this.hear(frame);
    const place = frame.bytes <= MAX_PAYLOAD ? this.expects(frame) : undefined;
    if (!place) return false;
    if (frame.bytes === 0) this.arrived(frame);
    else {
      this.#frame = frame;
      this.#place = place;
      this.#left = frame.bytes;
    }
    return true;
  }

  #readPayload(bytes: Buffer, at: number): number {
    const frame = this.#frame as Frame;
    const part = bytes.subarray(at, at + this.#left);
    (this.#place as Uint8Array).set(part, frame.bytes - this.#left);
    this.#left -= part.length;
    if (this.#left === 0) {
      this.#frame = undefined;
      this.arrived(frame);
    }
    return part.length;
  }

  protected put(frame: Frame): void {
    this.#enqueue(() => {
      this.#socket.write(encodeFrame(frame));
      return undefined;
    });
  }

  protected putData(index: number, step: number, { from, byteLength, done }: Outgoing): void {
    let at = 0;
    do {
      const start = at;
      const bytes = Math.min(MAX_PAYLOAD, byteLength - start);
      at += bytes;
      const isLast = at === byteLength;
      const frame: Frame = { kind: FrameKind.DATA, index, step, bytes, said: [0, 0, 0, 0] };
      this.#enqueue(() => this.#write(frame, from().subarray(start, start + bytes), isLast ? done : undefined));
    } while (at < byteLength);
  }

  /** Write a frame; a promise where the socket has enough for now. */
  #write(frame: Frame, bytes: Uint8Array, done: (() => void) | undefined): Promise<void> | undefined {
    const socket = this.#socket;
    const header = encodeFrame(frame);
    const isSmall = bytes.length <= SMALL;
    if (!isSmall) socket.write(header);
    // The memory belongs to the program again once the bytes are gone, which is not before they are written.
    socket.write(isSmall ? Buffer.concat([header, bytes]) : bytes, () => done?.());
    if (socket.writableLength < AHEAD) return undefined;
    return new Promise((resolve) => socket.once('drain', resolve));
  }

  #enqueue(write: () => Promise<void> | undefined): void {
    if (!this.#isBusy && this.#queue.length === 0) {
      const pause = write();
      if (pause) void this.#goOn(pause);
    } else this.#queue.push(write);
  }

  async #goOn(pause: Promise<void>): Promise<void> {
    this.#isBusy = true;
    let waits: Promise<void> | undefined = pause;
    for (;;) {
      if (waits) await waits;
      const next = this.#queue.shift();
      if (!next) break;
      waits = next();
    }
    this.#isBusy = false;
  }

  close(abruptly: boolean): void {
    if (abruptly) this.#socket.destroy();
    // After what has been written.
    else this.#socket.end();
  }
}
