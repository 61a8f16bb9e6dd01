import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Side } from '../harness.ts';

/** What a peer says first. */
interface Hello {
  readonly name: string;
  readonly version: string;
  readonly cases: readonly string[];
}

const MAX = 2000;

/** A library of Python's, in a process of its own that measures a round whenever it is asked for one. */
export class Peer {
  readonly name: string;
  readonly version: string;
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string, undefined>;
  readonly #cases: readonly string[];

  constructor(child: ChildProcess, lines: AsyncIterator<string, undefined>, { name, version, cases }: Hello) {
    this.#child = child;
    this.#lines = lines;
    this.#cases = cases;
    this.name = name;
    this.version = version;
  }

  /** Undefined where this Python has no such library, or that no device: a line says so. */
  static async start(python: string, file: string, args: readonly string[] = []): Promise<Peer | undefined> {
    const child = spawn(python, [join(import.meta.dirname, file), ...args], { stdio: 'pipe' });
    let complaint = '';
    child.on('error', (error) => (complaint = error.message));
    child.stdin.on('error', () => undefined);
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint = `${complaint}${text}`.slice(-MAX)));
    const lines: AsyncIterator<string, undefined> = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) {
        console.log(`without ${file}: ${complaint.trim().split('\n').at(-1) ?? ''}`);
        return undefined;
      }
      // What a library prints while it is imported is not for us.
      if (value.startsWith('{')) return new Peer(child, lines, JSON.parse(value) as Hello);
    }
  }

  /** All of its sides of a case: `launch 4` and `launch 4, prepared`. */
  sides(wanted: string): readonly Side[] {
    const own = this.#cases.filter((name) => name === wanted || name.startsWith(`${wanted}, `));
    return own.map((name) => ({
      name: `${this.name}${name.slice(wanted.length)}`,
      round: () => this.#ask(name),
    }));
  }

  async #ask(name: string): Promise<number> {
    this.#child.stdin?.write(`${name}\n`);
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error(`${this.name} has ended while it measured ${name}`);
    return JSON.parse(value) as number;
  }

  close(): void {
    this.#child.stdin?.end();
  }
}
