import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const begunFile = (folder) => join(folder, 'node_modules', '.cache', 'rawkernel', 'build-sources');
const builtFile = (folder) => join(folder, 'dist', 'cpu', 'build-sources');
/** What the embedded device's workers run: built code, even where the tests run the sources. */
const OF_WORKERS = /^(?:kernels\/cpu|src\/(?:core|cpu|ffi|cuda\/sys|opencl\/sys))\//;

/**
 * The sources that have changed since the build, all of them and those that the embedded device's workers run.
 * None where nothing is built; all where a build did not say what it was made of.
 */
export function changedSources(folder = root) {
  const record = builtFile(folder);
  if (!existsSync(dirname(record))) return { all: [], workers: [] };
  if (!existsSync(record)) return { all: ['all of them'], workers: ['all of them'] };
  const { begun, digests } = JSON.parse(readFileSync(record, 'utf8'));
  const files = sources(folder);
  // Times are quick, but a copy of the repository has new ones.
  const isChanged = (file) =>
    statSync(join(folder, file)).mtimeMs > begun && digestOf(join(folder, file)) !== digests[file];
  const all = files.filter((file) => digests[file] === undefined || isChanged(file));
  const here = new Set(files);
  all.push(...Object.keys(digests).filter((file) => !here.has(file)));
  return { all, workers: all.filter((file) => OF_WORKERS.test(file)) };
}

/** Why a test cannot run on the build; undefined where it can. */
export function staleness(changed) {
  if (changed.length === 0) return undefined;
  const others = changed.length > 1 ? ` and ${changed.length - 1} more` : '';
  return `dist is older than src (${changed[0]}${others}): run npm run build first`;
}

/** The build begins with a look at the sources, since they may change while it runs. */
export function beginBuild(folder = root) {
  mkdirSync(dirname(begunFile(folder)), { recursive: true });
  const begun = Date.now();
  const digests = Object.fromEntries(sources(folder).map((file) => [file, digestOf(join(folder, file))]));
  writeFileSync(begunFile(folder), JSON.stringify({ begun, digests }));
}

/** The build ends by writing down what it was made of. */
export function endBuild(folder = root) {
  copyFileSync(begunFile(folder), builtFile(folder));
}

function sources(folder) {
  return ['src', 'kernels'].flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, path, name }) => relative(folder, join(parentPath ?? path, name)).replaceAll('\\', '/')),
  );
}

function digestOf(path) {
  return createHash('sha256').update(readFileSync(path)).digest('base64');
}

if (process.argv[1] === import.meta.filename) ({ begin: beginBuild, end: endBuild })[process.argv[2]]();
