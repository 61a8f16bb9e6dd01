import { FrameKind, split, type Frame } from './frame.ts';
import type { Bytes, Link } from './link.ts';
import type { Operation } from './messages.ts';

/** Where the rank has to give its answer to what another one said. */
interface Meeting {
  /** What the ranks have said so far. */
  readonly said: Map<number, Frame['said']>;
  check: (() => void) | undefined;
}

/** A rank of a communicator: its links, and the numbers of its operations. */
export class Rank {
  /** The communicator's secret name: the same for all of its ranks. */
  readonly key: string;
  readonly rank: number;
  readonly size: number;
  /** By rank; none to itself. */
  readonly links: (Link | undefined)[];
  readonly #meetings = new Map<string, Meeting>();
  readonly #sends: number[];
  readonly #receives: number[];
  #collectives = 0;
  #splits = 0;

  constructor(key: string, rank: number, size: number) {
    this.key = key;
    this.rank = rank;
    this.size = size;
    this.links = Array.from({ length: size }, () => undefined);
    this.#sends = Array.from({ length: size }, () => 0);
    this.#receives = Array.from({ length: size }, () => 0);
  }

  /** The ranks besides this one. */
  get others(): number[] {
    return this.links.flatMap((link, rank) => (link ? [rank] : []));
  }

  /** Called with each frame of another rank. */
  hear(from: number, { kind, index, said }: Frame): void {
    const meeting = this.#meeting(kind, index);
    meeting.said.set(from, said);
    meeting.check?.();
  }

  #meeting(kind: number, index: number): Meeting {
    const key = `${kind}.${index}`;
    let meeting = this.#meetings.get(key);
    if (!meeting) this.#meetings.set(key, (meeting = { said: new Map(), check: undefined }));
    return meeting;
  }

  /** Number the next collective. All ranks number theirs in the order of their calls. */
  nextCollective(): number {
    return this.#collectives++;
  }

  /** Number the next transfer to or from a rank. */
  nextTransfer(isSend: boolean, peer: number): number {
    const counts = isSend ? this.#sends : this.#receives;
    const index = counts[peer] as number;
    counts[peer] = index + 1;
    return index;
  }

  /**
   * Tell all ranks which operation this one has come to, and its kind; resolves when all of them have come to the same. Otherwise it never
   * does, as collectives of NCCL that do not match may never end.
   */
  join(index: number, kind: number, { count, dtype, reduction, root }: Operation): Promise<void> {
    const what = kind | (dtype << 8) | ((reduction?.op ?? 0) << 16) | (reduction?.scalar ? 1 << 24 : 0);
    const own: Frame['said'] = [what, ...split(count), root];
    return this.#meet(FrameKind.JOIN, index, own, (said) => said.every((word, i) => word === own[i])).then(
      () => undefined,
    );
  }

  /** Tell all ranks two numbers of this one; resolves with those of all ranks. */
  async exchange(
    a: number,
    b: number,
  ): Promise<{ readonly index: number; readonly said: (readonly [number, number])[] }> {
    const index = this.#splits++;
    const said = await this.#meet(FrameKind.SPLIT, index, [a >>> 0, b >>> 0, 0, 0], () => true);
    return { index, said: said.map(([x, y]) => [x | 0, y | 0]) };
  }

  /** Number the next communicator that is made without an exchange. */
  nextSplit(): number {
    return this.#splits++;
  }

  #meet(
    kind: number,
    index: number,
    own: Frame['said'],
    agrees: (said: Frame['said']) => boolean,
  ): Promise<Frame['said'][]> {
    const meeting = this.#meeting(kind, index);
    meeting.said.set(this.rank, own);
    for (const link of this.links) link?.say(kind, index, 0, own);
    return new Promise((resolve) => {
      meeting.check = (): void => {
        if (meeting.said.size < this.size || ![...meeting.said.values()].every(agrees)) return;
        this.#meetings.delete(`${kind}.${index}`);
        resolve(Array.from({ length: this.size }, (_, rank) => meeting.said.get(rank) ?? own));
      };
      meeting.check();
    });
  }

  send(to: number, index: number, step: number, from: Bytes, byteLength: number): Promise<void> {
    return this.links[to]?.send(index, step, from, byteLength) ?? Promise.resolve();
  }

  receive(from: number, index: number, step: number, to: Bytes, byteLength: number): Promise<void> {
    return this.links[from]?.receive(index, step, to, byteLength) ?? Promise.resolve();
  }

  close(abruptly: boolean): void {
    for (const link of this.links) link?.close(abruptly);
    this.links.fill(undefined);
  }
}
