import { randomBytes } from 'node:crypto';
import { pause } from '../core/pause.ts';
import { recentLaunches } from '../cuda/recent-launches.ts';
import { isComer, MAX_TOLD, parsed, toldOf } from './exchange-notes.ts';
import type { Alarm, Comer, Gone, Head, Leaving } from './exchange-notes.ts';
import { isPointToPoint, type FlightRecord } from './flight-record.ts';
import { isClean, type RankState } from './hang-report.ts';
import { atProcessEnd } from './process-end.ts';
import { RelayedStore } from './relayed-store.ts';
import type { ReportStore } from './report-store.ts';

/** This rank among the ranks of the communicator. */
export interface ExchangeFacts {
  readonly rank: number;
  readonly size: number;
  /** Whether its ranks are those of the job, so that one that has not come is known, too. */
  readonly isJob?: boolean;
}

/** How long ranks have to answer an alarm. */
const ANSWER_MS = 1000;
/** How often a rank publishes what it is at while another one is near its time-out. */
const PUBLISH_MS = 1000;
/** How long calls may still finish after a rank has gone. */
const GRACE_MS = 1000;
/** How long a relay has to reach the store. */
const CONNECT_MS = 1000;
/** Kernels of each rank in a report. */
const LAUNCHES_TOLD = 3;
/** A rank has closed its store: it may come again, by another one. */
const CLOSED = 'closed';
/** The store knows no more. */
const LOST = 'connection lost';
/** Tells this process from another one of the same rank. */
const PROCESS = randomBytes(8).toString('hex');

/**
 * How the ranks of one communicator tell each other what they are at, by the job's store: once one is at its time-out, all
 * answer, from their event loops. Before that nothing is written, but for a rank's word that it has come.
 */
export class Exchange {
  readonly #keys: RelayedStore;
  readonly #facts: ExchangeFacts;
  readonly #come = new Map<number, Map<string, Comer>>();
  readonly #heads = new Map<number, Head>();
  readonly #gone = new Map<number, Gone>();
  readonly #left = new Map<number, string>();
  /** Since when it is known of ranks that they have not left in peace. */
  readonly #deadMs = new Map<number, number>();
  readonly #near = new Set<number>();
  readonly #closing: (() => void)[] = [];
  #record: FlightRecord | undefined;
  #failure: () => string | undefined = () => undefined;
  #lost: string | undefined;
  #waiting: string | undefined = 'init';
  #timer: NodeJS.Timeout | undefined;
  #published = '';
  #publishedMs = 0;
  #isNear = false;
  #brokenMs: number | undefined;
  #forsakenMs: number | undefined;
  #isAlarmed = false;
  #isClosed = false;
  /** What another rank's alarm has said, for a listener that comes later. */
  #heardAlarm: Alarm | undefined;
  #onAlarm: ((alarm: Alarm) => void) | undefined;
  #answered: (() => void) | undefined;

  constructor(store: ReportStore, key: string, facts: ExchangeFacts) {
    this.#keys = new RelayedStore(store, `nccl/${key}/`);
    this.#facts = facts;
  }

  /**
   * Take part, and say that this rank has come.
   *
   * @param key - of the communicator, the same on all of its ranks
   */
  static async open(store: ReportStore, key: string, facts: ExchangeFacts): Promise<Exchange> {
    const exchange = new Exchange(store, key, facts);
    const notes = await store.subscribe(exchange.#keys.prefix, (name, value) => exchange.#hear(name, value));
    const leaves = await store.onLeave((rank, reason) => exchange.#leave(rank, reason));
    const loss = store.onLost?.((reason, rank) => exchange.#lose(reason, rank));
    exchange.#closing.push(
      () => notes.close(),
      () => leaves.close(),
      () => loss?.close(),
      atProcessEnd('exchanges', ({ hasFailed }) => {
        if (!hasFailed) exchange.close('ended');
      }),
    );
    const comer: Comer = { job: store.rank ?? facts.rank, size: facts.size };
    await store.set(`${exchange.#keys.prefix}here/${facts.rank}.${PROCESS}`, JSON.stringify(comer));
    return exchange;
  }

  /** That of other communicators of the same job, too. */
  get store(): ReportStore {
    return this.#keys.store;
  }

  /** The key of a communicator that is made of this one. */
  childKey(name: string): string {
    return `${this.#keys.prefix.slice('nccl/'.length)}${name}`;
  }

  /**
   * What this rank's calls are noted in, once NCCL has made the communicator.
   *
   * @param failure - why the communicator takes no more calls
   */
  follow(record: FlightRecord, failure: () => string | undefined): void {
    this.#record = record;
    this.#failure = failure;
  }

  /** Hear of another rank's alarm, also of one that has come before; the last listener alone hears of it. */
  onAlarm(listener: (alarm: Alarm) => void): void {
    this.#onAlarm = listener;
    if (this.#heardAlarm !== undefined) listener(this.#heardAlarm);
  }

  /** Say that this rank waits in a call that is not on the record; undefined: no more. */
  wait(routine: string | undefined): void {
    this.#waiting = routine;
  }

  /** Whether a rank has gone for so long that no call will finish. */
  get isBroken(): boolean {
    const now = performance.now();
    this.#forsakenMs = this.#isForsaken() ? (this.#forsakenMs ?? now) : undefined;
    const sinceMs = Math.min(this.#brokenMs ?? now, this.#forsakenMs ?? now, ...this.#deadMs.values());
    return now - sinceMs > GRACE_MS;
  }

  /** Whether this rank waits for a call that a rank which has left in peace has never made. */
  #isForsaken(): boolean {
    if (this.#waiting === 'init') return this.#gone.size > 0 || [...this.#left.values()].some((how) => how !== CLOSED);
    if (this.#gone.size === 0) return false;
    const head = this.#record?.head();
    if (head === undefined) return false;
    return [...this.#gone].some(([rank, gone]) => {
      if (!isPointToPoint(head)) return gone.calls < head.sequence;
      const [sends = 0, recvs = 0] = gone.transfers?.[this.#facts.rank] ?? [];
      return head.peer === rank && (head.name === 'send' ? recvs : sends) < head.sequence;
    });
  }

  /** What is known of each rank. */
  get states(): readonly RankState[] {
    const others = [...this.#come.keys()].filter((rank) => rank >= this.#facts.size);
    const ranks = [...Array.from({ length: this.#facts.size }, (_, rank) => rank), ...others];
    return ranks.map((rank) => this.#stateOf(rank));
  }

  /** This rank has used half of its time: others publish what they are at, in case that they cannot later. */
  near(): void {
    if (this.#isNear || this.#isClosed) return;
    this.#isNear = true;
    this.#send(`near/${this.#facts.rank}`, '');
  }

  /** What it has waited for is finished. */
  notNear(): void {
    if (!this.#isNear) return;
    this.#isNear = false;
    this.#keys.deleteKey(`near/${this.#facts.rank}`);
  }

  /**
   * Ask all ranks what they are at, and wait for their answers.
   *
   * @param timeoutMs - the time limit that is over; undefined: a rank has left
   */
  async gather(timeoutMs: number | undefined): Promise<readonly RankState[]> {
    this.#alarm(timeoutMs);
    this.#publish();
    await this.#answers();
    return this.states;
  }

  /** {@link gather} while the event loop stands still; undefined where the others cannot be reached so. */
  gatherNow(timeoutMs: number | undefined): readonly RankState[] | undefined {
    if (!this.#keys.startRelay()) return undefined;
    this.#alarm(timeoutMs);
    this.#publish();
    const sinceMs = performance.now();
    const limitMs = ANSWER_MS + CONNECT_MS;
    while (!this.#isComplete() && performance.now() - sinceMs < limitMs) {
      this.#listen();
      pause(performance.now() - sinceMs);
    }
    return this.states;
  }

  /** The event loop stands still from now on. */
  block(): void {
    this.#keys.block();
  }

  unblock(): void {
    this.#keys.unblock();
  }

  /** Do what the event loop would do: hear the others, and publish while one of them is near its time limit. */
  look(): void {
    if (this.#isClosed || !this.#keys.isRelayed) return;
    this.#listen();
    if (this.#near.size > 0 && performance.now() - this.#publishedMs >= PUBLISH_MS) this.#publish();
  }

  #listen(): void {
    for (let note = this.#keys.take(); note !== undefined; note = this.#keys.take()) {
      if ('key' in note) this.#hear(note.key, note.value);
      else if ('left' in note) this.#leave(note.rank, note.left);
      else this.#lose(note.lost, note.rank);
    }
  }

  /**
   * Take no part any more, and say why: others that wait for this rank do so in vain.
   *
   * @param how - undefined: the process says the rest
   */
  close(how?: Leaving): void {
    if (this.#isClosed) return;
    this.notNear();
    if (how !== undefined) {
      const { collectives: calls = 0, transfers } = this.#record ?? {};
      const gone: Gone = { how, calls, transfers, failed: this.#failure() };
      this.#send(`gone/${this.#facts.rank}`, JSON.stringify(gone));
    }
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#keys.close();
    for (const close of this.#closing) close();
  }

  #hear(key: string, value: Uint8Array | undefined): void {
    const [kind = '', text = ''] = key.slice(this.#keys.prefix.length).split('/');
    const rank = Number(text);
    if (kind === 'near') this.#hearNear(rank, value !== undefined);
    if (value === undefined || key.slice(this.#keys.prefix.length).split('/').length > 2) return;
    if (kind === 'here') this.#hearComer(text, Buffer.from(value).toString());
    else if (kind === 'head') this.#hearHead(rank, Buffer.from(value).toString());
    else if (kind === 'gone') this.#hearGone(rank, Buffer.from(value).toString());
    else if (kind === 'alarm' && !this.#isAlarmed) {
      this.#isAlarmed = true;
      this.#heardAlarm = { timeoutMs: value.length === 0 ? undefined : Number(Buffer.from(value).toString()) };
      this.#onAlarm?.(this.#heardAlarm);
    }
    if (kind === 'head' || kind === 'here' || kind === 'gone') this.#answered?.();
  }

  /** @param name - the rank, and a number of its process: two processes may have come as one rank */
  #hearComer(name: string, text: string): void {
    const [rank = '', process = ''] = name.split('.');
    const comer = parsed(text) as Partial<Comer> | null | undefined;
    if (!isComer(comer)) return;
    const comers = this.#come.get(Number(rank)) ?? new Map<string, Comer>();
    this.#come.set(Number(rank), comers.set(process, comer));
    // Such ranks never come together.
    if (comers.size > 1 || comer.size !== this.#facts.size) this.#brokenMs ??= performance.now();
  }

  #hearHead(rank: number, text: string): void {
    if (rank === this.#facts.rank) return;
    const head = parsed(text) as Head | undefined;
    if (head !== undefined) this.#heads.set(rank, head);
  }

  #hearGone(rank: number, text: string): void {
    const gone = parsed(text) as Gone | undefined;
    if (gone === undefined) return;
    this.#gone.set(rank, gone);
    // A rank whose part of all calls is done may close the communicator, or end, before others.
    if (gone.how !== 'closed' && gone.how !== 'ended') this.#brokenMs ??= performance.now();
  }

  #hearNear(rank: number, isNear: boolean): void {
    if (isNear) this.#near.add(rank);
    else this.#near.delete(rank);
    if (this.#near.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    } else if (this.#timer === undefined && !this.#isClosed) {
      this.#publish();
      this.#timer = setInterval(() => this.#publish(), PUBLISH_MS).unref();
    }
  }

  /** @param jobRank - the rank in the job, which a communicator that was split off counts otherwise */
  #leave(jobRank: number, reason: string): void {
    for (const rank of this.#ranksOf(jobRank, reason)) {
      if (rank === this.#facts.rank) continue;
      // A rank that has said what it is at ends because of the alarm.
      if (this.#isAlarmed && this.#heads.get(rank)?.isAnswer === true) continue;
      // The launcher knows more than the store, and most often tells later: the last words of a rank that ends are lost where
      // its connection ends with something unread (RFC 2525, 2.17).
      const known = this.#left.get(rank);
      if (reason === LOST && known !== undefined && known !== CLOSED) continue;
      this.#left.set(rank, reason);
      if (isClean(reason)) this.#deadMs.delete(rank);
      else if (!this.#deadMs.has(rank)) this.#deadMs.set(rank, performance.now());
    }
    this.#answered?.();
  }

  #ranksOf(jobRank: number, reason: string): readonly number[] {
    const come = [...this.#come].filter(([, comers]) => [...comers.values()].some(({ job }) => job === jobRank));
    if (come.length > 0 || this.#facts.isJob !== true || reason === CLOSED) return come.map(([rank]) => rank);
    return [jobRank];
  }

  #lose(reason: string, rank: number | undefined): void {
    this.#lost = reason;
    if (rank !== undefined) this.#leave(rank, LOST);
    this.#answered?.();
  }

  /** What is published after the alarm is an answer, also what the timer publishes. */
  #publish(): void {
    this.#publishedMs = performance.now();
    const isAnswer = this.#isAlarmed;
    const head: Head = {
      isAnswer,
      entries: this.#record?.tail(toldOf(this.#facts.size)) ?? [],
      waiting: this.#waiting,
      failed: this.#failure(),
      launched: isAnswer ? recentLaunches()?.split('; ').slice(0, LAUNCHES_TOLD).join('; ') : undefined,
    };
    this.#heads.set(this.#facts.rank, head);
    const text = JSON.stringify(head);
    if (text === this.#published) return;
    this.#published = text;
    this.#send(`head/${this.#facts.rank}`, text);
  }

  #send(key: string, value: string): void {
    if (!this.#isClosed) this.#keys.set(key, value);
  }

  #alarm(timeoutMs: number | undefined): void {
    if (!this.#isAlarmed) this.#send('alarm', timeoutMs === undefined ? '' : String(timeoutMs));
    this.#isAlarmed = true;
  }

  #answers(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(end, ANSWER_MS);
      this.#answered = (): void => {
        if (this.#isComplete()) end();
      };
      this.#answered();
      function end(): void {
        clearTimeout(timer);
        resolve();
      }
    });
  }

  #isComplete(): boolean {
    if (this.#lost !== undefined) return true;
    for (let rank = 0; rank < this.#facts.size; rank++) {
      if (!this.#left.has(rank) && !this.#gone.has(rank) && this.#heads.get(rank)?.isAnswer !== true) return false;
    }
    return true;
  }

  #stateOf(rank: number): RankState {
    const head = this.#heads.get(rank);
    const comers = [...(this.#come.get(rank)?.values() ?? [])];
    const gone = this.#gone.get(rank);
    const isSilent = head?.isAnswer !== true && gone === undefined && rank < this.#facts.size;
    // Of itself a rank knows without the store.
    const isOwn = rank === this.#facts.rank;
    return {
      rank,
      entries: (isOwn ? this.#record?.tail(MAX_TOLD) : undefined) ?? head?.entries ?? [],
      waiting: isOwn ? this.#waiting : head?.waiting,
      gone,
      failed: gone?.failed ?? head?.failed,
      launched: head?.launched,
      left: this.#left.get(rank),
      isSilent: isSilent && !isOwn && this.#lost === undefined,
      isUnknown: isSilent && !isOwn && this.#lost !== undefined,
      isMissing: comers.length === 0,
      comers: comers.length,
      sizes: [...new Set(comers.map(({ size }) => size))],
    };
  }

  /** Why the ranks cannot tell each other what they are at; undefined: they can. */
  get lost(): string | undefined {
    return this.#lost;
  }
}
