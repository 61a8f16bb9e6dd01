import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';

/**
 * An empty compile cache for each test of a file that counts compilations, or looks at the cache's files: the run's may
 * hold what an earlier run compiled.
 * @returns The folder around the cache, for other files of the test; the cache is its `cache`.
 */
export function withOwnCache(): { readonly folder: string } {
  const outer = process.env['RAWKERNEL_CACHE_DIR'];
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rawkernel-cache-'));
    process.env['RAWKERNEL_CACHE_DIR'] = join(folder, 'cache');
  });
  afterEach(() => {
    if (outer === undefined) delete process.env['RAWKERNEL_CACHE_DIR'];
    else process.env['RAWKERNEL_CACHE_DIR'] = outer;
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    get folder() {
      return folder;
    },
  };
}
