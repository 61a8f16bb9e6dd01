import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { painter, type IO } from '../output.ts';
import { LastLines, LineWriter } from './line-writer.ts';
import { signalGroup } from './process-group.ts';

/** What a rank is started with. */
export interface RankStart {
  readonly rank: number;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How a rank has ended. */
export interface RankEnd {
  readonly rank: number;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly seconds: number;
}

const COLOURS = ['cyan', 'green', 'yellow'] as const;
/** Time for the last bytes of streams that something else has open. */
const FLUSH_MS = 1000;

/** The process of one rank, in a process group of its own. */
export class RankProcess {
  readonly rank: number;
  readonly #child: ChildProcess;
  readonly #last = new LastLines();
  readonly #writers: readonly LineWriter[];
  readonly ended: Promise<RankEnd>;
  #isOver = false;

  constructor({ rank, argv, env }: RankStart, io: IO) {
    this.rank = rank;
    const began = performance.now();
    this.#child = spawn(process.execPath, argv, {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const { stdout, stderr } = this.#child;
    const prefix = (output: IO['stdout']): string =>
      `${painter(output, io.env)(COLOURS[rank % COLOURS.length] ?? 'cyan', `[${rank}]`)} `;
    this.#writers = [
      ...(stdout ? [new LineWriter(stdout, io.stdout, prefix(io.stdout), this.#last)] : []),
      ...(stderr ? [new LineWriter(stderr, io.stderr, prefix(io.stderr), this.#last)] : []),
    ];
    this.ended = new Promise((resolve, reject) => {
      this.#child.on('error', reject).on('exit', (code, signal) => {
        this.#isOver = true;
        resolve({ rank, code, signal, seconds: (performance.now() - began) / 1000 });
      });
    });
    // Errors are for code that waits for the end, which comes later.
    this.ended.catch(() => undefined);
  }

  /** Undefined where it could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Whether the process itself has ended; others of its group may go on. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** What it has printed last. */
  get lastLines(): readonly string[] {
    return this.#last.lines;
  }

  /** Send a signal to the process and all that it has started. */
  signal(signal: NodeJS.Signals | 0): boolean {
    return this.pid !== undefined && signalGroup(this.pid, signal);
  }

  /** Print what is left, a line without an end. */
  async flush(): Promise<void> {
    const late = AbortSignal.timeout(FLUSH_MS);
    const streams = [this.#child.stdout, this.#child.stderr].flatMap((stream) => stream ?? []);
    const open = streams.filter(({ closed }) => !closed);
    await Promise.all(open.map((stream) => once(stream, 'close', { signal: late }).catch(() => undefined)));
    for (const stream of open) stream.destroy();
    for (const writer of this.#writers) writer.flush();
  }
}

/** A process's end in words: `exit code 3`, `signal SIGKILL`. */
export function endOf({ code, signal }: Pick<RankEnd, 'code' | 'signal'>): string {
  return signal === null ? `exit code ${code ?? 0}` : `signal ${signal}`;
}

/** The exit code that shells give to a process's end. */
export function exitCodeOf({ code, signal }: Pick<RankEnd, 'code' | 'signal'>): number {
  return signal === null ? (code ?? 0) : 128 + constants.signals[signal];
}
