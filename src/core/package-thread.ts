import { existsSync } from 'node:fs';
import { Worker, type Transferable } from 'node:worker_threads';

/** What a thread of this package is started with. */
export interface ThreadOptions {
  /** As debuggers show it. */
  readonly name: string;
  readonly data: unknown;
  readonly transferList?: Transferable[] | undefined;
}

/**
 * Start a thread for what can be done without it, too.
 *
 * @param from - `import.meta.url` of the module that asks; bundlers may leave nothing there
 * @param path - of its file, from `src` and without an ending: `job/relay-thread`
 * @returns undefined where no thread may be started, or its file is not there, as in a bundle
 */
export function startThread(from: string | undefined, path: string, options: ThreadOptions): Worker | undefined {
  if (from === undefined) return undefined;
  // Threads run the built file, beside sources too.
  const file = new URL(`${from.endsWith('.ts') ? '../../dist' : '..'}/${path}.js`, from);
  if (!existsSync(file)) return undefined;
  const { name, data, transferList = [] } = options;
  try {
    // None of this process's loaders and hooks: they would only cost time.
    return new Worker(file, { workerData: data, transferList, execArgv: [], name: `rawkernel ${name}` });
  } catch {
    return undefined;
  }
}
