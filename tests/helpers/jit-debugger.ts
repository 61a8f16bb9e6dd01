import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run } from './child.ts';
import { root } from './root.ts';

/** Where a debugger stopped, and what it saw there. */
export interface Stop {
  readonly isStep: boolean;
  readonly name: string;
  readonly source: string;
  readonly line: number;
  readonly scope: Readonly<Record<string, unknown>>;
  readonly values: Readonly<Record<string, unknown>>;
}

/** What a debugger is told: `{ line, condition }`, what to look at, how many steps to go from each breakpoint. */
export interface Debugging {
  readonly breakpoints: readonly { readonly line: number; readonly condition: string }[];
  readonly evaluate: readonly string[];
  readonly steps: number;
}

export interface Debugged {
  readonly stops: readonly Stop[];
  /** The source map of the kernel's JavaScript. */
  readonly map: Readonly<Record<string, unknown>>;
  /** The program's file: it is gone by now. */
  readonly url: string;
  readonly text: string;
}

/** Lines that a program to be debugged has before its launches. */
export const ATTACH = `const worker = new Worker(new URL('@/tests/helpers/debugger-worker.js'), {
  execArgv: [],
  workerData: { ...JSON.parse(process.env.DEBUGGED!), url: import.meta.url },
});
await new Promise((resolve) => worker.once('message', resolve));`;

/**
 * Run a program in TypeScript with a debugger in a thread beside it, which does what editors do by the Chrome DevTools Protocol: it
 * waits for scripts with a source map, sets breakpoints on lines of the file that the author wrote, looks at variables, and steps. tsx
 * makes JavaScript of the file: the lines are those of the TypeScript.
 *
 * @param program - it launches after {@link ATTACH}, and posts `'done'` to the worker at its end; `@/` in imports stands for the root
 */
export async function debug(program: string, wanted: Debugging): Promise<Debugged> {
  const folder = mkdtempSync(join(tmpdir(), 'rawkernel-debugger-'));
  const file = join(folder, 'blur.mts');
  try {
    writeFileSync(file, program.replaceAll("'@/", `'${pathToFileURL(root).href}/`));
    const told = JSON.stringify({ ...wanted, skipped: ['node:', '/src/'] });
    const { code, stdout, stderr } = await run(['--import', 'tsx', file], { DEBUGGED: told }, root);
    if (code !== 0 || stderr !== '') throw new Error(`exit code ${code}: ${stderr}`);
    const entries = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Stop & { payload?: Debugged['map']; error?: string });
    const failed = entries.find(({ error }) => error !== undefined);
    if (failed) throw new Error(failed.error);
    const map = entries.find(({ payload }) => payload !== undefined)?.payload ?? {};
    const stops = entries.filter(({ payload }) => payload === undefined);
    return { stops, map, url: pathToFileURL(file).href, text: readFileSync(file, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
