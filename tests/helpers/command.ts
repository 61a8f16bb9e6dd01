import { run } from '../../src/cli/command-line.ts';
import type { IO, Watcher } from '../../src/cli/output.ts';

/** What a command printed, and its exit code. */
export interface CommandEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What surrounds a command instead of a process. */
export interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  readonly terminal?: boolean;
  readonly again?: IO['again'];
  /** The size of the terminal; it may change. */
  readonly size?: { readonly columns: number; readonly rows: number };
  /** Is given what the command hears of its user with. */
  readonly watch?: (watcher: Watcher) => void;
  /** Is told what was written to stdout, each time. */
  readonly written?: (text: string) => void;
}

/** Run the command line in this process. */
export async function command(argv: readonly string[], around: Surroundings = {}): Promise<CommandEnd> {
  const written = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr'): IO['stdout'] => ({
    isTTY: around.terminal === true,
    get columns() {
      return around.size?.columns;
    },
    get rows() {
      return around.size?.rows;
    },
    write: (data) => {
      const text = typeof data === 'string' ? data : Buffer.from(data).toString('latin1');
      written[name] += text;
      if (name === 'stdout') around.written?.(text);
    },
  });
  const before = process.env['RAWKERNEL_DEVICE'];
  try {
    const code = await run(argv, {
      stdout: output('stdout'),
      stderr: output('stderr'),
      env: around.env ?? {},
      again: around.again ?? (() => Promise.reject(new Error('no other process'))),
      watch: (watcher) => {
        around.watch?.(watcher);
        return () => undefined;
      },
    });
    return { code, ...written };
  } finally {
    // A command settles the device for its process, which this one is not.
    if (before === undefined) delete process.env['RAWKERNEL_DEVICE'];
    else process.env['RAWKERNEL_DEVICE'] = before;
  }
}
