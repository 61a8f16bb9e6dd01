import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The JavaScript file of a worker. Worker threads take no TypeScript, so when this runs from the sources, as in tests,
 * the built file at the same place under `dist` is meant.
 *
 * @param path - from this folder, without an ending: `compiler/worker`
 */
export function workerFile(path: string): URL {
  const here = new URL(`./${path}.js`, import.meta.url);
  if (!import.meta.url.endsWith('.ts')) return here;
  const built = new URL(here.href.replace(/\/src\/cpu\//, '/dist/cpu/'));
  if (existsSync(fileURLToPath(built))) return built;
  throw new Error(`The worker ${fileURLToPath(built)} is not built; run npm run build first`);
}
