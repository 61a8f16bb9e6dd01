import { Fault } from './fault.ts';
import { missingLane, readyLanes, WARP } from './warp.ts';
import { GRID_SYNC_NAME } from '../operation/grid-group.ts';
import { placeText, type Request, type Thread } from './thread.ts';

/** A thread's run: it stops where it waits for others, and goes on with the result. */
export type Run = Generator<Thread, void, number | bigint | boolean | undefined>;

/** What the text of a kernel tells of its places. */
export interface Sites {
  /** `syncthreads in line 12` */
  siteText(site: number): string;
  errorOf(thrown: unknown, thread: Thread): Error;
}

interface Member {
  readonly thread: Thread;
  readonly run: Run;
  isDone: boolean;
  /** Whether it goes on in the next round, with `result`. */
  isReady: boolean;
  result: number | bigint | boolean | undefined;
}

/** The threads of one block, which run in turn from one place where they wait to the next. */
export class Block {
  /** The thread that runs, for an error that it throws. */
  current: Thread;
  readonly #members: readonly Member[];
  readonly #sites: Sites;
  #hasWarps = false;
  #isAtGrid = false;

  /** @param start - makes the run of a thread */
  constructor(threads: readonly Thread[], start: (thread: Thread) => Run, sites: Sites) {
    this.current = threads[0] as Thread;
    this.#sites = sites;
    this.#members = threads.map((thread) => ({
      thread,
      run: start(thread),
      isDone: false,
      isReady: true,
      result: undefined,
    }));
  }

  /** Whether all threads wait for the grid. */
  get isAtGrid(): boolean {
    return this.#isAtGrid;
  }

  /** Run up to the end, or to where the threads wait for the grid. */
  run(): void {
    try {
      do {
        for (const member of this.#members) if (member.isReady) this.#step(member);
      } while ((this.#hasWarps && this.#releaseWarps()) || this.#releaseBlock());
    } catch (error) {
      throw this.#sites.errorOf(error, this.current);
    }
  }

  /** Go on behind a barrier of the grid. */
  goOn(): void {
    this.#isAtGrid = false;
    for (const member of this.#members) {
      member.isReady = true;
      member.result = 0;
    }
  }

  /** The grid is waited for in vain. */
  failAtGrid(other: Block): never {
    const { site, operation } = this.current.request as Request;
    const fault = new Fault(
      site,
      `divergent barrier: ${operation} is waited at`,
      `, but block ${placeText(other.current.blockIdx)} has returned; all threads of the grid must come to each ${operation}`,
    );
    throw this.#sites.errorOf(fault, this.current);
  }

  #step(member: Member): void {
    const { thread, run } = member;
    this.current = thread;
    thread.request = undefined;
    member.isReady = false;
    member.isDone = run.next(member.result).done === true;
    const request = thread.request as Request | undefined;
    if (request === undefined || request.isOfBlock) return;
    this.#hasWarps = true;
    this.#checkMask(thread, request);
  }

  #checkMask(thread: Thread, { operation, mask, site }: Request): void {
    const lane = thread.rank % WARP;
    if (((mask >>> lane) & 1) === 0)
      throw new Fault(
        site,
        `the mask of ${operation} must have the bit of the calling lane ${lane}, got 0x${mask.toString(16)}`,
      );
  }

  /** Let lanes of warps go on that can; tell whether there is one. */
  #releaseWarps(): boolean {
    let isAny = false;
    for (let first = 0; first < this.#members.length; first += WARP) {
      const members = this.#members.slice(first, first + WARP);
      if (members.every(({ isDone, thread }) => isDone || thread.request?.isOfBlock === true)) continue;
      for (const [lane, value] of readyLanes(liveOf(members)) ?? []) {
        const member = members[lane] as Member;
        member.isReady = true;
        member.result = value;
        isAny = true;
      }
    }
    return isAny;
  }

  /** Let all threads of the block go on, which have to wait at one barrier; tell whether there is one. */
  #releaseBlock(): boolean {
    const first = this.#members.find(({ isDone }) => !isDone);
    if (first === undefined) return false;
    const request = first.thread.request as Request;
    this.#checkWarps();
    this.#checkBarrier(first.thread, request);
    if (request.operation === GRID_SYNC_NAME) {
      this.#isAtGrid = true;
      return false;
    }
    const result = this.#voted(request.operation);
    for (const member of this.#members) {
      member.isReady = true;
      member.result = result;
    }
    return true;
  }

  #voted(operation: string): number {
    if (operation === 'syncthreads') return 0;
    const votes = this.#members.filter(({ thread }) => Number(thread.request?.value) !== 0).length;
    if (operation === 'syncthreads_count') return votes;
    return Number(operation === 'syncthreads_and' ? votes === this.#members.length : votes > 0);
  }

  /** No lane that waits for others of its warp can go on any more. */
  #checkWarps(): void {
    if (!this.#hasWarps) return;
    for (const { thread, isDone } of this.#members) {
      const request = thread.request as Request;
      if (isDone || request.isOfBlock) continue;
      this.current = thread;
      const first = thread.rank - (thread.rank % WARP);
      const other = missingLane(request, liveOf(this.#members.slice(first, first + WARP)));
      throw new Fault(
        request.site,
        `divergent warp: ${request.operation} of ${thread.text}`,
        other
          ? `: ${other.text}, which its mask 0x${request.mask.toString(16)} has, waits at ${this.#sites.siteText(other.request?.site ?? 0)}`
          : '',
      );
    }
  }

  #checkBarrier(thread: Thread, request: Request): void {
    this.current = thread;
    const done = this.#members.find(({ isDone }) => isDone);
    if (done) {
      throw new Fault(
        request.site,
        `divergent barrier: ${request.operation} is waited at`,
        `, but ${done.thread.text} has returned; all threads of a block must come to each ${request.operation}`,
      );
    }
    const other = this.#members.find((one) => !this.#isSamePlace(request, one.thread.request as Request))?.thread;
    if (other === undefined) return;
    throw new Fault(
      request.site,
      `divergent barrier: ${request.operation} is waited at`,
      `, but ${other.text} waits at ${this.#sites.siteText(other.request?.site ?? 0)}; all threads of a block must come to the same one`,
    );
  }

  /** One call in the text may be two places: of a device function for two combinations of types. */
  #isSamePlace(a: Request, b: Request): boolean {
    return (
      a.site === b.site ||
      (a.operation === b.operation && this.#sites.siteText(a.site) === this.#sites.siteText(b.site))
    );
  }
}

function liveOf(members: readonly Member[]): ReadonlyMap<number, Thread> {
  return new Map(members.flatMap(({ isDone, thread }, lane) => (isDone ? [] : [[lane, thread] as const])));
}
