import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUILD_FOLDER } from './folders.ts';

/**
 * The JavaScript file of a worker. Worker threads take no TypeScript, so when this runs from the sources, as in tests,
 * the built file is meant too.
 *
 * @param path - from `src/cpu`, without an ending: `compiler/worker`
 */
export function workerFile(path: string): URL {
  const built = join(BUILD_FOLDER, 'cpu', `${path}.js`);
  if (existsSync(built)) return pathToFileURL(built);
  throw new Error(`The worker ${built} is not built; run npm run build first`);
}
