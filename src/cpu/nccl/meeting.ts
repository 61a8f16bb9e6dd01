import type { Socket } from 'node:net';
import { encodeMembers, encodeRefusal, type Hello } from './hello.ts';

/** Why the owner of an id refuses a rank. */
export const Refusal = { OTHER_SIZE: 1, TWICE: 2 } as const;

/** The ranks that have come to an id, at the thread that made the id. */
export class Meeting {
  readonly #met: () => void;
  readonly #ranks = new Map<number, { readonly hello: Hello; readonly socket: Socket }>();
  #size: number | undefined;

  /** @param met - called when all ranks are there: the id is used up */
  constructor(met: () => void) {
    this.#met = met;
  }

  /** A rank has come. The first one says how many there are. */
  add(hello: Hello, socket: Socket): void {
    const { a: size, b: rank } = hello;
    this.#size ??= size;
    if (size !== this.#size) {
      socket.end(encodeRefusal(Refusal.OTHER_SIZE));
      return;
    }
    if (this.#ranks.has(rank)) {
      socket.end(encodeRefusal(Refusal.TWICE));
      return;
    }
    this.#ranks.set(rank, { hello, socket });
    // It may come again.
    socket.on('close', () => {
      if (this.#ranks.get(rank)?.socket !== socket) return;
      this.#ranks.delete(rank);
      if (this.#ranks.size === 0) this.#size = undefined;
    });
    socket.resume();
    if (this.#ranks.size === size) this.#answer(size);
  }

  #answer(size: number): void {
    const ranks = Array.from({ length: size }, (_, rank) => this.#ranks.get(rank));
    const members = encodeMembers(ranks.flatMap((one) => (one ? [one.hello] : [])));
    this.#ranks.clear();
    for (const one of ranks) one?.socket.end(members);
    this.#met();
  }

  close(): void {
    for (const { socket } of this.#ranks.values()) socket.destroy();
  }
}
