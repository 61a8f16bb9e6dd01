import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { isSame, Purpose, readMembers, type Member } from './hello.ts';
import type { Hub } from './hub.ts';
import { LocalLink, SocketLink, type Link, type Listener } from './link.ts';
import { Refusal } from './meeting.ts';
import type { RootAddress } from './messages.ts';
import { Result } from './numbers.ts';
import { Rank } from './rank.ts';

/** A communicator could not be made: an `ncclResult_t` and a text. */
export class MeshError extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(text);
    this.status = status;
  }
}

/** Ends that wait for the other one, in the same thread. */
const halves = new Map<string, { readonly link: LocalLink; readonly joined: () => void }>();

/** The making of a communicator, which can be given up. */
export class MeshJob {
  readonly #hub: Hub;
  readonly #stops = new Set<() => void>();
  #isOver = false;

  constructor(hub: Hub) {
    this.#hub = hub;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Give up: promises of this job never resolve. */
  stop(): void {
    this.#isOver = true;
    for (const stop of this.#stops) stop();
  }

  /** Meet the other ranks at an id. */
  async meet(root: RootAddress, size: number, rank: number, self: Member): Promise<readonly Member[]> {
    const socket = this.#hub.call(root.port, this.#hub.hello(Purpose.MEET, size, rank, root.nonce, self));
    this.#stops.add(() => socket.destroy());
    const answer = await readMembers(socket, size);
    socket.end();
    socket.resume();
    if (this.#isOver) return new Promise(() => undefined);
    if (answer === undefined) {
      throw new MeshError(
        Result.REMOTE_ERROR,
        'The unique id was used before, or the process that made it has ended: make a new one for each communicator',
      );
    }
    if (typeof answer === 'number') throw refusal(answer, size, rank);
    refuseDuplicates(answer);
    return answer;
  }

  /** Tell the owner of an id that no rank will come there. */
  retire({ port, nonce }: RootAddress, self: Member): void {
    this.#hub.call(port, this.#hub.hello(Purpose.RETIRE, 0, 0, nonce, self)).resume();
  }

  /** Link a rank to all others. */
  async build(key: string, rank: number, members: readonly Member[]): Promise<Rank> {
    const made = new Rank(key, rank, members.length);
    const links = members.map(async (member, other) => {
      if (other === rank) return;
      const listen: Listener = (frame) => {
        made.hear(other, frame);
      };
      made.links[other] = await this.#link(key, rank, other, member, listen);
    });
    await Promise.all(links);
    if (this.#isOver) made.close(true);
    return made;
  }

  async #link(key: string, rank: number, other: number, member: Member, listen: Listener): Promise<Link> {
    if (isSame(member.token, this.#hub.token)) return this.#meetLocally(key, rank, other, listen);
    if (rank > other) {
      const hello = this.#hub.hello(Purpose.LINK, rank, other, Buffer.from(key, 'hex'), member);
      return this.#keep(this.#hub.call(member.port, hello), listen);
    }
    const { link, stop } = this.#hub.await(key, other, rank);
    this.#stops.add(stop);
    return this.#keep(await link, listen);
  }

  #keep(socket: Socket, listen: Listener): Link {
    this.#stops.add(() => socket.destroy());
    return new SocketLink(socket, listen);
  }

  #meetLocally(key: string, rank: number, other: number, listen: Listener): Promise<Link> {
    const link = new LocalLink(listen);
    const waiting = halves.get(`${key}.${other}.${rank}`);
    if (waiting) {
      halves.delete(`${key}.${other}.${rank}`);
      LocalLink.join(waiting.link, link);
      waiting.joined();
      return Promise.resolve(link);
    }
    const name = `${key}.${rank}.${other}`;
    this.#stops.add(() => halves.delete(name));
    return new Promise((resolve) => {
      halves.set(name, {
        link,
        joined: () => {
          resolve(link);
        },
      });
    });
  }
}

/** The key of a communicator that is made of another one. */
export function childKey(parent: string, index: number, group: string): string {
  return createHash('sha256').update(`${parent} ${index} ${group}`).digest('hex');
}

/** Two ranks on one device: NCCL compares the host and the bus id of each rank's device. */
function refuseDuplicates(members: readonly Member[]): void {
  const seen = new Map<string, number>();
  members.forEach(({ device }, rank) => {
    const name = device.toString('hex');
    const other = seen.get(name);
    if (other !== undefined) {
      const text = `Duplicate GPU detected : rank ${other} and rank ${rank} both on one CUDA device; RAWKERNEL_CPU_DEVICES gives each rank one`;
      throw new MeshError(Result.INVALID_USAGE, text);
    }
    seen.set(name, rank);
  });
}

function refusal(reason: number, size: number, rank: number): MeshError {
  return reason === Refusal.OTHER_SIZE
    ? new MeshError(Result.INVALID_USAGE, `The ranks of one id must agree on their number; rank ${rank} says ${size}`)
    : new MeshError(Result.INVALID_USAGE, `Rank ${rank} of ${size} has come to this id twice`);
}
