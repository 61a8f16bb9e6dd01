import { join, sep } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const src = join(root, 'src') + sep;

/** With RAWKERNEL_TEST_BUILT=1, what tests import from src comes from the built package instead. */
export function sync(path, options) {
  const file = options.defaultResolver(path, options);
  if (process.env.RAWKERNEL_TEST_BUILT !== '1' || !file.startsWith(src)) return file;
  return join(root, 'dist', file.slice(src.length).replace(/\.ts$/, '.js'));
}
