import { setTimeout as sleep } from 'node:timers/promises';
import type { IO } from '../output.ts';
import { otherFailure, type Failure } from './failure.ts';
import type { JobStore, Nodes } from './nodes.ts';
import type { LaunchPlan } from './plan.ts';
import { endOf, exitCodeOf, RankProcess, type RankEnd } from './rank-process.ts';
import type { Reaper } from './reaper.ts';
import { rankVariables } from './rank-variables.ts';
import type { Signals } from './signals.ts';

/** What an attempt works with. */
export interface AttemptHost {
  readonly plan: LaunchPlan;
  readonly nodes: Nodes;
  readonly flags: readonly string[];
  readonly reaper: Reaper;
  readonly signals: Signals;
  readonly io: IO;
  /** The end of the job's time, as `performance.now()` has it. */
  readonly endMs: number | undefined;
}

/** Time for ranks with a store to say what they were about, before SIGTERM. */
const NOTICE_MS = 2000;
/** Time between SIGTERM and SIGKILL. With the one above it is less than 5 s. */
const KILL_MS = 2500;
/** Time for processes that ranks have left behind. */
const LEFT_MS = 500;

/** One run of all ranks of this node, to the end of the last process. */
export class Attempt {
  readonly #host: AttemptHost;
  readonly #number: number;
  #ranks: readonly RankProcess[] = [];
  #failure: Failure | undefined;
  #interrupted: NodeJS.Signals | undefined;
  #failed: () => void = () => undefined;
  readonly #failing: Promise<void> = new Promise((resolve) => (this.#failed = resolve));
  /** The failure's way to the other nodes. */
  #told: Promise<unknown> = Promise.resolve();

  constructor(host: AttemptHost, number: number) {
    this.#host = host;
    this.#number = number;
  }

  /** Run it. The answer is the first failure of all nodes. */
  async run(): Promise<Failure | undefined> {
    const { nodes, signals } = this.#host;
    const job = await nodes.begin(this.#number);
    const timer = this.#limit();
    try {
      this.#start(job);
      signals.listen((signal, count) => this.#interrupt(signal, count));
      await nodes.onFailure(this.#number, (failure) => void this.#fail(failure, job));
      await Promise.all(this.#ranks.map((rank) => this.#watch(rank, job)));
      await this.#clear();
      if (this.#failure === undefined) await Promise.race([nodes.succeed(this.#number), this.#failing]);
      await this.#told;
      await nodes.end(this.#number);
      return this.#failure;
    } finally {
      clearTimeout(timer);
      signals.listen(undefined);
      this.#signalAll('SIGKILL');
    }
  }

  #start(job: JobStore): void {
    const { plan, nodes, flags, reaper, io } = this.#host;
    this.#ranks = Array.from({ length: plan.processes }, (_, localRank) => {
      const rank = nodes.offset + localRank;
      const env = { ...io.env, ...rankVariables({ plan, nodes, job, localRank, attempt: this.#number }) };
      const started = new RankProcess({ rank, argv: [...flags, plan.program, ...plan.args], env }, io);
      if (started.pid !== undefined) reaper.add(started.pid);
      return started;
    });
  }

  #limit(): NodeJS.Timeout | undefined {
    const { endMs, plan } = this.#host;
    if (endMs === undefined) return undefined;
    return setTimeout(
      () => {
        const running = this.#ranks.filter(({ isOver }) => !isOver).map(({ rank }) => rank);
        const seconds = (plan.timeoutMs ?? 0) / 1000;
        const which = running.length === 0 ? 'other nodes' : `rank ${running.join(', ')}`;
        const how = `time-out: ${which} still ran after ${seconds} s`;
        void this.#fail(otherFailure(how, 124, seconds));
      },
      Math.max(endMs - performance.now(), 1),
    );
  }

  async #watch(rank: RankProcess, { store }: JobStore): Promise<void> {
    let end: RankEnd;
    try {
      end = await rank.ended;
    } catch (error) {
      await this.#fail(otherFailure(`rank ${rank.rank} does not start: ${(error as Error).message}`, 1));
      return;
    }
    const { code, signal } = end;
    // For ranks that ask which one has ended.
    const said = store.set(`exit/${rank.rank}`, signal ?? String(code)).catch(() => undefined);
    if (code !== 0 && this.#failure === undefined) {
      const isFinal = this.#interrupted !== undefined;
      const how = this.#interrupted === undefined ? endOf(end) : `interrupted by ${this.#interrupted}`;
      const failure = { how, seconds: end.seconds, exitCode: exitCodeOf(end), isFinal };
      await said;
      await this.#fail({ ...failure, rank: isFinal ? undefined : rank.rank, lines: [] }, { store }, rank);
    }
    await said;
  }

  /** End all ranks of this node, and tell the others, because of a failure here or elsewhere. */
  async #fail(failure: Failure, job?: Pick<JobStore, 'store'>, rank?: RankProcess): Promise<void> {
    if (this.#failure) return;
    this.#failure = failure;
    const ending = this.#endRanks(job);
    this.#told = this.#tell(failure, rank).then(this.#failed);
    await Promise.all([ending, this.#told]);
  }

  async #tell(failure: Failure, rank: RankProcess | undefined): Promise<void> {
    await rank?.flush();
    const whole = { ...failure, lines: rank?.lastLines ?? failure.lines };
    this.#failure = whole;
    this.#failure = await this.#host.nodes.fail(this.#number, whole);
  }

  /** SIGTERM, then SIGKILL. Ranks that are connected to the store may report first what they waited for. */
  async #endRanks(job: Pick<JobStore, 'store'> | undefined): Promise<void> {
    const over = Promise.allSettled(this.#ranks.map(({ ended }) => ended));
    const isOver = (ms: number): Promise<boolean> => {
      const controller = new AbortController();
      const late = sleep(ms, false, { signal: controller.signal }).catch(() => false);
      return Promise.race([over.then(() => true), late]).finally(() => controller.abort());
    };
    if (job && (await this.#areConnected(job.store)) && (await isOver(NOTICE_MS))) return;
    this.#signalAll('SIGTERM');
    if (await isOver(KILL_MS)) return;
    this.#signalAll('SIGKILL');
  }

  /** Whether a rank that runs has a connection to the store. */
  async #areConnected(store: JobStore['store']): Promise<boolean> {
    const running = this.#ranks.filter(({ isOver }) => !isOver);
    const checks = running.map(({ rank }) => store.check([`join/${rank}`]).catch(() => false));
    return (await Promise.all(checks)).includes(true);
  }

  #interrupt(signal: NodeJS.Signals, count: number): void {
    this.#interrupted ??= signal;
    this.#signalAll(count === 1 ? signal : 'SIGKILL');
  }

  #signalAll(signal: NodeJS.Signals): void {
    for (const rank of this.#ranks) rank.signal(signal);
  }

  /** End what ranks have left behind, and print the last lines. */
  async #clear(): Promise<void> {
    const left = (): readonly RankProcess[] => this.#ranks.filter((rank) => rank.signal(0));
    if (left().length > 0) {
      this.#signalAll('SIGTERM');
      const end = performance.now() + LEFT_MS;
      while (left().length > 0 && performance.now() < end) await sleep(10);
      this.#signalAll('SIGKILL');
    }
    await Promise.all(this.#ranks.map((rank) => rank.flush()));
    for (const { pid } of this.#ranks) if (pid !== undefined) this.#host.reaper.remove(pid);
    this.#ranks = [];
  }
}
