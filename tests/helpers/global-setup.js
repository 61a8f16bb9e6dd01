import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hide } from './hide.js';
import { changedSources, staleness } from './build-record.js';

/**
 * Before all tests: one compile cache for the run, so that tests neither read nor fill the user's and compile nothing
 * twice; one answer to the question what CUDA runs on; and an end for kernels that have none.
 */
// eslint-disable-next-line no-restricted-syntax -- jest asks for it
export default async function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'rawkernel-test-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  // A folder that others have files in is not a cache.
  process.env.RAWKERNEL_CACHE_DIR = process.env.RAWKERNEL_TEST_CACHE ?? join(folder, 'cache');
  // A process that is killed leaves half-written files in the cache of PoCL.
  process.env.POCL_CACHE_DIR ??= join(folder, 'pocl');
  if (process.env.RAWKERNEL_TEST_HIDE) hide(process.env.RAWKERNEL_TEST_HIDE, process.env, folder);
  process.env.RAWKERNEL_CPU_TIMEOUT_MS ??= '120000';
  const changed = changedSources();
  const stale = staleness(changed.all);
  if (stale && process.env.RAWKERNEL_TEST_BUILT === '1') throw new Error(stale);
  process.env.RAWKERNEL_TEST_STALE = stale ?? '';
  process.env.RAWKERNEL_TEST_STALE_WORKERS = staleness(changed.workers) ?? '';
  if (process.env.RAWKERNEL_TEST_OWN_COMPILERS !== '1') await shareCompilers(folder);
  const select = new URL('../../dist/modules/cuda/selection.js', import.meta.url);
  if (!existsSync(select)) return;
  const { isEmbedded } = await import(select.href);
  if (!isEmbedded()) return;
  // OpenCL is tested on all that is there: tests/helpers/opencl-devices.ts.
  process.env.RAWKERNEL_TEST_OPENCL = process.env.RAWKERNEL_DEVICE ?? '';
  process.env.RAWKERNEL_DEVICE = 'cpu';
}

/** Compilers for all test files. With RAWKERNEL_TEST_OWN_COMPILERS=1 each process starts its own, as users' programs do. */
async function shareCompilers(folder) {
  const worker = new URL('../../dist/cpu/compiler/worker.js', import.meta.url);
  if (!existsSync(worker) || process.env.RAWKERNEL_TEST_STALE_WORKERS || process.platform === 'win32') return;
  const path = join(folder, 'compilers');
  const child = fork(new URL('compile-servers.js', import.meta.url), [path], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  child.unref();
  child.channel.unref();
  process.env.RAWKERNEL_TEST_COMPILERS = path;
  const hook = new URL('child-compilers.js', import.meta.url);
  process.env.NODE_OPTIONS = [process.env.NODE_OPTIONS, `--import=${hook.href}`].filter(Boolean).join(' ');
}
