import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './root.ts';

/** Takes the place of src/cpu/files/worker-file.ts in a run whose files share their compilers: compile-servers.js. */
export function workerFile(path: string): URL {
  const isShared = path === 'compiler/worker' && process.env['RAWKERNEL_TEST_COMPILERS'] !== undefined;
  const file = isShared ? 'tests/helpers/compile-worker.js' : `dist/cpu/${path}.js`;
  return pathToFileURL(join(root, file));
}
