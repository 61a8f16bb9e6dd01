import { existsSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const COMPILER = /^(?:.*-)?(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|nvcc)(?:-[\d.]+)?(?:\.exe)?$/;

/** What can be hidden: how, in an environment. `folder` is for files that hiding takes. */
const HIDES = {
  cuda: (env) => (env.RAWKERNEL_LIBCUDA = 'none'),
  nvrtc: (env) => (env.RAWKERNEL_LIBNVRTC = 'none'),
  nvjitlink: (env) => (env.RAWKERNEL_LIBNVJITLINK = 'none'),
  nvvm: (env) => (env.RAWKERNEL_LIBNVVM = 'none'),
  nvtx: (env) => (env.RAWKERNEL_LIBNVTX = 'none'),
  nvml: (env) => (env.RAWKERNEL_LIBNVML = 'none'),
  /** The loader, and with it every platform but the embedded one. */
  opencl: (env) => (env.RAWKERNEL_LIBOPENCL = 'none'),
  /** The platforms, not the loader. */
  platforms: (env, folder) => (env.OCL_ICD_VENDORS = mkdtempSync(join(folder, 'vendors-'))),
  compilers: withoutCompilers,
};

/**
 * Hide from the tests what the machine has, so that they run as on one that has none of it.
 *
 * @param what - words with commas between, or 'all': RAWKERNEL_TEST_HIDE
 */
export function hide(what, env, folder) {
  for (const word of what === 'all' ? Object.keys(HIDES) : what.split(',')) {
    const known = HIDES[word];
    if (!known) throw new Error(`RAWKERNEL_TEST_HIDE must be 'all' or some of ${Object.keys(HIDES)}, got '${word}'`);
    known(env, folder);
  }
}

/** A path on which the folders that have a compiler are replaced by links to all the rest of them. */
function withoutCompilers(env, folder) {
  delete env.CUDA_HOME;
  delete env.CUDA_PATH;
  env.PATH = (env.PATH ?? '')
    .split(delimiter)
    .map((place) => (place !== '' && existsSync(place) ? withoutCompilersIn(place, folder) : place))
    .join(delimiter);
}

function withoutCompilersIn(place, folder) {
  const files = readdirSync(place);
  if (!files.some((file) => COMPILER.test(file))) return place;
  const links = mkdtempSync(join(folder, 'path-'));
  for (const file of files) if (!COMPILER.test(file)) symlinkSync(join(place, file), join(links, file));
  return links;
}
