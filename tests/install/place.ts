import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

type Variables = Readonly<Record<string, string>>;

const LIMIT_MS = 300_000;

/** A folder in which a user works, and what is on the PATH there. */
export class Place {
  readonly folder: string;
  readonly #path: readonly string[];
  readonly #env: Variables;

  constructor(folder: string, env: Variables, path: readonly string[] = []) {
    mkdirSync(folder, { recursive: true });
    this.folder = folder;
    this.#env = env;
    this.#path = path;
  }

  /** A folder in this one. */
  at(name: string): Place {
    return new Place(join(this.folder, name), this.#env, this.#path);
  }

  /** A folder in this one, with a package.json of its own. */
  inner(name: string, manifest: object = {}): Place {
    return this.at(name).write('package.json', JSON.stringify({ name, private: true, ...manifest }));
  }

  /** The same folder, with programs that go before others. */
  with(...path: readonly string[]): Place {
    return new Place(this.folder, this.#env, [...path, ...this.#path]);
  }

  /** The same folder, with other variables. */
  under(env: Variables): Place {
    return new Place(this.folder, { ...this.#env, ...env }, this.#path);
  }

  write(name: string, text: string): this {
    writeFileSync(join(this.folder, name), text);
    return this;
  }

  /** Run a line of the shell, and give what it prints. */
  run(line: string): string {
    const { output, status } = this.#shell(line);
    if (status === 0) return output;
    throw new Error(`${line}\nended with ${status ?? 'a signal'}:\n${output}`);
  }

  /** Run what has to fail, and give what it prints. */
  fail(line: string): string {
    const { output, status } = this.#shell(line);
    if (status !== 0) return output;
    throw new Error(`${line}\nended well:\n${output}`);
  }

  /** Run a line that has to print something. */
  expect(line: string, text: string): void {
    const output = this.run(line);
    if (!output.includes(text)) throw new Error(`${line}\nhas to print '${text}'; it printed:\n${output}`);
  }

  #shell(line: string): { readonly output: string; readonly status: number | null } {
    // What npm tells its scripts would configure the package managers too.
    const inherited = Object.entries(process.env).filter(([name]) => !/^(?:npm_|NODE_OPTIONS$|RAWKERNEL_)/.test(name));
    const { PATH = '', ...rest } = Object.fromEntries(inherited);
    const { stdout, stderr, status, error } = spawnSync(line, {
      cwd: this.folder,
      encoding: 'utf8',
      env: { ...rest, ...this.#env, PATH: [...this.#path, PATH].join(delimiter) },
      shell: true,
      timeout: LIMIT_MS,
      maxBuffer: 1 << 26,
    });
    if (error) throw error;
    return { output: stdout + stderr, status };
  }
}
