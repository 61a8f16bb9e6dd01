import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUILD_FOLDER } from './folders.ts';

/**
 * The JavaScript file of a worker. Worker threads cannot run TypeScript, so that the built file is used even when this
 * module runs from its source, as in tests.
 *
 * @param path - from `src/cpu`, without an ending: `compiler/worker`
 */
export function workerFile(path: string): URL {
  const built = join(BUILD_FOLDER, 'cpu', `${path}.js`);
  if (existsSync(built)) return pathToFileURL(built);
  throw new Error(`The worker ${built} is not built; run npm run build first`);
}
