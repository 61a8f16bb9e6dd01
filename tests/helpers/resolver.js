import { join, sep } from 'node:path';
import { moduleFile } from './build-record.js';

const root = join(import.meta.dirname, '..', '..');
const src = join(root, 'src') + sep;
const WORKER_FILE = join(src, 'cpu', 'files', 'worker-file.ts');
const STALE_WORKER_FILE = join(import.meta.dirname, 'stale-worker-file.ts');
const SHARED_WORKER_FILE = join(import.meta.dirname, 'shared-worker-file.ts');

/**
 * A build that is older than its sources is not run unseen: what starts workers from it throws.
 * With RAWKERNEL_TEST_BUILT=1, what tests import from src comes from the built package instead.
 */
export function sync(path, options) {
  const file = options.defaultResolver(path, options);
  if (file === WORKER_FILE && process.env.RAWKERNEL_TEST_STALE_WORKERS) return STALE_WORKER_FILE;
  if (file === WORKER_FILE && process.env.RAWKERNEL_TEST_COMPILERS) return SHARED_WORKER_FILE;
  if (process.env.RAWKERNEL_TEST_BUILT !== '1' || !file.startsWith(src)) return file;
  return join(root, moduleFile(file.slice(src.length).replace(/\.ts$/, '')));
}
