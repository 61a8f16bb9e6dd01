import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const begunFile = (folder) => join(folder, 'node_modules', '.cache', 'rawkernel', 'build-sources');
const builtFile = (folder) => join(folder, 'dist', 'cpu', 'build-sources');
/** Where tsc puts what it compiles, as tsconfig.build.json says; rollup makes `dist` of it. */
export const compiledFolder = (folder = root) => join(folder, 'node_modules', '.cache', 'rawkernel', 'compiled');
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

/** The built file of a source: one that the package has, or one beside it that passes on a chunk's exports. */
export function moduleFile(name, folder = root) {
  const packed = `dist/${name}.js`;
  return existsSync(join(folder, packed)) ? packed : `dist/modules/${name}.js`;
}

/** The build begins with a look at the sources, since they may change while it runs. */
export function beginBuild(folder = root) {
  mkdirSync(dirname(begunFile(folder)), { recursive: true });
  rmSync(compiledFolder(folder), { recursive: true, force: true });
  const begun = Date.now();
  const digests = Object.fromEntries(sources(folder).map((file) => [file, digestOf(join(folder, file))]));
  writeFileSync(begunFile(folder), JSON.stringify({ begun, digests }));
}

/** The build ends by writing down what it was made of. */
export function endBuild(folder = root) {
  copyFileSync(begunFile(folder), builtFile(folder));
}

/** Files of `dist` that rollup does not write: the compiler's store, and the build's records. */
const OTHERS = /^cpu\/(?:prebuilt\/|build-s\w+$)/;

/**
 * Remove the files of an earlier build that this one does not have. This comes last, and file by file: programs that run
 * from there meanwhile find their own files.
 *
 * @param made - the files that this build has written, by their paths in `dist`
 * @returns the removed files
 */
export function removeStale(made, folder = root) {
  const dist = join(folder, 'dist');
  const kept = new Set(made);
  const stale = filesIn(dist).filter((file) => !kept.has(file) && !OTHERS.test(file));
  for (const file of stale) rmSync(join(dist, file), { force: true });
  // The deepest first; folders with other files stay.
  for (const path of new Set(stale.flatMap(above).sort((a, b) => b.length - a.length))) {
    if (readdirSync(join(dist, path)).length === 0) rmdirSync(join(dist, path));
  }
  return stale;
}

function above(file) {
  const parts = file.split('/');
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'));
}

function sources(folder) {
  return ['src', 'kernels'].flatMap((part) => filesIn(join(folder, part)).map((file) => `${part}/${file}`));
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, path, name }) => relative(folder, join(parentPath ?? path, name)).replaceAll('\\', '/'));
}

function digestOf(path) {
  return createHash('sha256').update(readFileSync(path)).digest('base64');
}

if (process.argv[1] === import.meta.filename) ({ begin: beginBuild, end: endBuild })[process.argv[2]]();
